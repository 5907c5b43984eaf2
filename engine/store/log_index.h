// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/sorted_run.h"
#include "engine/types.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

// The two indexes that are filled in sorted runs: events by the hash of (source, id) for the
// duplicate check, and journal rows by event for histories.
namespace lanes::store {

/// Entries that gather before a run is written: about 1.5 MB of memory, and few enough that the
/// unindexed tail is read in a few milliseconds.
inline constexpr std::size_t kRunEntries = 32'768;

struct EventIdEntry {
    std::uint64_t hash = 0;
    std::uint64_t sequence = 0;
    friend auto operator<=>(const EventIdEntry&, const EventIdEntry&) = default;
};

struct HistoryEntry {
    std::uint64_t sequence = 0;
    std::uint32_t destination = 0;
    std::uint64_t id = 0;
    friend auto operator<=>(const HistoryEntry&, const HistoryEntry&) = default;
};

/// The memory part of both indexes: what is not in the file yet.
class LogIndex {
public:
    /// Makes an id known from now on; `forget` takes it back if its group was not committed.
    void know(const EventIdEntry& entry) { m_recent.emplace(entry.hash, entry.sequence); }
    void forget(const EventIdEntry& entry);
    /// Sequences of events with this hash that are not in the file's index yet.
    [[nodiscard]] std::vector<std::uint64_t> recent(std::uint64_t hash) const;

    /// Of committed rows, in order of the log.
    void addEvent(const EventIdEntry& entry) { m_events.add(entry, entry.sequence); }
    void addJournal(const HistoryEntry& entry) { m_history.add(entry, entry.id); }

    /// Sequences with journal rows that are not in the file's index yet, rising.
    [[nodiscard]] std::vector<std::uint64_t> freshSequences() const;

    [[nodiscard]] bool empty() const { return m_events.empty() && m_history.empty(); }
    [[nodiscard]] bool writing() const { return m_events.writing() || m_history.writing(); }
    /// Starts runs that are long enough; all that have entries if `everything`.
    void freeze(bool everything);

    [[nodiscard]] const SortedRun<EventIdEntry>& events() const { return m_events; }
    [[nodiscard]] const SortedRun<HistoryEntry>& history() const { return m_history; }
    void advanceEvents(std::size_t size);
    void advanceHistory(std::size_t size) { m_history.advance(size); }

private:
    std::unordered_multimap<std::uint64_t, std::uint64_t> m_recent;
    SortedRun<EventIdEntry> m_events;
    SortedRun<HistoryEntry> m_history;
};

/// Writes slices of the runs on the writer's connection, inside its transaction.
class LogIndexWriter {
public:
    explicit LogIndexWriter(SQLite::Database& database);

    /// What one transaction wrote, to be confirmed after its commit.
    struct Slices {
        std::size_t events = 0;
        std::size_t history = 0;
    };
    [[nodiscard]] Slices write(const LogIndex& index, std::size_t limit);

private:
    void writeMark(const char* name, std::uint64_t value);
    void registerRun(std::span<const HistoryEntry> run);

    SQLite::Statement m_insertEvent;
    SQLite::Statement m_insertHistory;
    SQLite::Statement m_insertRun;
    SQLite::Statement m_mark;
    std::uint64_t m_historyMark = 0;  ///< when the connection was opened
    std::int64_t m_run = 1;  ///< number of the run being written
};

}  // namespace lanes::store
