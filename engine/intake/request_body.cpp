// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/request_body.h"

#include "engine/config.h"
#include "engine/intake/gzip.h"
#include "engine/intake/header_values.h"
#include "engine/intake/problem.h"

#include <string>

namespace lanes {

std::optional<http::Response> unpackBody(http::Request* request) {
    const std::string coding = lower(request->header("Content-Encoding"));
    if (coding.empty() || coding == "identity") return std::nullopt;
    if ((coding != "gzip" && coding != "x-gzip") || request->count("Content-Encoding") > 1) {
        http::Response response = problem(415, "The only Content-Encoding is gzip.");
        response.headers.emplace_back("Accept-Encoding", "gzip, identity");
        return response;
    }
    std::string body;
    switch (inflateGzip(request->body, limits::kIntakeBodyBytes, &body)) {
        case Inflated::whole: request->body = std::move(body); return std::nullopt;
        case Inflated::broken:
            return problem(400, "The body is not a whole gzip stream.", "bad_gzip");
        case Inflated::tooLarge: break;
    }
    return problem(413, "The unpacked body is larger than " +
                            std::to_string(limits::kIntakeBodyBytes) + " bytes.");
}

}  // namespace lanes
