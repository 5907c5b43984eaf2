// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/payload_check.h"

#include "engine/json_check.h"

#include <algorithm>
#include <cstddef>

namespace lanes {

namespace {

/// In characters, from 1.
void findPlace(std::string_view text, PayloadFault& fault) {
    const auto before = text.substr(0, fault.position);
    fault.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
    fault.column = static_cast<std::size_t>(std::count_if(
                       before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                       [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; })) +
                   1;
}

}  // namespace

bool saysJson(std::string_view contentType) {
    std::string type(contentType.substr(0, contentType.find(';')));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::transform(type.begin(), type.end(), type.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return type == "application/json" || type.ends_with("+json");
}

std::optional<PayloadFault> payloadFault(std::string_view contentType, std::string_view payload) {
    if (!saysJson(contentType)) return std::nullopt;
    const auto found = checkJson(payload, nullptr);
    if (!found) return std::nullopt;
    PayloadFault fault;
    fault.position = found->position;
    fault.what = found->what;
    findPlace(payload, fault);
    return fault;
}

std::string payloadProblem(std::string_view contentType, std::string_view payload) {
    const auto fault = payloadFault(contentType, payload);
    if (!fault) return {};
    return "The new payload is no JSON: line " + std::to_string(fault->line) + ", column " +
           std::to_string(fault->column) + ": " + std::string(fault->what) +
           ". Mend it and give it again; the event stays a dead letter.";
}

}  // namespace lanes
