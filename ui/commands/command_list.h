// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>

#include <vector>

class QAction;
class QMenuBar;

namespace lanes::ui {

/// One thing that the menus can do.
struct ListedCommand {
    QPointer<QAction> action;
    QString menu;  ///< where it stands: "View"
    QString text;  ///< without the mark of its letter
    QString keys;  ///< as the desktop writes them; empty if it has none
};

/// All visible commands of the menus, in their order. The menus are the only list of commands, so
/// that whatever can be done can also be found there.
[[nodiscard]] std::vector<ListedCommand> listedCommands(const QMenuBar& bar);

/// How well a command fits what was typed: the letters have to come in this order; those at the
/// beginnings of words and those that follow each other fit better. -1: not at all.
[[nodiscard]] int commandFit(const QString& typed, const QString& text);

}  // namespace lanes::ui
