// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/lane_chain.h"

#include "engine/core/check.h"
#include "engine/core/fetch_ahead.h"
#include "engine/core/lane_table.h"

namespace lanes {

namespace {

/// Lanes ahead whose records are fetched: memory answers within two or three deliveries.
constexpr std::uint32_t kAhead = 4;

void expectNext(const LaneTable& table, const ChainBlock& block, std::uint32_t position) {
    const auto wanted = position + kAhead;
    if (wanted < block.end) {
        table.expect(block.lanes[wanted]);
    } else if (block.after != kNoLane) {
        const ChainBlock& next = table.chainBlocks()[block.after];
        if (wanted - block.end < next.end) table.expect(next.lanes[wanted - block.end]);
    }
    if (position == 0 && block.after != kNoLane)
        fetchAhead(&table.chainBlocks()[block.after]);
}

}  // namespace

void LaneChain::push(LaneTable& table, LaneIndex lane) {
    auto& blocks = table.chainBlocks();
    if (m_last == kNoLane || blocks[m_last].end == ChainBlock::kLanes) {
        const auto fresh = blocks.take();
        CHECK(fresh < kNowhere / kPlaces);
        blocks[fresh].before = m_last;
        (m_last == kNoLane ? m_first : blocks[m_last].after) = fresh;
        m_last = fresh;
    }
    ChainBlock& block = blocks[m_last];
    table[lane].place = startOf(m_last) + block.end;
    block.lanes[block.end++] = lane;
    ++block.count;
}

LaneIndex LaneChain::first(const LaneTable& table) const {
    if (empty()) return kNoLane;
    const ChainBlock& block = table.chainBlocks()[m_first];
    return block.lanes[block.begin];
}

LaneChain::Place LaneChain::firstPlace(const LaneTable& table) const {
    return empty() ? kNowhere : startOf(m_first) + table.chainBlocks()[m_first].begin;
}

LaneIndex LaneChain::at(const LaneTable& table, Place& place) {
    while (place != kNowhere) {
        const ChainBlock& block = table.chainBlocks()[blockOf(place)];
        for (auto position = place % kPlaces; position < block.end; ++position) {
            if (block.lanes[position] == kNoLane) continue;
            place = startOf(blockOf(place)) + position;
            return block.lanes[position];
        }
        place = startOf(block.after);
    }
    return kNoLane;
}

bool LaneChain::takeOut(LaneTable& table, LaneIndex lane) {
    Lane& record = table[lane];
    CHECK(record.place != kNowhere);
    ChainBlock& block = table.chainBlocks()[blockOf(record.place)];
    const auto position = record.place % kPlaces;
    CHECK(block.lanes[position] == lane);
    expectNext(table, block, position);
    block.lanes[position] = kNoLane;
    record.place = kNowhere;
    if (--block.count == 0) return true;
    while (block.lanes[block.begin] == kNoLane) ++block.begin;
    return false;
}

void LaneChain::drop(LaneTable& table, std::uint32_t number) {
    auto& blocks = table.chainBlocks();
    const ChainBlock& block = blocks[number];
    CHECK(block.count == 0);
    (block.before == kNoLane ? m_first : blocks[block.before].after) = block.after;
    (block.after == kNoLane ? m_last : blocks[block.after].before) = block.before;
    blocks.give(number);
}

}  // namespace lanes
