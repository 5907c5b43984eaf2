// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Where a text stops being JSON, in bytes from its start, and why.
struct JsonFault {
    std::size_t position = 0;
    std::string_view what;
};

/// "the JSON is broken at byte 12: ..."
[[nodiscard]] std::string faultText(const JsonFault& fault);

/// Arrays and objects in one another at most. Receivers have limits of their own, often 100.
inline constexpr int kJsonDepth = 128;

/// Checks that `text` is one JSON value (RFC 8259) in valid UTF-8 and nothing else; nothing if it
/// is. Numbers may be as long and as large as they like: they are never turned into machine
/// numbers. If the value is an array, `elements` gets the text of each of its elements.
///
/// This exists beside the JSON library because payloads are passed on as they came: the library
/// reads lazily, so that what is not looked at is not checked, and it does not say where a fault
/// is.
[[nodiscard]] std::optional<JsonFault> checkJson(std::string_view text,
                                                 std::vector<std::string_view>* elements);

}  // namespace lanes
