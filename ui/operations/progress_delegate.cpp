// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/progress_delegate.h"

#include "ui/common/format.h"
#include "ui/common/table_header.h"
#include "ui/common/thin_bar.h"
#include "ui/operations/operations_model.h"

#include <QPainter>

namespace lanes::ui {

namespace {
constexpr int kGap = 8;
}  // namespace

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const QString text = index.data(Qt::DisplayRole).toString();
    if (text.isEmpty()) return;
    const QRect box = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    QRect number = box;
    number.setWidth(option.fontMetrics.horizontalAdvance(percentText(1.0)));
    painter->save();
    painter->setFont(option.font);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(number, Qt::AlignRight | Qt::AlignVCenter, text);
    painter->restore();
    QRect bar(number.right() + kGap, 0, box.right() - number.right() - kGap, kThinBar);
    bar.moveTop(box.center().y() - kThinBar / 2 + 1);
    if (bar.width() > kThinBar)
        paintThinBar(*painter, bar, index.data(OperationsModel::MovedShareRole).toDouble(),
                     index.data(OperationsModel::SettledShareRole).toDouble(), option.palette);
}

}  // namespace lanes::ui
