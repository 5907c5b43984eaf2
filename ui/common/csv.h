// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// Text from outside in cells that a spreadsheet reads.
namespace lanes::ui {

/// With an apostrophe before = + - @ tab and return, so that no spreadsheet takes it for a formula.
[[nodiscard]] QString defusedCell(const QString& text);
/// A cell of a CSV file: defused, and quoted where needed.
[[nodiscard]] QString csvCell(const QString& text);

}  // namespace lanes::ui
