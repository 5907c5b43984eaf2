// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/cloud_event.h"

#include "engine/payload_check.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <utility>

namespace lanes {

namespace {

constexpr std::string_view kEnvelope = "application/cloudevents+json";

struct Attribute {
    const char* name;
    std::string value;
};

bool isEnvelope(std::string_view contentType) {
    const auto type = contentType.substr(0, contentType.find_first_of("; "));
    return std::equal(type.begin(), type.end(), kEnvelope.begin(), kEnvelope.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::string sourceOf(const SentEvent& event) {
    if (event.source.starts_with(kCloudEventSource))
        return event.source.substr(kCloudEventSource.size());
    return "urn:rivora-lanes:" + percentEncoded(event.source);
}

std::string timeOf(const SentEvent& event) {
    const auto time = QDateTime::fromMSecsSinceEpoch(event.acceptedAt / kMillisecond, Qt::UTC);
    return time.toString(Qt::ISODateWithMs).toStdString();
}

/// In the order in which the specification lists them; without the payload's type.
std::vector<Attribute> attributesOf(const SentEvent& event) {
    std::vector<Attribute> all = {{"id", event.id},
                                  {"source", sourceOf(event)},
                                  {"specversion", "1.0"},
                                  {"type", event.type}};
    if (event.user.kind != UserKey::Kind::none && !event.user.text.empty())
        all.push_back({"subject", event.user.text});
    all.push_back({"time", timeOf(event)});
    return all;
}

/// In quotes, as JSON wants it.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// JSON goes in as it stands, so that its numbers keep their digits; anything else as a text.
std::string envelope(const SentEvent& event) {
    const auto& type = contentTypeOf(event);
    std::string body = "{";
    for (const auto& [name, value] : attributesOf(event))
        body.append("\"").append(name).append("\":").append(quoted(value)).append(",");
    body.append("\"datacontenttype\":").append(quoted(type)).append(",\"data\":");
    const bool json = saysJson(type) && payloadProblem(type, *event.payload).empty();
    return body.append(json ? *event.payload : quoted(*event.payload)).append("}");
}

}  // namespace

DressedEvent dress(const SentEvent& event, BodyFormat format) {
    DressedEvent dressed{event.payload, contentTypeOf(event), {}};
    if (format == BodyFormat::asReceived || isEnvelope(event.contentType)) return dressed;
    if (format == BodyFormat::cloudEventsStructured) {
        dressed.body = std::make_shared<const std::string>(envelope(event));
        dressed.contentType = kEnvelope;
        return dressed;
    }
    for (const auto& [name, value] : attributesOf(event))
        dressed.headers.emplace_back(std::string("ce-") + name, percentEncoded(value));
    return dressed;
}

const std::string& contentTypeOf(const SentEvent& event) {
    static const std::string json = "application/json";
    return event.contentType.empty() ? json : event.contentType;
}

std::string percentEncoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > 0x20 && byte < 0x7f && c != '"' && c != '%') {
            result += c;
        } else {
            result += '%';
            result += digits[byte >> 4];
            result += digits[byte & 15U];
        }
    }
    return result;
}

}  // namespace lanes
