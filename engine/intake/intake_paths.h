// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"
#include "engine/intake/event_formats.h"

#include <string_view>
#include <variant>

namespace lanes {

/// Whose senders a path is for, and so what they understand as an answer.
enum class IntakeDialect {
    native,       ///< 202
    segment,      ///< Segment's and RudderStack's SDKs: 200 and "success"
    cloudEvents,  ///< 202
};

/// A path that takes events.
struct IntakePath {
    std::string_view path;
    IntakeDialect dialect = IntakeDialect::native;
    /// `segment`: type of the one event that it takes; empty where it takes a batch.
    std::string_view type;
};

/// Nothing if no events go there.
[[nodiscard]] const IntakePath* findIntakePath(std::string_view path);

/// The form in which a request for this path brings its events, as its headers say.
[[nodiscard]] std::variant<EventFormat, RequestFault> formatOf(const IntakePath& path,
                                                               const http::Request& request);

}  // namespace lanes
