// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr double kLoad = 0.5;  // arrivals over capacity
constexpr double kBurn = 0.3;
constexpr Micros kRampLength = 300 * kSecond;

std::vector<LabScenario> makeScenarios() {
    std::vector<LabScenario> all;
    const auto add = [&all](const char* name, const char* about) -> LabScenario& {
        LabScenario& scenario = all.emplace_back();
        scenario.name = name;
        scenario.about = about;
        return scenario;
    };
    add("refuse", "an hour in which connections are refused");
    add("meta", "as refuse; refusing a request costs the server work").burn = kBurn;
    add("hang", "an hour in which requests are never answered").outage = LabOutage::hang;
    add("e500", "an hour in which every request is answered 500").outage = LabOutage::error;
    for (const bool small : {false, true}) {
        auto& ramp = add(small ? "ramp5" : "ramp",
                         small ? "as ramp, with a queue of five requests"
                               : "after the outage the server gets up to speed in five minutes");
        ramp.burn = kBurn;
        ramp.phases = {{0, kRampLength, 0.1, 1}};
        if (small) ramp.queue = 5;
    }
    auto& noQueue = add("noqueue", "a server that queues nothing");
    noQueue.queue = 0;
    noQueue.burn = kBurn;
    auto& flap = add("flap", "the outage flaps: 20 s up, 40 s down");
    flap.outage = LabOutage::flap;
    flap.burn = kBurn;
    add("partial", "an hour in which half of the requests are answered 500").outage =
        LabOutage::partial;
    auto& limiter = add("limiter", "a rate limit of 200 a second, with Retry-After");
    limiter.bucketRate = limiter.bucketSize = 200;
    limiter.retryAfterSeconds = 1;
    auto& tiny = add("tiny", "a rate limit of one a second");
    tiny.bucketRate = 1;
    tiny.bucketSize = 5;
    tiny.users = 1000;
    auto& tiny503 = add("tiny503", "as tiny, but the limit is told by 503");
    tiny503.bucketRate = 1;
    tiny503.bucketSize = 5;
    tiny503.bucketStatus = 503;
    tiny503.users = 1000;
    auto& poison = add("poison", "one in a hundred users is always answered 500");
    poison.poisonShare = 0.01;
    poison.warmUp = kHour;
    poison.outageLength = kHour / 2;
    const auto addNoise = [&add](const char* name, const char* about, double share,
                                 LabNoise kind) {
        LabScenario& scenario = add(name, about);
        scenario.noise = share;
        scenario.noiseKind = kind;
        scenario.burn = kBurn;
    };
    addNoise("noise", "one in fifty answers is a 500 for no reason", 0.02, LabNoise::error);
    addNoise("noise503", "one in fifty answers is a 503 for no reason", 0.02, LabNoise::overload);
    addNoise("noisy503", "one in ten answers is a 503 for no reason", 0.1, LabNoise::overload);
    addNoise("resets", "one in fifty connections is reset for no reason", 0.02, LabNoise::reset);
    auto& fresh = add("freshpoison", "one in twenty users always fails; the outage comes at once");
    fresh.poisonShare = 0.05;
    fresh.warmUp = 20 * kSecond;
    fresh.outageLength = kHour / 6;
    auto& blip = add("blip", "an outage of one minute");
    blip.outageLength = kMinute;
    blip.burn = kBurn;
    auto& few = add("few", "five users only");
    few.users = 5;
    few.zipf = 0;
    few.eventsPerSecond = 20;
    auto& million = add("million", "a million users");
    million.users = 1'000'000;
    million.burn = kBurn;
    auto& fast = add("fast", "10,000 requests a second");
    fast.workers = 200;
    fast.serviceSeconds = 0.02;
    fast.queue = 400;
    fast.users = 1'000'000;
    fast.zipf = 0.5;
    fast.outageLength = 600 * kSecond;
    fast.queueInFlight = 1000;
    fast.strictInFlight = 500;
    fast.lanesInFlight = 2000;
    auto& slow = add("slow", "four requests a second, one second each");
    slow.workers = 4;
    slow.serviceSeconds = 1;
    slow.queue = 8;
    slow.users = 10'000;
    slow.burn = kBurn;
    auto& half = add("half", "while it drains, the server falls to 40 % of its speed");
    half.phases = {{300 * kSecond, 900 * kSecond, 0.4, 0.4}};
    half.burn = kBurn;
    auto& afternoon = add("afternoon", "an outage of six hours");
    afternoon.workers = 10;
    afternoon.queue = 20;
    afternoon.outageLength = 6 * kHour;
    afternoon.followed = 18 * kHour;
    afternoon.burn = kBurn;
    auto& seventyTwo = add("seventytwo", "an outage longer than the retry window");
    seventyTwo.workers = 2;
    seventyTwo.serviceSeconds = 0.1;
    seventyTwo.queue = 4;
    seventyTwo.users = 10'000;
    seventyTwo.outageLength = 74 * kHour;
    seventyTwo.followed = 48 * kHour;
    seventyTwo.burn = kBurn;
    return all;
}

}  // namespace

double LabScenario::capacity() const {
    const double workersCan = workers / serviceSeconds;
    return bucketRate > 0 ? std::min(bucketRate, workersCan) : workersCan;
}

double LabScenario::arrivals() const {
    return eventsPerSecond > 0 ? eventsPerSecond : kLoad * capacity();
}

double LabScenario::speed(Micros sinceRecovery) const {
    for (const LabPhase& phase : phases) {
        if (sinceRecovery < phase.begin || sinceRecovery >= phase.end) continue;
        const double done = static_cast<double>(sinceRecovery - phase.begin) /
                            static_cast<double>(phase.end - phase.begin);
        return phase.from + (phase.to - phase.from) * done;
    }
    return 1;
}

Micros LabScenario::followLength() const { return followed > 0 ? followed : 4 * outageLength; }

bool LabScenario::poisoned(std::uint32_t user) const {
    if (!(poisonShare > 0)) return false;
    // Spread over the ranks: neither the busiest users nor the rarest ones alone.
    const auto every = static_cast<std::uint32_t>(std::clamp(1 / poisonShare + 0.5, 1.0, 1e9));
    return user % every == every / 2;
}

LabScenario LabScenario::scaled(double scale) const {
    const auto shrink = [scale](Micros& time) {
        time = static_cast<Micros>(static_cast<double>(time) * scale);
    };
    LabScenario shrunk = *this;
    shrink(shrunk.warmUp);
    shrink(shrunk.outageLength);
    shrink(shrunk.followed);
    for (LabPhase& phase : shrunk.phases) {
        shrink(phase.begin);
        shrink(phase.end);
    }
    return shrunk;
}

const std::vector<LabScenario>& labScenarios() {
    static const std::vector<LabScenario> scenarios = makeScenarios();
    return scenarios;
}

const LabScenario* findLabScenario(std::string_view name) {
    for (const LabScenario& scenario : labScenarios())
        if (scenario.name == name) return &scenario;
    return nullptr;
}

}  // namespace lanes
