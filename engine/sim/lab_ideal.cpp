// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/lab_ideal.h"

#include "engine/config.h"
#include "engine/sim/lab_destination.h"
#include "engine/sim/lab_traffic.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::sim {

namespace {

constexpr double kShare = 0.99;
constexpr double kSmallestBacklog = 0.01;  // of what arrived in the outage
constexpr Micros kStep = 50 * kMillisecond;

double seconds(Micros time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

struct Backlog {
    double events = 0;
    std::vector<std::uint32_t> arrived;  // by user
    std::uint64_t arrivedInAll = 0;
};

/// What waits at the recovery if the destination was kept full whenever it could serve.
Backlog backlogAtRecovery(const LabScenario& scenario, const Zipf& users, std::uint64_t seed) {
    const Micros recovery = scenario.warmUp + scenario.outageLength;
    const Micros tooOld = recovery - DeliveryPolicy().window;
    Backlog backlog;
    backlog.arrived.resize(scenario.users);
    Micros servedUntil = scenario.warmUp;
    const auto serve = [&](Micros until) {
        for (; servedUntil < until; servedUntil += kStep)
            backlog.events = std::max(
                0.0, backlog.events - scenario.capacity() * seconds(kStep) *
                                          LabDestination::openShare(scenario, servedUntil));
    };
    for (LabTraffic traffic(scenario, users, seed); traffic.at() < recovery; traffic.advance()) {
        if (traffic.at() < std::max(scenario.warmUp, tooOld)) continue;
        if (scenario.poisoned(traffic.user())) continue;
        serve(traffic.at());
        backlog.events += 1;
        ++backlog.arrived[traffic.user()];
        ++backlog.arrivedInAll;
    }
    serve(recovery);
    return backlog;
}

/// When the destination has served so many requests since the recovery.
double servedAfter(const LabScenario& scenario, double requests) {
    const double workers = scenario.workers / scenario.serviceSeconds;
    double served = scenario.bucketRate > 0 ? scenario.bucketSize : 0;
    const auto rateAt = [&](Micros at) {
        const double rate = workers * scenario.speed(at);
        return scenario.bucketRate > 0 ? std::min(rate, scenario.bucketRate) : rate;
    };
    Micros phasesEnd = 0;
    for (const LabPhase& phase : scenario.phases) phasesEnd = std::max(phasesEnd, phase.end);
    Micros at = 0;
    for (; at < phasesEnd && served < requests; at += kStep) served += rateAt(at) * seconds(kStep);
    if (served >= requests) return seconds(at);
    return seconds(at) + (requests - served) / rateAt(at);
}

/// When the lanes, each one request after the other, have delivered the share.
double lanesTake(const Backlog& backlog, double roundTrip) {
    if (backlog.arrivedInAll == 0) return 0;
    // Of what arrived in the outage some may have been served in it.
    const double share = backlog.events / static_cast<double>(backlog.arrivedInAll);
    const auto left = [&](double time) {
        double sum = 0;
        for (const std::uint32_t arrived : backlog.arrived)
            sum += std::max(0.0, arrived * share - time / roundTrip);
        return sum;
    };
    double low = 0;
    double high = backlog.events * roundTrip;
    while (high - low > 0.01) {
        const double middle = (low + high) / 2;
        (left(middle) > (1 - kShare) * backlog.events ? low : high) = middle;
    }
    return high;
}

}  // namespace

double idealDrainP99(const LabScenario& scenario, const Zipf& users, std::uint64_t trafficSeed) {
    const Backlog backlog = backlogAtRecovery(scenario, users, trafficSeed);
    if (backlog.events < kSmallestBacklog * static_cast<double>(backlog.arrivedInAll)) return 0;
    const double roundTrip = seconds(LabDestination::kRoundTrip) + scenario.serviceSeconds;
    return std::max(servedAfter(scenario, kShare * backlog.events) + roundTrip,
                    lanesTake(backlog, roundTrip));
}

}  // namespace lanes::sim
