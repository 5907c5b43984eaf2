// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_paths.h"

#include "engine/intake/header_values.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanes {

namespace {

constexpr std::array<IntakePath, 9> kPaths = {{
    {"/v1/events", IntakeDialect::native, {}},
    {"/v1/batch", IntakeDialect::segment, {}},
    {"/v1/track", IntakeDialect::segment, "track"},
    {"/v1/identify", IntakeDialect::segment, "identify"},
    {"/v1/page", IntakeDialect::segment, "page"},
    {"/v1/screen", IntakeDialect::segment, "screen"},
    {"/v1/group", IntakeDialect::segment, "group"},
    {"/v1/alias", IntakeDialect::segment, "alias"},
    {"/v1/cloudevents", IntakeDialect::cloudEvents, {}},
}};

constexpr std::string_view kCloudPrefix = "application/cloudevents";
constexpr std::string_view kCloudBatchPrefix = "application/cloudevents-batch";

RequestFault unsupported(std::string detail) {
    return {415, {}, std::move(detail)};
}

std::optional<EventFormat> nativeFormat(const MediaType& type) {
    if (type.name == kJsonType) return EventFormat::json;
    if (type.name == "application/x-ndjson" || type.name == "application/ndjson")
        return EventFormat::ndjson;
    return std::nullopt;
}

/// RudderStack's SDK calls its packed JSON a form. A real form cannot be packed, so what a web page
/// could send stays outside.
bool isSegmentType(const MediaType& type, const http::Request& request) {
    return type.name == kJsonType || (type.name == "application/x-www-form-urlencoded" &&
                                      lower(request.header("Content-Encoding")) == "gzip");
}

std::variant<EventFormat, RequestFault> cloudFormat(const MediaType& type,
                                                    const http::Request& request) {
    if (type.name.substr(0, kCloudBatchPrefix.size()) == kCloudBatchPrefix) {
        if (type.name.substr(kCloudBatchPrefix.size()) == "+json" && type.utf8)
            return EventFormat::cloudEventBatch;
    } else if (type.name.substr(0, kCloudPrefix.size()) == kCloudPrefix) {
        if (type.name.substr(kCloudPrefix.size()) == "+json" && type.utf8)
            return EventFormat::cloudEvent;
    } else if (request.count("ce-specversion") > 0) {
        return EventFormat::cloudEventBinary;
    }
    return unsupported(
        "Send a CloudEvent in binary mode (headers ce-specversion, ce-id, ce-source, ce-type), or "
        "application/cloudevents+json, or application/cloudevents-batch+json, in UTF-8.");
}

}  // namespace

const IntakePath* findIntakePath(std::string_view path) {
    const auto found = std::find_if(kPaths.begin(), kPaths.end(),
                                    [path](const IntakePath& known) { return known.path == path; });
    return found == kPaths.end() ? nullptr : &*found;
}

std::variant<EventFormat, RequestFault> formatOf(const IntakePath& path,
                                                 const http::Request& request) {
    if (request.count("Content-Type") > 1) return unsupported("There are several Content-Types.");
    const MediaType type = readMediaType(request.header("Content-Type"));
    switch (path.dialect) {
        case IntakeDialect::native:
            if (const auto format = nativeFormat(type); format && type.utf8) return *format;
            return unsupported(
                "Content-Type must be application/json or application/x-ndjson, in UTF-8.");
        case IntakeDialect::segment:
            if (isSegmentType(type, request) && type.utf8)
                return path.type.empty() ? EventFormat::segmentBatch : EventFormat::segmentEvent;
            return unsupported("Content-Type must be application/json, in UTF-8.");
        case IntakeDialect::cloudEvents: break;
    }
    return cloudFormat(type, request);
}

}  // namespace lanes
