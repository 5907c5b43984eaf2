// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QSettings;
class QSplitter;
class QToolButton;

namespace lanes::ui {

class ElidedLabel;
class EventDetails;
class FilterChip;
class PageLoader;
class Table;
class TimeDisplay;

/// What the lists have in common: a strip with the count and the changes that wait; the table; and
/// the details of the chosen row beside it, mostly those of an event.
class ListPage : public QWidget {
    Q_OBJECT

public:
    ListPage(PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] Table& table() const { return *m_table; }
    /// Only of a list whose rows are events.
    [[nodiscard]] EventDetails& details() const { return *m_details; }
    /// Where a list puts its own buttons, at the right end of the strip.
    [[nodiscard]] QHBoxLayout& strip() const { return *m_strip; }
    /// A chip for what narrows the list besides the filter; hidden at first.
    FilterChip* addChip(const char* name);

    void setCount(const QString& text);
    /// Says that the list has changes to show; empty hides it.
    void setPending(const QString& text);
    /// Why the chosen row stands where it stands; shown below the table while details are closed.
    void setWhy(const QString& why);

    void setDetailsOpen(bool open);
    [[nodiscard]] bool isDetailsOpen() const;

    /// Keeps the place of the divider and whether details are open.
    void saveLayout(QSettings& settings) const;
    void restoreLayout(QSettings& settings);
    void resetLayout();

signals:
    void applyWanted();
    void detailsOpened(bool open);

protected:
    /// A list whose rows are no events; `pane` has their details and becomes a child.
    ListPage(QWidget* pane, QWidget* parent);

private:
    void build();
    void sizeDetails();

    bool m_sized = false;  ///< the user or a saved layout has placed the divider
    QHBoxLayout* m_strip;
    QLabel* m_count;
    QPushButton* m_pending;
    QToolButton* m_toggle;
    QSplitter* m_splitter;
    Table* m_table;
    EventDetails* m_details = nullptr;
    QWidget* m_pane;  ///< the details, of whatever kind
    QWidget* m_whyStrip;
    ElidedLabel* m_why;
};

}  // namespace lanes::ui
