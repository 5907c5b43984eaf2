// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include <nlohmann/json.hpp>

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lanes::bench {

namespace {

double secondsOf(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double ratioOf(const BenchCase& one) {
    const auto bare = median(one.bare);
    return bare > 0 ? median(one.ours) / bare : 0;
}

std::string figure(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.3f" : value < 1000 ? "%.1f" : "%.0f", value);
    return text;
}

}  // namespace

void giveUp(const std::string& why) {
    std::fprintf(stderr, "rivora-lanes-bench: %s\n", why.c_str());
    std::exit(3);
}

std::uint64_t scaled(std::uint64_t fullSize) {
    const char* percent = std::getenv("LANES_BENCH_PERCENT");
    const auto share = percent == nullptr ? 100 : std::clamp(std::atoi(percent), 1, 100);
    return fullSize / 100 * static_cast<std::uint64_t>(share);
}

double median(std::vector<double> figures) {
    if (figures.empty()) return 0;
    std::sort(figures.begin(), figures.end());
    const auto middle = figures.size() / 2;
    return figures.size() % 2 ? figures[middle] : (figures[middle - 1] + figures[middle]) / 2;
}

void measure(BenchCase& into, int runs, const std::function<double()>& ours,
             const std::function<double()>& bare) {
    for (int run = 0; run < runs; ++run) {
        into.ours.push_back(ours());
        into.bare.push_back(bare());
    }
}

double threadCpuSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

double wallSeconds() { return secondsOf(CLOCK_MONOTONIC); }

std::string grouped(std::uint64_t number) {
    auto text = std::to_string(number);
    for (auto at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

std::string asText(const std::vector<BenchCase>& cases) {
    std::string text;
    for (const auto& one : cases) {
        text += one.name + "\n  ours " + figure(median(one.ours)) + " " + one.unit + ", bare " +
                figure(median(one.bare)) + ", ratio " + figure(ratioOf(one)) + " (" +
                (one.higherIsBetter ? "higher" : "lower") + " is better)\n  bare: " + one.bareIs +
                "\n";
    }
    return text;
}

std::string asJson(const std::vector<BenchCase>& cases) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& one : cases) {
        all.push_back({{"name", one.name},
                       {"ours", median(one.ours)},
                       {"bare", median(one.bare)},
                       {"ratio", ratioOf(one)},
                       {"unit", one.unit},
                       {"runs", one.ours.size()},
                       {"better", one.higherIsBetter ? "higher" : "lower"},
                       {"bare_is", one.bareIs},
                       {"ours_runs", one.ours},
                       {"bare_runs", one.bare}});
    }
    return (all.size() == 1 ? all.front() : all).dump(2);
}

}  // namespace lanes::bench
