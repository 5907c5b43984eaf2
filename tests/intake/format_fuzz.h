// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes::test {

/// Everything of the intake that reads what strangers wrote.
enum class FuzzTarget {
    nativeJson,
    nativeLines,
    segmentEvent,
    segmentBatch,
    cloudEvent,
    cloudEventBatch,
    cloudEventBinary,  ///< header lines, an empty line, data
    headerValues,
    gzip,
    lineSplitter,  ///< a byte that says how it is cut, then the text
    eventLines,
};
inline constexpr std::size_t kFuzzTargets = 11;

/// What a reader made of an input.
struct FuzzResult {
    /// What is wrong with it whatever the input was; empty if nothing is. Faults of memory are left
    /// to the sanitizers.
    std::string broken;
    bool taken = false;  ///< the reader found something good in it
};

/// Gives an input to a reader and holds what comes out against what must always be true.
[[nodiscard]] FuzzResult fuzz(FuzzTarget target, std::string_view input);

}  // namespace lanes::test
