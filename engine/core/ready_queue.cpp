// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/ready_queue.h"

#include "engine/core/check.h"

namespace lanes {

void ReadyQueue::push(LaneIndex lane) {
    Lane& record = (*m_table)[lane];
    Bucket& bucket = m_buckets[bucketOf(record)];
    ++m_size;
    // A lane that had its turn comes back behind the cursor, or one bucket could keep it for ever.
    if (record.attempts > 0 && m_turn != kNoLane &&
        bucketOf((*m_table)[m_turn]) == bucketOf(record)) {
        Lane& turn = (*m_table)[m_turn];
        record.before = turn.before;
        record.after = m_turn;
        if (turn.before == kNoLane)
            bucket.first = lane;
        else
            (*m_table)[turn.before].after = lane;
        turn.before = lane;
        return;
    }
    record.before = bucket.last;
    record.after = kNoLane;
    if (bucket.last == kNoLane)
        bucket.first = lane;
    else
        (*m_table)[bucket.last].after = lane;
    bucket.last = lane;
}

void ReadyQueue::remove(LaneIndex lane) {
    if (m_turn == lane) m_turn = successor(lane);
    Lane& record = (*m_table)[lane];
    const auto found = m_buckets.find(bucketOf(record));
    CHECK(found != m_buckets.end());
    Bucket& bucket = found->second;
    if (record.before == kNoLane)
        bucket.first = record.after;
    else
        (*m_table)[record.before].after = record.after;
    if (record.after == kNoLane)
        bucket.last = record.before;
    else
        (*m_table)[record.after].before = record.before;
    record.before = record.after = kNoLane;
    if (bucket.first == kNoLane) m_buckets.erase(found);
    --m_size;
}

LaneIndex ReadyQueue::first() const {
    return m_buckets.empty() ? kNoLane : m_buckets.begin()->second.first;
}

LaneIndex ReadyQueue::successor(LaneIndex lane) const {
    const Lane& record = (*m_table)[lane];
    if (record.after != kNoLane) return record.after;
    const auto next = m_buckets.upper_bound(bucketOf(record));
    return next == m_buckets.end() ? kNoLane : next->second.first;
}

LaneIndex ReadyQueue::nextInTurn() {
    const auto lane = inTurn();
    if (lane != kNoLane) m_turn = successor(lane);
    return lane;
}

void LaneList::push(LaneIndex lane) {
    Lane& record = (*m_table)[lane];
    record.before = m_last;
    record.after = kNoLane;
    if (m_last == kNoLane)
        m_first = lane;
    else
        (*m_table)[m_last].after = lane;
    m_last = lane;
    ++m_size;
}

void LaneList::remove(LaneIndex lane) {
    Lane& record = (*m_table)[lane];
    if (record.before == kNoLane)
        m_first = record.after;
    else
        (*m_table)[record.before].after = record.after;
    if (record.after == kNoLane)
        m_last = record.before;
    else
        (*m_table)[record.after].before = record.before;
    record.before = record.after = kNoLane;
    --m_size;
}

}  // namespace lanes
