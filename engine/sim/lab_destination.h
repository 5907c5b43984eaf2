// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/lab.h"
#include "engine/types.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace lanes::sim {

/// How a request ends for its sender.
struct LabAnswer {
    Micros takes = 0;  ///< from the start of the request
    Outcome outcome = Outcome::delivered;
    std::uint16_t status = 0;  ///< 0 = no answer
    Micros retryAfter = -1;

    [[nodiscard]] bool delivered() const { return outcome == Outcome::delivered; }
};

/// A destination of known capacity: workers that serve in order of arrival, a queue with a bound,
/// an outage. Requests reach it in the order in which they are sent (the way takes the same time
/// for all), so what becomes of a request is known when it is sent, and one event a request is all
/// that a simulation needs.
class LabDestination {
public:
    LabDestination(const LabScenario& scenario, std::uint64_t seed);

    /// Times never go back from call to call.
    [[nodiscard]] LabAnswer request(Micros now, std::uint32_t user);

    [[nodiscard]] Micros outageBegins() const { return m_scenario.warmUp; }
    [[nodiscard]] Micros recovery() const { return m_scenario.warmUp + m_scenario.outageLength; }
    /// Share of the requests that may succeed at a time: 1, 0, and between in a partial outage.
    [[nodiscard]] static double openShare(const LabScenario& scenario, Micros now);

    static constexpr Micros kRoundTrip = 20 * kMillisecond;
    static constexpr Micros kTimeOut = 10 * kSecond;  ///< of the client

private:
    [[nodiscard]] LabAnswer down(double openShare);
    [[nodiscard]] LabAnswer serve(Micros now, std::uint32_t user);
    [[nodiscard]] bool takeToken(Micros arrival);
    [[nodiscard]] Micros serviceTime(Micros at);
    /// The worker that is free first works until `until`.
    void occupy(Micros until);

    LabScenario m_scenario;
    Random m_random;
    double m_median;
    std::vector<Micros> m_freeAt;  ///< of the workers, a heap with the earliest in front
    std::deque<Micros> m_waiting;  ///< when requests that found no free worker begin, rising
    double m_tokens;
    Micros m_tokensAt = 0;
};

}  // namespace lanes::sim
