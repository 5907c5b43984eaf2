// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/cloud_event.h"

#include "engine/config.h"
#include "engine/core/transport.h"
#include "engine/intake/header_values.h"
#include "engine/json_check.h"
#include "engine/payload_check.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lanes {

namespace ondemand = simdjson::ondemand;

namespace {

/// Bytes of a `source`: names of resources in clouds come to a few hundred.
constexpr std::size_t kSourceBytes = 1024;
/// Bytes of a content type, which is stored with each event and sent with each attempt.
constexpr std::size_t kContentTypeBytes = 256;
/// What data without a content type is, by RFC 9110.
constexpr const char* kUnknownType = "application/octet-stream";

/// What is read of an event; all other attributes are the destination's business.
struct Attributes {
    std::optional<std::string> version;
    std::optional<std::string> id;
    std::optional<std::string> source;
    std::optional<std::string> type;
    std::string subject;
    std::string partitionKey;
};

/// Checks what both modes have, and fills the event with it. `prefix` is that of the names.
std::optional<EventFault> take(Attributes attributes, const std::string& prefix,
                               IncomingEvent* event) {
    struct Required {
        const char* name;
        const std::optional<std::string>* value;
        std::size_t limit;
    };
    const std::array<Required, 4> required = {{
        {"specversion", &attributes.version, limits::kEventTypeBytes},
        {"id", &attributes.id, limits::kEventIdBytes},
        {"source", &attributes.source, kSourceBytes},
        {"type", &attributes.type, limits::kEventTypeBytes},
    }};
    for (const auto& [name, value, limit] : required) {
        if (!*value) return EventFault{"missing_field", "\"" + prefix + name + "\" is missing"};
        if (auto wrong = checkText(prefix + name, **value, limit)) return wrong;
    }
    if (*attributes.version != "1.0")
        return badField(prefix + "specversion",
                        "is " + lanes::quoted(*attributes.version) + "; this takes 1.0");
    event->source = std::string(kCloudEventSource) + *attributes.source;
    event->id = *std::move(attributes.id);
    event->type = *std::move(attributes.type);
    std::string& user =
        attributes.partitionKey.empty() ? attributes.subject : attributes.partitionKey;
    if (!user.empty()) event->user = {UserKey::Kind::user, std::move(user)};
    return std::nullopt;
}

// --- JSON format

enum class Field { version, id, source, type, subject, partitionKey, data, dataBase64 };
constexpr std::array<std::string_view, 8> kFields = {
    "specversion", "id", "source", "type", "subject", "partitionkey", "data", "data_base64"};

std::optional<EventFault> readString(std::string_view name, ondemand::value value,
                                     std::size_t limit, std::optional<std::string>* out) {
    return readText(name, value, limit, &out->emplace());
}

std::optional<EventFault> readField(Field field, std::string_view name, ondemand::value value,
                                    Attributes* attributes) {
    switch (field) {
        case Field::version:
            return readString(name, value, limits::kEventTypeBytes, &attributes->version);
        case Field::id: return readString(name, value, limits::kEventIdBytes, &attributes->id);
        case Field::source: return readString(name, value, kSourceBytes, &attributes->source);
        case Field::type:
            return readString(name, value, limits::kEventTypeBytes, &attributes->type);
        case Field::subject: return readUser(name, value, &attributes->subject);
        case Field::partitionKey: return readUser(name, value, &attributes->partitionKey);
        case Field::data:
        case Field::dataBase64: break;
    }
    return std::nullopt;
}

// --- Binary mode

constexpr std::string_view kPrefix = "ce-";

/// The value of a header of the event; `out` stays without one if the header is not there.
std::optional<EventFault> readHeader(const http::Request& request, std::string_view attribute,
                                     std::optional<std::string>* out) {
    const std::string name = std::string(kPrefix).append(attribute);
    const std::size_t count = request.count(name);
    if (count == 0) return std::nullopt;
    if (count > 1) return EventFault{"duplicate_field", "\"" + name + "\" is there twice"};
    *out = decodeAttribute(request.header(name));
    if (!*out) return badField(name, "is not valid UTF-8 when it is decoded");
    return std::nullopt;
}

std::optional<EventFault> readHeaders(const http::Request& request, Attributes* attributes) {
    std::optional<std::string> subject;
    std::optional<std::string> partitionKey;
    std::optional<EventFault> wrong;
    if ((wrong = readHeader(request, "specversion", &attributes->version)) ||
        (wrong = readHeader(request, "id", &attributes->id)) ||
        (wrong = readHeader(request, "source", &attributes->source)) ||
        (wrong = readHeader(request, "type", &attributes->type)) ||
        (wrong = readHeader(request, "subject", &subject)) ||
        (wrong = readHeader(request, "partitionkey", &partitionKey)))
        return wrong;
    for (const auto& [name, value] :
         {std::pair("ce-subject", &subject), std::pair("ce-partitionkey", &partitionKey)})
        if (*value && (wrong = checkText(name, **value, limits::kUserKeyBytes))) return wrong;
    attributes->subject = std::move(subject).value_or(std::string());
    attributes->partitionKey = std::move(partitionKey).value_or(std::string());
    if (request.count("ce-datacontenttype") > 0)
        return badField("ce-datacontenttype",
                        "must not be a header; the type of the data is the Content-Type");
    return std::nullopt;
}

/// Takes the body of the request if it is good.
std::optional<EventFault> readData(http::Request& request, IncomingEvent* event) {
    if (auto wrong = tooLarge(request.body.size())) return wrong;
    const std::string_view type = request.header("Content-Type");
    if (type.size() > kContentTypeBytes ||
        !std::all_of(type.begin(), type.end(), [](char c) { return c >= ' ' && c < 0x7f; }))
        return badField("Content-Type", "is longer than " + std::to_string(kContentTypeBytes) +
                                            " bytes or has characters that are not ASCII");
    event->contentType = type.empty() ? kUnknownType : type;
    if (saysJson(event->contentType) && !request.body.empty()) {
        if (const auto fault = checkJson(request.body, nullptr))
            return EventFault{"bad_json", faultText(*fault)};
    } else if (!simdjson::validate_utf8(request.body.data(), request.body.size())) {
        return EventFault{"bad_data",
                          "the data is not valid UTF-8, so that many receivers could "
                          "not verify it; send it in structured mode as data_base64"};
    }
    event->payload = std::move(request.body);
    return std::nullopt;
}

}  // namespace

std::optional<EventFault> readCloudEvent(ondemand::parser& parser, std::string_view text,
                                         IncomingEvent* event) {
    Attributes attributes;
    std::array<bool, kFields.size()> seen{};
    const auto read = [&](std::string_view key, ondemand::value value) {
        const auto found = std::find(kFields.begin(), kFields.end(), key);
        if (found == kFields.end()) return std::optional<EventFault>();
        const auto index = static_cast<std::size_t>(found - kFields.begin());
        if (std::exchange(seen[index], true))
            return std::optional(EventFault{"duplicate_field", quoted(key) + " is there twice"});
        // The JSON format knows null as another way to leave an attribute out.
        ondemand::json_type type{};
        if (!value.type().get(type) && type == ondemand::json_type::null)
            return std::optional<EventFault>();
        return readField(static_cast<Field>(index), key, value, &attributes);
    };
    if (auto wrong = readEventObject(parser, text, read)) return wrong;
    const auto has = [&seen](Field field) { return seen[static_cast<std::size_t>(field)]; };
    if (has(Field::data) && has(Field::dataBase64))
        return badField("data_base64", "and \"data\" exclude each other");
    if (auto wrong = take(std::move(attributes), {}, event)) return wrong;
    event->contentType = kCloudEventType;
    event->payload.assign(text);
    return std::nullopt;
}

ReadResult readBinaryCloudEvent(http::Request request) {
    ReadEvents out;
    out.single = true;
    IncomingEvent event;
    Attributes attributes;
    auto wrong = readHeaders(request, &attributes);
    if (!wrong) wrong = take(std::move(attributes), std::string(kPrefix), &event);
    if (!wrong) wrong = readData(request, &event);
    if (wrong)
        out.rejected.push_back({0, std::move(wrong->code), std::move(wrong->detail),
                                std::move(event.id), std::move(request.body)});
    else
        out.events.push_back(std::move(event));
    return out;
}

}  // namespace lanes
