// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <vector>

namespace lanes::sim {

/// What waits at a destination that is well: for each lane, in its order, the time at which the
/// window of each event began.
using LaneBacklogs = std::vector<std::vector<Micros>>;

/// How fast the destination and the store are.
struct DrainPace {
    std::uint32_t atOnce = 1;  ///< requests at once: workers, or the limit of requests in flight
    Micros answer = 0;        ///< from a request to its answer
    Micros durability = 0;    ///< from the answer until the lane may go on
};

/// Time in which a sender that knows the capacity delivers all of it. It keeps every slot busy as
/// long as it has anything to send, and among the lanes that may go on the one with the oldest
/// window goes first, as is promised: so a long lane whose head was just rewound begins late, and a
/// lane is never faster than one event after the other.
[[nodiscard]] Micros idealDrain(const LaneBacklogs& lanes, const DrainPace& pace);

/// Time that is lost against it while the window grows from where it was when the destination was
/// overloaded to what it can take now, by a tenth for each round of forty answers and not more
/// than a tenth a second. Knowing the capacity, one would not have to find it out; an engine does.
[[nodiscard]] Micros lostWhileGrowing(double window, const DrainPace& pace);

}  // namespace lanes::sim
