// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/dead_letter_pages.h"

#include "engine/store/dead_letter_filter.h"
#include "engine/store/sql_text.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::store {

namespace {

using Key = DeadLetterQuery::Key;

/// After the columns that lead it, each goes on with the time of the death and the pointer, so it
/// gives the list of one value of those in the order of time, and all values in their own.
struct DeadIndex {
    const char* name;
    std::vector<DeadColumn> leads;
};

/// Those that fit fewer rows as a rule come first.
const std::vector<DeadIndex>& narrowIndexes() {
    static const std::vector<DeadIndex> all{
        {"dead_by_event", {DeadColumn::eventId}},
        {"dead_by_lane", {DeadColumn::destination, DeadColumn::user}},
        {"dead_by_user", {DeadColumn::user}},
        {"dead_by_first_try", {DeadColumn::firstTried}},
        {"dead_by_status", {DeadColumn::status}},
        {"dead_by_type", {DeadColumn::type}},
        {"dead_by_outcome", {DeadColumn::outcome}},
        {"dead_by_destination", {DeadColumn::destination}},
    };
    return all;
}

struct OrderColumn {
    DeadColumn column;
    const char* name;
};

struct Order {
    const char* index;
    std::vector<OrderColumn> columns;
};

Order orderOf(DeadLetterOrder order) {
    const OrderColumn diedAt{DeadColumn::diedAt, "died_at"};
    const OrderColumn destination{DeadColumn::destination, "destination"};
    const OrderColumn sequence{DeadColumn::none, "seq"};
    const auto led = [&](const char* index, OrderColumn first) {
        return Order{index, {first, diedAt, destination, sequence}};
    };
    switch (order) {
    case DeadLetterOrder::diedAt:
        break;
    case DeadLetterOrder::firstTried:
        return led("dead_by_first_try", {DeadColumn::firstTried, "first_tried_at"});
    case DeadLetterOrder::attempts:
        return led("dead_by_attempts", {DeadColumn::attempts, "attempts"});
    case DeadLetterOrder::lane:
        return {"dead_by_lane", {destination, {DeadColumn::user, "user"}, diedAt, sequence}};
    case DeadLetterOrder::type:
        return led("dead_by_type", {DeadColumn::type, "type"});
    case DeadLetterOrder::status:
        return led("dead_by_status", {DeadColumn::status, "last_status"});
    case DeadLetterOrder::outcome:
        return led("dead_by_outcome", {DeadColumn::outcome, "last_outcome"});
    }
    return {"dead_by_time", {diedAt, destination, sequence}};
}

SqlValue valueOf(const OrderColumn& column, const Key& key) {
    switch (column.column) {
    case DeadColumn::diedAt:
        return key.diedAt;
    case DeadColumn::destination:
        return std::int64_t{key.pointer.destination.value};
    case DeadColumn::none:
        return toColumn(key.pointer.sequence.value);
    case DeadColumn::user:
    case DeadColumn::type:
    case DeadColumn::eventId:
        return key.text;
    case DeadColumn::outcome:
    case DeadColumn::status:
    case DeadColumn::firstTried:
    case DeadColumn::attempts:
        break;
    }
    return key.number;
}

void setValue(const OrderColumn& column, const SQLite::Column& value, Key& key) {
    switch (column.column) {
    case DeadColumn::diedAt:
        key.diedAt = value.getInt64();
        return;
    case DeadColumn::destination:
        key.pointer.destination = DestinationId(value.getUInt());
        return;
    case DeadColumn::none:
        key.pointer.sequence = Sequence(asUnsigned(value));
        return;
    case DeadColumn::user:
    case DeadColumn::type:
    case DeadColumn::eventId:
        key.text = value.getString();
        return;
    case DeadColumn::outcome:
    case DeadColumn::status:
    case DeadColumn::firstTried:
    case DeadColumn::attempts:
        break;
    }
    key.number = value.getInt64();
}

DeadLetterRow rowOf(const SQLite::Statement& query) {
    DeadLetterRow row;
    row.pointer = {DestinationId(query.getColumn(0).getUInt()),
                   Sequence(asUnsigned(query.getColumn(1)))};
    row.userId = UserId(asUnsigned(query.getColumn(2)));
    row.user.kind = static_cast<UserKey::Kind>(query.getColumn(3).getInt());
    row.user.text = query.getColumn(4).getString();
    row.eventId = query.getColumn(5).getString();
    row.type = query.getColumn(6).getString();
    row.acceptedAt = query.getColumn(7).getInt64();
    row.diedAt = query.getColumn(8).getInt64();
    row.firstTriedAt = query.getColumn(9).getInt64();
    row.attempts = query.getColumn(10).getUInt();
    row.life = query.getColumn(11).getUInt();
    row.lastOutcome = static_cast<Outcome>(query.getColumn(12).getInt());
    row.lastStatus = static_cast<std::uint16_t>(query.getColumn(13).getInt());
    row.lastError = query.getColumn(14).getString();
    row.reason = query.getColumn(15).getString();
    row.bytes = asUnsigned(query.getColumn(16));
    row.rewoundAt = query.getColumn(17).getInt64();
    row.note.text = query.getColumn(18).getString();
    row.note.by = query.getColumn(19).getString();
    row.note.at = query.getColumn(20).getInt64();
    return row;
}

std::size_t bytesOf(const DeadLetterRow& row) {
    return row.user.text.size() + row.eventId.size() + row.type.size() + row.lastError.size() +
           row.reason.size() + row.note.text.size();
}

/// One page: which index it goes along, and how.
class Walk {
public:
    Walk(SQLite::Database& database, const DeadLetterQuery& query, WallMicros now)
        : m_database(database),
          m_query(query),
          m_filter(narrowed(query.filter, now)),
          m_order(orderOf(query.order)),
          m_terms(termsOf(m_filter, now)),
          m_sliceRows(m_filter.rest.asks(FilterField::payload) ? kPayloadSliceRows : kSliceRows),
          m_backwards(query.before.has_value()),
          m_down(query.descending != m_backwards) {
        m_place = m_backwards ? query.before : query.after;
        chooseIndex();
    }

    void read(PageBudget& budget, DeadLetterPage& page) {
        page.resume = m_place;
        while (!budget.full()) {
            const auto end = m_slices ? endOfSlice() : std::nullopt;
            readRows(end, budget, page);
            if (budget.full()) break;
            if (!end) {
                page.complete = true;
                page.resume.reset();
                break;
            }
            m_place = page.resume = end;
            budget.move();
            if (budget.spent()) break;
        }
    }

    [[nodiscard]] bool backwards() const { return m_backwards; }

private:
    [[nodiscard]] bool fixes(DeadColumn column) const {
        return std::any_of(m_terms.begin(), m_terms.end(), [&](const FilterTerm& term) {
            return term.equal && term.column == column;
        });
    }

    [[nodiscard]] bool leads(const FilterTerm& term) const {
        return term.equal &&
               std::find(m_leads.begin(), m_leads.end(), term.column) != m_leads.end();
    }

    /// Few rows are read at once and sorted if need be; otherwise it has to be an index that
    /// stands in the order of the list.
    void chooseIndex() {
        std::erase_if(m_order.columns,
                      [&](const OrderColumn& column) { return fixes(column.column); });
        const bool byTime = m_order.columns.front().column == DeadColumn::diedAt;
        const DeadIndex* first = nullptr;
        for (const auto& index : narrowIndexes()) {
            const bool serves = std::all_of(index.leads.begin(), index.leads.end(),
                                            [&](DeadColumn lead) { return fixes(lead); });
            if (!serves) continue;
            if (first == nullptr) first = &index;
            m_index = index.name;
            m_leads = index.leads;
            if (hasFew()) return;
        }
        if (byTime && first != nullptr) {
            m_index = first->name;
            m_leads = first->leads;
        } else {
            m_index = byTime ? "dead_by_time" : m_order.index;
            m_leads.clear();
            // The list of lanes is the only order that two columns lead.
            if (m_query.order == DeadLetterOrder::lane && !byTime)
                m_leads = {DeadColumn::destination};
        }
        m_slices = std::any_of(m_terms.begin(), m_terms.end(), [&](const FilterTerm& term) {
            return !leads(term) && !(byTime && term.column == DeadColumn::diedAt);
        });
    }

    [[nodiscard]] bool hasFew() {
        SqlText sql;
        sql.add("SELECT 1 FROM dead_letters INDEXED BY ").add(m_index);
        sql.add(" WHERE rewound_by=0");
        for (const auto& term : m_terms)
            if (leads(term)) sql.add(" AND " + term.sql, term.values);
        sql.add(" LIMIT 1 OFFSET ?", {kSliceRows});
        return !sql.statement(m_database).executeStep();
    }

    [[nodiscard]] std::string columnNames(std::string_view behindEach = {}) const {
        std::string names;
        for (const auto& column : m_order.columns) {
            if (!names.empty()) names += ", ";
            names.append(column.name).append(behindEach);
        }
        return names;
    }

    /// (columns) <compare> (the key)
    void compare(SqlText& sql, const char* with, const Key& key) const {
        std::vector<SqlValue> values;
        std::string marks;
        for (const auto& column : m_order.columns) {
            values.push_back(valueOf(column, key));
            marks += marks.empty() ? "?" : ", ?";
        }
        sql.add(" AND (" + columnNames() + ") " + with + " (" + marks + ")", std::move(values));
    }

    /// From the place that was reached in the direction of the walk, up to and with `end`. A bound
    /// of time that a key makes superfluous is kept from the index, which takes only one.
    void restrict(SqlText& sql, const FilterTerm& term, bool toEnd) const {
        const bool ofTime = term.column == DeadColumn::diedAt;
        const bool atStart = ofTime && (term.sql == "died_at<?") == m_down;
        const bool superfluous = ofTime && (atStart ? m_place.has_value() : toEnd);
        sql.add(superfluous ? " AND +" : " AND ").add(term.sql, term.values);
    }

    void addRange(SqlText& sql, const std::optional<Key>& end) const {
        if (m_place) compare(sql, m_down ? "<" : ">", *m_place);
        if (end) compare(sql, m_down ? ">=" : "<=", *end);
        sql.add(" ORDER BY " + columnNames(m_down ? " DESC" : " ASC"));
    }

    /// The last of the next rows of the index; nothing if fewer are left.
    std::optional<Key> endOfSlice() {
        SqlText sql;
        sql.add("SELECT " + columnNames() + " FROM dead_letters INDEXED BY ").add(m_index);
        sql.add(" WHERE rewound_by=0");
        const bool byTime = m_order.columns.front().column == DeadColumn::diedAt;
        for (const auto& term : m_terms)
            if (leads(term) || (byTime && term.column == DeadColumn::diedAt))
                restrict(sql, term, false);
        addRange(sql, std::nullopt);
        sql.add(" LIMIT 1 OFFSET ?", {m_sliceRows - 1});
        auto query = sql.statement(m_database);
        if (!query.executeStep()) return std::nullopt;
        Key key;
        key.pointer.destination = m_filter.destination;
        for (int n = 0; const auto& column : m_order.columns)
            setValue(column, query.getColumn(n++), key);
        return key;
    }

    void readRows(const std::optional<Key>& end, PageBudget& budget, DeadLetterPage& page) {
        SqlText sql;
        // In its first life nothing was rewound, or that was undone.
        sql.add("SELECT destination, seq, user_id, user_kind, user, event_id, type, accepted_at,"
                " died_at, first_tried_at, attempts, life, last_outcome, last_status, last_error,"
                " reason, bytes, CASE WHEN life=1 THEN 0 ELSE"
                " (SELECT MAX(at) FROM journal j INDEXED BY journal_acts"
                " WHERE j.destination=dead_letters.destination AND j.seq=dead_letters.seq"
                " AND j.kind>=2 AND j.kind=2 AND j.life=dead_letters.life) END,"
                " note, noted_by, noted_at FROM dead_letters INDEXED BY ");
        sql.add(m_index).add(" LEFT JOIN dead_letter_notes ON note_seq=seq"
                             " AND note_destination=destination WHERE rewound_by=0");
        for (const auto& term : m_terms) restrict(sql, term, end.has_value());
        addRange(sql, end);
        sql.add(" LIMIT ?", {budget.rowsLeft()});
        auto query = sql.statement(m_database);
        while (!budget.full() && query.executeStep()) {
            page.rows.push_back(rowOf(query));
            page.resume = page.rows.back().key(m_query.order);
            budget.addRow(bytesOf(page.rows.back()));
        }
    }

    SQLite::Database& m_database;
    const DeadLetterQuery& m_query;
    const DeadLetterFilter m_filter;
    Order m_order;  ///< without what the filter fixes
    const std::vector<FilterTerm> m_terms;
    const std::int64_t m_sliceRows;
    const bool m_backwards;
    const bool m_down;  ///< from large to small
    std::optional<Key> m_place;
    const char* m_index = nullptr;
    std::vector<DeadColumn> m_leads;
    bool m_slices = false;  ///< rows have to be looked at that may not belong to the page
};

}  // namespace

void readDeadLetters(SQLite::Database& database, const DeadLetterQuery& query, WallMicros now,
                     PageBudget& budget, DeadLetterPage& page) {
    struct InOrder {
        DeadLetterPage& page;
        bool backwards;
        ~InOrder() {
            if (backwards) std::reverse(page.rows.begin(), page.rows.end());
        }
    };
    const InOrder order{page, query.before.has_value()};
    Walk(database, query, now).read(budget, page);
}

}  // namespace lanes::store
