// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>

// This folder knows HTTP and nothing of lanes; whoever uses it brings the limits.
namespace lanes::http {

struct ServerLimits {
    int connections = 128;
    std::size_t headerBytes = 16u << 10;
    std::size_t bodyBytes = 4u << 20;
    std::chrono::milliseconds headerTime{10'000};  ///< from the first byte of a request
    std::chrono::milliseconds bodyTime{30'000};    ///< from the end of the header
    std::chrono::milliseconds idleTime{60'000};    ///< between requests
};

struct ClientLimits {
    std::size_t headerBytes = 16u << 10;
    std::size_t responseReadBytes = 64u << 10;
    std::size_t responseKeptBytes = 4u << 10;
    int interimAnswers = 32;  ///< 1xx read over before the exchange is given up
    std::chrono::milliseconds connectTime{10'000};
    std::chrono::milliseconds wholeTime{30'000};
    std::chrono::milliseconds addressStagger{250};  ///< before the next address is tried as well
    std::chrono::milliseconds idleTime{15'000};

    friend bool operator==(const ClientLimits&, const ClientLimits&) = default;
};

}  // namespace lanes::http
