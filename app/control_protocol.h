// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What is said over the local socket of a running instance: one JSON object a line, a request and
// then its answer, in turn.
//   {"command": "pause", "arguments": {"name": "crm"}}
//   {"result": {...}}   or   {"error": "...", "exit": 3}
namespace lanes::app {

using Json = nlohmann::ordered_json;

/// Bytes of one request; the largest event fits, in base64.
inline constexpr std::size_t kRequestBytes = 2u << 20;
/// Bytes of one answer; 10,000 dead letters or the largest event fit.
inline constexpr std::size_t kAnswerBytes = 64u << 20;

struct ControlRequest {
    std::string command;
    Json arguments = Json::object();
};

struct ControlAnswer {
    Json result = Json::object();
    std::string error;  ///< empty: it was done
    Exit exit = Exit::good;

    [[nodiscard]] bool ok() const { return error.empty(); }
    [[nodiscard]] static ControlAnswer failure(std::string text, Exit exit = Exit::fault) {
        return {Json::object(), std::move(text), exit};
    }
};

/// With its line end. Text that is no UTF-8 is repaired, not refused.
[[nodiscard]] std::string encode(const ControlRequest& request);
[[nodiscard]] std::string encode(const ControlAnswer& answer);
/// JSON on one line for stdout; text that is no UTF-8 is repaired.
[[nodiscard]] std::string oneLineJson(const Json& json);
/// Nothing if the line is no such object.
[[nodiscard]] std::optional<ControlRequest> decodeRequest(std::string_view line);
[[nodiscard]] std::optional<ControlAnswer> decodeAnswer(std::string_view line);

/// Members of arguments that came from outside: a fallback instead of an exception.
[[nodiscard]] std::string textOf(const Json& object, const char* key);
[[nodiscard]] std::uint64_t numberOf(const Json& object, const char* key, std::uint64_t fallback);
/// False unless it is there and true.
[[nodiscard]] bool isTrue(const Json& object, const char* key);

}  // namespace lanes::app
