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
constexpr int kCompactPadding = 5;  // above and below
constexpr int kGap = 2;
constexpr int kRadius = 4;
constexpr int kCharacters = 14;  // of the name and the remark that have room at least
constexpr double kFigureScale = 1.7;
constexpr double kCompactScale = 1.35;
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
    // What has no room stands here.
    setToolTip(QStringLiteral("%1: %2. %3").arg(text(), figure, remark));
    update();
}

void FigureTile::setCompact(bool compact) {
    if (compact == m_compact) return;
    m_compact = compact;
    updateGeometry();
    update();
}

QFont FigureTile::figureFont() const {
    QFont large = tabularDigits(font());
    large.setPointSizeF(large.pointSizeF() * (m_compact ? kCompactScale : kFigureScale));
    return large;
}

QSize FigureTile::minimumSizeHint() const {
    const int line = fontMetrics().height();
    const int width = kCharacters * fontMetrics().averageCharWidth() + 2 * kPadding;
    if (m_compact)
        return {width, line + QFontMetrics(figureFont()).height() + 2 * kCompactPadding};
    return {width, 2 * line + QFontMetrics(figureFont()).height() + 2 * kGap + 2 * kPadding};
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

    const QColor quiet = readableText(colours.color(QPalette::PlaceholderText), ground);
    const QColor loud = m_alarming ? errorTextColour(colours) : colours.color(QPalette::Text);
    if (m_compact)
        paintCompact(painter, quiet, loud);
    else
        paintTall(painter, quiet, loud);
}

void FigureTile::paintTall(QPainter& painter, const QColor& quiet, const QColor& loud) const {
    QRect line = rect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const auto draw = [&](const QFont& font, const QColor& colour, const QString& text) {
        const QFontMetrics metrics(font);
        line.setHeight(metrics.height());
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, line.width()));
        line.moveTop(line.bottom() + 1 + kGap);
    };
    draw(font(), quiet, text());
    draw(figureFont(), loud, m_figure);
    draw(font(), quiet, m_remark);
}

/// The name above; below it the figure, and the remark where it has room.
void FigureTile::paintCompact(QPainter& painter, const QColor& quiet, const QColor& loud) const {
    QRect line = rect().adjusted(kPadding, kCompactPadding, -kPadding, -kCompactPadding);
    const int bottom = line.bottom();
    line.setHeight(fontMetrics().height());
    painter.setFont(font());
    painter.setPen(quiet);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, line.width()));
    line.setTop(line.bottom() + 1);
    line.setBottom(bottom);
    const QFontMetrics large(figureFont());
    painter.setFont(figureFont());
    painter.setPen(loud);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     large.elidedText(m_figure, Qt::ElideRight, line.width()));
    line.setLeft(line.left() + large.horizontalAdvance(m_figure) + kPadding);
    // On the line that the figure stands on.
    line.setBottom(line.center().y() - large.height() / 2 + large.ascent() +
                   fontMetrics().descent());
    painter.setFont(font());
    painter.setPen(quiet);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom,
                     fontMetrics().elidedText(m_remark, Qt::ElideRight, line.width()));
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
