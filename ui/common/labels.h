// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QPlainTextEdit;
class QWidget;

// Labels that stand in several windows; what they say is plain text.
namespace lanes::ui {

/// The bold title of a part of a window.
[[nodiscard]] QLabel* sectionTitle(const QString& text, QWidget* parent);
/// Muted words below what they explain; they wrap.
[[nodiscard]] QLabel* hintLabel(const QString& text, QWidget* parent);

/// Words that wrap and can be selected, filled in later.
[[nodiscard]] QLabel* wrappedLabel(const char* name, QWidget* parent);
/// What was typed. `toPlainText` would make spaces of those that do not break.
[[nodiscard]] QString typedText(const QPlainTextEdit& edit);

}  // namespace lanes::ui
