// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"

#include "engine/config.h"
#include "engine/intake/json_check.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanes {

namespace {

namespace ondemand = simdjson::ondemand;

/// Bytes of a name of the sender that a text repeats.
constexpr std::size_t kQuotedBytes = 64;
/// A parser that grew beyond this is given up after the request, with its memory.
constexpr std::size_t kKeptCapacity = 256u << 10;

struct Rejected {
    std::string code;
    std::string detail;
};

std::string quoted(std::string_view text) {
    std::size_t size = std::min(text.size(), kQuotedBytes);
    // Not in the middle of a character.
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) >> 6) == 2)
        --size;
    return "\"" + std::string(text.substr(0, size)) + (size < text.size() ? "…\"" : "\"");
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool hasControl(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Rejected badField(std::string_view name, std::string_view what) {
    return {"bad_field", "\"" + std::string(name) + "\" " + std::string(what)};
}

/// Ids, users and types are repeated in lists, logs and headers.
std::optional<Rejected> checkText(std::string_view name, std::string_view text, std::size_t limit) {
    if (text.empty()) return badField(name, "is empty");
    if (text.size() > limit)
        return badField(name, "is longer than " + std::to_string(limit) + " bytes");
    if (hasControl(text)) return badField(name, "contains a control character");
    return std::nullopt;
}

std::optional<Rejected> readText(std::string_view name, ondemand::value value, std::size_t limit,
                                 std::string* out) {
    ondemand::json_type type{};
    if (value.type().get(type) || type != ondemand::json_type::string)
        return badField(name, "must be a string");
    std::string_view text;
    if (value.get_string().get(text))
        return badField(name, "has an escape that stands for no character");
    if (auto wrong = checkText(name, text, limit)) return wrong;
    out->assign(text);
    return std::nullopt;
}

/// `out` stays empty for null.
std::optional<Rejected> readUser(std::string_view name, ondemand::value value, std::string* out) {
    ondemand::json_type type{};
    if (value.type().get(type)) return badField(name, "must be a string, an integer or null");
    switch (type) {
        case ondemand::json_type::string: return readText(name, value, limits::kUserKeyBytes, out);
        case ondemand::json_type::null: return std::nullopt;
        case ondemand::json_type::number: {
            const std::string_view digits = trimmed(value.raw_json_token());
            if (digits.find_first_of(".eE") != std::string_view::npos)
                return badField(name,
                                "is a number with a fraction or an exponent; "
                                "write it as a string or as an integer");
            if (auto wrong = checkText(name, digits, limits::kUserKeyBytes)) return wrong;
            out->assign(digits);
            return std::nullopt;
        }
        case ondemand::json_type::array:
        case ondemand::json_type::object:
        case ondemand::json_type::boolean: break;
    }
    return badField(name, "must be a string, an integer or null");
}

/// Takes the bytes as they came.
std::optional<Rejected> readPayload(ondemand::value value, std::string* out) {
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
    out->assign(trimmed(raw));
    return std::nullopt;
}

std::optional<Rejected> readDestinations(ondemand::value value, std::vector<std::string>* out) {
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

}  // namespace

class NativeReader::Private {
public:
    /// Reads the event in `text`, which is JSON and is followed by readable padding.
    std::optional<Rejected> readEvent(std::string_view text, NativeEvent* event);
    void add(std::string_view text, ReadEvents* out);
    std::variant<ReadEvents, RequestFault> readJson(std::string_view body);
    std::variant<ReadEvents, RequestFault> readLines(std::string_view body);

    ondemand::parser parser;

private:
    struct Seen {
        bool id = false;
        bool user = false;
        bool anonymous = false;
        bool type = false;
        bool payload = false;
        bool destinations = false;
    };

    std::optional<Rejected> readField(std::string_view key, ondemand::value value, Seen* seen,
                                      std::string* anonymous, NativeEvent* event);
};

std::optional<Rejected> NativeReader::Private::readField(std::string_view key,
                                                         ondemand::value value, Seen* seen,
                                                         std::string* anonymous,
                                                         NativeEvent* event) {
    const auto twice = [&key](bool* mark) {
        return std::exchange(*mark, true)
                   ? std::optional<Rejected>({"duplicate_field", quoted(key) + " is there twice"})
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
    return Rejected{"unknown_field", "there is no field " + quoted(key) +
                                         "; an event has id, user, anonymous, type, payload and "
                                         "destinations"};
}

std::optional<Rejected> NativeReader::Private::readEvent(std::string_view text,
                                                         NativeEvent* event) {
    if (text.size() > limits::kEventBytes)
        return Rejected{"too_large", "the event is larger than " +
                                         std::to_string(limits::kEventBytes) + " bytes"};
    if (text.empty() || text.front() != '{')
        return Rejected{"not_an_object", "an event is a JSON object"};
    ondemand::document document;
    ondemand::object object;
    const simdjson::padded_string_view padded(text.data(), text.size(),
                                              text.size() + simdjson::SIMDJSON_PADDING);
    if (parser.iterate(padded).get(document) || document.get_object().get(object))
        return Rejected{"bad_json", "the event cannot be read"};
    Seen seen;
    std::string anonymous;
    for (auto entry : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(entry).get(field) || field.unescaped_key().get(key))
            return Rejected{"bad_json", "a field's name stands for no characters"};
        if (auto wrong = readField(key, field.value(), &seen, &anonymous, event)) return wrong;
    }
    if (!seen.type) return Rejected{"missing_field", "\"type\" is missing"};
    if (!seen.payload) return Rejected{"missing_field", "\"payload\" is missing"};
    if (!event->user.text.empty()) {
        event->user.kind = UserKey::Kind::user;
    } else if (!anonymous.empty()) {
        event->user.kind = UserKey::Kind::anonymous;
        event->user.text = std::move(anonymous);
    }
    return std::nullopt;
}

void NativeReader::Private::add(std::string_view text, ReadEvents* out) {
    const std::size_t index = out->events.size() + out->rejected.size();
    NativeEvent event;
    event.index = index;
    if (auto wrong = readEvent(text, &event))
        out->rejected.push_back({index, std::move(wrong->code), std::move(wrong->detail)});
    else
        out->events.push_back(std::move(event));
}

namespace {

std::string faultText(const JsonFault& fault) {
    return "the JSON is broken at byte " + std::to_string(fault.position) + ": " +
           std::string(fault.what);
}

RequestFault tooMany() {
    return {413, "too_many_events",
            "there are more than " + std::to_string(limits::kEventsPerRequest) +
                " events; send them in several requests"};
}

}  // namespace

std::variant<ReadEvents, RequestFault> NativeReader::Private::readJson(std::string_view body) {
    std::vector<std::string_view> elements;
    if (const auto fault = checkJson(body, &elements))
        return RequestFault{400, "bad_json", faultText(*fault)};
    ReadEvents out;
    const std::string_view text = trimmed(body);
    out.single = text.front() != '[';
    if (out.single) {
        add(text, &out);
        return out;
    }
    if (elements.size() > limits::kEventsPerRequest) return tooMany();
    out.events.reserve(elements.size());
    for (const std::string_view element : elements) add(element, &out);
    return out;
}

std::variant<ReadEvents, RequestFault> NativeReader::Private::readLines(std::string_view body) {
    ReadEvents out;
    std::size_t broken = 0;
    std::size_t line = 0;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        const std::string_view text = trimmed(body.substr(at, end - at));
        at = end + 1;
        ++line;
        if (text.empty()) continue;
        const std::size_t index = out.events.size() + out.rejected.size();
        if (index >= limits::kEventsPerRequest) return tooMany();
        if (const auto fault = checkJson(text, nullptr)) {
            ++broken;
            out.rejected.push_back(
                {index, "bad_json", "line " + std::to_string(line) + ": " + faultText(*fault)});
        } else {
            add(text, &out);
        }
    }
    // Not one line is JSON: this is no list of events at all.
    if (broken > 0 && broken == out.rejected.size() && out.events.empty())
        return RequestFault{400, "bad_json", out.rejected.front().detail};
    return out;
}

NativeReader::NativeReader() : d(std::make_unique<Private>()) {}

NativeReader::~NativeReader() = default;

std::variant<ReadEvents, RequestFault> NativeReader::read(std::string body, EventFormat format) {
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    if (trimmed(body).empty()) return RequestFault{400, "bad_json", "the body is empty"};
    auto out = format == EventFormat::json ? d->readJson(body) : d->readLines(body);
    if (d->parser.capacity() > kKeptCapacity) d->parser = ondemand::parser();
    return out;
}

}  // namespace lanes
