// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/ready_queue.h"

#include "engine/core/check.h"

namespace lanes {

void ReadyQueue::push(LaneIndex lane) {
    Lane& record = (*m_table)[lane];
    const auto key = bucketOf(record);
    const bool newest = !m_buckets.empty() && m_buckets.rbegin()->first == key;  // the usual case
    (newest ? m_buckets.rbegin()->second : m_buckets[key]).push(*m_table, lane);
    ++m_size;
}

void ReadyQueue::remove(LaneIndex lane) {
    const Lane& record = (*m_table)[lane];
    const auto block = LaneChain::blockOf(record.place);
    --m_size;
    if (!LaneChain::takeOut(*m_table, lane)) return;

    if (m_turnPlace != LaneChain::kNowhere && LaneChain::blockOf(m_turnPlace) == block) {
        m_turnPlace = LaneChain::startOf(m_table->chainBlocks()[block].after);
    }
    auto found = m_buckets.begin();  // most lanes leave from the front
    if (found->first != bucketOf(record)) found = m_buckets.find(bucketOf(record));
    CHECK(found != m_buckets.end());
    found->second.drop(*m_table, block);
    if (found->second.empty()) m_buckets.erase(found);
}

LaneIndex ReadyQueue::first() const {
    return m_buckets.empty() ? kNoLane : m_buckets.begin()->second.first(*m_table);
}

LaneIndex ReadyQueue::inTurn(std::uint32_t turn) {
    if (m_size == 0) {
        m_turning = false;
        return kNoLane;
    }
    if (!m_turning) {
        m_turning = true;
        m_turnBucket = m_buckets.begin()->first;
        m_turnPlace = m_buckets.begin()->second.firstPlace(*m_table);
    }
    for (;;) {
        const auto lane = LaneChain::at(*m_table, m_turnPlace);
        if (lane == kNoLane) {
            const auto bucket = m_buckets.upper_bound(m_turnBucket);
            if (bucket == m_buckets.end()) {
                m_turning = false;
                return kNoLane;
            }
            m_turnBucket = bucket->first;
            m_turnPlace = bucket->second.firstPlace(*m_table);
        } else if ((*m_table)[lane].turn == turn) {
            ++m_turnPlace;  // who was asked and came back, or one bucket could keep the cursor
        } else {
            return lane;
        }
    }
}

LaneIndex ReadyQueue::nextInTurn(std::uint32_t turn) {
    const auto lane = inTurn(turn);
    if (lane != kNoLane) ++m_turnPlace;
    return lane;
}

void LaneList::push(LaneIndex lane) {
    m_lanes.push(*m_table, lane);
    ++m_size;
}

void LaneList::remove(LaneIndex lane) {
    const auto block = LaneChain::blockOf((*m_table)[lane].place);
    if (LaneChain::takeOut(*m_table, lane)) m_lanes.drop(*m_table, block);
    --m_size;
}

LaneIndex LaneList::next(LaneIndex lane) const {
    auto place = (*m_table)[lane].place + 1;
    return LaneChain::at(*m_table, place);
}

}  // namespace lanes
