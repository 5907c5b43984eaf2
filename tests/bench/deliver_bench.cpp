// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/deliver_cases.h"

#include <iterator>

namespace lanes::bench {

BenchCase requestsPerSecond(const std::string& name, const std::string& bareIs) {
    BenchCase one;
    one.name = name;
    one.unit = "requests/s";
    one.bareIs = bareIs;
    one.higherIsBetter = true;
    return one;
}

void add(BenchCase& one, double ours, double bare) {
    one.ours.push_back(ours);
    one.bare.push_back(bare);
}

std::vector<BenchCase> benchDeliver(int runs) {
    std::vector<BenchCase> all;
    for (const auto& part : {engineCases, transportCases, tlsCases, waitingCases}) {
        auto cases = part(runs);
        all.insert(all.end(), std::make_move_iterator(cases.begin()),
                   std::make_move_iterator(cases.end()));
    }
    return all;
}

}  // namespace lanes::bench
