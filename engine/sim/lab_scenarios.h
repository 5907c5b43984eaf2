// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::sim {

/// How a destination is while its outage lasts.
enum class Outage : std::uint8_t {
    refuse,   ///< connections are refused
    hang,     ///< requests are read and never answered
    error,    ///< everything is answered 500
    partial,  ///< half of the requests are answered 500
    flap,     ///< 20 s up, 40 s down, again and again
};

/// A stretch of time in which the destination works with a share of its speed, counted from the
/// recovery. The share goes from `from` to `to` in a straight line.
struct SpeedPhase {
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
    int retryAfterSeconds = -1;    ///< with each 429; -1 = absent
    double noise = 0;              ///< share of answers that are 500 for no reason
    double poisonShare = 0;        ///< of the users: always answered 500
    // The traffic.
    std::uint32_t users = 100'000;
    double zipf = 0.8;
    double eventsPerSecond = 0;    ///< 0 = half of the capacity
    // The story.
    Micros warmUp = 300 * kSecond;
    Micros outageLength = kHour;
    Outage outage = Outage::refuse;
    std::vector<SpeedPhase> phases;
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

}  // namespace lanes::sim
