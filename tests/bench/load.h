// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Senders of the same traffic: the program's own transport, and the yardsticks.
namespace lanes::bench {

inline constexpr std::size_t kBodyBytes = 300;  // a usual event
/// A secret as destinations have it; its value does not matter.
inline constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// POSTs to one URL.
struct Traffic {
    std::string url;
    int requests = 20'000;
    int inFlight = 64;                     ///< what a destination allows by default
    std::string authority = {};            ///< PEM of the one that https trusts
    std::vector<std::string> secrets = {}; ///< for our transport: with them it signs
    std::string body = {};                 ///< for wrk, without line ends; empty: 300 bytes
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< for wrk, more of them
};

struct Load {
    double perSecond = 0;          ///< requests answered, by the clock on the wall
    double cpuSecondsPer1000 = 0;  ///< of the sending thread
};

/// The program's transport on this thread, each attempt of another lane.
[[nodiscard]] Load transportLoad(const Traffic& traffic);

/// A plain libcurl multi loop: kept connections, each handle with its cache of TLS sessions.
[[nodiscard]] Load curlLoad(const Traffic& traffic);

/// Requests a second of wrk's one thread in two seconds; nothing without wrk.
[[nodiscard]] std::optional<double> wrkPerSecond(const Traffic& traffic);

}  // namespace lanes::bench
