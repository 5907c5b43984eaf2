// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_retention.h"

#include <SQLiteCpp/Column.h>

#include <utility>

namespace lanes::store {

namespace {

/// A run is worth writing anew when so much less of it is left.
constexpr std::size_t kShrunk = 16;
/// Entries up to which neighbours become one: writing them takes a few milliseconds.
constexpr std::size_t kShort = 4'096;
/// Rows and entries after which a step ends.
constexpr std::size_t kWork = 8'192;

}  // namespace

RunRetention::RunRetention(SQLite::Database& database)
    : m_writer(database),
      m_sequencesLeft(database, "SELECT seq FROM pointers WHERE seq BETWEEN ? AND ?"
                                " ORDER BY seq LIMIT ?"),
      m_journalLeft(database, "SELECT id FROM journal WHERE id BETWEEN ? AND ?"
                              " ORDER BY id LIMIT ?") {
    for (const auto kind : kIndexKinds) m_readers.emplace_back(database, kind);
}

void RunRetention::begin() {
    m_due.clear();
    m_before.reset();
    for (const auto kind : kIndexKinds)
        for (const auto& run : reader(kind).runs()) m_due.push_back({kind, run});
    std::reverse(m_due.begin(), m_due.end());
}

RunRetention::Step RunRetention::step() {
    if (!std::exchange(m_running, true)) begin();
    Step step;
    for (std::size_t work = 0; !m_due.empty();) {
        if (work >= kWork) return step;
        const auto place = m_due.back();
        m_due.pop_back();
        if (isDue(place))
            work += look(place, step);
        else
            m_before = place;
    }
    m_sequences = m_journal = {};
    m_running = false;
    step.finished = true;
    return step;
}

/// Whether so many entries of a run may go into the one before it.
bool RunRetention::joins(const Place& place, std::size_t entries) const {
    return m_before && m_before->kind == place.kind && m_before->run.entries + entries <= kShort;
}

bool RunRetention::isDue(const Place& place) const {
    const auto& removed = place.kind == IndexKind::history ? m_journal : m_sequences;
    return (place.run.firstRow <= removed.last && place.run.lastRow >= removed.first) ||
           joins(place, place.run.entries);
}

std::size_t RunRetention::look(const Place& place, Step& step) {
    const auto& run = place.run;
    const bool bothShort = joins(place, run.entries);
    const auto left =
        rowsLeft(place.kind, run.firstRow, run.lastRow, run.entries / kShrunk + 1).size();
    if (left > run.entries / kShrunk && !bothShort) {
        m_before = place;
        return left;
    }
    return left + rewrite(place, bothShort || joins(place, left), step);
}

std::size_t RunRetention::rewrite(const Place& place, bool join, Step& step) {
    std::vector<Place> old{place};
    if (join) old.insert(old.begin(), *std::exchange(m_before, std::nullopt));
    const auto rows = rowsLeft(place.kind, old.front().run.firstRow, place.run.lastRow,
                               IndexReader::kLastRow);
    std::vector<IndexEntry> entries;
    StoredIds::Change change;
    std::size_t work = 0;
    for (const auto& [kind, run] : old) {
        work += run.entries;
        if (!rows.empty()) {
            for (const auto& entry : reader(kind).read(run))
                if (std::binary_search(rows.begin(), rows.end(), entry.row))
                    entries.push_back(entry);
        }
        m_writer.remove(kind, run.number);
        change.gone.push_back(run.number);
    }
    if (!entries.empty()) {
        std::sort(entries.begin(), entries.end());
        m_before = Place{place.kind, runOf(old.front().run.number, entries)};
        (void)m_writer.writeBlocks(place.kind, m_before->run, entries, 0, entries.size());
        m_writer.list(place.kind, m_before->run);
        change.run = m_before->run.number;
        change.entries = std::move(entries);
    }
    if (place.kind == IndexKind::ids) step.ids.push_back(std::move(change));
    return work;
}

std::vector<std::uint64_t> RunRetention::rowsLeft(IndexKind kind, std::uint64_t first,
                                                  std::uint64_t last, std::size_t most) {
    auto& query = kind == IndexKind::history ? m_journalLeft : m_sequencesLeft;
    query.reset();
    const ResetOnExit reset(query);
    query.bind(1, toColumn(first));
    query.bind(2, toColumn(last));
    query.bind(3, toColumn(most));
    std::vector<std::uint64_t> rows;
    while (query.executeStep()) rows.push_back(asUnsigned(query.getColumn(0)));
    return rows;
}

}  // namespace lanes::store
