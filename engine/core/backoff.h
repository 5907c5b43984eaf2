// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/types.h"

#include <algorithm>
#include <cstdint>

namespace lanes {

/// Delay of a lane after its n-th failure in a row (n >= 1): 1, 2, 4, 8, 8, ... seconds, each times
/// a random factor of 0.8 to 1.2, so that lanes that failed together do not come back together.
inline Micros backoff(std::uint32_t failures, Random& random) {
    constexpr std::uint32_t kLongest = 3;  // 2^3 s
    const auto exponent = std::min(failures > 0 ? failures - 1 : 0, kLongest);
    const auto base = static_cast<double>(kSecond << exponent);
    return static_cast<Micros>(base * random.between(0.8, 1.2));
}

}  // namespace lanes
