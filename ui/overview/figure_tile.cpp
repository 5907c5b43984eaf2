// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/figure_tile.h"

#include "ui/common/state_style.h"
#include "ui/common/theme.h"

#include <QPainter>

#include <algorithm>

namespace lanes::ui {

namespace {
constexpr int kPadding = 12;
constexpr int kGap = 2;
constexpr int kRadius = 4;
constexpr int kCharacters = 14;  // of the name and the remark that have room at least
constexpr double kFigureScale = 1.7;
}  // namespace

FigureTile::FigureTile(const QString& name, QWidget* parent) : QAbstractButton(parent) {
    setText(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureTile::setFigure(const QString& figure, const QString& remark, bool alarming) {
    if (figure == m_figure && remark == m_remark && alarming == m_alarming) return;
    m_figure = figure;
    m_remark = remark;
    m_alarming = alarming;
    setAccessibleName(QStringLiteral("%1: %2").arg(text(), figure));
    setAccessibleDescription(remark);
    update();
}

QFont FigureTile::figureFont() const {
    QFont large = tabularDigits(font());
    large.setPointSizeF(large.pointSizeF() * kFigureScale);
    return large;
}

QSize FigureTile::minimumSizeHint() const {
    const int lines = 2 * fontMetrics().height() + QFontMetrics(figureFont()).height();
    return {kCharacters * fontMetrics().averageCharWidth() + 2 * kPadding,
            lines + 2 * kGap + 2 * kPadding};
}

QSize FigureTile::sizeHint() const {
    return minimumSizeHint();
}

void FigureTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& colours = palette();
    const QColor ground =
        colours.color(underMouse() || isDown() ? QPalette::AlternateBase : QPalette::Base);
    painter.setBrush(ground);
    painter.setPen(hasFocus() ? QPen(colours.color(QPalette::Highlight), 2)
                              : QPen(colours.color(QPalette::Mid), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);

    QRect line = rect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const int height = fontMetrics().height();
    const auto draw = [&](const QFont& font, const QColor& colour, const QString& text) {
        const QFontMetrics metrics(font);
        line.setHeight(metrics.height());
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, line.width()));
        line.moveTop(line.bottom() + 1 + kGap);
    };
    const QColor quiet = readableText(colours.color(QPalette::PlaceholderText), ground);
    draw(font(), quiet, text());
    draw(figureFont(), m_alarming ? errorTextColour(colours) : colours.color(QPalette::Text),
         m_figure);
    line.setHeight(height);
    draw(font(), quiet, m_remark);
}

void FigureTile::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void FigureTile::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

}  // namespace lanes::ui
