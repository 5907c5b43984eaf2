// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <string>

// A request by hand that shows whether a destination can be reached and how it answers. It carries
// an event of a type of its own, is no attempt of any lane and leaves nothing in the log.
namespace lanes {

/// Type of that event. The request says `rivora-test: 1` besides, and has none of the headers that
/// tell of lane, sequence and attempt.
inline constexpr const char* kTestEventType = "rivora.test";

struct TestResult {
    bool cancelled = false;
    /// Some of the request was written: the receiver may have it.
    bool mayHaveArrived = false;
    int status = 0;      ///< final one; 0 = none was read
    Micros latency = 0;  ///< of the whole exchange
    std::string error;   ///< plain text for an operator; empty if the answer was 2xx
    /// What was sent: request line, headers, body. Secrets are hidden. Empty if nothing was.
    std::string request;
    /// Status, headers and the first bytes of the body, whatever they are. Empty if none came.
    std::string answer;

    [[nodiscard]] bool delivered() const { return error.empty() && !cancelled; }
};

}  // namespace lanes
