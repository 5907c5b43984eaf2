// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// All lanes that have something to deliver, in a pool of small records with an index over it.
// Millions of lanes is the normal case, so a record is 64 bytes and an event behind the head is
// 13 to 14.
namespace lanes {

using LaneIndex = std::uint32_t;
inline constexpr LaneIndex kNoLane = 0xffffffff;

/// Position of a destination in the kernel's list; never reused while the kernel lives.
using DestinationSlot = std::uint16_t;

/// Retry clocks inside lanes are counted in tenths of a second: 32 bits last 13 years.
using ClockTenths = std::uint32_t;
inline constexpr Micros kClockUnit = 100 * kMillisecond;

/// An event behind the head, or on its way into a lane.
struct LaneEntry {
    Sequence sequence;
    ClockTenths clock = 0;  ///< retry clock of the destination when its window began
};

struct Lane {
    UserId user;
    Sequence head;      ///< 0: no event; such a lane exists only while it is held
    Sequence previous;  ///< last event that left this lane; 0 if the record does not know one
    ClockTenths headClock = 0;
    std::uint32_t rest = 0;         ///< events behind the head
    std::uint32_t firstBlock = kNoLane;
    std::uint32_t lastBlock = kNoLane;
    LaneIndex before = kNoLane;     ///< neighbours in the ready queue or in the list of lanes that
    LaneIndex after = kNoLane;      ///< back off; a lane is in one of them at most
    std::uint32_t tick = 0;         ///< backing off: when it is due; in flight: when it started
    DestinationSlot destination = 0;
    std::uint16_t attempts = 0;     ///< of the head in this life, saturating
    std::uint16_t lastStatus = 0;
    std::uint8_t failures = 0;      ///< of the head in a row, saturating; sets the back-off
    LaneState state = LaneState::ready;
    Outcome lastOutcome = Outcome::delivered;
    std::uint8_t triedEpoch = 0;    ///< low bits of the destination's epoch at the last attempt
    bool ownRefusal = false;        ///< backs off for a reason of its own, not the destination's
    bool patient = false;           ///< stands in the queue of lanes that need a retry token
};
static_assert(sizeof(Lane) <= 64);

class LaneTable {
public:
    LaneTable();

    [[nodiscard]] LaneIndex find(DestinationSlot destination, UserId user) const;
    /// The lane, made empty if it was not there.
    LaneIndex findOrAdd(DestinationSlot destination, UserId user);
    /// The lane must have no events.
    void remove(LaneIndex lane);
    [[nodiscard]] Lane& operator[](LaneIndex lane) {
        return m_chunks[lane / kChunk][lane % kChunk];
    }
    [[nodiscard]] const Lane& operator[](LaneIndex lane) const {
        return m_chunks[lane / kChunk][lane % kChunk];
    }
    [[nodiscard]] std::size_t size() const { return m_size; }
    /// Indexes below this one may be in use; for walks over all lanes in slices.
    [[nodiscard]] LaneIndex indexEnd() const { return m_indexEnd; }
    [[nodiscard]] bool inUse(LaneIndex lane) const;
    /// Bytes held for lanes and their events.
    [[nodiscard]] std::size_t bytes() const;

    /// Puts an event behind all others. Its sequence must be the largest.
    void append(LaneIndex lane, LaneEntry entry);
    /// Puts an event where its sequence belongs among those behind the head.
    void insert(LaneIndex lane, LaneEntry entry);
    /// First event behind the head; the lane must have one.
    [[nodiscard]] LaneEntry front(LaneIndex lane) const;
    LaneEntry popFront(LaneIndex lane);
    /// Calls f(LaneEntry) for the first `limit` events behind the head, in order.
    template <typename F>
    void forEachBehindHead(LaneIndex lane, std::size_t limit, F f) const {
        for (auto block = (*this)[lane].firstBlock; block != kNoLane && limit > 0;
             block = m_blocks[block].next)
            for (std::size_t i = 0; i < m_blocks[block].count && limit > 0; ++i, --limit)
                f(m_blocks[block].at(i));
    }

private:
    static constexpr std::size_t kChunk = 4096;  // lanes: stable addresses, no copying growth

    struct Packed {
        std::uint32_t sequenceLow = 0;
        std::uint32_t sequenceHigh = 0;
        ClockTenths clock = 0;
    };
    /// A few events of one lane, in order, from `begin` on.
    struct Block {
        static constexpr std::size_t kEntries = 5;
        Packed entries[kEntries];
        std::uint32_t next = kNoLane;
        std::uint8_t begin = 0;
        std::uint8_t count = 0;

        [[nodiscard]] LaneEntry at(std::size_t i) const {
            const auto& packed = entries[begin + i];
            return {Sequence((std::uint64_t{packed.sequenceHigh} << 32) | packed.sequenceLow),
                    packed.clock};
        }
        void put(std::size_t i, LaneEntry entry) {
            entries[begin + i] = {static_cast<std::uint32_t>(entry.sequence.value),
                                  static_cast<std::uint32_t>(entry.sequence.value >> 32),
                                  entry.clock};
        }
        void insertAt(std::size_t i, LaneEntry entry);
    };

    [[nodiscard]] std::size_t home(DestinationSlot destination, UserId user) const;
    void resizeIndex(std::size_t buckets);
    void releaseAll();
    std::uint32_t newBlock();
    void freeBlock(std::uint32_t block);

    std::vector<std::unique_ptr<Lane[]>> m_chunks;
    std::vector<LaneIndex> m_index;  // open addressing, linear probing; size is a power of two
    std::vector<Block> m_blocks;
    LaneIndex m_freeLane = kNoLane;  // chained through Lane::after
    std::uint32_t m_freeBlock = kNoLane;
    LaneIndex m_indexEnd = 0;
    std::size_t m_size = 0;
};

}  // namespace lanes
