// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/dead_letter_filter.h"

#include <algorithm>

namespace lanes::store {

SQLite::Statement deadLettersThat(SQLite::Database& database, const std::string& select,
                                  const DeadLetterFilter& filter) {
    // Only what restricts is in the query: a condition with OR would keep the indexes out.
    std::string sql = select + " FROM dead_letters WHERE rewound_by=0";
    if (filter.destination) sql += " AND destination=:destination";
    if (!filter.user.empty()) sql += " AND user=:user";
    if (!filter.type.empty()) sql += " AND type=:type";
    if (!filter.eventId.empty()) sql += " AND event_id=:event_id";
    // instr and not LIKE: what the operator typed has no special characters.
    if (!filter.errorContains.empty()) {
        sql += " AND (instr(lower(last_error), lower(:error))>0"
               " OR instr(lower(reason), lower(:error))>0)";
    }
    if (filter.lastOutcome) sql += " AND last_outcome=:outcome";
    const bool byStatus = filter.statusFrom != 0 || filter.statusTo != 0;
    if (byStatus) sql += " AND last_status BETWEEN :status_from AND :status_to";
    if (filter.diedFrom != 0) sql += " AND died_at>=:died_from";
    if (filter.diedBefore != 0) sql += " AND died_at<:died_before";
    if (filter.neverTried) sql += " AND first_tried_at=0";

    SQLite::Statement query(database, sql);
    if (filter.destination) query.bind(":destination", filter.destination.value);
    if (!filter.user.empty()) query.bindNoCopy(":user", filter.user);
    if (!filter.type.empty()) query.bindNoCopy(":type", filter.type);
    if (!filter.eventId.empty()) query.bindNoCopy(":event_id", filter.eventId);
    if (!filter.errorContains.empty()) query.bindNoCopy(":error", filter.errorContains);
    if (filter.lastOutcome) query.bind(":outcome", static_cast<int>(*filter.lastOutcome));
    if (byStatus) {
        // 0 is no status, so a range never means it.
        query.bind(":status_from", std::max<int>(filter.statusFrom, 1));
        query.bind(":status_to",
                   static_cast<int>(filter.statusTo != 0 ? filter.statusTo : filter.statusFrom));
    }
    if (filter.diedFrom != 0) query.bind(":died_from", filter.diedFrom);
    if (filter.diedBefore != 0) query.bind(":died_before", filter.diedBefore);
    return query;
}

}  // namespace lanes::store
