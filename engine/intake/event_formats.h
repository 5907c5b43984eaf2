// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanes {

/// Sources under which the store keeps ids, for the duplicate check, where a sender has no key
/// of its own. That of a CloudEvent is its own `source` behind `kCloudEventSource`.
inline constexpr const char* kNativeSource = "native";
inline constexpr const char* kSegmentSource = "segment";

inline constexpr const char* kJsonType = "application/json";
inline constexpr const char* kCloudEventType = "application/cloudevents+json";

/// One well-formed event, in whatever form it came.
struct IncomingEvent {
    std::size_t index = 0;  ///< its place in the request, from 0
    std::string source = kNativeSource;
    std::string id;  ///< empty if the sender gave none
    /// An integer means the same user as the string of its digits. If there is a user and an
    /// anonymous id, the user counts, as in the SDKs that send both after a login.
    UserKey user;
    std::string type;
    std::string contentType = kJsonType;  ///< of the payload
    std::string payload;                  ///< the bytes as received
    bool named = false;                   ///< the sender chose the destinations
    std::vector<std::string> destinations;
};

/// Why one event of a request is not taken, while others may be.
struct EventRejection {
    std::size_t index = 0;
    /// For programs: bad_json, not_an_object, unknown_field, duplicate_field, missing_field,
    /// bad_field, bad_data, too_large, unknown_destination, idempotency_key_differs.
    std::string code;
    std::string detail;  ///< for people
    std::string eventId = {};  ///< as far as it was read
    std::string body = {};     ///< the event as it was sent
};

/// Why nothing of a request is taken: an HTTP status and a sentence.
struct RequestFault {
    unsigned status = 400;
    std::string code;
    std::string detail;
};

struct ReadEvents {
    bool single = false;  ///< the request was one event and no list
    std::vector<IncomingEvent> events;
    std::vector<EventRejection> rejected;
};

enum class EventFormat {
    json,              ///< one native event, or an array of them
    ndjson,            ///< one native event a line
    segmentEvent,      ///< one event of an SDK
    segmentBatch,      ///< `{"batch":[...]}` of an SDK
    cloudEvent,        ///< one CloudEvent in structured mode
    cloudEventBatch,   ///< an array of CloudEvents
    cloudEventBinary,  ///< the body is the data, the attributes are headers
};

using ReadResult = std::variant<ReadEvents, RequestFault>;

/// Reads the events of a request. One thread; it keeps its buffers from call to call.
class IntakeReader {
public:
    IntakeReader();
    ~IntakeReader();

    /// All forms but `cloudEventBinary`, which is readBinaryCloudEvent's. `body` is taken as
    /// scratch space; its contents are lost.
    /// \param type of a `segmentEvent` as its path names it; see readSegmentEvent.
    [[nodiscard]] ReadResult read(std::string body, EventFormat format, std::string_view type = {});

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace lanes
