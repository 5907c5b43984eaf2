// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/table_header.h"

#include <QPainter>
#include <QPainterPath>

namespace lanes::ui {

namespace {
constexpr int kArrowWidth = 7;
constexpr int kArrowHeight = 4;
constexpr int kArrowGap = kArrowRoom - kArrowWidth;
}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setMinimumSectionSize(40);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

QSize TableHeader::sizeHint() const {
    return {QHeaderView::sizeHint().width(), fontMetrics().height() + 12};
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    if (!rect.isValid()) return;
    const auto* source = model();
    const QString title = source->headerData(logicalIndex, Qt::Horizontal).toString();
    const auto aligned = source->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole);
    const bool right = aligned.isValid() && (aligned.toInt() & Qt::AlignRight);
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;

    painter->save();
    painter->fillRect(rect, palette().color(QPalette::Window));
    painter->setPen(palette().color(QPalette::Mid));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->drawLine(rect.right(), rect.top() + 6, rect.right(), rect.bottom() - 6);

    QRect text = rect.adjusted(kCellPadding, 0, -kCellPadding, -1);
    const int arrow = sorted ? kArrowWidth + kArrowGap : 0;
    // The arrow may stand in the padding: a title is cut as late as can be.
    const int room = text.width() - arrow + (sorted ? kCellPadding : 0);
    const QString shown = fontMetrics().elidedText(title, Qt::ElideRight, room);
    const int width = fontMetrics().horizontalAdvance(shown);
    painter->setPen(sorted ? palette().color(QPalette::Text)
                           : palette().color(QPalette::PlaceholderText));
    painter->drawText(text, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, shown);
    if (sorted) {
        // Beside the text on its free side, so that the title stays aligned with its numbers.
        const int x = right ? text.right() - width - kArrowGap - kArrowWidth
                            : text.left() + width + kArrowGap;
        const int y = text.center().y() - kArrowHeight / 2;
        const bool down = sortIndicatorOrder() == Qt::DescendingOrder;
        QPainterPath path;
        path.moveTo(x, down ? y : y + kArrowHeight);
        path.lineTo(x + kArrowWidth, down ? y : y + kArrowHeight);
        path.lineTo(x + kArrowWidth / 2.0, down ? y + kArrowHeight : y);
        path.closeSubpath();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillPath(path, palette().color(QPalette::Text));
    }
    painter->restore();
}

}  // namespace lanes::ui
