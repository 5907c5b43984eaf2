// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/chunk_pool.h"
#include "engine/core/lane.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanes {

class LaneTable;

/// A few lanes of a queue, in order, in one cache line. Who leaves from the middle leaves a gap.
struct ChainBlock {
    static constexpr std::uint32_t kLanes = 13;
    std::array<LaneIndex, kLanes> lanes{};
    std::uint32_t before = kNoLane;  ///< neighbouring blocks of the same chain
    std::uint32_t after = kNoLane;
    std::uint8_t begin = 0;  ///< first that is no gap
    std::uint8_t end = 0;    ///< behind the last that was ever filled
    std::uint8_t count = 0;  ///< without the gaps

    [[nodiscard]] std::uint32_t link() const { return after; }
    void setLink(std::uint32_t next) { after = next; }
};
static_assert(sizeof(ChainBlock) == 64);
using ChainBlockPool = ChunkPool<ChainBlock>;

/// Lanes first in first out. A record knows its place in the chain, so a lane leaves from anywhere
/// at once; and who comes next stands beside in memory, not inside a record far away, so that the
/// records of the next lanes are fetched while the first is served. A lane is in one chain at most.
class LaneChain {
public:
    /// Where a lane stands: in which block, and its position there.
    using Place = std::uint32_t;
    static constexpr Place kNowhere = 0xffffffff;
    static std::uint32_t blockOf(Place place) { return place / kPlaces; }
    /// Where a block begins; nowhere, if it is none.
    static Place startOf(std::uint32_t block) {
        return block == kNoLane ? kNowhere : block * kPlaces;
    }

    void push(LaneTable& table, LaneIndex lane);
    [[nodiscard]] bool empty() const { return m_first == kNoLane; }
    [[nodiscard]] LaneIndex first(const LaneTable& table) const;
    [[nodiscard]] Place firstPlace(const LaneTable& table) const;
    /// The lane at a place or the next one behind it, whose place is put into `place`; kNoLane and
    /// kNowhere if there is none.
    static LaneIndex at(const LaneTable& table, Place& place);

    /// Takes a lane out of the chain that it is in. If that leaves its block empty, true: the chain
    /// must `drop` the block before anything else.
    [[nodiscard]] static bool takeOut(LaneTable& table, LaneIndex lane);
    void drop(LaneTable& table, std::uint32_t block);

private:
    static constexpr std::uint32_t kPlaces = 16;  // numbers for the places of a block

    std::uint32_t m_first = kNoLane;  // blocks
    std::uint32_t m_last = kNoLane;
};

}  // namespace lanes
