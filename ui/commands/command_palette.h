// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/command_list.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace lanes::ui {

/// Finds a command by a few letters of its name and does it. Commands that cannot be done now are
/// shown, greyed, so that nobody looks for them elsewhere.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    explicit CommandPalette(std::vector<ListedCommand> commands, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMatches();
    void run();

    std::vector<ListedCommand> m_commands;
    QLineEdit* m_typed;
    QListWidget* m_list;
};

}  // namespace lanes::ui
