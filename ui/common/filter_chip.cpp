// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_chip.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace lanes::ui {

FilterChip::FilterChip(QWidget* parent)
    : QFrame(parent), m_text(new QLabel(this)), m_remove(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 2, 3, 2);
    layout->setSpacing(4);
    layout->addWidget(m_text);
    layout->addWidget(m_remove);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setObjectName(QStringLiteral("filterText"));
    m_remove->setObjectName(QStringLiteral("filterRemove"));
    m_remove->setAutoRaise(true);
    m_remove->setIconSize({10, 10});
    m_remove->setIcon(icon(Symbol::close));
    m_remove->setToolTip(tr("Remove this condition"));
    m_remove->setAccessibleName(tr("Remove this condition"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_remove, &QToolButton::clicked, this, &FilterChip::removed);
    setVisible(false);
}

void FilterChip::setText(const QString& text, int most) {
    m_text->setText(plainLine(text.toStdString(), most));
    setToolTip(plainTooltip(text));
    setAccessibleName(tr("Filter %1").arg(text));
}

void FilterChip::setRemoveTip(const QString& tip) {
    m_remove->setToolTip(tip);
}

void FilterChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = palette().color(QPalette::Highlight);
    QColor edge = fill;
    fill.setAlphaF(0.16F);
    edge.setAlphaF(0.55F);
    painter.setPen(edge);
    painter.setBrush(fill);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
}

}  // namespace lanes::ui
