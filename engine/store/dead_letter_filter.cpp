// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/dead_letter_filter.h"

#include "engine/store/filter_sql.h"

#include <algorithm>
#include <limits>
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

/// Bounds of a number, both inclusive.
struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

std::optional<Range> rangeOf(const Filter::Term& term) {
    switch (term.relation) {
    case FilterRelation::equal:
        return Range{term.low, term.low};
    case FilterRelation::less:
        if (term.low == Range{}.low) return std::nullopt;
        return Range{Range{}.low, term.low - 1};
    case FilterRelation::atMost:
        return Range{Range{}.low, term.low};
    case FilterRelation::more:
        if (term.low == Range{}.high) return std::nullopt;
        return Range{term.low + 1, Range{}.high};
    case FilterRelation::atLeast:
        return Range{term.low, Range{}.high};
    case FilterRelation::within:
        return Range{term.low, term.high};
    case FilterRelation::contains:
        break;
    }
    return std::nullopt;
}

bool takeText(std::string& into, const Filter::Term& term) {
    const bool exact = term.relation == FilterRelation::equal && term.parts.size() == 1 &&
                       !term.parts.front().empty();
    if (!exact || !into.empty()) return false;
    into = term.parts.front();
    return true;
}

bool takeStatus(DeadLetterFilter& filter, const Filter::Term& term) {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint16_t>::max();
    if (filter.statusFrom != 0 || filter.statusTo != 0) return false;
    const auto range = rangeOf(term);
    if (!range || range->high < 1 || range->low > kMost || range->low > range->high) return false;
    filter.statusFrom = static_cast<std::uint16_t>(std::max<std::int64_t>(range->low, 1));
    filter.statusTo = static_cast<std::uint16_t>(std::min(range->high, kMost));
    return true;
}

/// A time of death, both bounds inclusive.
bool takeDeath(DeadLetterFilter& filter, Range range) {
    // As the fields have it, 0 is no bound; and nothing died before there was a clock.
    if (range.high <= 0 || range.low > range.high) return false;
    if (range.low > 0) filter.diedFrom = std::max(filter.diedFrom, range.low);
    if (range.high < Range{}.high) {
        const auto before = range.high + 1;
        filter.diedBefore =
            filter.diedBefore == 0 ? before : std::min(filter.diedBefore, before);
    }
    return true;
}

bool takeAge(DeadLetterFilter& filter, const Filter::Term& term, WallMicros now) {
    const auto age = rangeOf(term);
    if (!age) return false;
    Range died;
    if (age->high < now) died.low = now - age->high;
    if (age->low > Range{}.low) died.high = now - std::max<std::int64_t>(age->low, -now);
    return takeDeath(filter, died);
}

/// Whether a field of the filter says the same from now on.
bool take(DeadLetterFilter& filter, const Filter::Term& term, WallMicros now) {
    const bool equal = term.relation == FilterRelation::equal;
    switch (term.field) {
    case FilterField::destination:
        if (!equal || filter.destination || term.low <= 0 ||
            term.low > std::numeric_limits<std::uint32_t>::max())
            return false;
        filter.destination = DestinationId(static_cast<std::uint32_t>(term.low));
        return true;
    case FilterField::user:
        return takeText(filter.user, term);
    case FilterField::type:
        return takeText(filter.type, term);
    case FilterField::event:
        return takeText(filter.eventId, term);
    case FilterField::status:
        return takeStatus(filter, term);
    case FilterField::outcome:
        if (!equal || filter.lastOutcome || term.low < 0 ||
            term.low > static_cast<std::int64_t>(Outcome::unknown))
            return false;
        filter.lastOutcome = static_cast<Outcome>(term.low);
        return true;
    case FilterField::died: {
        const auto range = rangeOf(term);
        return range && takeDeath(filter, *range);
    }
    case FilterField::age:
        return takeAge(filter, term, now);
    case FilterField::sequence:
    case FilterField::state:
    case FilterField::error:
    case FilterField::response:
    case FilterField::note:
    case FilterField::payload:
    case FilterField::attempts:
    case FilterField::life:
    case FilterField::backlog:
    case FilterField::size:
    case FilterField::next:
    case FilterField::left:
    case FilterField::flight:
    case FilterField::held:
    case FilterField::tried:
    case FilterField::accepted:
    case FilterField::started:
    case FilterField::took:
    case FilterField::cause:
    case FilterField::operation:
        break;
    }
    return false;
}

}  // namespace

DeadLetterFilter narrowed(DeadLetterFilter filter, WallMicros now) {
    std::vector<Filter> left;
    for (const auto& condition : filter.rest.conditions()) {
        const bool isTerm = condition.shape() == Filter::Shape::term;
        if (!isTerm || !take(filter, condition.term(), now)) left.push_back(condition);
    }
    // Fewer than before, so within the limits.
    filter.rest = Filter::allOf(left).value_or(filter.rest);
    return filter;
}

std::vector<FilterTerm> termsOf(const DeadLetterFilter& filter, WallMicros now) {
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
    if (!filter.rest.isEverything()) {
        auto rest = sqlOf(filter.rest, FilterList::deadLetters, now);
        terms.push_back({DeadColumn::none, false, std::move(rest.text), std::move(rest.values)});
    }
    return terms;
}

SQLite::Statement deadLettersThat(SQLite::Database& database, const std::string& select,
                                  const DeadLetterFilter& filter, WallMicros now) {
    SqlText sql;
    sql.add(select).add(" FROM dead_letters WHERE rewound_by=0");
    for (auto& term : termsOf(narrowed(filter, now), now))
        sql.add(" AND " + term.sql, std::move(term.values));
    return sql.statement(database);
}

}  // namespace lanes::store
