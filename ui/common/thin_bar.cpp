// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/thin_bar.h"

#include "ui/common/state_style.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace lanes::ui {

namespace {

void fill(QPainter& painter, QRectF box, double share, const QColor& colour) {
    box.setWidth(box.width() * std::clamp(share, 0.0, 1.0));
    // A beginning is seen, and is never longer than it is.
    if (box.width() < 1) return;
    const qreal radius = std::min(box.width(), box.height()) / 2;
    painter.setBrush(colour);
    painter.drawRoundedRect(box, radius, radius);
}

}  // namespace

void paintThinBar(QPainter& painter, const QRect& box, double moved, double settled,
                  const QPalette& palette) {
    const QColor ground = palette.color(QPalette::Base);
    const QColor strong = readableLine(stateStyle(OperationState::moving).colour, ground);
    QColor weak = strong;
    weak.setAlphaF(0.45F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    fill(painter, box, 1.0, palette.color(QPalette::Mid));
    fill(painter, box, moved, weak);
    fill(painter, box, settled, strong);
    painter.restore();
}

}  // namespace lanes::ui
