// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/lane_chain.h"
#include "engine/core/lane_table.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace lanes {

/// Lanes of one destination that wait for a slot, in a calendar: one bucket for each second of the
/// retry clock at which their heads' windows began, first in first out inside a bucket. That one
/// order serves three needs without any scan: the oldest head goes first, expired heads are all at
/// the front, and a cursor that walks on from the lane probed last probes every lane in turn.
class ReadyQueue {
public:
    explicit ReadyQueue(LaneTable& table) : m_table(&table) {}

    void push(LaneIndex lane);
    void remove(LaneIndex lane);
    /// The lane with the oldest head; kNoLane if there is none.
    [[nodiscard]] LaneIndex first() const;
    /// The next lane of the turn that runs, which is not asked in it yet, by its number; kNoLane if
    /// the turn is over. The call after that begins a new turn at the oldest head.
    [[nodiscard]] LaneIndex inTurn(std::uint32_t turn);
    /// The same, and goes on behind it.
    LaneIndex nextInTurn(std::uint32_t turn);
    /// A new turn begins with the next call.
    void restartTurn() { m_turning = false; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }

private:
    static std::uint32_t bucketOf(const Lane& lane) { return lane.headClock / 10; }

    LaneTable* m_table;
    std::map<std::uint32_t, LaneChain> m_buckets;  // none is empty
    std::size_t m_size = 0;
    // The cursor: where it looks next; kNowhere is behind the end of its bucket.
    bool m_turning = false;
    std::uint32_t m_turnBucket = 0;
    LaneChain::Place m_turnPlace = LaneChain::kNowhere;
};

/// Lanes of one destination that back off, the least recently tried first.
class LaneList {
public:
    explicit LaneList(LaneTable& table) : m_table(&table) {}

    void push(LaneIndex lane);
    void remove(LaneIndex lane);
    [[nodiscard]] LaneIndex first() const { return m_lanes.first(*m_table); }
    [[nodiscard]] LaneIndex next(LaneIndex lane) const;
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    LaneTable* m_table;
    LaneChain m_lanes;
    std::size_t m_size = 0;
};

}  // namespace lanes
