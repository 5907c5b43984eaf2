// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_clock.h"

#include "engine/config.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes {

namespace {
constexpr int kLongestWait = 3'600'000;  // an hour; a timer that fires too early is harmless
}

EngineClock::EngineClock(double scale) : m_last(Steady::now()), m_scale(scale) {}

Micros EngineClock::now() {
    const auto real = Steady::now();
    const auto passed = static_cast<double>(
        std::chrono::duration_cast<std::chrono::microseconds>(real - m_last).count());
    m_last = real;
    if (passed > static_cast<double>(limits::kWakeGap))
        m_woke = true;
    else
        m_now += passed * m_scale;
    return static_cast<Micros>(m_now);
}

bool EngineClock::woke() { return std::exchange(m_woke, false); }

void EngineClock::setScale(double scale) {
    (void)now();  // what has passed passed at the old scale
    m_scale = scale;
}

int EngineClock::realMillisecondsUntil(Micros engineTime) {
    const double left = (static_cast<double>(engineTime) - static_cast<double>(now())) / m_scale;
    return static_cast<int>(
        std::clamp(std::ceil(left / 1000.0), 0.0, static_cast<double>(kLongestWait)));
}

WallMicros EngineClock::wall() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace lanes
