// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"

#include <optional>

namespace lanes {

/// Replaces a body that is packed by gzip by what is in it, `limits::kIntakeBodyBytes` at most. The
/// answer if that cannot be done.
[[nodiscard]] std::optional<http::Response> unpackBody(http::Request* request);

}  // namespace lanes
