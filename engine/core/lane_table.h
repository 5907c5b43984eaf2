// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/chunk_pool.h"
#include "engine/core/fetch_ahead.h"
#include "engine/core/lane.h"
#include "engine/core/lane_chain.h"
#include "engine/core/lane_directory.h"
#include "engine/core/packed.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace lanes {

/// An event behind the head, or on its way into a lane.
struct LaneEntry {
    Sequence sequence;
    ClockTenths clock = 0;  ///< retry clock of the destination when its window began
};

/// All lanes that have something to deliver: a record of 48 bytes, 6 to 9 bytes of directory and
/// 5 bytes of queue for each, and 14 bytes for each event behind a head.
class LaneTable {
public:
    /// \param memory gives chunks of up to `kChunkBytes`; it must live longer.
    explicit LaneTable(std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
        : m_lanes(memory), m_directory(m_lanes), m_events(memory), m_chainBlocks(memory) {}

    [[nodiscard]] LaneIndex find(DestinationSlot destination, UserId user) const {
        return m_directory.find(destination, user);
    }
    /// The lane, made empty if it was not there.
    LaneIndex findOrAdd(DestinationSlot destination, UserId user);
    /// The lane must have no events.
    void remove(LaneIndex lane);
    [[nodiscard]] Lane& operator[](LaneIndex lane) { return m_lanes[lane]; }
    [[nodiscard]] const Lane& operator[](LaneIndex lane) const { return m_lanes[lane]; }
    [[nodiscard]] std::size_t size() const { return m_lanes.used(); }
    /// Indexes below this one may be in use; for walks over all lanes in slices.
    [[nodiscard]] LaneIndex indexEnd() const { return m_lanes.end(); }
    [[nodiscard]] bool inUse(LaneIndex lane) const {
        return m_lanes.made(lane) && m_lanes[lane].destination != kNoDestination;
    }
    /// Starts to fetch a lane that is needed soon; kNoLane is none.
    void expect(LaneIndex lane) const {
        if (lane == kNoLane) return;
        const auto* record = reinterpret_cast<const char*>(&m_lanes[lane]);
        fetchAhead(record);
        fetchAhead(record + sizeof(Lane) - 1);  // it may lie in two cache lines
    }
    /// Starts to fetch what `find` will read.
    void expect(DestinationSlot destination, UserId user) const {
        m_directory.expect(destination, user);
    }
    /// Where the queues of all destinations keep their order.
    [[nodiscard]] ChainBlockPool& chainBlocks() { return m_chainBlocks; }
    [[nodiscard]] const ChainBlockPool& chainBlocks() const { return m_chainBlocks; }
    /// Bytes held for lanes, their events and their order.
    [[nodiscard]] std::size_t bytes() const;

    /// Puts an event where its sequence belongs among those behind the head.
    void insert(LaneIndex lane, LaneEntry entry);
    /// First event behind the head; the lane must have one.
    [[nodiscard]] LaneEntry front(LaneIndex lane) const;
    LaneEntry popFront(LaneIndex lane);
    /// Whether an event stands behind the head. As many steps as events stand before it, or, if
    /// events of one lane are asked for in order, as from one to the next; so with `insert` and
    /// `erase`.
    [[nodiscard]] bool contains(LaneIndex lane, Sequence sequence) const;
    /// Takes an event out from behind the head, wherever it stands; false if it is not there.
    bool erase(LaneIndex lane, Sequence sequence);
    /// Calls f(LaneEntry) for the first `limit` events behind the head, in order.
    template <typename F>
    void forEachBehindHead(LaneIndex lane, std::size_t limit, F f) const {
        auto place = (*this)[lane].last;
        auto left = std::min<std::size_t>(limit, (*this)[lane].rest);
        for (; left > 0; --left) {
            place = m_events[place].next;
            f(m_events[place].entry());
        }
    }

private:
    /// An event behind a head. Those of one lane are a ring in order: the last one, which the
    /// record knows, names the first.
    struct Event {
        Packed<Sequence, 6> sequence;
        Packed<ClockTenths, 4> clock;
        Packed<std::uint32_t, 4> next = kNoLane;

        [[nodiscard]] LaneEntry entry() const { return {sequence, clock}; }
        [[nodiscard]] std::uint32_t link() const { return next; }
        void setLink(std::uint32_t other) { next = other; }
    };
    static_assert(sizeof(Event) == 14);

    [[nodiscard]] std::uint32_t lastBefore(LaneIndex lane, Sequence sequence) const;
    void unlink(Lane& record, std::uint32_t before);

    /// Where an event of a lane was looked for last: an event behind its head.
    struct Finger {
        LaneIndex lane = kNoLane;
        std::uint32_t place = kNoLane;
    };

    LanePool m_lanes;
    LaneDirectory m_directory;
    ChunkPool<Event> m_events;
    ChainBlockPool m_chainBlocks;
    mutable Finger m_finger;  // saves steps, decides nothing
};

}  // namespace lanes
