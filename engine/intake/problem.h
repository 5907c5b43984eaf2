// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"

#include <string>
#include <string_view>

namespace lanes {

/// An error answer in the form of RFC 9457 (application/problem+json). `code` is for programs and
/// may be empty. `detail` may hold whatever a sender wrote; it is escaped.
[[nodiscard]] http::Response problem(unsigned status, std::string_view detail,
                                     std::string_view code = {});

/// 503 with the whole seconds after which it is worth to try again.
[[nodiscard]] http::Response unavailable(std::string_view detail, int retryAfterSeconds);

}  // namespace lanes
