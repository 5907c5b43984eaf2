// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "ui/common/page_cache.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// The lane list as a window onto millions of rows. It holds pages of 256 rows around what is
/// visible and asks for one page at a time by `pageWanted`; reading a cell never asks for
/// anything. It knows no engine: pages and snapshots are handed to it.
///
/// Values change in place. Order and membership wait while the order is held (somebody is at the
/// rows), and `pendingChanges` says how many rows would move. A lane that drains meanwhile stays as
/// a ghost.
class LanesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        State,
        Destination,
        User,
        Backlog,
        HeadEvent,
        HeadAge,
        Attempts,
        NextAttempt,
        DeadLettersIn,
        LastResult,
        InFlightFor,
        ColumnCount
    };
    /// Steady time in microseconds; tests give their own.
    using Clock = std::function<Micros()>;

    explicit LanesModel(QObject* parent = nullptr, Clock clock = {});

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    /// The order that the engine keeps by this column, if it keeps one.
    [[nodiscard]] static std::optional<LaneOrder> orderOf(int column);

    /// How times are shown; must outlive the model.
    void setTimeDisplay(const TimeDisplay& times) { m_times = &times; }
    /// Narrows the list; starts it anew.
    void setFilter(const Filter& filter);
    /// The one destination whose lanes are listed, and nothing else narrows; 0 = other or all.
    [[nodiscard]] DestinationId scope() const { return m_scope; }
    /// Besides the scope.
    [[nodiscard]] const Filter& filter() const { return m_filter; }
    /// All lanes are looked at for this list: it has the first ones that fit.
    [[nodiscard]] bool isFiltered() const { return !m_filter.isEverything(); }
    [[nodiscard]] const LaneLook& look() const { return m_look; }
    /// Keeps what was found and looks no further, or looks again.
    void setLooking(bool looking);
    [[nodiscard]] bool isLooking() const { return m_looking; }
    /// Types of the heads at hand, at most a few.
    [[nodiscard]] QStringList types() const;
    /// Starts the list anew in another order.
    void setOrder(LaneOrder order, bool descending);
    [[nodiscard]] LaneOrder order() const { return m_order; }
    [[nodiscard]] bool isDescending() const { return m_descending; }

    /// Only the pages of these rows are asked for; -1, -1 for none.
    void setVisibleRows(int first, int last);
    /// Asks again for the visible rows. Called twice a second by the view.
    void refresh();
    /// A page that was asked for; any other is ignored.
    void acceptPage(const LanePage& page);
    /// Names, and the live state of the lanes that were named by `setWatched`.
    void acceptSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot);
    /// The lanes whose state rides on snapshots from now on.
    void setWatched(const std::vector<LaneKey>& keys);

    void setOrderHeld(bool held);
    [[nodiscard]] bool isOrderHeld() const { return m_held; }
    /// Rows that would move, come or go if the order were applied now.
    [[nodiscard]] int pendingChanges() const;
    /// Lets the next pages in as they are, once, although the order is held.
    void applyPending();

    /// While frozen nothing changes at all.
    void setFrozen(bool frozen);

    /// The lane of a row; null while its page is on its way.
    [[nodiscard]] const LaneRow* lane(int row) const;
    /// Row of a lane among the pages at hand, -1 if it is in none.
    [[nodiscard]] int rowOf(LaneKey key) const;
    /// When it was seen to have left the engine's list; 0 = it has not.
    [[nodiscard]] WallMicros drainedAt(int row) const;
    [[nodiscard]] std::vector<LaneKey> visibleKeys() const;
    [[nodiscard]] std::uint64_t total() const { return m_total; }
    [[nodiscard]] double readiness() const { return m_readiness; }
    /// True once the first page has come.
    [[nodiscard]] bool isLoaded() const { return m_loaded; }

signals:
    void pageWanted(const lanes::LanePageRequest& request);
    /// Rows may have moved: whoever holds a row should find it again by its key.
    void rowsMoved();
    void pendingChangesChanged();
    void totalChanged();

private:
    struct Row {
        LaneRow lane;
        Micros at = 0;         ///< when its state was true, by our clock
        WallMicros drainedAt = 0;  ///< it left the engine's list while the order was held; 0 = no
        [[nodiscard]] bool drained() const { return drainedAt != 0; }
    };
    using Page = std::vector<Row>;

    [[nodiscard]] const Row* row(int number) const;
    [[nodiscard]] QString display(const Row& row, int column) const;
    [[nodiscard]] QString tooltip(const Row& row, int column) const;
    [[nodiscard]] QVariant foreground(const Row& row, int column) const;
    [[nodiscard]] Micros elapsed(const Row& row) const;
    [[nodiscard]] QString destinationName(DestinationId id) const;
    void restart();
    void askNext();
    void placePage(std::uint64_t number, const LanePage& page);
    void mergePage(Page& page, std::uint64_t number, const LanePage& fresh);
    void setTotal(std::uint64_t total);
    void markVisibleChanged();

    Clock m_clock;
    DestinationId m_scope;
    Filter m_filter;
    LaneLook m_look;
    bool m_looking = true;
    LaneOrder m_order = LaneOrder::headAge;
    bool m_descending = true;
    std::uint64_t m_total = 0;
    int m_rows = 0;
    double m_readiness = 1.0;
    bool m_loaded = false;
    PageCache<Page> m_pages;
    std::set<std::uint64_t> m_stale;           ///< visible pages to ask for again
    std::map<std::uint64_t, int> m_pending;    ///< rows that would move, by page
    std::optional<LanePageRequest> m_running;  ///< the one question that is out
    Micros m_askedAt = 0;
    std::uint64_t m_token = 0;
    int m_first = -1;
    int m_last = -1;
    bool m_held = false;
    bool m_applyOnce = false;
    bool m_frozen = false;
    Micros m_frozenAt = 0;
    const TimeDisplay* m_times = nullptr;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    std::map<LaneKey, std::uint64_t> m_watched;  ///< since which snapshot number
    std::array<QIcon, 5> m_stateIcons;
    std::array<QString, 5> m_stateWords;
};

}  // namespace lanes::ui
