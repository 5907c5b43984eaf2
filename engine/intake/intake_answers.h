// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"
#include "engine/intake/event_formats.h"
#include "engine/intake/intake_paths.h"

#include <cstddef>
#include <vector>

// What the intake answers, besides the errors of problem.h.
namespace lanes {

/// The answer after the commit; also if every event was rejected, for the batch was read.
[[nodiscard]] http::Response acceptedAnswer(IntakeDialect dialect, std::size_t stored,
                                            std::size_t duplicates,
                                            const std::vector<EventRejection>& rejected);
/// `allowed` is the value of Allow.
[[nodiscard]] http::Response wrongMethod(const char* allowed);
[[nodiscard]] http::Response missingKey();
/// What a person sees who opens the address in a browser.
[[nodiscard]] http::Response frontPage();

}  // namespace lanes
