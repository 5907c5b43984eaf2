// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/dialog_parts.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFont>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

/// Width of a text that fits a dialog on one line, beside the name of a fact.
constexpr int kOneLine = 350;
constexpr int kLeastWidth = 500;
constexpr double kHeadingScale = 1.2;

}  // namespace

void makeHeading(QLabel& label) {
    QFont font = label.font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * kHeadingScale);
    label.setFont(font);
}

QLabel* dialogWords(const QString& text, const char* name, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    // A form gives a field its whole width only if the field asks for it.
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    // A wrapping label asks for the height of two lines even where one does. Only after the policy:
    // that its height depends on its width is a part of it.
    label->setWordWrap(label->fontMetrics().horizontalAdvance(text) > kOneLine);
    return label;
}

QLabel* dialogHeading(const QString& text, QWidget* parent) {
    auto* label = dialogWords(text, "dialogTitle", parent);
    makeHeading(*label);
    return label;
}

QVBoxLayout* dialogLayout(QDialog& dialog) {
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    dialog.setMinimumWidth(kLeastWidth);
    return layout;
}

DialogButtons addDialogButtons(QDialog& dialog, QVBoxLayout& layout, const QString& verb,
                               Symbol symbol, const char* name) {
    auto* box = new QDialogButtonBox(QDialogButtonBox::Cancel, &dialog);
    auto* accept = box->addButton(verb, QDialogButtonBox::AcceptRole);
    accept->setObjectName(QLatin1String(name));
    accept->setIcon(icon(symbol));
    accept->setDefault(true);
    QObject::connect(box, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    layout.addSpacing(4);
    layout.addWidget(box);
    // What wraps asks for its height only when its width is known.
    const int width = std::max(kLeastWidth, dialog.sizeHint().width());
    dialog.resize(width, layout.totalHeightForWidth(width));
    return {accept, box->button(QDialogButtonBox::Cancel)};
}

}  // namespace lanes::ui
