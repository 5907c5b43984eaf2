// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_index.h"

namespace lanes::store {

void LogIndex::forget(const EventIdEntry& entry) {
    const auto [from, to] = m_recent.equal_range(entry.hash);
    for (auto it = from; it != to; ++it) {
        if (it->second != entry.sequence) continue;
        m_recent.erase(it);
        return;
    }
}

std::vector<std::uint64_t> LogIndex::recent(std::uint64_t hash) const {
    std::vector<std::uint64_t> result;
    const auto [from, to] = m_recent.equal_range(hash);
    for (auto it = from; it != to; ++it) result.push_back(it->second);
    return result;
}

std::vector<std::uint64_t> LogIndex::freshSequences() const {
    std::vector<std::uint64_t> result;
    for (const auto entries : {m_history.frozen(), m_history.gathering()}) {
        for (const auto& entry : entries) result.push_back(entry.sequence);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void LogIndex::freeze(bool everything) {
    const std::size_t enough = everything ? 1 : kRunEntries;
    if (!m_events.writing() && m_events.gathered() >= enough) m_events.freeze();
    if (!m_history.writing() && m_history.gathered() >= enough) m_history.freeze();
}

void LogIndex::advanceEvents(std::size_t size) {
    // The file's index finds what was written, so memory may forget it.
    for (const auto& entry : m_events.slice(size)) forget(entry);
    m_events.advance(size);
}

LogIndexWriter::LogIndexWriter(SQLite::Database& database)
    : m_insertEvent(database, "INSERT OR IGNORE INTO event_ids VALUES(?,?)"),
      m_insertHistory(database, "INSERT OR IGNORE INTO history VALUES(?,?,?,?)"),
      m_insertRun(database, "INSERT INTO history_runs VALUES(?,?,?)"),
      m_mark(database, "UPDATE marks SET value=? WHERE name=?"),
      m_historyMark(static_cast<std::uint64_t>(
          queryNumber(database, "SELECT value FROM marks WHERE name='history'"))),
      m_run(queryNumber(database, "SELECT MAX(run) FROM history_runs") + 1) {}

void LogIndexWriter::writeMark(const char* name, std::uint64_t value) {
    m_mark.reset();
    m_mark.bind(1, toColumn(value));
    m_mark.bindNoCopy(2, name);
    m_mark.exec();
}

void LogIndexWriter::registerRun(std::span<const HistoryEntry> run) {
    m_insertRun.reset();
    m_insertRun.bind(1, m_run);
    m_insertRun.bind(2, toColumn(run.front().sequence));
    m_insertRun.bind(3, toColumn(run.back().sequence));
    m_insertRun.exec();
    ++m_run;
}

LogIndexWriter::Slices LogIndexWriter::write(const LogIndex& index, std::size_t limit) {
    Slices done;
    const auto events = index.events().slice(limit);
    for (const auto& entry : events) {
        m_insertEvent.reset();
        m_insertEvent.bind(1, toColumn(entry.hash));
        m_insertEvent.bind(2, toColumn(entry.sequence));
        m_insertEvent.exec();
    }
    done.events = events.size();
    if (!events.empty() && index.events().ends(events.size()))
        writeMark("event_ids", index.events().mark());

    // A run whose commit failed may be on the disk all the same: twice it would count twice.
    if (index.history().writing() && index.history().mark() <= m_historyMark) {
        done.history = index.history().slice(index.history().frozen().size()).size();
        return done;
    }
    const auto history = index.history().slice(limit);
    for (const auto& entry : history) {
        m_insertHistory.reset();
        m_insertHistory.bind(1, m_run);
        m_insertHistory.bind(2, toColumn(entry.sequence));
        m_insertHistory.bind(3, entry.destination);
        m_insertHistory.bind(4, toColumn(entry.id));
        m_insertHistory.exec();
    }
    done.history = history.size();
    if (!history.empty() && index.history().ends(history.size())) {
        writeMark("history", index.history().mark());
        registerRun(index.history().frozen());
    }
    return done;
}

}  // namespace lanes::store
