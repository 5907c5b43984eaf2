// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/deliver_cases.h"

#include "tests/bench/engine_load.h"
#include "tests/bench/load.h"
#include "tests/support/swift_receiver.h"

namespace lanes::bench {

namespace {

constexpr DestinationId kDestination{1};
constexpr int kRequests = 20'000;
constexpr int kWarmUp = 4'000;  // the window is open by then
/// So many that no lane's order is ever waited for.
constexpr int kUsers = 100'000;
constexpr int kEventsEach = 3;

}  // namespace

/// One engine, which rests while the yardsticks are measured.
std::vector<BenchCase> engineCases(int runs) {
    const test::SwiftReceiver receiver({});
    const test::SwiftReceiver other({});  // for the yardsticks: what comes to the first is counted
    DestinationConfig config;
    config.id = kDestination;
    config.name = "bench";
    config.url = receiver.url();
    EngineLoad engine({config}, kUsers, kEventsEach);
    std::vector<BenchCase> cases;
    for (const bool sign : {false, true}) {
        const std::string name = sign ? "engine, signed: " : "engine: ";
        auto curl = requestsPerSecond(name + "deliveries of 300 bytes, durable and ordered", kCurl);
        auto wrk = requestsPerSecond(name + "the same against the limit", kWrk);
        auto transport = requestsPerSecond(name + "the same against sending alone",
                                           "the program's transport: no lanes, nothing stored");
        config.secrets.clear();
        if (sign) config.secrets = {kSecret};
        engine.set(config);
        const Traffic traffic{.url = other.url(), .requests = kRequests, .secrets = config.secrets};
        for (int run = 0; run < runs; ++run) {
            engine.resume(kDestination);
            const double ours =
                engine.perSecond([&] { return receiver.requests(); }, kWarmUp, kRequests);
            engine.pause(kDestination);
            add(curl, ours, curlLoad(traffic).perSecond);
            add(transport, ours, transportLoad(traffic).perSecond);
            if (const auto limit = wrkPerSecond(traffic)) add(wrk, ours, *limit);
        }
        cases.insert(cases.end(), {curl, transport});
        if (!wrk.bare.empty()) cases.push_back(wrk);
    }
    engine.prove(receiver.requests());
    return cases;
}

}  // namespace lanes::bench
