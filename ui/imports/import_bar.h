// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/message_bar.h"

#include <QFrame>
#include <QString>

class QLabel;
class QProgressBar;
class QToolButton;

namespace lanes::ui {

class CommandTracker;

/// One line across the window while events are imported from a file: how far it is, and a button
/// that ends it. It also asks for the file, and tells how an import ended.
class ImportBar : public QFrame {
    Q_OBJECT

public:
    ImportBar(Engine& engine, CommandTracker& commands, QWidget* parent = nullptr);

    /// Asks for a file and imports it.
    void chooseFile();
    void start(const QString& file);
    void showSnapshot();

signals:
    /// For the message bar of the window: an import ended, or could not begin.
    void told(lanes::ui::MessageBar::Kind kind, const QString& text);

private:
    void cancel();
    void showProgress(const ImportSnapshot& import);
    void tellEnd(const ImportSnapshot& import);

    Engine& m_engine;
    CommandTracker& m_commands;
    QLabel* m_text;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    std::uint64_t m_watched = 0;  ///< number of the import that was seen running
};

}  // namespace lanes::ui
