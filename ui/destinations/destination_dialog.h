// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QDialog>

#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace lanes::ui {

class CertificateBox;
class CommandTracker;
class LoginBox;
class ProxyBox;
class SecretsBox;
class TestPanel;

/// Adds a destination or changes one: all its settings, on pages by what they are about. What is
/// wrong with a field stands under it; the dialog only closes when the engine has stored the
/// settings. A test event can be sent to what is typed before that.
class DestinationDialog : public QDialog {
    Q_OBJECT

public:
    /// `config.id` 0 adds a destination.
    DestinationDialog(Engine& engine, CommandTracker& commands, const DestinationConfig& config,
                      QWidget* parent = nullptr);

    /// What the fields say now; of those that cannot be read, nothing.
    [[nodiscard]] DestinationConfig config() const;

signals:
    void stored(const QString& name);

private:
    enum class Field {
        name,
        url,
        types,
        inFlight,
        rate,
        connect,
        attempt,
        linkLocal,
        window,
        statuses,
        afterDead,
        edits,
        headers,
        secret,
        body,
        login,
        certificate,
        pin,
        proxy
    };

    void buildWidgets();
    [[nodiscard]] QWidget* addressPage();
    [[nodiscard]] QWidget* deliveryPage();
    [[nodiscard]] QWidget* failuresPage();
    [[nodiscard]] QWidget* headersPage();
    [[nodiscard]] QWidget* accessPage();
    [[nodiscard]] QFormLayout* newForm(QWidget* page);
    void addField(QFormLayout& form, Field field, const QString& label, QWidget* editor,
                  const QString& help);
    void fill();
    void showUrlHelp();
    void sendTest();
    void store();
    /// Empty, or what cannot be read or would be refused, as `validate` says it.
    [[nodiscard]] QString problem(const DestinationConfig& config) const;
    void showError(const QString& error);
    void clearErrors();
    void fitHeight();

    CommandTracker& m_commands;
    DestinationConfig m_config;
    QTabWidget* m_pages;
    QLineEdit* m_name;
    QLineEdit* m_url;
    QLineEdit* m_types;
    QSpinBox* m_inFlight;
    QDoubleSpinBox* m_rate;
    QDoubleSpinBox* m_connect;
    QDoubleSpinBox* m_attempt;
    QCheckBox* m_linkLocal;
    QSpinBox* m_window;
    QComboBox* m_windowUnit;
    QLineEdit* m_statuses;
    QComboBox* m_afterDead;
    QCheckBox* m_edits;
    QPlainTextEdit* m_headers;
    SecretsBox* m_secrets;
    QComboBox* m_body;
    LoginBox* m_login;
    CertificateBox* m_certificate;
    QLineEdit* m_pin;
    ProxyBox* m_proxy;
    TestPanel* m_test;
    QLabel* m_general;
    QPushButton* m_accept;
    std::map<Field, QLabel*> m_helps;
    std::map<Field, QLabel*> m_errors;
    std::map<Field, QWidget*> m_editors;
};

}  // namespace lanes::ui
