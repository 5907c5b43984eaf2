// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_protocol.h"

namespace lanes::app {

namespace {

/// No exception, and no value if the line is not JSON.
Json parsed(std::string_view line) {
    return Json::parse(line, nullptr, false);
}

Exit exitFrom(std::uint64_t number) {
    if (number == 1) return Exit::checkFailed;
    return number == 2 ? Exit::usage : Exit::fault;
}

}  // namespace

std::string oneLineJson(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string encode(const ControlRequest& request) {
    Json json;
    json["command"] = request.command;
    json["arguments"] = request.arguments.is_null() ? Json::object() : request.arguments;
    return oneLineJson(json) + "\n";
}

std::string encode(const ControlAnswer& answer) {
    Json json;
    if (answer.ok()) {
        json["result"] = answer.result;
    } else {
        json["error"] = answer.error;
        json["exit"] = static_cast<int>(answer.exit);
    }
    return oneLineJson(json) + "\n";
}

std::optional<ControlRequest> decodeRequest(std::string_view line) {
    auto json = parsed(line);
    if (!json.is_object()) return {};
    ControlRequest request;
    request.command = textOf(json, "command");
    if (request.command.empty()) return {};
    if (const auto arguments = json.find("arguments"); arguments != json.end()) {
        if (!arguments->is_object()) return {};
        request.arguments = *arguments;
    }
    return request;
}

std::optional<ControlAnswer> decodeAnswer(std::string_view line) {
    auto json = parsed(line);
    if (!json.is_object()) return {};
    if (auto result = json.find("result"); result != json.end())
        return ControlAnswer{*result, {}, Exit::good};
    auto error = textOf(json, "error");
    if (error.empty()) return {};
    return ControlAnswer::failure(std::move(error), exitFrom(numberOf(json, "exit", 3)));
}

std::string textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t numberOf(const Json& object, const char* key, std::uint64_t fallback) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>()
                                                                : fallback;
}

bool isTrue(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && *found == true;
}

}  // namespace lanes::app
