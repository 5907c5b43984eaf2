// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace lanes::ui {

/// From this share of failed attempts on the number takes the colour of errors.
inline constexpr double kNotableErrors = 0.05;

/// What one destination (or all of them) did in the last minute.
struct Rates {
    bool known = false;       ///< false until two snapshots are there
    double inPerMinute = 0;   ///< events that came for it
    double outPerMinute = 0;  ///< events delivered
    double attemptsPerMinute = 0;
    double errorShare = 0;   ///< attempts that did not deliver, 0..1
    bool attempted = false;  ///< there was an attempt: else the error share says nothing
    bool answered = false;   ///< there was an answer: else the latencies say nothing
    Micros median = 0;       ///< latency, 50 % of the answers were quicker
    Micros slow = 0;         ///< ... 95 %
};

/// Rates from the differences of snapshots over the last minute. The minute is one of the watcher:
/// engine time, which never jumps, divided by how much faster it runs in a demonstration.
class RateTracker {
public:
    /// Keeps one snapshot a second for a minute.
    void add(std::shared_ptr<const EngineSnapshot> snapshot);

    [[nodiscard]] Rates of(DestinationId destination) const;
    [[nodiscard]] Rates ofAll() const;
    /// Deliveries a second over the last minute, oldest first, a value for each second or so;
    /// 0 = of all destinations.
    [[nodiscard]] std::vector<float> trend(DestinationId destination) const;

private:
    struct Sample {
        Micros at = 0;
        std::shared_ptr<const EngineSnapshot> snapshot;
    };
    std::deque<Sample> m_samples;  ///< oldest first, at most a minute
    Sample m_newest;
};

}  // namespace lanes::ui
