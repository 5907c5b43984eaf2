// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_answers.h"

#include "engine/intake/problem.h"

#include <nlohmann/json.hpp>

#include <string>

namespace lanes {

http::Response acceptedAnswer(IntakeDialect dialect, std::size_t stored, std::size_t duplicates,
                              const std::vector<EventRejection>& rejected) {
    const bool segment = dialect == IntakeDialect::segment;
    http::Response response;
    response.status = segment ? 200 : 202;
    response.headers.emplace_back("Content-Type", kJsonType);
    response.body = segment ? "{\"success\":true," : "{";
    response.body += "\"accepted\":" + std::to_string(stored) +
                     ",\"duplicates\":" + std::to_string(duplicates) + ",\"rejected\":[";
    for (const EventRejection& rejection : rejected) {
        if (response.body.back() != '[') response.body += ',';
        const nlohmann::ordered_json entry = {
            {"index", rejection.index}, {"code", rejection.code}, {"detail", rejection.detail}};
        response.body +=
            entry.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }
    response.body += "]}\n";
    return response;
}

http::Response wrongMethod(const char* allowed) {
    http::Response response = problem(405, std::string("This path takes ") + allowed + " only.");
    response.headers.emplace_back("Allow", allowed);
    return response;
}

http::Response missingKey() {
    http::Response response = problem(
        401, "Show the write key: \"Authorization: Bearer <key>\", or the key as user of Basic.");
    // Never Basic: a browser would ask its user for a name and a password.
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
}

http::Response frontPage() {
    http::Response response;
    response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
    response.body =
        "Rivora Lanes takes events here. All of these need the write key.\n"
        "POST /v1/events: one JSON event, an array, or NDJSON.\n"
        "POST /v1/batch, /v1/track, /v1/identify, /v1/page, /v1/screen, /v1/group, /v1/alias:\n"
        "    events of Segment's and RudderStack's SDKs.\n"
        "POST /v1/cloudevents: CloudEvents 1.0.\n"
        "GET /v1/status: what the engine is doing, as JSON.\n"
        "GET /metrics: the same as numbers, for Prometheus.\n";
    return response;
}

}  // namespace lanes
