// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_index.h"

#include <algorithm>

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
    if (!m_users.writing() && m_users.gathered() >= enough) m_users.freeze();
    if (!m_history.writing() && m_history.gathered() >= enough) m_history.freeze();
}

void LogIndex::advance(const Slices& slices) {
    // The file's index finds what was written, so memory may forget it.
    for (const auto& entry : m_events.slice(slices.events)) forget(entry);
    m_events.advance(slices.events);
    m_users.advance(slices.users);
    m_history.advance(slices.history);
}

LogIndexWriter::LogIndexWriter(SQLite::Database& database)
    : m_insertEvent(database, "INSERT OR IGNORE INTO event_ids VALUES(?,?)"),
      m_insertUser(database, "INSERT OR IGNORE INTO user_events VALUES(?,?,?)"),
      m_insertUserRun(database, "INSERT INTO user_runs VALUES(?,?,?)"),
      m_insertHistory(database, "INSERT OR IGNORE INTO history VALUES(?,?,?,?)"),
      m_insertHistoryRun(database, "INSERT INTO history_runs VALUES(?,?,?)"),
      m_mark(database, "UPDATE marks SET value=? WHERE name=?"),
      m_userRun(queryNumber(database, "SELECT MAX(run) FROM user_runs") + 1),
      m_historyRun(queryNumber(database, "SELECT MAX(run) FROM history_runs") + 1) {}

void LogIndexWriter::writeMark(const char* name, std::uint64_t value) {
    m_mark.reset();
    m_mark.bind(1, toColumn(value));
    m_mark.bindNoCopy(2, name);
    m_mark.exec();
}

LogIndex::Slices LogIndexWriter::write(const LogIndex& index, std::size_t limit) {
    const auto events = index.events().slice(limit);
    const auto users = index.users().slice(limit);
    const auto history = index.history().slice(limit);
    writeEvents(events);
    if (!events.empty() && index.events().ends(events.size()))
        writeMark("event_ids", index.events().mark());
    writeUsers(index.users(), users);
    writeHistory(index.history(), history);
    return {events.size(), users.size(), history.size()};
}

void LogIndexWriter::writeEvents(std::span<const EventIdEntry> entries) {
    for (const auto& entry : entries) {
        m_insertEvent.reset();
        m_insertEvent.bind(1, toColumn(entry.hash));
        m_insertEvent.bind(2, toColumn(entry.sequence));
        m_insertEvent.exec();
    }
}

void LogIndexWriter::writeUsers(const SortedRun<UserEntry>& run,
                                std::span<const UserEntry> entries) {
    for (const auto& entry : entries) {
        m_insertUser.reset();
        m_insertUser.bind(1, m_userRun);
        m_insertUser.bind(2, toColumn(entry.user));
        m_insertUser.bind(3, toColumn(entry.sequence));
        m_insertUser.exec();
    }
    if (entries.empty() || !run.ends(entries.size())) return;
    writeMark("users", run.mark());
    const auto [first, last] = std::minmax_element(
        run.frozen().begin(), run.frozen().end(),
        [](const UserEntry& a, const UserEntry& b) { return a.sequence < b.sequence; });
    m_insertUserRun.reset();
    m_insertUserRun.bind(1, m_userRun++);
    m_insertUserRun.bind(2, toColumn(first->sequence));
    m_insertUserRun.bind(3, toColumn(last->sequence));
    m_insertUserRun.exec();
}

void LogIndexWriter::writeHistory(const SortedRun<HistoryEntry>& run,
                                  std::span<const HistoryEntry> entries) {
    for (const auto& entry : entries) {
        m_insertHistory.reset();
        m_insertHistory.bind(1, m_historyRun);
        m_insertHistory.bind(2, toColumn(entry.sequence));
        m_insertHistory.bind(3, entry.destination);
        m_insertHistory.bind(4, toColumn(entry.id));
        m_insertHistory.exec();
    }
    if (entries.empty() || !run.ends(entries.size())) return;
    writeMark("history", run.mark());
    m_insertHistoryRun.reset();
    m_insertHistoryRun.bind(1, m_historyRun++);
    m_insertHistoryRun.bind(2, toColumn(run.frozen().front().sequence));
    m_insertHistoryRun.bind(3, toColumn(run.frozen().back().sequence));
    m_insertHistoryRun.exec();
}

}  // namespace lanes::store
