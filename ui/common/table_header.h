// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace lanes::ui {

/// Room left and right of the text of a cell and of a header, so that a right-aligned number does
/// not touch the left-aligned word of the next column.
inline constexpr int kCellPadding = 6;
/// Width of the arrow of the order, with the gap to the title.
inline constexpr int kArrowRoom = 10;

/// Column titles in the window's quiet grey, aligned as their cells are.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
};

}  // namespace lanes::ui
