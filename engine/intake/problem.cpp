// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/problem.h"

#include <nlohmann/json.hpp>

namespace lanes {

namespace {

std::string_view title(unsigned status) {
    switch (status) {
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 422: return "Unprocessable Content";
        case 431: return "Request Header Fields Too Large";
        case 503: return "Service Unavailable";
        default: return "Error";
    }
}

}  // namespace

http::Response problem(unsigned status, std::string_view detail, std::string_view code) {
    nlohmann::ordered_json body = {
        {"type", "about:blank"}, {"title", title(status)}, {"status", status}, {"detail", detail}};
    if (!code.empty()) body["code"] = code;
    http::Response response;
    response.status = status;
    response.headers.emplace_back("Content-Type", "application/problem+json");
    response.body =
        body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    return response;
}

http::Response unavailable(std::string_view detail, int retryAfterSeconds) {
    http::Response response = problem(503, detail);
    response.headers.emplace_back("Retry-After", std::to_string(retryAfterSeconds));
    return response;
}

}  // namespace lanes
