// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/deliver_cases.h"

#include "tests/bench/load.h"
#include "tests/support/swift_receiver.h"

namespace lanes::bench {

std::vector<BenchCase> transportCases(int runs) {
    const test::SwiftReceiver receiver({});
    const Traffic traffic{.url = receiver.url()};
    auto speed = requestsPerSecond("transport: requests of 300 bytes a second, 64 at once", kCurl);
    auto limit = requestsPerSecond("transport: requests a second against the limit", kWrk);
    auto cost = speed;
    cost.name = "transport: CPU of the sending thread for 1,000 requests";
    cost.unit = "s";
    cost.higherIsBetter = false;
    for (int run = 0; run < runs; ++run) {
        const auto ours = transportLoad(traffic);
        const auto bare = curlLoad(traffic);
        add(speed, ours.perSecond, bare.perSecond);
        add(cost, ours.cpuSecondsPer1000, bare.cpuSecondsPer1000);
        if (const auto wrk = wrkPerSecond(traffic)) add(limit, ours.perSecond, *wrk);
    }
    std::vector<BenchCase> cases{speed, cost};
    if (!limit.bare.empty()) cases.push_back(limit);
    return cases;
}

}  // namespace lanes::bench
