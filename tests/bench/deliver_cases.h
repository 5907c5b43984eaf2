// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/bench_case.h"

// The parts of `deliver`.
namespace lanes::bench {

inline constexpr const char* kCurl = "a plain libcurl multi loop against the same receiver";
inline constexpr const char* kWrk =
    "wrk, one thread and as many connections, against the same receiver";

/// Of requests a second.
[[nodiscard]] BenchCase requestsPerSecond(const std::string& name, const std::string& bareIs);
void add(BenchCase& one, double ours, double bare);

/// The whole engine, durable and in order, plain and signed.
[[nodiscard]] std::vector<BenchCase> engineCases(int runs);
/// The transport alone.
[[nodiscard]] std::vector<BenchCase> transportCases(int runs);
/// The transport over TLS: kept connections, and a new one for each request.
[[nodiscard]] std::vector<BenchCase> tlsCases(int runs);
/// The whole engine where it has to wait: a slow receiver, and one that hangs beside a good one.
[[nodiscard]] std::vector<BenchCase> waitingCases(int runs);

}  // namespace lanes::bench
