// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/auditor.h"
#include "engine/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::sim {

/// One run. Everything follows from the seed.
struct SimulationOptions {
    std::uint64_t seed = 1;
    /// Time of faults; after it everything is healed and must drain.
    Micros length = 3 * kMinute;
    std::uint32_t destinations = 3;  ///< the last one holds lanes behind dead letters
    std::uint32_t users = 60;
    double zipf = 0.8;
    double eventsPerSecond = 10;
    /// Mean time between two acts of the operator or of fate.
    Micros faultEvery = 3 * kSecond;
    /// After the healing everything must be delivered within this time.
    Micros drainLimit = 10 * kMinute;
};

struct SimulationReport {
    SimulationOptions options;
    std::uint64_t steps = 0;  ///< of the kernel
    Micros virtualTime = 0;
    DeliveryCounters counters;
    std::uint64_t requests = 0;
    std::uint64_t duplicates = 0;  ///< events that a destination received again in the same life
    // What happened, to see that a run is worth something:
    std::uint64_t crashes = 0;
    std::uint64_t stops = 0;  ///< orderly ones
    std::uint64_t pauses = 0;
    std::uint64_t rewound = 0;
    std::uint64_t discarded = 0;
    std::uint64_t storeFaults = 0;
    std::uint64_t outages = 0;
    std::vector<Violation> violations;  ///< the first ones

    [[nodiscard]] bool ok() const { return violations.empty(); }
    /// One line for each violation, with the seed and the command that plays it again.
    [[nodiscard]] std::string failure() const;
};

/// Runs kernel, health and scheduler against simulated destinations, a simulated store and a
/// simulated clock: arrivals, outages, pauses, rewinds, discards, store faults, crashes; then all
/// is healed and must be delivered. The auditor watches every step. No exception leaves it; a
/// broken invariant of the kernel itself ends the process (`CHECK`).
[[nodiscard]] SimulationReport runSimulation(const SimulationOptions& options);

}  // namespace lanes::sim
