// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destination_delegate.h"

#include "ui/common/rates.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/theme.h"
#include "ui/destinations/destinations_model.h"

#include <QIcon>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <vector>

namespace lanes::ui {

namespace {

constexpr int kPadding = 10;
constexpr int kGap = 3;
constexpr int kBar = 3;
constexpr int kMark = 14;
constexpr int kTrend = 14;  // height of the sparkline
/// Seconds that the sparkline is wide: what is younger stands at its right end.
constexpr int kTrendSeconds = 60;

using Model = DestinationsModel;

QString text(const QModelIndex& index, int role) {
    return index.data(role).toString();
}

/// Deliveries of the last minute as an area, each row on its own scale: it shows a shape, the
/// numbers stand above it.
void paintTrend(QPainter& painter, const QRectF& box, const std::vector<float>& values,
                const QColor& colour) {
    const float most =
        values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    const double step = box.width() / (kTrendSeconds - 1);
    QPolygonF line;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto age = static_cast<double>(values.size() - 1 - i);
        const double height = most > 0 ? values[i] / most * box.height() : 0;
        line << QPointF(std::max(box.left(), box.right() - age * step), box.bottom() - height);
    }
    painter.setPen(QPen(colour, 0));
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    if (line.size() < 2 || most <= 0) return;
    QPolygonF area = line;
    area << QPointF(line.back().x(), box.bottom()) << QPointF(line.front().x(), box.bottom());
    QColor fill = colour;
    fill.setAlphaF(0.18F);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

QSize DestinationDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    const int line = option.fontMetrics.height();
    return {0, 3 * line + 4 * kGap + kTrend + 2 * kPadding - 2};
}

void DestinationDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const QRect& box = option.rect;
    const QPalette& palette = option.palette;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool focus = option.widget && option.widget->hasFocus();
    painter->save();
    if (selected) {
        painter->fillRect(box, selectionTint(palette, focus));
        painter->fillRect(QRect(box.left(), box.top(), kBar, box.height()),
                          palette.color(QPalette::Active, QPalette::Highlight));
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(box, palette.color(QPalette::AlternateBase));
    }
    const QColor strong = palette.color(QPalette::Text);
    const QColor quiet = palette.color(QPalette::PlaceholderText);
    const QFont plain = tabularDigits(option.font);
    QFont bold = plain;
    bold.setBold(true);
    const QFontMetrics metrics(plain);
    const QFontMetrics boldMetrics(bold);
    const int line = metrics.height();
    QRect row = box.adjusted(kPadding, kPadding - 1, -kPadding, 0);
    row.setHeight(line);

    // Name on the left, backlog on the right.
    const QString backlog = text(index, Model::BacklogRole);
    const int backlogWidth = boldMetrics.horizontalAdvance(backlog);
    QRect name = row.adjusted(kMark + 8, 0, -backlogWidth - 8, 0);
    index.data(Model::StateIconRole)
        .value<QIcon>()
        .paint(painter, QRect(row.left(), row.center().y() - kMark / 2, kMark, kMark),
               Qt::AlignCenter);
    painter->setFont(bold);
    painter->setPen(strong);
    painter->drawText(
        name, Qt::AlignLeft | Qt::AlignVCenter,
        boldMetrics.elidedText(text(index, Model::NameRole), Qt::ElideRight, name.width()));
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, backlog);

    // State in words and what was given up; errors on the right.
    row.translate(0, line + kGap);
    painter->setFont(plain);
    painter->setPen(quiet);
    const QString error = text(index, Model::ErrorRole);
    const QString errors = error.isEmpty() ? tr("no attempts") : tr("errors %1").arg(error);
    const int errorWidth = metrics.horizontalAdvance(errors);
    const QString dead = text(index, Model::DeadRole);
    QString state = text(index, Model::StateWordRole);
    if (!dead.isEmpty()) state = tr("%1 · %2 dead").arg(state, dead);
    const QRect word = row.adjusted(kMark + 8, 0, -errorWidth - 8, 0);
    painter->drawText(word, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(state, Qt::ElideRight, word.width()));
    if (index.data(Model::ErrorShareRole).toDouble() >= kNotableErrors)
        painter->setPen(errorTextColour(palette));
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, errors);

    // Flow on the left, in flight on the right.
    row.translate(0, line + kGap);
    painter->setPen(quiet);
    const QString right = tr("%1 in flight").arg(text(index, Model::InFlightRole));
    const int rightWidth = metrics.horizontalAdvance(right);
    const QString in = text(index, Model::InRateRole);
    if (!in.isEmpty()) {
        const QRect flow = row.adjusted(kMark + 8, 0, -rightWidth - 8, 0);
        painter->drawText(
            flow, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(tr("in %1, out %2 /min").arg(in, text(index, Model::OutRateRole)),
                               Qt::ElideRight, flow.width()));
    }
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, right);

    // The last minute as a line.
    row.translate(0, line + 2 * kGap);
    row.setHeight(kTrend);
    const QColor base = palette.color(QPalette::Base);
    paintTrend(*painter, row.adjusted(kMark + 8, 0, 0, 0),
               index.data(Model::TrendRole).value<std::vector<float>>(),
               readableLine(palette.color(QPalette::Active, QPalette::Link), base));

    // A hairline between rows.
    painter->setPen(palette.color(QPalette::Midlight));
    painter->drawLine(box.bottomLeft(), box.bottomRight());
    painter->restore();
}

}  // namespace lanes::ui
