// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
/// An event names a destination that there is not.
[[nodiscard]] EventFault unknownDestination(std::string_view name);
/// The fault of an event of more bytes than are taken; nothing if it fits.
[[nodiscard]] std::optional<EventFault> tooLarge(std::size_t bytes);
/// Whether there is a character in it that lists, logs and headers cannot repeat.
[[nodiscard]] bool hasControl(std::string_view text);

/// Reads the object that an event is, field by field, with read(name, value) -> fault. The JSON is
/// known to be right, and simdjson's padding stands behind it.
template <typename Read>
[[nodiscard]] std::optional<EventFault> readEventObject(simdjson::ondemand::parser& parser,
                                                        std::string_view text, Read read) {
    if (text.empty() || text.front() != '{')
        return EventFault{"not_an_object", "an event is a JSON object"};
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    const simdjson::padded_string_view padded(text.data(), text.size(),
                                              text.size() + simdjson::SIMDJSON_PADDING);
    if (parser.iterate(padded).get(document) || document.get_object().get(object))
        return EventFault{"bad_json", "the event cannot be read"};
    for (auto entry : object) {
        simdjson::ondemand::field field;
        std::string_view key;
        if (std::move(entry).get(field) || field.unescaped_key().get(key))
            return EventFault{"bad_json", "a field's name stands for no characters"};
        if (auto wrong = read(key, field.value())) return wrong;
    }
    return std::nullopt;
}

/// The fault of a text that is not 1 .. `limit` bytes without control characters.
[[nodiscard]] std::optional<EventFault> checkText(std::string_view name, std::string_view text,
                                                  std::size_t limit);
/// A string for which checkText finds no fault.
[[nodiscard]] std::optional<EventFault> readText(std::string_view name,
                                                 simdjson::ondemand::value value, std::size_t limit,
                                                 std::string* out);
/// A string, or an integer whose digits stay as they are; `out` stays empty for null.
[[nodiscard]] std::optional<EventFault> readUser(std::string_view name,
                                                 simdjson::ondemand::value value, std::string* out);

}  // namespace lanes
