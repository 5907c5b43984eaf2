// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/core/transport.h"
#include "engine/delivery/webhook_signature.h"
#include "engine/http/client_exchange.h"
#include "engine/http/proxy_tunnel.h"
#include "engine/http/tls_stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What a delivery looks like on the wire.
//
//   POST <path and query of the URL, as typed>
//   Host, User-Agent: RivoraLanes/<version>, Accept-Encoding: identity, Content-Length,
//   Content-Type: the event's own, application/json if it has none
//   the destination's additional headers; one of them may replace User-Agent, Accept-Encoding or
//     Content-Type, all others of ours are reserved
//   webhook-id          "msg_" and 26 letters and digits, the same over all attempts and lives
//   webhook-timestamp   Unix seconds of this attempt
//   webhook-signature   "v1,<base64>" for each secret; left out if there is none
//   rivora-lane         16 hex digits that stand for (destination, user); opaque
//   rivora-sequence     position in the event log, decimal
//   rivora-previous     position of the lane's event before it, decimal; left out if not known
//   rivora-attempt      number of the attempt in this life, from 1
//   rivora-event-id     the sender's id, percent-encoded as CloudEvents does it
//   rivora-rewind       decimal id of the operation; only in a rewound life
//   Authorization       where the settings say how to log in
//   rivora-test         1, and none of lane, sequence, previous and attempt: sequence 0, which no
//                       event has, is a test by hand
//
// A destination may take CloudEvents instead of the payload as it came: see cloud_event.h. What is
// signed is what is sent.
namespace lanes {

/// A destination made ready for sending.
struct DeliveryTarget {
    DestinationConfig config;
    http::Url url;
    http::TlsRules tls;
    std::optional<http::Proxy> proxy;
    std::string authorization;  ///< value of the header; empty = none
    WebhookSigner signer;
    std::string problem;  ///< why nothing can be sent to it; empty if all is well
};

[[nodiscard]] DeliveryTarget prepareTarget(DestinationConfig config);
/// What is wrong with the settings, as `validate`, and with the certificate in them.
[[nodiscard]] std::string settingsProblem(const DestinationConfig& config);

/// Why this attempt must not reach the wire; empty if it may. What came with the event is checked
/// as strictly as what the operator typed: a line break in a header would forge others.
[[nodiscard]] std::string sendProblem(const DeliveryTarget& target, const AttemptRequest& attempt);

/// The request of an attempt that `sendProblem` has nothing against.
[[nodiscard]] http::ClientRequest buildRequest(const DeliveryTarget& target,
                                               const AttemptRequest& attempt,
                                               std::int64_t unixSeconds);

/// Value of `webhook-id`. It depends on the sequence and the event's id, so that two installations
/// that deliver to one receiver do not use the same ids for different events.
[[nodiscard]] std::string webhookId(Sequence sequence, std::string_view eventId);
/// Value of `rivora-lane`.
[[nodiscard]] std::string laneToken(LaneKey lane);

}  // namespace lanes
