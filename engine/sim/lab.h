// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/lab_scenarios.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The laboratory: plays an outage against several ways of delivering events, on a virtual clock,
// and measures how the backlog drains. The same seed gives the same figures everywhere.
namespace lanes::sim {

/// `queue`, `strict`, `lanesBackoff`: see baselines.h. `lanes`: our own kernel.
enum class LabSenderKind : std::uint8_t { queue, strict, lanesBackoff, lanes };

struct LabOptions {
    std::uint64_t seed = 1;
    /// Length of warm-up, outage and phases over that of the scenario, > 0; for quick looks.
    double scale = 1;
    std::vector<LabSenderKind> senders = {LabSenderKind::queue, LabSenderKind::strict,
                                          LabSenderKind::lanesBackoff, LabSenderKind::lanes};
    /// Told now and then how much of the run is done, 0..1; on the thread of the run.
    std::function<void(double)> progress;
    /// Asked now and then; true ends the run, whose result then says so.
    std::function<bool()> cancelled;
};

/// What one sender made of a scenario. Times in seconds from the recovery. The events measured are
/// those that waited at the recovery and that the destination can take; a figure is absent if that
/// share of them was not delivered when the run ended.
struct LabSenderResult {
    LabSenderKind sender = LabSenderKind::lanes;
    std::uint64_t waiting = 0;     ///< events that waited at the recovery
    std::uint64_t outOfOrder = 0;  ///< delivered after a later event of the same user
    std::uint64_t dead = 0;        ///< given up because their retry window was over
    std::optional<double> drainP50;
    std::optional<double> drainP99;
    std::optional<double> drainMax;       ///< of those that were not given up
    std::optional<double> drainP99Ratio;  ///< over the ideal
    double peak1s = 0;   ///< requests in the busiest second of the first minute / capacity
    double peak10s = 0;
    double refusedShare = 0;   ///< of the requests while draining: those that failed
    std::uint64_t requests = 0;
    std::uint64_t wasted = 0;  ///< requests in the outage that were for nothing
    std::optional<double> detect;  ///< until the first success
};

struct LabResult {
    std::string scenario;
    std::uint64_t seed = 1;
    /// p99 drain of an ideal sender that knows the capacity: worked out, not simulated. It keeps
    /// the destination exactly full from the recovery on, oldest event first; a lane is not
    /// faster than one request after the other. 0 if it would not have a backlog worth the name.
    double ideal = 0;
    /// 1 - p99 drain of `lanes` over that of `queue`. Absent if one of them was not played or
    /// `lanes` did not drain.
    std::optional<double> p99DrainReduction;
    /// `queue` was not drained when the run ended: the reduction is at least this large.
    bool reductionIsLowerBound = false;
    std::vector<LabSenderResult> senders;
    bool cancelled = false;
};

[[nodiscard]] LabResult runLab(const LabScenario& scenario, const LabOptions& options = {});

/// "queue", "strict", "lanes-backoff", "lanes".
[[nodiscard]] const char* labSenderName(LabSenderKind sender);
/// A JSON array with one object for each result.
[[nodiscard]] std::string labJson(const std::vector<LabResult>& results);

}  // namespace lanes::sim
