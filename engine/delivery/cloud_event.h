// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/core/transport.h"
#include "engine/http/client_exchange.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What a delivery carries: the payload as it came, or a CloudEvent 1.0 in one of the modes of its
// HTTP binding.
//
//   id           the sender's id
//   source       that of the sender if it sent a CloudEvent, else urn:rivora-lanes:<kind of sender>
//   type         of the event
//   subject      the user's id; left out if the event has no user
//   time         when the event was accepted
//
// An event that came as a whole CloudEvents envelope is one already and is sent as it came. Values
// of ce-* headers are percent-encoded, as the binding demands.
namespace lanes {

/// Body and headers that go together.
struct DressedEvent {
    std::shared_ptr<const std::string> body;
    std::string contentType;
    std::vector<http::Header> headers;  ///< ce-*
};

/// The event must have a payload.
[[nodiscard]] DressedEvent dress(const SentEvent& event, BodyFormat format);

/// The event's own, application/json if it has none.
[[nodiscard]] const std::string& contentTypeOf(const SentEvent& event);

/// Percent-encoding of a header value after CloudEvents' HTTP binding: space, '"', '%' and
/// everything outside U+0021 .. U+007E.
[[nodiscard]] std::string percentEncoded(std::string_view text);

}  // namespace lanes
