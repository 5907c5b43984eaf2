// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lanes {

/// A count in a smaller type; what does not fit is its largest value.
template <typename T>
[[nodiscard]] constexpr T saturated(std::uint32_t value) {
    return static_cast<T>(std::min<std::uint32_t>(value, std::numeric_limits<T>::max()));
}

}  // namespace lanes
