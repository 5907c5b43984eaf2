// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/attempts/attempt_list_model.h"
#include "ui/common/filtered_list.h"
#include "ui/common/list_page.h"

#include <QElapsedTimer>

#include <cstdint>
#include <set>

namespace lanes::ui {

/// The tab with all attempts: every request that was made, what came of it and why it was made.
class AttemptsView : public ListPage, public FilteredList {
    Q_OBJECT

public:
    AttemptsView(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] FilterList filterList() const override { return FilterList::attempts; }
    void setFilter(const Filter& filter) override;
    [[nodiscard]] FilterProgress filterProgress() const override;
    void endLook() override;
    void lookOn() override;
    void countRemains(const Filter& filter, Counted counted) override;
    bool countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) override;
    [[nodiscard]] QWidget& focusOfList() override;
    [[nodiscard]] QStringList typesAtHand() const override;

    /// Narrows the list to the attempts that ended from ..., until ... (exclusive); 0 = no bound.
    /// A chip says so.
    void setTimeRange(WallMicros from, WallMicros until);
    [[nodiscard]] std::unique_ptr<RowSource> allRows() const override;
    void setFrozen(bool frozen);
    /// Shows the newest attempts.
    void applyPending();

public slots:
    void showSnapshot();
    /// Reads anew; for when the store has become readable.
    void reload();

signals:
    /// The whole story of an event, in a window of its own.
    void eventWanted(lanes::Sequence sequence);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectModel();
    void narrow(const AttemptScope& scope);
    void load(const AttemptListModel::Request& request);
    void fetchAhead();
    void rememberPlace();
    void findPlace();
    void showRange();
    void showState();
    void showEmpty();
    void showChosen();
    void showMenu(const QPoint& position);
    [[nodiscard]] std::uint64_t endedNow() const;
    [[nodiscard]] bool takesNew() const;
    [[nodiscard]] bool isIdle() const;

    Engine& m_engine;
    PageLoader& m_loader;
    TimeDisplay& m_times;
    AttemptListModel* m_model;
    FilterChip* m_range;
    std::set<std::uint64_t> m_selected;  ///< by position in the log
    AttemptRow m_current;                ///< its row may have left the window; position 0 = none
    std::uint64_t m_first = 0;           ///< position of the first row that is seen
    bool m_scrolls = true;               ///< auto-scroll of the table, while rows move
    bool m_moving = false;               ///< what is selected meanwhile, nobody has chosen
    bool m_frozen = false;
    bool m_ended = false;             ///< the reader ended a long look
    bool m_toTop = false;             ///< the next page is shown from its top
    std::uint64_t m_endedAtLoad = 0;  ///< attempts that had ended when the newest were read ...
    bool m_settled = false;           ///< ... and none ended shortly before
    QElapsedTimer m_sinceLoad;
};

}  // namespace lanes::ui
