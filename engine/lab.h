// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The laboratory: plays an outage against several ways of delivering events, on a virtual clock,
// and measures how the backlog drains. The same seed gives the same figures everywhere.
namespace lanes {

/// How a destination is while its outage lasts.
enum class LabOutage : std::uint8_t {
    refuse,   ///< connections are refused
    hang,     ///< requests are read and never answered
    error,    ///< everything is answered 500
    partial,  ///< half of the requests are answered 500
    flap,     ///< 20 s up, 40 s down, again and again
};

/// What a request gets that fails for no reason, after it was served.
enum class LabNoise : std::uint8_t {
    error,     ///< 500
    overload,  ///< 503
    reset,     ///< the connection ends before an answer
};

/// A stretch of time in which the destination works with a share of its speed, counted from the
/// recovery. The share goes from `from` to `to` in a straight line.
struct LabPhase {
    Micros begin = 0;
    Micros end = 0;
    double from = 1;
    double to = 1;
};

/// One experiment: a destination with a capacity, traffic, and an outage. The defaults are those
/// of the reference scenario: 20 workers of 50 ms, 400 requests a second, half of it used.
struct LabScenario {
    std::string name;
    std::string about;  ///< one sentence
    // The destination.
    std::uint32_t workers = 20;
    double serviceSeconds = 0.05;  ///< mean of a log-normal, sigma 0.8326
    std::uint32_t queue = 40;      ///< requests that wait for a worker; 503 beyond it
    double burn = 0;               ///< share of a service that refusing a request costs
    double bucketRate = 0;         ///< tokens a second, 429 without one; 0 = no bucket
    double bucketSize = 0;
    std::uint16_t bucketStatus = 429;  ///< without a token: 429 or 503
    int retryAfterSeconds = -1;    ///< with it; -1 = absent
    double noise = 0;              ///< share of requests that fail for no reason
    LabNoise noiseKind = LabNoise::error;
    double poisonShare = 0;        ///< of the users: always answered 500
    // The traffic.
    std::uint32_t users = 100'000;
    double zipf = 0.8;
    double eventsPerSecond = 0;    ///< 0 = half of the capacity
    // The story.
    Micros warmUp = 300 * kSecond;
    Micros outageLength = kHour;
    LabOutage outage = LabOutage::refuse;
    std::vector<LabPhase> phases;
    Micros followed = 0;           ///< after the recovery, at most; 0 = four times the outage
    // The senders.
    std::uint32_t queueInFlight = 100;
    std::uint32_t strictInFlight = 32;
    std::uint32_t lanesInFlight = 256;  ///< largest window

    /// Requests a second that the destination serves when it is well.
    [[nodiscard]] double capacity() const;
    [[nodiscard]] double arrivals() const;
    /// Share of the speed at a time after the recovery.
    [[nodiscard]] double speed(Micros sinceRecovery) const;
    [[nodiscard]] Micros followLength() const;
    [[nodiscard]] bool poisoned(std::uint32_t user) const;
    /// The same story told faster: warm-up, outage and phases shrink, the back-offs do not.
    [[nodiscard]] LabScenario scaled(double scale) const;
};

/// The named scenarios, in the order of their table.
[[nodiscard]] const std::vector<LabScenario>& labScenarios();
/// Null if there is none of that name.
[[nodiscard]] const LabScenario* findLabScenario(std::string_view name);

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

}  // namespace lanes
