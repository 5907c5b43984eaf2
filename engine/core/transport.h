// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// The transport port: one attempt is one request on the wire.
namespace lanes {

/// What the kernel wants to be sent. The runtime adds the event's bytes.
struct StartAttempt {
    AttemptId attempt;
    Pointer pointer;
    UserId user;
    std::uint32_t number = 1;  ///< in this life, from 1
    std::uint32_t life = 1;
    Cause cause = Cause::automatic;
    OperationId operation;     ///< of the rewind that brought it back; 0 in its first life
    Sequence previous;         ///< the lane's event before it; 0 if the lane does not know one
};

/// In front of the source of an event that came as a CloudEvent; the rest is its own `source`, for
/// its id is unique there only.
inline constexpr std::string_view kCloudEventSource = "cloudevents:";

/// What is needed of an event to deliver it and to show its lane. Shared by its destinations.
struct SentEvent {
    std::string source;  ///< as the store keeps it
    std::string id;
    UserKey user;
    std::string type;
    std::string contentType;
    std::shared_ptr<const std::string> payload;
    WallMicros acceptedAt = 0;
};

/// A whole attempt, as the transport gets it.
struct AttemptRequest {
    StartAttempt start;
    std::shared_ptr<const SentEvent> event;
};

/// What went over the wire, as text for people in which no secret stands.
struct WireText {
    std::string request;  ///< empty if not one byte of it was written
    std::string answer;   ///< empty if none was read; of its body the first bytes
};

/// What a transport found out. The classifier turns it into an outcome.
struct AttemptResult {
    AttemptId attempt;
    /// How far the exchange came. `notMade`: there was none, because the event could not be read;
    /// the kernel takes the attempt back. `notSent`: not one byte of the request was written.
    enum class Reach : std::uint8_t { notMade, notSent, partlySent, sent, answered };
    Reach reach = Reach::notSent;
    int status = 0;               ///< final status as read from the wire; 0 if none was read
    bool deadline = false;        ///< our own deadline ended it
    bool bodyCut = false;         ///< the header was complete, the body was not
    Micros retryAfter = -1;       ///< asked for by the response; -1 if absent
    /// Real microseconds from the first byte written (or the dialling, if nothing was) to the end.
    Micros duration = 0;
    std::string error;            ///< plain text for an operator; empty if delivered
    std::string location;         ///< of a 3xx
    std::string response;         ///< first bytes of the body
    std::shared_ptr<const WireText> wire;  ///< null unless the transport keeps it
};

/// Outcome of an attempt after engine.md's table; the only place that decides it.
[[nodiscard]] Outcome classify(const AttemptResult& result);

}  // namespace lanes
