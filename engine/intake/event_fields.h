// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Fields that events have in every form. A fault is said in words that a sender understands; what
// it quotes of the event is bounded.
namespace lanes {

/// Why an event is not taken: a code for programs and a text for people.
struct EventFault {
    std::string code;
    std::string detail;
};

/// The beginning of a text, in double quotes.
[[nodiscard]] std::string quoted(std::string_view text);
/// Without the white space of JSON around it.
[[nodiscard]] std::string_view trimmedJson(std::string_view text);
[[nodiscard]] EventFault badField(std::string_view name, std::string_view what);

/// A string of 1 .. `limit` bytes without control characters.
[[nodiscard]] std::optional<EventFault> readText(std::string_view name,
                                                 simdjson::ondemand::value value, std::size_t limit,
                                                 std::string* out);
/// A string, or an integer whose digits stay as they are; `out` stays empty for null.
[[nodiscard]] std::optional<EventFault> readUser(std::string_view name,
                                                 simdjson::ondemand::value value, std::string* out);

}  // namespace lanes
