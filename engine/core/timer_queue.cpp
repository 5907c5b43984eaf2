// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/timer_queue.h"

#include <algorithm>

namespace lanes {

void TimerQueue::arm(LaneIndex lane, Tick due) {
    due = std::max(due, m_now + 1);
    if (due - m_now < kRing) {
        m_ring[due % kRing].push_back(lane);
        ++m_near;
    } else {
        m_far[due].push_back(lane);
    }
}

void TimerQueue::pop(Tick now, std::vector<LaneIndex>& due) {
    while (m_now < now) {
        if (m_near == 0 && (m_far.empty() || m_far.begin()->first > now)) {
            m_now = now;
            return;
        }
        ++m_now;
        auto& bucket = m_ring[m_now % kRing];
        if (!bucket.empty()) {
            m_near -= bucket.size();
            due.insert(due.end(), bucket.begin(), bucket.end());
            bucket = std::vector<LaneIndex>();  // gives the memory of a burst back
        }
        while (!m_far.empty() && m_far.begin()->first <= m_now) {
            const auto& far = m_far.begin()->second;
            due.insert(due.end(), far.begin(), far.end());
            m_far.erase(m_far.begin());
        }
    }
}

bool TimerQueue::next(Tick& tick) const {
    const bool far = !m_far.empty();
    if (far) tick = m_far.begin()->first;
    if (m_near == 0) return far;
    for (Tick step = 1; step < kRing; ++step) {
        if (m_ring[(m_now + step) % kRing].empty()) continue;
        tick = far ? std::min(tick, m_now + step) : m_now + step;
        return true;
    }
    return far;
}

}  // namespace lanes
