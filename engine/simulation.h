// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <string>
#include <vector>

// The simulation: kernel, health and lanes in a world in which everything goes wrong, on a virtual
// clock, with an auditor beside them that keeps books of its own. The same seed gives the same run
// everywhere.
namespace lanes {

/// One run. Everything follows from these.
struct SimulationOptions {
    std::uint64_t seed = 1;
    /// Time of faults; after it everything is healed and must drain.
    Micros length = 10 * kMinute;
    std::uint32_t destinations = 5;  ///< the last one holds lanes behind dead letters
    std::uint32_t users = 200;       ///< each has a lane at each destination
    std::uint32_t events = 20'000;   ///< accepted in the time of faults, most for all destinations
    /// What the drain may take beyond 1.15 x the ideal: to find out that the destination is well
    /// again, and the slow start. Tests of the simulation itself ask for the impossible.
    Micros drainSlack = 15 * kSecond;

    /// Options of the command `simulate` that play this run again.
    [[nodiscard]] std::string command() const;
};

/// A broken promise. `promise` is "P1" .. "P8" or the rule that was broken: see auditor.h.
struct SimulationViolation {
    std::string promise;
    std::string what;
    Micros at = 0;  ///< virtual time
};

/// What happened in a run, or in many: to see that they are worth something.
struct SimulationCounts {
    std::uint64_t steps = 0;     ///< of the kernel
    std::uint64_t accepted = 0;  ///< events times destinations
    std::uint64_t delivered = 0;
    std::uint64_t requests = 0;
    std::uint64_t duplicates = 0;  ///< received again in the same life
    std::uint64_t crashes = 0;
    std::uint64_t stops = 0;  ///< orderly ones
    std::uint64_t sleeps = 0;  ///< of the machine, for hours
    std::uint64_t freezes = 0;  ///< of the process, for half a minute
    std::uint64_t wallJumps = 0;
    std::uint64_t pauses = 0;
    std::uint64_t holds = 0;  ///< of single users
    std::uint64_t rewound = 0;
    std::uint64_t returned = 0;  ///< by undo
    std::uint64_t discarded = 0;
    std::uint64_t storeFaults = 0;
    std::uint64_t outages = 0;
    std::uint64_t unread = 0;  ///< attempts that were not made: their events could not be read
    std::uint64_t added = 0;  ///< destinations, while the run goes on
    std::uint64_t removed = 0;
    Micros virtualTime = 0;

    SimulationCounts& operator+=(const SimulationCounts& other);
    friend bool operator==(const SimulationCounts&, const SimulationCounts&) = default;
};

struct SimulationReport {
    SimulationOptions options;
    SimulationCounts counts;
    std::vector<SimulationViolation> violations;  ///< the first ones

    [[nodiscard]] bool ok() const { return violations.empty(); }
    /// One line for each violation, with the seed and the command that plays it again.
    [[nodiscard]] std::string failure() const;
};

/// Runs kernel, health and lanes against simulated destinations, a simulated store and a simulated
/// clock; then all is healed and must be delivered. The auditor watches every step. No exception
/// leaves it; a broken invariant of the kernel itself ends the process, and the run says how to
/// see it again first. Runs on several threads do not know of each other.
[[nodiscard]] SimulationReport runSimulation(const SimulationOptions& options);

}  // namespace lanes
