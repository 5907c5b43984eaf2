// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanes::app {

/// Longest duration that is read: a year. More is a slip of the keyboard, not a setting.
inline constexpr Micros kLongestDuration = 366 * 24 * kHour;

/// Reads a whole number with its unit: us, ms, s, m, h or d ("250ms", "90s", "20m", "72h", "3d").
/// Nothing if it is anything else; a number without a unit is not guessed at.
[[nodiscard]] std::optional<Micros> parseDuration(std::string_view text);

/// The shortest text that parseDuration reads back to the same value; 72 h stays in hours, as the
/// product says it.
[[nodiscard]] std::string durationText(Micros duration);

/// For reading, not for parsing: the two largest units, "3 d 4 h", "12 s", "250 ms".
[[nodiscard]] std::string roughDuration(Micros duration);

}  // namespace lanes::app
