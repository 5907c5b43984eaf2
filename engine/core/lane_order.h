// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/lane_table.h"
#include "engine/queries.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanes {

/// One order over all lanes (or those of one destination) with ranks, so that any page of it is
/// found without counting. It exists only while somebody looks at that order: it is built in
/// slices, kept up with each change of a lane, and dropped afterwards, so that nobody else pays.
class LaneOrderIndex {
public:
    /// \param expiryBases for each destination slot: its window less its retry clock plus engine
    /// time, in clock tenths, so that times of different destinations compare.
    LaneOrderIndex(LaneOrder order, DestinationSlot destination,
                   std::vector<std::int64_t> expiryBases);
    LaneOrderIndex(LaneOrderIndex&&) noexcept;
    ~LaneOrderIndex();

    static constexpr DestinationSlot kAll = 0xffff;

    [[nodiscard]] LaneOrder order() const { return m_order; }
    [[nodiscard]] DestinationSlot destination() const { return m_destination; }
    [[nodiscard]] const std::vector<std::int64_t>& expiryBases() const { return m_expiryBases; }

    /// Adds up to `slice` more records of the table; true when it is complete.
    bool build(const LaneTable& table, std::size_t slice);
    [[nodiscard]] bool complete(const LaneTable& table) const;
    [[nodiscard]] double readiness(const LaneTable& table) const;
    /// Tells the present state of a lane that was changed, added, or (no events, not held) is
    /// about to be removed.
    void update(const LaneTable& table, LaneIndex lane);
    void erase(LaneIndex lane);
    /// Takes up to `slice` lanes out again; true when none is left. For an order that nobody looks
    /// at any more: taken apart at once, millions of lanes would stop everything for a second.
    bool shrink(std::size_t slice);

    /// A place in the order. It stays where it is while lanes come, go and move.
    struct Place {
        std::uint64_t key = 0;
        LaneIndex lane = kNoLane;
    };

    [[nodiscard]] std::size_t size() const;
    /// The next lanes behind a place (or from the beginning), `most` at most; moves the place on.
    [[nodiscard]] std::vector<LaneIndex> next(std::optional<Place>& place, std::size_t most,
                                              bool descending) const;
    /// Lanes of ranks offset .. offset + limit; the largest key first if `descending`.
    [[nodiscard]] std::vector<LaneIndex> page(std::uint64_t offset, std::uint32_t limit,
                                              bool descending) const;

private:
    /// Larger = earlier in the descending order. Ties by lane index keep pages stable.
    [[nodiscard]] std::uint64_t keyOf(const Lane& lane) const;
    [[nodiscard]] bool belongs(const Lane& lane) const;

    struct Set;

    LaneOrder m_order;
    DestinationSlot m_destination;
    std::vector<std::int64_t> m_expiryBases;
    LaneIndex m_built = 0;
    std::unique_ptr<Set> m_set;
};

}  // namespace lanes
