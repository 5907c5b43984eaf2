// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <chrono>

namespace lanes {

/// Engine time from the monotonic clock: never back, standing still over a gap that means the
/// process did not run (sleep, stop signal), and scaled for demonstrations. One thread; `now` has
/// to be asked more often than every `limits::kWakeGap`.
class EngineClock {
public:
    explicit EngineClock(double scale);

    [[nodiscard]] Micros now();
    /// True once after a gap.
    [[nodiscard]] bool woke();
    void setScale(double scale);
    [[nodiscard]] double scale() const { return m_scale; }
    /// Real milliseconds until an engine time, rounded up; 0 if it has passed.
    [[nodiscard]] int realMillisecondsUntil(Micros engineTime);
    /// Engine time that passes in a real interval.
    [[nodiscard]] Micros scaled(Micros real) const {
        return static_cast<Micros>(static_cast<double>(real) * m_scale);
    }

    [[nodiscard]] static WallMicros wall();

private:
    using Steady = std::chrono::steady_clock;

    Steady::time_point m_last;
    double m_now = 0;
    double m_scale;
    bool m_woke = false;
};

}  // namespace lanes
