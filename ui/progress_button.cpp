// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/progress_button.h"

#include "ui/common/thin_bar.h"

#include <QPainter>

namespace lanes::ui {

namespace {
constexpr int kSide = 5;
}  // namespace

ProgressButton::ProgressButton(QWidget* parent) : QToolButton(parent) {
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
}

void ProgressButton::setShares(double moved, double settled) {
    if (moved == m_moved && settled == m_settled) return;
    m_moved = moved;
    m_settled = settled;
    update();
}

void ProgressButton::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    const QRect bar(kSide, height() - kThinBar, width() - 2 * kSide, kThinBar - 1);
    paintThinBar(painter, bar, m_moved, m_settled, palette());
}

}  // namespace lanes::ui
