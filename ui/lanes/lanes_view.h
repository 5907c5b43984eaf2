// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/filtered_list.h"
#include "ui/common/list_page.h"

#include <QElapsedTimer>

#include <optional>

class QTimer;

namespace lanes::ui {

class LanesModel;

/// The tab with the lane list: which users wait, for how long and why.
class LanesView : public ListPage, public FilteredList {
    Q_OBJECT

public:
    LanesView(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] FilterList filterList() const override { return FilterList::lanes; }
    void setFilter(const Filter& filter) override;
    [[nodiscard]] FilterProgress filterProgress() const override;
    void endLook() override;
    void lookOn() override;
    void countRemains(const Filter& filter, Counted counted) override;
    bool countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) override;
    [[nodiscard]] QWidget& focusOfList() override;
    [[nodiscard]] QStringList typesAtHand() const override;
    [[nodiscard]] std::unique_ptr<RowSource> allRows() const override;
    void setFrozen(bool frozen);
    /// Lets rows that wait move now.
    void applyPending();
    [[nodiscard]] std::uint64_t total() const;
    /// The lane whose details are shown.
    [[nodiscard]] std::optional<LaneKey> chosen() const { return m_chosen; }

public slots:
    void showSnapshot();

signals:
    void pauseWanted(lanes::DestinationId destination);
    /// All events of a lane, in a window of its own.
    void laneWanted(lanes::LaneKey lane, const lanes::UserKey& user);
    void deadLettersWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void tick();
    void acceptCount(const LanePage& page);
    void watchVisible();
    void chooseRow(int row);
    void findChosenAgain();
    void showWhy();
    void showState();
    void showEmpty();
    [[nodiscard]] QString countWords() const;
    void showMenu(const QPoint& position);
    void sortBy(int column);
    void indicateOrder();

    Engine& m_engine;
    TimeDisplay& m_times;
    LanesModel* m_model;
    QTimer* m_timer;
    QTimer* m_soon;  ///< asks again while lanes are looked at for a filter
    std::optional<LaneKey> m_chosen;
    LaneRow m_lastSeen;               ///< of the chosen lane
    std::uint64_t m_chosenSince = 0;  ///< snapshot number when it was chosen
    bool m_gone = false;              ///< the chosen lane has drained ...
    WallMicros m_goneAt = 0;          ///< ... since then
    bool m_moving = false;            ///< the selection is being put back by us
    bool m_frozen = false;
    std::vector<LaneKey> m_watched;
    /// What is counted for a filter that is not in force.
    struct Counting {
        LanePageRequest request;
        std::uint64_t most = 0;
        CountedOne counted;
        QElapsedTimer time;
    };
    std::optional<Counting> m_counting;
    std::uint64_t m_counts = 0;
    QTimer* m_countOn;
};

}  // namespace lanes::ui
