// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/table.h"

#include "ui/common/csv.h"
#include "ui/common/format.h"
#include "ui/common/table_header.h"
#include "ui/common/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <algorithm>
#include <vector>

namespace lanes::ui {

namespace {

/// What the style itself leaves beside a cell's text.
constexpr int kStylePadding = 3;

/// What a cell has in a copy.
QString copied(const QModelIndex& cell) {
    const QVariant exact = cell.data(kCopyRole);
    return (exact.isValid() ? exact : cell.data()).toString();
}

/// Cells with even padding, and a tooltip with the whole text where it was cut.
/// A chosen row is tinted, so that the colours of its cells keep their meaning.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        // The row itself is painted by the table, in its tint.
        QStyleOptionViewItem cell = option;
        cell.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
        cell.rect.adjust(kCellPadding - kStylePadding, 0, kStylePadding - kCellPadding, 0);
        QStyledItemDelegate::paint(painter, cell, index);
    }

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
        if (event->type() != QEvent::ToolTip) return false;
        QString tip = index.data(Qt::ToolTipRole).toString();
        if (tip.isEmpty()) {
            const QString text = index.data(Qt::DisplayRole).toString();
            const int icon = index.data(Qt::DecorationRole).isNull() ? 0 : 22;
            if (option.fontMetrics.horizontalAdvance(text) + icon + 2 * kCellPadding >
                option.rect.width())
                tip = plainTooltip(text);
        }
        QToolTip::showText(event->globalPos(), tip, view);
        return true;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        // The current cell is not framed: a row is what is chosen.
        option->state &= ~QStyle::State_HasFocus;
        option->decorationSize = QSize(14, 14);
    }
};

}  // namespace

Table::Table(QWidget* parent) : QTableView(parent) {
    setItemDelegate(new CellDelegate(this));
    setHorizontalHeader(new TableHeader(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    setFont(tabularDigits(font()));
    setMouseTracking(true);
    verticalHeader()->setVisible(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 4);
}

QColor selectionTint(const QPalette& palette, bool focus) {
    QColor tint = palette.color(QPalette::Active, QPalette::Highlight);
    tint.setAlphaF(focus ? 0.28F : 0.20F);
    return tint;
}

void Table::setEmptyText(const QString& title, const QString& explanation) {
    if (m_title == title && m_explanation == explanation) return;
    m_title = title;
    m_explanation = explanation;
    if (!model() || model()->rowCount() == 0) {
        setAccessibleDescription(title);
        viewport()->update();
    }
}

void Table::setColumnWidths(std::initializer_list<int> characters, int stretch) {
    const int unit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    int column = 0;
    for (const int width : characters) {
        // A title is never cut; right-aligned ones leave room for the arrow of the order.
        const QString title = model()->headerData(column, Qt::Horizontal).toString();
        const auto aligned = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        const int arrow = aligned.toInt() & Qt::AlignRight ? kArrowRoom : 0;
        const int least = horizontalHeader()->fontMetrics().horizontalAdvance(title) + arrow;
        horizontalHeader()->resizeSection(column++,
                                          std::max(width * unit, least) + 2 * kCellPadding);
    }
    m_stretch = stretch;
    m_stretchMinimum = horizontalHeader()->sectionSize(stretch);
    fitStretch();
}

void Table::fitStretch() {
    if (m_stretch < 0 || horizontalHeader()->count() <= m_stretch) return;
    const int others = horizontalHeader()->length() - horizontalHeader()->sectionSize(m_stretch);
    const int width = std::max(m_stretchMinimum, viewport()->width() - others);
    if (width != horizontalHeader()->sectionSize(m_stretch))
        horizontalHeader()->resizeSection(m_stretch, width);
}

void Table::initViewItemOption(QStyleOptionViewItem* option) const {
    QTableView::initViewItemOption(option);
    option->palette.setColor(QPalette::Highlight, selectionTint(palette(), hasFocus()));
    option->palette.setColor(QPalette::HighlightedText, palette().color(QPalette::Text));
}

std::pair<int, int> Table::visibleRows() const {
    if (!model() || model()->rowCount() == 0 || viewport()->height() <= 0) return {-1, -1};
    const int first = rowAt(0);
    if (first < 0) return {-1, -1};
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? model()->rowCount() - 1 : last};
}

void Table::popUp(QMenu& menu, const QPoint& position) {
    setMenuOpen(true);
    menu.exec(viewport()->mapToGlobal(position));
    setMenuOpen(false);
}

bool Table::isUnderHand() const {
    return m_menuOpen || verticalScrollBar()->isSliderDown() || viewport()->underMouse() ||
           state() != NoState;
}

void Table::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (!model() || model()->rowCount() > 0 || m_title.isEmpty()) return;
    QPainter painter(viewport());
    QRect area = viewport()->rect().adjusted(24, 16, -24, -16);
    QFont bold = QWidget::font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    const int flags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const QRect titleBox = QFontMetrics(bold).boundingRect(area, flags, m_title);
    const QRect textBox = fontMetrics().boundingRect(area, flags, m_explanation);
    const int height = titleBox.height() + 8 + textBox.height();
    area.setTop(std::max(area.top(), area.center().y() - height / 2));
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(area, flags, m_title);
    area.setTop(area.top() + titleBox.height() + 8);
    painter.setFont(QWidget::font());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(area, flags, m_explanation);
}

void Table::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitStretch();
    emit visibleRowsChanged();
}

void Table::scrollContentsBy(int dx, int dy) {
    QTableView::scrollContentsBy(dx, dy);
    if (dy != 0) emit visibleRowsChanged();
}

std::vector<int> Table::shownColumns() const {
    std::vector<int> columns;
    for (int place = 0; place < horizontalHeader()->count(); ++place)
        if (const int column = horizontalHeader()->logicalIndex(place); !isColumnHidden(column))
            columns.push_back(column);
    return columns;
}

QModelIndexList Table::sortedRows() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    return rows;
}

QString Table::selectedText() const {
    const auto columns = shownColumns();
    const auto joined = [&columns](auto cell) {
        QStringList cells;
        for (const int column : columns) cells << defusedCell(cell(column));
        return cells.join(QLatin1Char('\t'));
    };
    QStringList lines{joined(
        [this](int column) { return model()->headerData(column, Qt::Horizontal).toString(); })};
    const auto rows = sortedRows();
    for (const QModelIndex& row : rows)
        lines << joined([&row](int column) { return copied(row.siblingAtColumn(column)); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QByteArray Table::selectedJson() const {
    const auto columns = shownColumns();
    QJsonArray objects;
    const auto rows = sortedRows();
    for (const QModelIndex& row : rows) {
        QJsonObject object;
        for (const int column : columns)
            object.insert(model()->headerData(column, Qt::Horizontal).toString(),
                          copied(row.siblingAtColumn(column)));
        objects.append(object);
    }
    return QJsonDocument(objects).toJson();
}

void Table::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        if (selectionModel()->hasSelection()) QGuiApplication::clipboard()->setText(selectedText());
        return;
    }
    if (event->keyCombination() == (Qt::CTRL | Qt::SHIFT | Qt::Key_C)) {
        if (selectionModel()->hasSelection())
            QGuiApplication::clipboard()->setText(QString::fromUtf8(selectedJson()));
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit opened();
        return;
    }
    QTableView::keyPressEvent(event);
}

void Table::mouseDoubleClickEvent(QMouseEvent* event) {
    QTableView::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && currentIndex().isValid()) emit opened();
}

}  // namespace lanes::ui
