// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/index_runs.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>
#include <string>

namespace lanes::store {

namespace {

[[noreturn]] void giveUp() {
    throw SQLite::Exception("a block of an index is not as it was written", SQLITE_CORRUPT);
}

/// A row of `SELECT key, row, data, sum FROM index_blocks`.
void readBlock(const SQLite::Statement& row, IndexKind kind, std::int64_t run, IndexBlock& block) {
    const IndexEntry from{fromOrdered(row.getColumn(0).getInt64()), asUnsigned(row.getColumn(1))};
    const BlockPlace place{static_cast<int>(kind), run, from};
    if (!decodeBlock(asView(row.getColumn(2)), asUnsigned(row.getColumn(3)), place, block))
        giveUp();
}

}  // namespace

const char* markOf(IndexKind kind) {
    switch (kind) {
    case IndexKind::ids:
        return "event_ids";
    case IndexKind::users:
        return "users";
    case IndexKind::history:
        return "history";
    }
    return "";
}

std::uint64_t indexedUpTo(SQLite::Database& database, IndexKind kind) {
    const auto sql = std::string("SELECT value FROM marks WHERE name='") + markOf(kind) + "'";
    return static_cast<std::uint64_t>(queryNumber(database, sql.c_str()));
}

IndexReader::IndexReader(SQLite::Database& database, IndexKind kind)
    : m_kind(kind),
      m_runs(database, "SELECT run, low, high, first, last, entries FROM index_runs"
                       " WHERE kind=? ORDER BY run"),
      m_runsOfKey(database, "SELECT run FROM index_runs WHERE kind=? AND low<=?2 AND high>=?2"
                            " ORDER BY run"),
      m_block(database, "SELECT key, row, data, sum FROM index_blocks WHERE kind=? AND run=?"
                        " AND (key, row)<=(?, ?) ORDER BY key DESC, row DESC LIMIT 1"),
      m_blocks(database, "SELECT key, row, data, sum FROM index_blocks WHERE kind=? AND run=?"
                         " ORDER BY key, row") {}

std::vector<IndexRun> IndexReader::runs() {
    std::vector<IndexRun> all;
    m_runs.reset();
    const ResetOnExit reset(m_runs);
    m_runs.bind(1, static_cast<int>(m_kind));
    while (m_runs.executeStep()) {
        all.push_back({m_runs.getColumn(0).getInt64(), fromOrdered(m_runs.getColumn(1).getInt64()),
                       fromOrdered(m_runs.getColumn(2).getInt64()),
                       asUnsigned(m_runs.getColumn(3)), asUnsigned(m_runs.getColumn(4)),
                       asUnsigned(m_runs.getColumn(5))});
    }
    return all;
}

std::vector<std::uint64_t> IndexReader::find(std::uint64_t key) {
    std::vector<std::uint64_t> all;
    // The list stays open, so that a run that it names is not removed before it is read.
    m_runsOfKey.reset();
    const ResetOnExit reset(m_runsOfKey);
    m_runsOfKey.bind(1, static_cast<int>(m_kind));
    m_runsOfKey.bind(2, toOrdered(key));
    while (m_runsOfKey.executeStep()) {
        const auto rows = upFrom(m_runsOfKey.getColumn(0).getInt64(), key, 0, kLastRow);
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

void IndexReader::seek(std::int64_t run, const IndexEntry& entry) {
    m_block.reset();
    const ResetOnExit reset(m_block);
    m_block.bind(1, static_cast<int>(m_kind));
    m_block.bind(2, run);
    m_block.bind(3, toOrdered(entry.key));
    m_block.bind(4, toColumn(entry.row));
    if (!m_block.executeStep()) giveUp();
    readBlock(m_block, m_kind, run, m_here);
    if (!m_here.covers(entry)) giveUp();
}

std::vector<std::uint64_t> IndexReader::upFrom(std::int64_t run, std::uint64_t key,
                                               std::uint64_t first, std::size_t limit) {
    std::vector<std::uint64_t> rows;
    IndexEntry from{key, first};
    for (;;) {
        seek(run, from);
        auto entry = std::lower_bound(m_here.entries.begin(), m_here.entries.end(), from);
        for (; entry != m_here.entries.end() && entry->key == key; ++entry) {
            if (rows.size() == limit) return rows;
            rows.push_back(entry->row);
        }
        if (!m_here.until || m_here.until->key != key || rows.size() == limit) return rows;
        from = *m_here.until;
    }
}

std::vector<std::uint64_t> IndexReader::downFrom(std::int64_t run, std::uint64_t key,
                                                 std::uint64_t last, std::size_t limit) {
    std::vector<std::uint64_t> rows;
    IndexEntry from{key, last};
    for (;;) {
        seek(run, from);
        auto entry = std::upper_bound(m_here.entries.begin(), m_here.entries.end(), from);
        while (entry != m_here.entries.begin() && (--entry)->key == key) {
            if (rows.size() == limit) return rows;
            rows.push_back(entry->row);
        }
        const bool more = m_here.from.key == key && m_here.from.row > 0;
        if (!more || rows.size() == limit) return rows;
        from.row = m_here.from.row - 1;
    }
}

std::vector<IndexEntry> IndexReader::read(const IndexRun& run) {
    std::vector<IndexEntry> all;
    all.reserve(run.entries);
    m_blocks.reset();
    const ResetOnExit reset(m_blocks);
    m_blocks.bind(1, static_cast<int>(m_kind));
    m_blocks.bind(2, run.number);
    std::optional<IndexEntry> next = IndexEntry{};
    while (m_blocks.executeStep()) {
        readBlock(m_blocks, m_kind, run.number, m_here);
        if (next != m_here.from) giveUp();
        next = m_here.until;
        all.insert(all.end(), m_here.entries.begin(), m_here.entries.end());
    }
    if (next || all.size() != run.entries) giveUp();
    return all;
}

}  // namespace lanes::store
