// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QHeaderView;
class QSettings;

// Where the window stood, which docks were open and how wide the columns were.
namespace lanes::ui {

/// Rises when docks or columns change so that an older state would not fit; an older state is then
/// ignored and the default layout shown.
inline constexpr int kLayoutVersion = 2;

void saveWindow(QSettings& settings, const QMainWindow& window);
/// Whether there is one of this version.
[[nodiscard]] bool isUsableLayout(const QSettings& settings);
/// False if there was nothing usable. The window is moved into the screens that exist now.
bool restoreWindow(QSettings& settings, QMainWindow& window);
/// Moves and shrinks a window so that all of it is on a screen.
void clampToScreens(QMainWindow& window);

/// Columns under the object name of the table.
void saveColumns(QSettings& settings, const QHeaderView& header);
bool restoreColumns(QSettings& settings, QHeaderView& header);

/// Forgets everything above.
void forgetLayout(QSettings& settings);

}  // namespace lanes::ui
