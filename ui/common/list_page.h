// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

class QHBoxLayout;
class QIcon;
class QLabel;
class QPushButton;
class QSettings;
class QSplitter;
class QToolButton;

namespace lanes::ui {

class ElidedLabel;
class EventDetails;
class FilterChip;
class LiveOrder;
class PageLoader;
class RowSource;
class Table;
class TimeDisplay;

/// What the lists have in common: a strip with the count and the changes that wait; the table; the
/// details of the chosen row beside it, mostly those of an event; and, of some, a panel at the left
/// by which the list is narrowed.
class ListPage : public QWidget {
    Q_OBJECT

public:
    ListPage(PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] Table& table() const { return *m_table; }
    /// Whether its rows may come, go and move by themselves now.
    [[nodiscard]] LiveOrder& live() const { return *m_live; }
    /// Only of a list whose rows are events.
    [[nodiscard]] EventDetails& details() const { return *m_details; }
    /// Where a list puts its own buttons, at the right end of the strip.
    [[nodiscard]] QHBoxLayout& strip() const { return *m_strip; }
    /// A panel at the left of the list, with a button of this name at the left end of the strip
    /// that shows and hides it. Once, in the constructor of a list.
    void addSide(QWidget& side, const QString& name, const QIcon& icon, const QString& tip);
    void setSideOpen(bool open);
    [[nodiscard]] bool isSideOpen() const;
    /// A chip for what narrows the list besides the filter; hidden at first.
    FilterChip* addChip(const char* name);

    /// All rows that fit the filter in force, read anew.
    [[nodiscard]] virtual std::unique_ptr<RowSource> allRows() const = 0;

    void setCount(const QString& text);
    /// Says that the list has changes to show; empty hides it.
    void setPending(const QString& text);
    [[nodiscard]] QString pendingText() const;
    /// Why the chosen row stands where it stands; shown below the table while details are closed.
    void setWhy(const QString& why);

    void setDetailsOpen(bool open);
    [[nodiscard]] bool isDetailsOpen() const;

    /// Keeps the places of the dividers, and whether details and side are open.
    void saveLayout(QSettings& settings) const;
    void restoreLayout(QSettings& settings);
    void resetLayout();

signals:
    void applyWanted();
    void detailsOpened(bool open);
    void sideOpened(bool open);

protected:
    /// A list whose rows are no events; `pane` has their details and becomes a child.
    ListPage(QWidget* pane, QWidget* parent);
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void sizeDetails();
    void sizeSide();

    bool m_sized = false;  ///< the user or a saved layout has placed the divider
    QWidget* m_stripBox;
    QHBoxLayout* m_strip;
    QLabel* m_count;
    QPushButton* m_pending;
    QToolButton* m_liveToggle;
    QToolButton* m_toggle;
    QSplitter* m_splitter;
    Table* m_table;
    LiveOrder* m_live;
    EventDetails* m_details = nullptr;
    QWidget* m_pane;  ///< the details, of whatever kind
    QSplitter* m_sideSplitter = nullptr;  ///< side and list, of a list that has a side
    QToolButton* m_sideToggle = nullptr;
    QWidget* m_side = nullptr;
    bool m_sideSized = false;
    QWidget* m_whyStrip;
    ElidedLabel* m_why;
};

}  // namespace lanes::ui
