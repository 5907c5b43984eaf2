// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanes {

/// Longest wait that a destination can ask for; longer wishes count as this much.
inline constexpr Micros kRetryAfterCap = 24 * kHour;

/// Unix seconds of an HTTP-date in one of the three forms of RFC 9110, English and independent of
/// the locale; nothing if it is none of them. `nowSeconds` settles the century of a year of two
/// digits: more than 50 years ahead means the past.
[[nodiscard]] std::optional<std::int64_t> parseHttpDate(std::string_view text,
                                                        std::int64_t nowSeconds);

/// The wait that a Retry-After value asks for, 0 .. `kRetryAfterCap`; -1 if there is none or if it
/// is neither a number nor a date. A date is read against the answer's own Date, so that a clock
/// that is wrong on either side does not matter; without one, against ours.
[[nodiscard]] Micros retryAfter(std::string_view value, std::string_view date,
                                std::int64_t nowSeconds);

}  // namespace lanes
