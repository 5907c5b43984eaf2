// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filter_language.h"
#include "ui/common/filtered_list.h"

#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lanes::ui {

class FilterEdit;
class SavedCounts;

/// The one place where lists are narrowed: a field for the list that is shown, and below it (see
/// `strip`) what is in force, what is wrong and what was found. Each list has a filter of its own,
/// but the destination is common to all: it is the one of the graphs and of the commands too.
class FilterBar : public QWidget {
    Q_OBJECT

public:
    using Context = std::function<FilterContext(FilterList)>;

    explicit FilterBar(Context context, QWidget* parent = nullptr);
    /// Before the lists.
    ~FilterBar() override;

    /// The row below the bar, to be put above the lists; it hides while it has nothing to say.
    [[nodiscard]] QWidget& strip() const { return *m_strip; }
    /// The list must outlive the bar's use. The first one is shown.
    void addList(FilteredList& list);
    void showList(FilteredList& list);
    /// Narrows all lists to a destination, or (0) to none.
    void setDestination(DestinationId destination);
    [[nodiscard]] DestinationId destination() const { return m_destination; }
    /// Narrows one list, which is shown, and with it what is common to all.
    void narrow(FilteredList& list, const Filter& filter);
    /// Names of destinations or the zone have changed.
    void refresh();
    /// While the view stands, nothing is counted.
    void setFrozen(bool frozen);
    /// In force for a list.
    [[nodiscard]] Filter filterOf(const FilteredList& list) const;

public slots:
    void focusField();

signals:
    /// All that is shown is of this destination now; 0 = of several.
    void destinationChanged(lanes::DestinationId destination);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Side {
        FilteredList* list = nullptr;
        QString text;
        Filter filter;
        std::vector<FilterRemains> remains;  ///< while nothing fits
        bool counted = false;                ///< was asked for
    };

    void buildStrip();
    void apply();
    void put(Side& side, const Filter& filter, const QString& text);
    void putHere(const Filter& filter);
    void wish(const Filter& condition, FilteredList::Joint joint, bool now);
    void shareDestination();
    void showChips();
    void showSaved();
    void showCounts();
    void watchSaved();
    void showActivity();
    void showMessage();
    void showNothing(Side& side);
    void say(const QIcon& icon, const QString& text);
    void setAct(const QString& text, std::function<void()> act);
    void askRemains(Side& side);
    void dropCondition(std::size_t place);
    void openStar();
    void askName(const QString& title, const QString& name, std::function<void(QString)> named);
    void openSavedMenu(QToolButton& button, const QString& name, const QPoint& position);
    [[nodiscard]] FilterContext context() const { return m_context(m_side->list->filterList()); }
    [[nodiscard]] QString textOf(const Filter& filter) const;
    [[nodiscard]] FilteredList::Bar portsOf();

    Context m_context;
    std::vector<Side> m_sides;
    Side* m_side = nullptr;  ///< of the list that is shown
    DestinationId m_destination;
    FilterEdit* m_edit;
    QToolButton* m_star;
    QWidget* m_strip;
    QHBoxLayout* m_saved = nullptr;
    std::vector<std::pair<QToolButton*, QString>> m_savedButtons;  ///< with their texts
    SavedCounts* m_counts;
    bool m_frozen = false;
    bool m_seen = false;  ///< the strip; not so while the window is an icon
    QHBoxLayout* m_chips = nullptr;
    QLabel* m_mark = nullptr;
    QLabel* m_message = nullptr;
    QToolButton* m_act = nullptr;
    std::function<void()> m_doAct;
};

}  // namespace lanes::ui
