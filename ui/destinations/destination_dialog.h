// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QDialog>

#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lanes::ui {

class CommandTracker;

/// Adds a destination or changes one. What is wrong with a field stands under it; the dialog only
/// closes when the engine has stored the settings.
class DestinationDialog : public QDialog {
    Q_OBJECT

public:
    /// `config.id` 0 adds a destination. Settings that have no field here are kept as they are.
    DestinationDialog(CommandTracker& commands, const DestinationConfig& config,
                      QWidget* parent = nullptr);

    /// What the fields say now.
    [[nodiscard]] DestinationConfig config() const;

signals:
    void stored(const QString& name);

private:
    enum class Field { name, url, window, inFlight, afterDead, types, secret, connect, attempt };

    void addField(QFormLayout& form, Field field, const QString& label, QWidget* editor,
                  const QString& help);
    void buildSecret(QFormLayout& form);
    void fill();
    void generateSecret();
    void store();
    void showError(const QString& error);
    void clearErrors();

    CommandTracker& m_commands;
    DestinationConfig m_config;
    QLineEdit* m_name;
    QLineEdit* m_url;
    QSpinBox* m_window;
    QComboBox* m_windowUnit;
    QSpinBox* m_inFlight;
    QComboBox* m_afterDead;
    QCheckBox* m_allowEdits;
    QLineEdit* m_types;
    QLineEdit* m_secret;
    QPushButton* m_generate;
    QPushButton* m_copy;
    QLabel* m_secretHelp;
    QDoubleSpinBox* m_connect;
    QDoubleSpinBox* m_attempt;
    QLabel* m_general;
    QPushButton* m_accept;
    std::map<Field, QLabel*> m_errors;
    std::map<Field, QWidget*> m_editors;
};

/// A fresh Standard Webhooks secret: "whsec_" and the base64 of 32 random bytes of the system.
[[nodiscard]] std::string newSecret();

}  // namespace lanes::ui
