// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/command_list.h"

#include <QDialog>

namespace lanes::ui {

/// All keys on one sheet: those of the menus, and those that work inside lists.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(const std::vector<ListedCommand>& commands, QWidget* parent = nullptr);
};

}  // namespace lanes::ui
