// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dead_letter_choice.h"

#include "app/control_protocol.h"
#include "app/duration.h"
#include "app/words.h"

#include <QDateTime>
#include <QString>

namespace lanes::app {

namespace {

std::optional<Outcome> outcomeFrom(const std::string& text) {
    for (std::uint8_t at = 0; at <= static_cast<std::uint8_t>(Outcome::unknown); ++at)
        if (text == word(static_cast<Outcome>(at))) return static_cast<Outcome>(at);
    return {};
}

std::uint16_t statusOf(const Json& json, const char* key) {
    return static_cast<std::uint16_t>(numberOf(json, key, 0) & 0x3ff);
}

WallMicros timeOf(const Json& json, const char* key) {
    return static_cast<WallMicros>(numberOf(json, key, 0));
}

}  // namespace

std::optional<PointInTime> parsePointInTime(std::string_view text) {
    if (const auto back = parseDuration(text)) {
        if (*back <= 0) return {};
        return PointInTime{0, *back};
    }
    const auto read = QDateTime::fromString(
        QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), Qt::ISODateWithMs);
    if (!read.isValid() || read.timeSpec() == Qt::LocalTime) return {};
    const auto at = static_cast<WallMicros>(read.toMSecsSinceEpoch()) * kMillisecond;
    if (at <= 0) return {};
    return PointInTime{at, 0};
}

bool DeadLetterChoice::isOpen() const {
    return destination.empty() && events.empty() && filterText.empty() &&
           filter == DeadLetterFilter{} &&
           !since.given() && !before.given();
}

std::string DeadLetterChoice::text() const {
    std::string text = "dead letters";
    if (!destination.empty()) text += " of " + destination;
    if (!events.empty()) text += ", events named by position";
    if (!filter.user.empty()) text += ", user " + filter.user;
    if (!filter.type.empty()) text += ", type " + filter.type;
    if (!filter.eventId.empty()) text += ", id " + filter.eventId;
    if (filter.statusFrom != 0) {
        text += ", status " + std::to_string(filter.statusFrom);
        if (filter.statusTo > filter.statusFrom) text += " to " + std::to_string(filter.statusTo);
    }
    if (filter.lastOutcome) text += std::string(", outcome ") + word(*filter.lastOutcome);
    if (!filter.errorContains.empty()) text += ", error contains \"" + filter.errorContains + "\"";
    if (filter.diedFrom != 0) text += ", since " + isoTime(filter.diedFrom);
    if (filter.diedBefore != 0) text += ", before " + isoTime(filter.diedBefore);
    if (filter.neverTried) text += ", never tried";
    if (!filterText.empty()) text += ", filter " + filterText;
    return text;
}

nlohmann::ordered_json toJson(const DeadLetterChoice& choice, WallMicros now) {
    const auto& filter = choice.filter;
    Json json;
    json["destination"] = choice.destination;
    json["events"] = choice.events;
    json["user"] = filter.user;
    json["type"] = filter.type;
    json["id"] = filter.eventId;
    json["error"] = filter.errorContains;
    if (filter.lastOutcome) json["outcome"] = word(*filter.lastOutcome);
    json["status_from"] = filter.statusFrom;
    json["status_to"] = filter.statusTo;
    json["died_from"] = static_cast<std::uint64_t>(choice.since.seenFrom(now));
    json["died_before"] = static_cast<std::uint64_t>(choice.before.seenFrom(now));
    json["never_tried"] = filter.neverTried;
    json["filter"] = choice.filterText;
    return json;
}

DeadLetterChoice choiceFromJson(const nlohmann::ordered_json& json) {
    DeadLetterChoice choice;
    auto& filter = choice.filter;
    choice.destination = textOf(json, "destination");
    filter.user = textOf(json, "user");
    filter.type = textOf(json, "type");
    filter.eventId = textOf(json, "id");
    filter.errorContains = textOf(json, "error");
    filter.lastOutcome = outcomeFrom(textOf(json, "outcome"));
    filter.statusFrom = statusOf(json, "status_from");
    filter.statusTo = statusOf(json, "status_to");
    filter.diedFrom = timeOf(json, "died_from");
    filter.diedBefore = timeOf(json, "died_before");
    filter.neverTried = isTrue(json, "never_tried");
    choice.filterText = textOf(json, "filter");
    if (const auto events = json.find("events"); events != json.end() && events->is_array())
        for (const auto& event : *events)
            if (event.is_number_unsigned()) choice.events.push_back(event.get<std::uint64_t>());
    return choice;
}

}  // namespace lanes::app
