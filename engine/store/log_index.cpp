// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_index.h"

#include <algorithm>
#include <bit>

namespace lanes::store {

void IdPlaces::put(std::uint64_t hash, std::size_t place) {
    const auto mask = m_places.size() - 1;
    auto at = hash & mask;
    while (m_places[at] != 0) at = (at + 1) & mask;
    m_places[at] = static_cast<std::uint32_t>(place + 1);
}

/// Adds the last one of them; those before it are there already, unless the table is made anew.
void IdPlaces::add(std::span<const EventIdEntry> entries) {
    constexpr std::size_t kSmallest = 1024;
    if (entries.size() * 2 > m_places.size()) {
        const auto size = std::max(kSmallest, m_places.size() * 2);
        m_places.assign(std::max(size, std::bit_ceil(entries.size() * 2)), 0);
        m_count = 0;
    }
    for (; m_count < entries.size(); ++m_count) put(entries[m_count].hash, m_count);
}

void LogIndex::know(const EventIdEntry& entry) {
    m_events.add(entry, entry.sequence);
    m_places.add(m_events.gathering());
}

void LogIndex::confirm() {
    m_confirmed = m_events.gathered();
    m_confirmedMark = m_events.gatheringMark();
}

void LogIndex::forgetUnconfirmed() {
    if (m_confirmed == m_events.gathered()) return;
    m_events.shrink(m_confirmed, m_confirmedMark);
    m_places.clear();
    m_places.add(m_events.gathering());
}

std::vector<std::uint64_t> LogIndex::recent(std::uint64_t hash) const {
    std::vector<std::uint64_t> result;
    m_places.forEach(m_events.gathering(), hash,
                     [&](std::uint64_t sequence) { result.push_back(sequence); });
    const auto rest = m_events.rest();
    auto found = std::lower_bound(rest.begin(), rest.end(), EventIdEntry{hash, 0});
    for (; found != rest.end() && found->hash == hash; ++found) result.push_back(found->sequence);
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
    const auto due = [&](const auto& run, std::size_t enough) {
        return !run.writing() && run.gathered() >= (everything ? 1 : enough);
    };
    if (due(m_events, m_idRun)) {
        m_events.freeze();
        m_places.clear();
        m_confirmed = 0;
    }
    if (due(m_users, kUserRunEntries)) m_users.freeze();
    if (due(m_history, kHistoryRunEntries)) m_history.freeze();
}

void LogIndex::advance(const Slices& slices) {
    // The file's index finds what was written, so memory may forget it.
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
      m_userMark(static_cast<std::uint64_t>(
          queryNumber(database, "SELECT value FROM marks WHERE name='users'"))),
      m_historyMark(static_cast<std::uint64_t>(
          queryNumber(database, "SELECT value FROM marks WHERE name='history'"))),
      m_userRun(queryNumber(database, "SELECT MAX(run) FROM user_runs") + 1),
      m_historyRun(queryNumber(database, "SELECT MAX(run) FROM history_runs") + 1) {}

void LogIndexWriter::writeMark(const char* name, std::uint64_t value) {
    m_mark.reset();
    m_mark.bind(1, toColumn(value));
    m_mark.bindNoCopy(2, name);
    m_mark.exec();
}

LogIndex::Slices LogIndexWriter::write(const LogIndex& index, std::size_t limit) {
    LogIndex::Slices done;
    const auto events = index.events().slice(limit);
    writeEvents(events);
    if (!events.empty() && index.events().ends(events.size()))
        writeMark("event_ids", index.events().mark());
    done.events = events.size();
    // A run whose commit failed may be on the disk all the same: twice it would count twice.
    const auto writeOnce = [limit](const auto& run, std::uint64_t markOnDisk, auto&& writeRun) {
        const bool there = run.writing() && run.mark() <= markOnDisk;
        const auto entries = run.slice(there ? run.frozen().size() : limit);
        if (!there) writeRun(entries);
        return entries.size();
    };
    done.users = writeOnce(index.users(), m_userMark,
                           [&](auto entries) { writeUsers(index.users(), entries); });
    done.history = writeOnce(index.history(), m_historyMark,
                             [&](auto entries) { writeHistory(index.history(), entries); });
    return done;
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
