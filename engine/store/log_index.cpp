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
    if (due(m_history, kHistoryRunEntries)) m_history.freeze();
}

LogIndexWriter::LogIndexWriter(SQLite::Database& database)
    : m_insertEvent(database, "INSERT OR IGNORE INTO event_ids VALUES(?,?)"),
      m_insertHistory(database, "INSERT OR IGNORE INTO history VALUES(?,?,?,?)"),
      m_insertRun(database, "INSERT INTO history_runs VALUES(?,?,?)"),
      m_mark(database, "UPDATE marks SET value=? WHERE name=?"),
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
