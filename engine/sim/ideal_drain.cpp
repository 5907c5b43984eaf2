// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/ideal_drain.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

namespace lanes::sim {

namespace {

template <typename T>
using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

}  // namespace

Micros idealDrain(const LaneBacklogs& lanes, const DrainPace& pace) {
    Earliest<std::pair<Micros, std::size_t>> ready;  // windows of heads, with their lanes
    Earliest<std::pair<Micros, std::size_t>> later;  // when lanes may go on
    Earliest<Micros> slots;                          // when they fall free
    std::vector<std::size_t> next(lanes.size());
    for (std::uint32_t i = 0; i < pace.atOnce; ++i) slots.push(0);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (!lanes[lane].empty()) ready.emplace(lanes[lane].front(), lane);
    Micros end = 0;
    while (!ready.empty() || !later.empty()) {
        Micros now = slots.top();
        slots.pop();
        if (ready.empty()) now = std::max(now, later.top().first);
        for (; !later.empty() && later.top().first <= now; later.pop()) {
            const std::size_t lane = later.top().second;
            ready.emplace(lanes[lane][next[lane]], lane);
        }
        const std::size_t lane = ready.top().second;
        ready.pop();
        slots.push(now + pace.answer);
        end = now + pace.answer + pace.durability;
        if (++next[lane] < lanes[lane].size()) later.emplace(end, lane);
    }
    return end;
}

Micros lostWhileGrowing(double window, const DrainPace& pace) {
    constexpr double kShare = 0.1;
    constexpr double kAnswers = 40;
    constexpr double kShortestRound = 0.2;  // seconds
    const double answer = static_cast<double>(pace.answer) / static_cast<double>(kSecond);
    double lost = 0;
    while (window < pace.atOnce) {
        const double round = std::max(kShortestRound, kAnswers * answer / window);
        lost += round * (1 - window / pace.atOnce);
        window += kShare * window * std::min(1.0, round);
    }
    return static_cast<Micros>(lost * static_cast<double>(kSecond));
}

}  // namespace lanes::sim
