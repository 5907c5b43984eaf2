// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <QTableView>

#include <initializer_list>
#include <utility>
#include <vector>

class QMenu;

namespace lanes::ui {

/// Behind a chosen row: strong enough to be found, weak enough to read coloured text on it.
[[nodiscard]] QColor selectionTint(const QPalette& palette, bool focus);

/// Role of the text that a copied cell has, where it differs from the shown one: times in ISO 8601
/// with their offset, numbers without separators.
inline constexpr int kCopyRole = Qt::UserRole + 100;

/// A list of many rows: fixed row height, no vertical header, no measuring of contents, columns
/// that the user sizes. Where the list is empty it says why, and it tells which rows are seen.
class Table : public QTableView {
    Q_OBJECT

public:
    explicit Table(QWidget* parent = nullptr);

    /// What stands in the middle while there is no row: a line and a smaller explanation.
    void setEmptyText(const QString& title, const QString& explanation);
    /// Widths in characters of the font; `stretch` is the column that takes what is left.
    void setColumnWidths(std::initializer_list<int> characters, int stretch);
    /// Gives that column what is left now.
    void fitStretch();
    /// First and last visible row; -1, -1 if there are none.
    [[nodiscard]] std::pair<int, int> visibleRows() const;
    /// The pointer is over the rows, a button is held or a menu of this table is open: rows must
    /// not move now.
    [[nodiscard]] bool isUnderHand() const;
    /// The selected rows as text: columns as they stand, separated by tabs, with their titles.
    [[nodiscard]] QString selectedText() const;
    /// The selected rows as a JSON array of objects, by the titles of the columns as they stand.
    [[nodiscard]] QByteArray selectedJson() const;
    /// Marks that a menu or a dialog about the rows is open.
    void setMenuOpen(bool open) { m_menuOpen = open; }
    /// Shows a menu at a place of the viewport, until something is chosen; nothing moves meanwhile.
    void popUp(QMenu& menu, const QPoint& position);

signals:
    void visibleRowsChanged();
    /// Enter or a double click.
    void opened();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void initViewItemOption(QStyleOptionViewItem* option) const override;

private:
    [[nodiscard]] std::vector<int> shownColumns() const;
    [[nodiscard]] QModelIndexList sortedRows() const;

    QString m_title;
    QString m_explanation;
    int m_stretch = -1;
    int m_stretchMinimum = 0;
    bool m_menuOpen = false;
};

}  // namespace lanes::ui
