// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

class QFormLayout;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace lanes::ui {

class TimeDisplay;

/// What a user can choose about the window, and what a sender of events has to know. Everything is
/// in force as soon as it is chosen.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    struct Facts {
        QString dataDirectory;  ///< empty: not known
        /// Kinds of alerts: how they are kept, and their names.
        std::vector<std::pair<QString, QString>> alerts;
        bool hasTray = false;
    };

    SettingsDialog(Engine& engine, TimeDisplay& times, const Facts& facts,
                   QWidget* parent = nullptr);

signals:
    void layoutResetWanted();
    void sourcesWanted();
    /// Something was put into the clipboard; for a message.
    void copied(const QString& what);

private:
    void addDisplay(QVBoxLayout& column);
    void addNotes(QVBoxLayout& column, const Facts& facts);
    void addIntake(QVBoxLayout& column);
    void addData(QVBoxLayout& column, const QString& directory);
    [[nodiscard]] QLineEdit* fact(const QString& text, const char* name);
    [[nodiscard]] QToolButton* copyButton(QLineEdit* fact, const char* name, const QString& what);

    Engine& m_engine;
    TimeDisplay& m_times;
};

}  // namespace lanes::ui
