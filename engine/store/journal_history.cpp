// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/journal_history.h"

#include "engine/store/row_scan.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <tuple>

namespace lanes::store {

namespace {

#define HISTORY_COLUMNS \
    "SELECT j.seq, j.id, j.kind, j.destination, j.operation, j.outcome, j.status, j.at "
constexpr const char* kRow = HISTORY_COLUMNS "FROM journal j WHERE j.id=?";
constexpr const char* kTail = HISTORY_COLUMNS "FROM journal j WHERE j.id>? ORDER BY j.id";
#undef HISTORY_COLUMNS

JournalHistory::Row historyRow(const SQLite::Statement& query) {
    JournalHistory::Row row;
    row.sequence = asUnsigned(query.getColumn(0));
    row.id = asUnsigned(query.getColumn(1));
    row.kind = static_cast<JournalKind>(query.getColumn(2).getInt());
    row.destination = DestinationId(query.getColumn(3).getUInt());
    row.operation = OperationId(asUnsigned(query.getColumn(4)));
    row.outcome = static_cast<Outcome>(query.getColumn(5).getInt());
    row.status = static_cast<std::uint16_t>(query.getColumn(6).getInt());
    row.at = query.getColumn(7).getInt64();
    return row;
}

}  // namespace

JournalHistory::JournalHistory(SQLite::Database& database)
    : m_database(database), m_index(database, IndexKind::history), m_row(database, kRow) {}

void JournalHistory::refresh() {
    const auto mark = indexedUpTo(m_database, IndexKind::history);
    if (mark != m_mark) {
        std::erase_if(m_tail, [mark](const Row& row) { return row.id <= mark; });
        m_mark = mark;
        m_last = std::max(m_last, mark);
    }
    std::vector<Row> fresh;
    RowScan rows(m_database, kTail, m_last);
    while (rows.next()) {
        Row row;
        row.sequence = rows.number<std::uint64_t>(0);
        row.id = rows.number<std::uint64_t>(1);
        row.kind = rows.number<JournalKind>(2);
        row.destination = DestinationId(rows.number<std::uint32_t>(3));
        row.operation = OperationId(rows.number<std::uint64_t>(4));
        row.outcome = rows.number<Outcome>(5);
        row.status = rows.number<std::uint16_t>(6);
        row.at = rows.number<WallMicros>(7);
        fresh.push_back(row);
    }
    if (fresh.empty()) return;
    m_last = fresh.back().id;
    const auto before = [](const Row& a, const Row& b) {
        return std::tie(a.sequence, a.id) < std::tie(b.sequence, b.id);
    };
    std::sort(fresh.begin(), fresh.end(), before);
    const auto known = static_cast<std::ptrdiff_t>(m_tail.size());
    m_tail.insert(m_tail.end(), fresh.begin(), fresh.end());
    std::inplace_merge(m_tail.begin(), m_tail.begin() + known, m_tail.end(), before);
}

std::vector<JournalHistory::Row> JournalHistory::of(Sequence sequence) {
    std::vector<Row> rows;
    const ResetOnExit reset(m_row);
    for (const auto id : m_index.find(sequence.value)) {
        if (id > m_mark) break;  // it is in the tail as well
        m_row.reset();
        m_row.bind(1, toColumn(id));
        // Retention removes rows before it removes the run that names them.
        if (m_row.executeStep()) rows.push_back(historyRow(m_row));
    }
    const auto first = std::lower_bound(
        m_tail.begin(), m_tail.end(), sequence.value,
        [](const Row& row, std::uint64_t value) { return row.sequence < value; });
    for (auto row = first; row != m_tail.end() && row->sequence == sequence.value; ++row)
        rows.push_back(*row);
    return rows;
}

OperatorActs::OperatorActs(SQLite::Database& database)
    : m_acts(database, "SELECT kind, life FROM journal INDEXED BY journal_acts"
                       " WHERE destination=? AND seq=? AND kind>=2 ORDER BY id DESC") {}

bool OperatorActs::discarded(Pointer pointer) {
    return !life(pointer).has_value();
}

std::optional<std::uint32_t> OperatorActs::life(Pointer pointer) {
    m_acts.reset();
    const ResetOnExit reset(m_acts);
    m_acts.bind(1, pointer.destination.value);
    m_acts.bind(2, toColumn(pointer.sequence.value));
    bool undone = false;
    while (m_acts.executeStep()) {
        const auto kind = static_cast<JournalKind>(m_acts.getColumn(0).getInt());
        if (kind == JournalKind::discarded) return std::nullopt;
        if (kind == JournalKind::returned) {
            undone = true;
            continue;
        }
        // An undo ends the life that the rewind before it began.
        const auto life = m_acts.getColumn(1).getUInt();
        return undone && life > 1 ? life - 1 : life;
    }
    return 1;
}

}  // namespace lanes::store
