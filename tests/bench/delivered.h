// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/effects.h"
#include "engine/core/transport.h"

namespace lanes::bench {

/// How an attempt ends in a world that delivers everything.
[[nodiscard]] inline AttemptResult delivered(const StartAttempt& start) {
    AttemptResult result;
    result.attempt = start.attempt;
    result.reach = AttemptResult::Reach::answered;
    result.status = 200;
    result.duration = 5 * kMillisecond;
    return result;
}

}  // namespace lanes::bench
