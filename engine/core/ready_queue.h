// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/lane_table.h"

#include <cstddef>
#include <map>

namespace lanes {

/// Lanes of one destination that wait for a slot, in a calendar: one bucket for each second of the
/// retry clock at which their heads' windows began, first in first out inside a bucket. That one
/// order serves three needs without any scan: the oldest head goes first, expired heads are all at
/// the front, and a cursor that walks on from the lane probed last probes every lane in turn.
/// The neighbours are links inside the lane records, so a lane leaves from anywhere at once.
class ReadyQueue {
public:
    explicit ReadyQueue(LaneTable& table) : m_table(&table) {}

    void push(LaneIndex lane);
    void remove(LaneIndex lane);
    /// The lane with the oldest head; kNoLane if there is none.
    [[nodiscard]] LaneIndex first() const;
    /// The lane after that of the last `nextInTurn`, around and around.
    [[nodiscard]] LaneIndex inTurn() const { return m_turn != kNoLane ? m_turn : first(); }
    LaneIndex nextInTurn();
    /// The next turn begins at the oldest head.
    void restartTurn() { m_turn = kNoLane; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }

private:
    struct Bucket {
        LaneIndex first = kNoLane;
        LaneIndex last = kNoLane;
    };
    static std::uint32_t bucketOf(const Lane& lane) { return lane.headClock / 10; }
    [[nodiscard]] LaneIndex successor(LaneIndex lane) const;

    LaneTable* m_table;
    std::map<std::uint32_t, Bucket> m_buckets;
    LaneIndex m_turn = kNoLane;
    std::size_t m_size = 0;
};

/// Lanes of one destination that back off, the least recently tried first.
class LaneList {
public:
    explicit LaneList(LaneTable& table) : m_table(&table) {}

    void push(LaneIndex lane);
    void remove(LaneIndex lane);
    [[nodiscard]] LaneIndex first() const { return m_first; }
    [[nodiscard]] LaneIndex next(LaneIndex lane) const { return (*m_table)[lane].after; }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    LaneTable* m_table;
    LaneIndex m_first = kNoLane;
    LaneIndex m_last = kNoLane;
    std::size_t m_size = 0;
};

}  // namespace lanes
