// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/deliver_cases.h"

#include "tests/bench/engine_load.h"
#include "tests/bench/load.h"
#include "tests/support/swift_receiver.h"

namespace lanes::bench {

namespace {

using namespace std::chrono_literals;

constexpr DestinationId kGood{1};
constexpr DestinationId kHanging{2};

DestinationConfig configOf(const std::string& name, const test::SwiftReceiver& receiver) {
    DestinationConfig config;
    config.name = name;
    config.url = receiver.url();
    return config;
}

/// A receiver that takes 50 ms for each answer, 256 requests at once.
std::vector<BenchCase> slowCases(int runs) {
    constexpr int kAtOnce = 256;
    constexpr int kRequests = 10'000;
    const test::SwiftReceiver receiver({.latency = 50ms});
    const test::SwiftReceiver other({.latency = 50ms});
    auto config = configOf("slow", receiver);
    config.policy.maxInFlight = kAtOnce;
    EngineLoad engine({config}, 40'000, 3);
    auto one = requestsPerSecond("engine: deliveries that take 50 ms each, 256 at once", kWrk);
    const Traffic traffic{.url = other.url(), .inFlight = kAtOnce};
    for (int run = 0; run < runs; ++run) {
        engine.resume(kGood);
        const double ours =
            engine.perSecond([&] { return receiver.requests(); }, 5'000, kRequests);
        engine.pause(kGood);
        const auto wrk = wrkPerSecond(traffic);
        if (!wrk) return {};
        add(one, ours, *wrk);
    }
    engine.prove(receiver.requests());
    return {one};
}

/// A good destination alone, and beside one that took as much and then answers nobody any more.
std::vector<BenchCase> neighbourCases(int runs) {
    constexpr int kRequests = 15'000;
    constexpr int kWarmUp = 4'000;
    const test::SwiftReceiver receiver({});
    test::SwiftReceiver neighbour({});
    auto ill = configOf("hanging", neighbour);
    ill.attemptTimeout = 2 * kSecond;
    EngineLoad engine({configOf("good", receiver), ill}, 100'000, 3);
    auto one = requestsPerSecond("engine: deliveries of a destination beside one that hangs",
                                 "the same destination alone");
    const auto goodPerSecond = [&] {
        engine.resume(kGood);
        const double speed =
            engine.perSecond([&] { return receiver.requests(); }, kWarmUp, kRequests);
        engine.pause(kGood);
        return speed;
    };
    for (int run = 0; run < runs; ++run) {
        const double alone = goodPerSecond();
        engine.resume(kHanging);
        (void)engine.perSecond([&] { return neighbour.requests(); }, 1'000, 1'000);
        neighbour.setHanging(true);
        const double beside = goodPerSecond();
        engine.pause(kHanging);
        neighbour.setHanging(false);
        add(one, beside, alone);
    }
    engine.prove(receiver.requests() + neighbour.requests());
    return {one};
}

}  // namespace

std::vector<BenchCase> waitingCases(int runs) {
    auto cases = slowCases(runs);
    for (auto& one : neighbourCases(runs)) cases.push_back(std::move(one));
    return cases;
}

}  // namespace lanes::bench
