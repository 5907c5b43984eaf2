// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

// Labels that stand in several windows; what they say is plain text.
namespace lanes::ui {

/// The bold title of a part of a window.
[[nodiscard]] QLabel* sectionTitle(const QString& text, QWidget* parent);
/// Muted words below what they explain; they wrap.
[[nodiscard]] QLabel* hintLabel(const QString& text, QWidget* parent);

}  // namespace lanes::ui
