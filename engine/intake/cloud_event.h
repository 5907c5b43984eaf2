// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"
#include "engine/intake/event_fields.h"
#include "engine/intake/event_formats.h"

#include <simdjson.h>

#include <optional>
#include <string_view>

// CloudEvents 1.0.
//
// The user is the extension `partitionkey` where there is one, and else the `subject`.
// `partitionkey` was made to say which events belong together in their order; a subject is what an
// event is about, often a file or an order, and who sends both wants the first for the order. An
// event with neither has no user and orders with nothing.
namespace lanes {

/// Reads one event in the JSON format; its payload is the whole envelope as it stands. `text` is as
/// for readNativeEvent.
[[nodiscard]] std::optional<EventFault> readCloudEvent(simdjson::ondemand::parser& parser,
                                                       std::string_view text, IncomingEvent* event);

/// Reads one event in binary mode: the attributes are headers, the payload is the body as received,
/// with its own content type. It is UTF-8, for receivers that verify signatures in JavaScript read
/// it as text; and JSON if its content type says so.
[[nodiscard]] ReadResult readBinaryCloudEvent(http::Request request);

}  // namespace lanes
