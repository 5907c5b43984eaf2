// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/core/store.h"
#include "engine/core/zipf.h"
#include "engine/types.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace lanes::sim {

/// Who sends what and when: arrivals at random in small batches, users by Zipf's law, and now and
/// then an event that was sent before, as a client does that did not hear the answer.
class Workload {
public:
    Workload(std::uint64_t seed, std::uint32_t users, double skew);

    /// Time until the next batch.
    [[nodiscard]] Micros nextGap(double eventsPerSecond);
    /// A batch without targets; those are the router's. User ids are 1 .. users.
    [[nodiscard]] std::vector<NewEvent> nextBatch(WallMicros at);

private:
    [[nodiscard]] NewEvent make(WallMicros at);

    Random m_random;
    Zipf m_users;
    std::uint64_t m_made = 0;
    std::deque<NewEvent> m_recent;  ///< to be sent again, bounded
};

}  // namespace lanes::sim
