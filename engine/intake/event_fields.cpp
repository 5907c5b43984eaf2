// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_fields.h"

#include "engine/config.h"

#include <algorithm>

namespace lanes {

namespace ondemand = simdjson::ondemand;

namespace {

/// Bytes of a name of the sender that a text repeats.
constexpr std::size_t kQuotedBytes = 64;

}  // namespace

std::string quoted(std::string_view text) {
    std::size_t size = std::min(text.size(), kQuotedBytes);
    // Not in the middle of a character.
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) >> 6) == 2)
        --size;
    return "\"" + std::string(text.substr(0, size)) + (size < text.size() ? "…\"" : "\"");
}

std::string_view trimmedJson(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

EventFault unknownDestination(std::string_view name) {
    return {"unknown_destination",
            "there is no destination \"" + std::string(name.substr(0, kQuotedBytes)) + "\""};
}

bool hasControl(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

EventFault badField(std::string_view name, std::string_view what) {
    return {"bad_field", "\"" + std::string(name) + "\" " + std::string(what)};
}

std::optional<EventFault> tooLarge(std::size_t bytes) {
    if (bytes <= limits::kEventBytes) return std::nullopt;
    return EventFault{"too_large",
                      "the event is larger than " + std::to_string(limits::kEventBytes) + " bytes"};
}

// Ids, users and types are repeated in lists, logs and headers.
std::optional<EventFault> checkText(std::string_view name, std::string_view text,
                                    std::size_t limit) {
    if (text.empty()) return badField(name, "is empty");
    if (text.size() > limit)
        return badField(name, "is longer than " + std::to_string(limit) + " bytes");
    if (hasControl(text)) return badField(name, "contains a control character");
    return std::nullopt;
}

std::optional<EventFault> readText(std::string_view name, ondemand::value value, std::size_t limit,
                                   std::string* out) {
    ondemand::json_type type{};
    if (value.type().get(type) || type != ondemand::json_type::string)
        return badField(name, "must be a string");
    std::string_view text;
    if (value.get_string().get(text))
        return badField(name, "has an escape that stands for no character");
    if (auto wrong = checkText(name, text, limit)) return wrong;
    out->assign(text);
    return std::nullopt;
}

std::optional<EventFault> readUser(std::string_view name, ondemand::value value, std::string* out) {
    ondemand::json_type type{};
    if (value.type().get(type)) return badField(name, "must be a string, an integer or null");
    switch (type) {
        case ondemand::json_type::string: return readText(name, value, limits::kUserKeyBytes, out);
        case ondemand::json_type::null: return std::nullopt;
        case ondemand::json_type::number: {
            const std::string_view digits = trimmedJson(value.raw_json_token());
            if (digits.find_first_of(".eE") != std::string_view::npos)
                return badField(name,
                                "is a number with a fraction or an exponent; "
                                "write it as a string or as an integer");
            if (auto wrong = checkText(name, digits, limits::kUserKeyBytes)) return wrong;
            out->assign(digits);
            return std::nullopt;
        }
        case ondemand::json_type::array:
        case ondemand::json_type::object:
        case ondemand::json_type::boolean: break;
    }
    return badField(name, "must be a string, an integer or null");
}

}  // namespace lanes
