// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/native_event.h"

#include "engine/config.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace lanes {

namespace ondemand = simdjson::ondemand;

namespace {

/// Takes the bytes as they came.
std::optional<EventFault> readPayload(ondemand::value value, std::string* out) {
    ondemand::json_type type{};
    std::string_view raw;
    ondemand::array array;
    ondemand::object object;
    simdjson::error_code error = value.type().get(type);
    if (!error) {
        switch (type) {
            case ondemand::json_type::array:
                error = value.get_array().get(array);
                if (!error) error = array.raw_json().get(raw);
                break;
            case ondemand::json_type::object:
                error = value.get_object().get(object);
                if (!error) error = object.raw_json().get(raw);
                break;
            case ondemand::json_type::string:
            case ondemand::json_type::number:
            case ondemand::json_type::boolean:
            case ondemand::json_type::null: raw = value.raw_json_token(); break;
        }
    }
    if (error) return badField("payload", "cannot be read");
    out->assign(trimmedJson(raw));
    return std::nullopt;
}

std::optional<EventFault> readDestinations(ondemand::value value, std::vector<std::string>* out) {
    constexpr std::string_view kName = "destinations";
    ondemand::array array;
    if (value.get_array().get(array)) return badField(kName, "must be a list of names");
    for (auto element : array) {
        ondemand::value name;
        std::string text;
        if (std::move(element).get(name)) return badField(kName, "must be a list of names");
        if (auto wrong = readText(kName, name, limits::kEventIdBytes, &text)) return wrong;
        if (out->size() >= limits::kDestinations)
            return badField(kName, "names too many destinations");
        if (std::find(out->begin(), out->end(), text) == out->end())
            out->push_back(std::move(text));
    }
    if (out->empty())
        return badField(kName, "is empty; leave it out to send the event to all destinations");
    return std::nullopt;
}

struct Seen {
    bool id = false;
    bool user = false;
    bool anonymous = false;
    bool type = false;
    bool payload = false;
    bool destinations = false;
};

std::optional<EventFault> readField(std::string_view key, ondemand::value value, Seen* seen,
                                    std::string* anonymous, IncomingEvent* event) {
    const auto twice = [&key](bool* mark) {
        return std::exchange(*mark, true)
                   ? std::optional<EventFault>({"duplicate_field", quoted(key) + " is there twice"})
                   : std::nullopt;
    };
    if (key == "payload") {
        if (auto wrong = twice(&seen->payload)) return wrong;
        return readPayload(value, &event->payload);
    }
    if (key == "user") {
        if (auto wrong = twice(&seen->user)) return wrong;
        return readUser(key, value, &event->user.text);
    }
    if (key == "type") {
        if (auto wrong = twice(&seen->type)) return wrong;
        return readText(key, value, limits::kEventTypeBytes, &event->type);
    }
    if (key == "id") {
        if (auto wrong = twice(&seen->id)) return wrong;
        return readText(key, value, limits::kEventIdBytes, &event->id);
    }
    if (key == "anonymous") {
        if (auto wrong = twice(&seen->anonymous)) return wrong;
        return readUser(key, value, anonymous);
    }
    if (key == "destinations") {
        if (auto wrong = twice(&seen->destinations)) return wrong;
        event->named = true;
        return readDestinations(value, &event->destinations);
    }
    return EventFault{"unknown_field", "there is no field " + quoted(key) +
                                           "; an event has id, user, anonymous, type, payload and "
                                           "destinations"};
}

}  // namespace

std::optional<EventFault> readNativeEvent(ondemand::parser& parser, std::string_view text,
                                          IncomingEvent* event) {
    Seen seen;
    std::string anonymous;
    const auto read = [&](std::string_view key, ondemand::value value) {
        return readField(key, value, &seen, &anonymous, event);
    };
    if (auto wrong = readEventObject(parser, text, read)) return wrong;
    if (!seen.type) return EventFault{"missing_field", "\"type\" is missing"};
    if (!seen.payload) return EventFault{"missing_field", "\"payload\" is missing"};
    if (!event->user.text.empty()) {
        event->user.kind = UserKey::Kind::user;
    } else if (!anonymous.empty()) {
        event->user.kind = UserKey::Kind::anonymous;
        event->user.text = std::move(anonymous);
    }
    return std::nullopt;
}

std::string nativeText(const IncomingEvent& event) {
    const auto quote = [](const std::string& text) {
        return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    std::string text = "{";
    if (!event.id.empty()) text += "\"id\":" + quote(event.id) + ",";
    if (event.user.kind == UserKey::Kind::user) text += "\"user\":" + quote(event.user.text) + ",";
    if (event.user.kind == UserKey::Kind::anonymous)
        text += "\"anonymous\":" + quote(event.user.text) + ",";
    text += "\"type\":" + quote(event.type) + ",";
    if (event.named) {
        text += "\"destinations\":[";
        for (const auto& name : event.destinations)
            text += (text.back() == '[' ? "" : ",") + quote(name);
        text += "],";
    }
    return text + "\"payload\":" + event.payload + "}";
}

}  // namespace lanes
