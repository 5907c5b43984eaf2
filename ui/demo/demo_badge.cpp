// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/demo_badge.h"

#include <QLocale>
#include <QPainter>

namespace lanes::ui {

DemoBadge::DemoBadge(lanes::Engine& engine, AtRealPace atRealPace, QWidget* parent)
    : QLabel(parent), m_atRealPace(atRealPace) {
    setObjectName(QStringLiteral("demoDockBadge"));
    setTextFormat(Qt::PlainText);
    setAlignment(Qt::AlignCenter);
    setContentsMargins(6, 1, 6, 1);
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
    connect(&engine, &Engine::snapshotPublished, this,
            [this, &engine] { setScale(engine.snapshot()->clockScale); });
    setScale(engine.snapshot()->clockScale);
}

QString DemoBadge::scaleText(double scale) {
    // A factor, not an amount: "×2160" without a separator in any language.
    return QStringLiteral("×%1").arg(QString::number(scale, 'g', 6));
}

void DemoBadge::setScale(double scale) {
    if (scale == m_scale) return;
    m_scale = scale;
    if (scale == 1.0) {
        setText(tr("DEMO"));
        setToolTip(tr("Mock destinations and traffic, on a data directory of their own"));
    } else {
        setText(tr("DEMO %1").arg(scaleText(scale)));
        setToolTip(tr("One second here is %1 seconds of the engine.")
                       .arg(QLocale().toString(scale, 'g', 4)));
    }
    if (m_atRealPace == AtRealPace::hidden) setVisible(scale != 1.0);
    update();
}

void DemoBadge::paintEvent(QPaintEvent* event) {
    if (m_scale == 1.0) {
        QLabel::paintEvent(event);
        return;
    }
    // The reverse of the window: it must be noticed, and no state has this look.
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::WindowText));
    painter.drawRoundedRect(rect(), 3, 3);
    painter.setPen(palette().color(QPalette::Window));
    painter.drawText(contentsRect(), Qt::AlignCenter, text());
}

}  // namespace lanes::ui
