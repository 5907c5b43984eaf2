// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/icons.h"

#include <QString>

class QDialog;
class QDialogButtonBox;
class QLabel;
class QPushButton;
class QVBoxLayout;
class QWidget;

// What dialogs that ask have in common: a question in large letters, plain words, a verb and
// Cancel.
namespace lanes::ui {

/// Makes a label the heading of a window: larger and bold.
void makeHeading(QLabel& label);

/// Plain words that wrap where they are too long for one line of a dialog.
[[nodiscard]] QLabel* dialogWords(const QString& text, const char* name, QWidget* parent);
/// The question that a dialog asks.
[[nodiscard]] QLabel* dialogHeading(const QString& text, QWidget* parent);

/// The layout of a dialog, with its margins and its least width.
[[nodiscard]] QVBoxLayout* dialogLayout(QDialog& dialog);

struct DialogButtons {
    QPushButton* accept;  ///< the verb; the default
    QPushButton* cancel;
};
/// Adds them at the end, connected, and gives the dialog the height that all of it needs.
DialogButtons addDialogButtons(QDialog& dialog, QVBoxLayout& layout, const QString& verb,
                               Symbol symbol, const char* name);

}  // namespace lanes::ui
