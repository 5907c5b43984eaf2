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

/// One well-formed native event:
/// `{"id":"…"?,"user":"…"|integer|null?,"anonymous":"…"|integer|null?,"type":"…","payload":…,
/// "destinations":["…"]?}`.
struct NativeEvent {
    std::size_t index = 0;  ///< its place in the request, from 0
    std::string id;         ///< empty if the sender gave none
    /// An integer means the same user as the string of its digits. If there is a user and an
    /// anonymous id, the user counts, as in the SDKs that send both after a login.
    UserKey user;
    std::string type;
    std::string payload;  ///< the bytes as received
    bool named = false;   ///< the sender chose the destinations
    std::vector<std::string> destinations;
};

/// Why one event of a request is not taken, while others may be.
struct EventRejection {
    std::size_t index = 0;
    std::string code;    ///< for programs: bad_json, not_an_object, unknown_field, duplicate_field,
                         ///< missing_field, bad_field, too_large, unknown_destination
    std::string detail;  ///< for people
};

/// Why nothing of a request is taken: an HTTP status and a sentence.
struct RequestFault {
    unsigned status = 400;
    std::string code;
    std::string detail;
};

struct ReadEvents {
    bool single = false;  ///< the request was one event and no list
    std::vector<NativeEvent> events;
    std::vector<EventRejection> rejected;
};

enum class EventFormat {
    json,    ///< one event, or an array of them
    ndjson,  ///< one event a line
};

/// Reads requests in the native form. One thread; it keeps its buffers from call to call.
class NativeReader {
public:
    NativeReader();
    ~NativeReader();

    /// `body` is taken as scratch space; its contents are lost.
    [[nodiscard]] std::variant<ReadEvents, RequestFault> read(std::string body, EventFormat format);

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace lanes
