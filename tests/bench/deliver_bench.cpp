// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/delivery/http_transport.h"
#include "tests/bench/load.h"

#include <QEventLoop>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace lanes::bench {

namespace {

constexpr int kRequests = 20'000;

/// The program's transport on this thread, `kInFlight` attempts at once, each of another lane.
Load transportLoad(const std::string& url, int requests) {
    HttpTransport transport;
    DestinationConfig config;
    config.id = DestinationId(1);
    config.name = "bench";
    config.url = url;
    config.policy.maxInFlight = kInFlight;
    transport.setDestination(config);

    const auto body = std::make_shared<const std::string>(std::string(kBodyBytes, 'x'));
    std::uint64_t started = 0;
    const auto next = [&] {
        AttemptRequest attempt;
        ++started;
        attempt.start.attempt = AttemptId(started);
        attempt.start.pointer = {config.id, Sequence(started)};
        attempt.start.user = UserId(started);
        attempt.eventId = "event-" + std::to_string(started);
        attempt.type = "bench.event";
        attempt.contentType = "application/json";
        attempt.payload = body;
        return attempt;
    };

    QEventLoop loop;
    int done = 0;
    QObject::connect(&transport, &HttpTransport::finished, &loop,
                     [&](const std::vector<AttemptResult>& results) {
        std::vector<AttemptRequest> more;
        for (const auto& result : results) {
            if (result.status != 204) {
                std::fprintf(stderr, "rivora-lanes-bench: %s\n", result.error.c_str());
                std::exit(3);
            }
            ++done;
            if (started < static_cast<std::uint64_t>(requests)) more.push_back(next());
        }
        if (!more.empty()) transport.start(more);
        if (done == requests) loop.quit();
    });

    const auto wallBefore = wallSeconds();
    const auto cpuBefore = threadCpuSeconds();
    std::vector<AttemptRequest> first;
    for (int i = 0; i < kInFlight; ++i) first.push_back(next());
    transport.start(first);
    loop.exec();
    return {requests / (wallSeconds() - wallBefore),
            (threadCpuSeconds() - cpuBefore) * 1000 / requests};
}

}  // namespace

std::vector<BenchCase> benchDeliver(int runs) {
    const Receiver receiver;
    const auto url = receiver.url();
    BenchCase speed;
    speed.name = "transport: requests of 300 bytes a second, 64 at once";
    speed.unit = "requests/s";
    speed.bareIs = "a plain libcurl multi loop against the same receiver";
    speed.higherIsBetter = true;
    BenchCase cost = speed;
    cost.name = "transport: CPU of the sending thread for 1,000 requests";
    cost.unit = "s";
    cost.higherIsBetter = false;
    BenchCase limit = speed;
    limit.name = "transport: requests a second against the limit";
    limit.bareIs = "wrk, one thread and 64 connections, against the same receiver";

    for (int run = 0; run < runs; ++run) {
        const auto ours = transportLoad(url, kRequests);
        const auto bare = curlLoad(url, kRequests);
        speed.ours.push_back(ours.perSecond);
        speed.bare.push_back(bare.perSecond);
        cost.ours.push_back(ours.cpuSecondsPer1000);
        cost.bare.push_back(bare.cpuSecondsPer1000);
        if (const auto wrk = wrkPerSecond(url)) {
            limit.ours.push_back(ours.perSecond);
            limit.bare.push_back(*wrk);
        }
    }
    std::vector<BenchCase> cases{speed, cost};
    if (!limit.bare.empty()) cases.push_back(limit);
    return cases;
}

}  // namespace lanes::bench
