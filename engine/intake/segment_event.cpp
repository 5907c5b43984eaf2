// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/segment_event.h"

#include "engine/config.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lanes {

namespace ondemand = simdjson::ondemand;

namespace {

/// The kinds of events, and what each must have besides a user.
struct Kind {
    std::string_view type;
    std::string_view needs;
};
constexpr std::array<Kind, 6> kKinds = {{{"track", "event"},
                                         {"identify", ""},
                                         {"page", ""},
                                         {"screen", ""},
                                         {"group", "groupId"},
                                         {"alias", "previousId"}}};

/// What is read of an event; all other fields are the destination's business.
struct Fields {
    std::string userId;
    std::string anonymousId;
    std::string event;
    std::string groupId;
    std::string previousId;
    std::array<bool, 7> seen{};
};

std::optional<EventFault> readField(std::string_view key, ondemand::value value, Fields* fields,
                                    IncomingEvent* event) {
    constexpr std::array<std::string_view, 7> kNames = {
        "type", "messageId", "userId", "anonymousId", "event", "groupId", "previousId"};
    const auto found = std::find(kNames.begin(), kNames.end(), key);
    if (found == kNames.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(found - kNames.begin());
    if (std::exchange(fields->seen[index], true))
        return EventFault{"duplicate_field", quoted(key) + " is there twice"};
    switch (index) {
        case 0: return readText(key, value, limits::kEventTypeBytes, &event->type);
        case 1: {
            // SDKs send a string; exports also write null for none.
            ondemand::json_type type{};
            if (!value.type().get(type) && type == ondemand::json_type::null) return std::nullopt;
            return readText(key, value, limits::kEventIdBytes, &event->id);
        }
        case 2: return readUser(key, value, &fields->userId);
        case 3: return readUser(key, value, &fields->anonymousId);
        case 4: return readUser(key, value, &fields->event);
        case 5: return readUser(key, value, &fields->groupId);
        default: return readUser(key, value, &fields->previousId);
    }
}

std::optional<EventFault> checkKind(const Fields& fields, IncomingEvent* event) {
    const auto missing = [](std::string_view name) {
        return EventFault{"missing_field", "\"" + std::string(name) + "\" is missing"};
    };
    if (event->type.empty()) return missing("type");
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const Kind& k) { return k.type == event->type; });
    if (kind == kKinds.end())
        return badField("type", "must be track, identify, page, screen, group or alias");
    if (kind->needs == "event" && fields.event.empty()) return missing("event");
    if (kind->needs == "groupId" && fields.groupId.empty()) return missing("groupId");
    if (kind->needs == "previousId" && fields.previousId.empty()) return missing("previousId");
    if (!fields.userId.empty()) {
        event->user = {UserKey::Kind::user, fields.userId};
    } else if (kind->type == "alias") {
        return missing("userId");
    } else if (!fields.anonymousId.empty()) {
        event->user = {UserKey::Kind::anonymous, fields.anonymousId};
    } else {
        return EventFault{"missing_field", "\"userId\" and \"anonymousId\" are missing"};
    }
    return std::nullopt;
}

}  // namespace

std::optional<EventFault> readSegmentEvent(ondemand::parser& parser, std::string_view text,
                                           std::string_view type, IncomingEvent* event) {
    Fields fields;
    const auto read = [&](std::string_view key, ondemand::value value) {
        return readField(key, value, &fields, event);
    };
    if (auto wrong = readEventObject(parser, text, read)) return wrong;
    if (event->type.empty()) event->type = type;
    if (!type.empty() && event->type != type)
        return badField("type", "is " + lanes::quoted(event->type) + ", but the path is that of " +
                                    std::string(type));
    if (auto wrong = checkKind(fields, event)) return wrong;
    event->source = kSegmentSource;
    event->payload.assign(text);
    return std::nullopt;
}

}  // namespace lanes
