// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queries.h"

#include <algorithm>
#include <string_view>

namespace lanes {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

bool hasStatus(const DeadLetterFilter& filter, std::uint16_t status) {
    if (filter.statusFrom == 0 && filter.statusTo == 0) return true;
    const auto last = filter.statusTo != 0 ? filter.statusTo : filter.statusFrom;
    return status != 0 && status >= filter.statusFrom && status <= last;
}

}  // namespace

bool matches(const DeadLetterFilter& filter, const DeadLetterRow& row, WallMicros now,
             const std::string* payload) {
    if (filter.destination && row.pointer.destination != filter.destination) return false;
    if (!filter.user.empty() && row.user.text != filter.user) return false;
    if (!filter.type.empty() && row.type != filter.type) return false;
    if (!filter.eventId.empty() && row.eventId != filter.eventId) return false;
    if (!filter.errorContains.empty() && !contains(row.lastError, filter.errorContains) &&
        !contains(row.reason, filter.errorContains))
        return false;
    if (filter.lastOutcome && row.lastOutcome != *filter.lastOutcome) return false;
    if (!hasStatus(filter, row.lastStatus)) return false;
    if (filter.diedFrom != 0 && row.diedAt < filter.diedFrom) return false;
    if (filter.diedBefore != 0 && row.diedAt >= filter.diedBefore) return false;
    if (filter.neverTried && row.firstTriedAt != 0) return false;
    return match(filter.rest, row, now, payload) == Match::yes;
}

DeadLetterQuery::Key DeadLetterRow::key(DeadLetterOrder order) const {
    DeadLetterQuery::Key key{0, {}, diedAt, pointer};
    switch (order) {
    case DeadLetterOrder::diedAt:
        break;
    case DeadLetterOrder::firstTried:
        key.number = firstTriedAt;
        break;
    case DeadLetterOrder::attempts:
        key.number = attempts;
        break;
    case DeadLetterOrder::lane:
        key.text = user.text;  // the destination is in the pointer
        break;
    case DeadLetterOrder::type:
        key.text = type;
        break;
    case DeadLetterOrder::status:
        key.number = lastStatus;
        break;
    case DeadLetterOrder::outcome:
        key.number = static_cast<std::int64_t>(lastOutcome);
        break;
    }
    return key;
}

PlanForDestination RewindPlan::total() const {
    PlanForDestination sum;
    for (const auto& one : destinations) {
        sum.events += one.events;
        sum.lanes += one.lanes;
        sum.bytes += one.bytes;
        sum.rewoundBefore += one.rewoundBefore;
        sum.mayHaveBeenReceived += one.mayHaveBeenReceived;
        sum.lanesPassed += one.lanesPassed;
        sum.laterDelivered += one.laterDelivered;
    }
    return sum;
}

}  // namespace lanes
