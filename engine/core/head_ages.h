// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/lane.h"

#include <cstdint>
#include <deque>

namespace lanes {

/// How many lanes of a destination have a head that was accepted in each minute of its retry
/// clock: what a forecast of dead letters needs, without looking at any lane. A number for each
/// minute between the oldest and the newest head: 17 kB at 72 hours.
class HeadAges {
public:
    void add(ClockTenths clock);
    void remove(ClockTenths clock);
    /// Heads that were accepted before this moment of the clock, by whole minutes: those of the
    /// minute that it falls into count.
    [[nodiscard]] std::uint64_t before(ClockTenths clock) const;
    /// Begin of the minute of the oldest head; of no use while there is none.
    [[nodiscard]] ClockTenths oldest() const { return m_first * kMinuteTenths; }
    [[nodiscard]] bool empty() const { return m_counts.empty(); }

private:
    static constexpr ClockTenths kMinuteTenths = 600;

    std::uint32_t m_first = 0;           // minute of the first number
    std::deque<std::uint32_t> m_counts;  // neither the first nor the last one is 0
};

}  // namespace lanes
