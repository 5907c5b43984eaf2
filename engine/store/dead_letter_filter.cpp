// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/dead_letter_filter.h"

#include <algorithm>
#include <utility>

namespace lanes::store {

namespace {

FilterTerm statusTerm(const DeadLetterFilter& filter) {
    // 0 is no status, so a range never means it.
    const std::int64_t low = std::max<std::int64_t>(filter.statusFrom, 1);
    const std::int64_t high = filter.statusTo != 0 ? filter.statusTo : filter.statusFrom;
    if (low == high) return {DeadColumn::status, true, "last_status=?", {low}};
    return {DeadColumn::status, false, "last_status BETWEEN ? AND ?", {low, high}};
}

}  // namespace

std::vector<FilterTerm> termsOf(const DeadLetterFilter& filter) {
    std::vector<FilterTerm> terms;
    const auto equal = [&terms](DeadColumn column, const char* sql, SqlValue value) {
        terms.push_back({column, true, sql, {std::move(value)}});
    };
    if (filter.destination)
        equal(DeadColumn::destination, "destination=?",
              std::int64_t{filter.destination.value});
    if (!filter.user.empty()) equal(DeadColumn::user, "user=?", filter.user);
    if (!filter.type.empty()) equal(DeadColumn::type, "type=?", filter.type);
    if (!filter.eventId.empty()) equal(DeadColumn::eventId, "event_id=?", filter.eventId);
    if (filter.lastOutcome)
        equal(DeadColumn::outcome, "last_outcome=?",
              static_cast<std::int64_t>(*filter.lastOutcome));
    if (filter.statusFrom != 0 || filter.statusTo != 0) terms.push_back(statusTerm(filter));
    if (filter.neverTried) terms.push_back({DeadColumn::firstTried, true, "first_tried_at=0", {}});
    if (filter.diedFrom != 0)
        terms.push_back({DeadColumn::diedAt, false, "died_at>=?", {filter.diedFrom}});
    if (filter.diedBefore != 0)
        terms.push_back({DeadColumn::diedAt, false, "died_at<?", {filter.diedBefore}});
    // instr and not LIKE: what the operator typed has no special characters.
    if (!filter.errorContains.empty()) {
        terms.push_back({DeadColumn::none, false,
                         "(instr(lower(last_error), lower(?))>0"
                         " OR instr(lower(reason), lower(?))>0)",
                         {filter.errorContains, filter.errorContains}});
    }
    return terms;
}

SQLite::Statement deadLettersThat(SQLite::Database& database, const std::string& select,
                                  const DeadLetterFilter& filter) {
    SqlText sql;
    sql.add(select).add(" FROM dead_letters WHERE rewound_by=0");
    for (auto& term : termsOf(filter)) sql.add(" AND " + term.sql, std::move(term.values));
    return sql.statement(database);
}

}  // namespace lanes::store
