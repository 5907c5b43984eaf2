// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/payload_check.h"

#include "engine/intake/json_check.h"

#include <algorithm>
#include <cstddef>

namespace lanes {

namespace {

bool isJson(std::string_view contentType) {
    std::string type(contentType.substr(0, contentType.find(';')));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::transform(type.begin(), type.end(), type.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return type == "application/json" || type.ends_with("+json");
}

/// "line 3, column 7", counted in characters.
std::string place(std::string_view text, std::size_t byte) {
    const auto before = text.substr(0, byte);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto column =
        std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                      [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }) +
        1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

std::string payloadProblem(std::string_view contentType, std::string_view payload) {
    if (!isJson(contentType)) return {};
    const auto fault = checkJson(payload, nullptr);
    if (!fault) return {};
    return "The new payload is no JSON: " + place(payload, fault->position) + ": " +
           std::string(fault->what) + ". Mend it and give it again; the event stays a dead letter.";
}

}  // namespace lanes
