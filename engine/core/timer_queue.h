// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/lane_table.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace lanes {

/// When lanes that back off are due, in buckets of 100 ms: arming is an append, cancelling is
/// forgetting. A popped lane is a hint; whoever pops checks the lane's own due tick. Everything up
/// to 102 s ahead is in a ring, the rare rest (a long Retry-After) in an ordered map.
class TimerQueue {
public:
    using Tick = std::uint32_t;
    static constexpr Micros kTick = 100 * kMillisecond;

    /// The first tick at or after a time.
    static Tick tickAt(Micros time) {
        return time <= 0 ? 0 : static_cast<Tick>((time + kTick - 1) / kTick);
    }

    /// A tick that has passed counts as the next one.
    void arm(LaneIndex lane, Tick due);
    /// Appends the lanes of all ticks up to and including `now` to `due`.
    void pop(Tick now, std::vector<LaneIndex>& due);
    /// The next tick that has anything; false if nothing is armed.
    [[nodiscard]] bool next(Tick& tick) const;

private:
    static constexpr Tick kRing = 1024;

    std::array<std::vector<LaneIndex>, kRing> m_ring;
    std::map<Tick, std::vector<LaneIndex>> m_far;
    Tick m_now = 0;  // all ticks up to here are popped
    std::size_t m_near = 0;
};

}  // namespace lanes
