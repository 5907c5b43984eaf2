// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/attempt_pages.h"

#include "engine/store/filter_sql.h"
#include "engine/store/sql_text.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace lanes::store {

namespace {

constexpr const char* kColumns =
    "SELECT j.id, j.destination, j.seq, j.attempt, j.life, j.at, j.duration, j.outcome,"
    " j.status, j.error, j.response, j.cause, j.operation, e.user_kind, e.user, e.id, e.type ";
/// These columns stand in front of the payload: only the beginning of a row is read for them.
constexpr const char* kEvent = " LEFT JOIN events e ON e.seq=j.seq ";

AttemptRow rowOf(const SQLite::Statement& query) {
    AttemptRow row;
    row.position = asUnsigned(query.getColumn(0));
    row.pointer = {DestinationId(query.getColumn(1).getUInt()),
                   Sequence(asUnsigned(query.getColumn(2)))};
    row.number = query.getColumn(3).getUInt();
    row.life = query.getColumn(4).getUInt();
    row.startedAt = query.getColumn(5).getInt64();
    row.duration = query.getColumn(6).getInt64();
    row.outcome = static_cast<Outcome>(query.getColumn(7).getInt());
    row.status = static_cast<std::uint16_t>(query.getColumn(8).getInt());
    row.error = query.getColumn(9).getString();
    row.response = query.getColumn(10).getString();
    row.cause = static_cast<Cause>(query.getColumn(11).getInt());
    row.operation = OperationId(asUnsigned(query.getColumn(12)));
    if (query.isColumnNull(13)) return row;
    row.user = {static_cast<UserKey::Kind>(query.getColumn(13).getInt()),
                query.getColumn(14).getString()};
    row.eventId = query.getColumn(15).getString();
    row.type = query.getColumn(16).getString();
    return row;
}

/// The first position at which the log had come to a time, by halving.
std::int64_t positionAt(SQLite::Database& database, WallMicros time) {
    SQLite::Statement query(database, "SELECT id, at + duration FROM journal WHERE id>=?"
                                      " ORDER BY id LIMIT 1");
    std::int64_t low = 0;
    std::int64_t high = queryNumber(database, "SELECT MAX(id) FROM journal") + 1;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        query.reset();
        query.bind(1, middle);
        if (query.executeStep() && query.getColumn(1).getInt64() < time)
            low = query.getColumn(0).getInt64() + 1;
        else
            high = middle;
    }
    return low;
}

/// What began at a time ended then or later.
void boundTime(AttemptQuery& query, const Filter::Term& term, WallMicros now) {
    const bool age = term.field == FilterField::age;
    const auto relation = term.relation;
    const bool least = age ? relation == FilterRelation::less || relation == FilterRelation::atMost
                           : relation == FilterRelation::more ||
                                 relation == FilterRelation::atLeast;
    const bool within = relation == FilterRelation::within;
    if (!least && !within) return;
    const auto from = age ? now - (within ? term.high : term.low) : term.low;
    if (from > 0) query.endedFrom = std::max(query.endedFrom, from);
}

/// The same question with the conditions that a range of the log serves in its own fields. All
/// stay in the filter: the ranges may be wider.
AttemptQuery narrowed(AttemptQuery query, WallMicros now) {
    for (const auto& condition : query.filter.conditions()) {
        if (condition.shape() != Filter::Shape::term) continue;
        const auto& term = condition.term();
        const bool equal = term.relation == FilterRelation::equal && term.low > 0;
        if (term.field == FilterField::destination && equal && !query.destination)
            query.destination = DestinationId(static_cast<std::uint32_t>(term.low));
        if (term.field == FilterField::sequence && equal && !query.sequence)
            query.sequence = Sequence(static_cast<std::uint64_t>(term.low));
        if (term.field == FilterField::started || term.field == FilterField::age)
            boundTime(query, term, now);
    }
    return query;
}

class Walk {
public:
    Walk(SQLite::Database& database, const AttemptQuery& asked, WallMicros now)
        : m_database(database),
          m_query(narrowed(asked, now)),
          m_filter(sqlOf(asked.filter, FilterList::attempts, now)),
          m_sliceRows(asked.filter.asks(FilterField::payload) ? kPayloadSliceRows : kSliceRows),
          m_down(asked.after == 0 || asked.before != 0) {
        if (m_query.before != 0) m_high = toColumn(m_query.before);
        m_low = toColumn(m_query.after);
        if (m_query.endedBefore != 0)
            m_high = std::min(m_high, positionAt(database, m_query.endedBefore));
        if (m_query.endedFrom != 0)
            m_low = std::max(m_low, positionAt(database, m_query.endedFrom) - 1);
    }

    [[nodiscard]] bool ofOneEvent() const { return static_cast<bool>(m_query.sequence); }

    [[nodiscard]] bool down() const { return m_down; }

    /// Of one event: its history names them.
    void readOfEvent(JournalHistory& history, PageBudget& budget, AttemptPage& page) {
        auto entries = history.of(m_query.sequence);
        if (m_down) std::reverse(entries.begin(), entries.end());
        SqlText sql;
        sql.add(kColumns).add("FROM journal j").add(kEvent).add("WHERE ");
        sql.add(m_filter.text, m_filter.values);
        auto query = sql.add(" AND j.id=?").statement(m_database);
        const int idParameter = static_cast<int>(m_filter.values.size()) + 1;
        for (const auto& entry : entries) {
            const auto id = toColumn(entry.id);
            const bool wanted =
                entry.kind == JournalKind::attempt && id > m_low && id < m_high &&
                (!m_query.destination || entry.destination == m_query.destination);
            if (!wanted) continue;
            if (budget.full() || budget.spent()) return;
            query.reset();
            query.bind(idParameter, id);
            if (query.executeStep()) addRow(query, budget, page);
        }
        page.complete = true;
        page.resume = 0;
    }

    void read(PageBudget& budget, AttemptPage& page) {
        // Rows that are no attempts lie between them, all together where many were rewound.
        while (!budget.full()) {
            const auto end = endOfSlice();
            if (!readRows(end, budget, page)) return;
            if (!end) {
                page.complete = true;
                page.resume = 0;
                return;
            }
            reach(*end, page);
            budget.move();
            if (budget.spent()) return;
        }
    }

private:
    void reach(std::int64_t position, AttemptPage& page) {
        (m_down ? m_high : m_low) = position;
        page.resume = static_cast<std::uint64_t>(position);
    }

    [[nodiscard]] const char* table() const {
        return m_query.destination ? "FROM journal j INDEXED BY journal_by_destination"
                                   : "FROM journal j";
    }

    void addRange(SqlText& sql, const std::optional<std::int64_t>& end) const {
        if (m_query.destination)
            sql.add(" AND j.destination=?", {std::int64_t{m_query.destination.value}});
        const auto low = end && m_down ? *end - 1 : m_low;
        const auto high = end && !m_down ? *end + 1 : m_high;
        sql.add(" AND j.id>? AND j.id<?", {low, high});
    }
    [[nodiscard]] const char* order() const {
        return m_down ? " ORDER BY j.id DESC" : " ORDER BY j.id";
    }

    std::optional<std::int64_t> endOfSlice() {
        SqlText sql;
        sql.add("SELECT j.id ").add(table()).add(" WHERE true");
        addRange(sql, std::nullopt);
        sql.add(order()).add(" LIMIT 1 OFFSET ?", {m_sliceRows - 1});
        auto query = sql.statement(m_database);
        if (!query.executeStep()) return std::nullopt;
        return query.getColumn(0).getInt64();
    }

    /// False if the page ends here. The event of a row may be anywhere on the disk, so that a page
    /// of them can take long.
    bool readRows(const std::optional<std::int64_t>& end, PageBudget& budget, AttemptPage& page) {
        SqlText sql;
        sql.add(kColumns).add(table()).add(kEvent).add("WHERE true");
        addRange(sql, end);
        sql.add(" AND j.kind=0 AND ").add(m_filter.text, m_filter.values);
        sql.add(order()).add(" LIMIT ?", {budget.rowsLeft()});
        auto query = sql.statement(m_database);
        while (query.executeStep()) {
            addRow(query, budget, page);
            if (budget.full() || budget.spent()) return false;
        }
        return true;
    }

    static void addRow(const SQLite::Statement& query, PageBudget& budget, AttemptPage& page) {
        page.rows.push_back(rowOf(query));
        const auto& row = page.rows.back();
        page.resume = row.position;
        budget.addRow(row.error.size() + row.response.size() + row.user.text.size() +
                      row.eventId.size() + row.type.size());
    }

    SQLite::Database& m_database;
    const AttemptQuery m_query;
    const FilterSql m_filter;
    const std::int64_t m_sliceRows;
    const bool m_down;
    std::int64_t m_low = 0;  ///< both exclusive
    std::int64_t m_high = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

void readAttempts(SQLite::Database& database, JournalHistory& history, const AttemptQuery& query,
                  WallMicros now, PageBudget& budget, AttemptPage& page) {
    Walk walk(database, query, now);
    struct InOrder {
        AttemptPage& page;
        bool down;
        ~InOrder() {
            if (!down) std::reverse(page.rows.begin(), page.rows.end());
        }
    };
    const InOrder order{page, walk.down()};
    if (walk.ofOneEvent()) {
        const ReadTransaction moment(database);
        history.refresh();
        walk.readOfEvent(history, budget, page);
    } else {
        walk.read(budget, page);
    }
}

}  // namespace lanes::store
