// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>

class QAbstractButton;
class QApplication;

// Light and dark looks on the Fusion style. Qt 6.4 does not know the desktop's colour scheme, so
// `system` reads it off the palette that the platform gave the program at its start.
namespace lanes::ui {

enum class Theme { system, light, dark };

/// Style, palette and style sheet for the whole program; may be called again at any time.
void applyTheme(QApplication& application, Theme theme);

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();
/// True if text is lighter than its background.
[[nodiscard]] bool isDark(const QPalette& palette);

/// Makes a button one of several choices: checkable, and plainly filled with the accent while it is
/// checked (Fusion's own checked buttons are hard to tell).
void makeChoice(QAbstractButton& button);

/// The font with digits of one width, so that numbers that change do not jitter. Fonts whose
/// digits differ in width are replaced by the system's fixed-width one.
[[nodiscard]] QFont tabularDigits(const QFont& font);

}  // namespace lanes::ui
