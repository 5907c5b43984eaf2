// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/sorted_run.h"
#include "engine/types.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

// The indexes that are filled in sorted runs: events by the hash of (source, id) for the duplicate
// check, events by user for the list of a lane, and journal rows by event for histories.
namespace lanes::store {

/// Entries that gather before a run is written: about 1.5 MB of memory, and few enough that the
/// unindexed tail is read in a few milliseconds.
inline constexpr std::size_t kRunEntries = 32'768;

struct EventIdEntry {
    std::uint64_t hash = 0;
    std::uint64_t sequence = 0;
    friend auto operator<=>(const EventIdEntry&, const EventIdEntry&) = default;
};

struct UserEntry {
    std::uint64_t user = 0;
    std::uint64_t sequence = 0;
    friend auto operator<=>(const UserEntry&, const UserEntry&) = default;
};

struct HistoryEntry {
    std::uint64_t sequence = 0;
    std::uint32_t destination = 0;
    std::uint64_t id = 0;
    friend auto operator<=>(const HistoryEntry&, const HistoryEntry&) = default;
};

/// The memory part of the indexes: what is not in the file yet.
class LogIndex {
public:
    /// Makes an id known from now on; `forget` takes it back if its group was not committed.
    void know(const EventIdEntry& entry) { m_recent.emplace(entry.hash, entry.sequence); }
    void forget(const EventIdEntry& entry);
    /// Sequences of events with this hash that are not in the file's index yet.
    [[nodiscard]] std::vector<std::uint64_t> recent(std::uint64_t hash) const;

    /// Of committed rows, in order of the log.
    void addEvent(const EventIdEntry& entry) { m_events.add(entry, entry.sequence); }
    void addUser(const UserEntry& entry) { m_users.add(entry, entry.sequence); }
    void addJournal(const HistoryEntry& entry) { m_history.add(entry, entry.id); }

    /// Sequences with journal rows that are not in the file's index yet, rising.
    [[nodiscard]] std::vector<std::uint64_t> freshSequences() const;

    [[nodiscard]] bool empty() const {
        return m_events.empty() && m_users.empty() && m_history.empty();
    }
    [[nodiscard]] bool writing() const {
        return m_events.writing() || m_users.writing() || m_history.writing();
    }
    /// Starts runs that are long enough; all that have entries if `everything`.
    void freeze(bool everything);

    [[nodiscard]] const SortedRun<EventIdEntry>& events() const { return m_events; }
    [[nodiscard]] const SortedRun<HistoryEntry>& history() const { return m_history; }
    [[nodiscard]] const SortedRun<UserEntry>& users() const { return m_users; }

    /// What one transaction wrote of each.
    struct Slices {
        std::size_t events = 0;
        std::size_t users = 0;
        std::size_t history = 0;
    };
    /// After its commit.
    void advance(const Slices& slices);

private:
    std::unordered_multimap<std::uint64_t, std::uint64_t> m_recent;
    SortedRun<EventIdEntry> m_events;
    SortedRun<UserEntry> m_users;
    SortedRun<HistoryEntry> m_history;
};

/// Writes slices of the runs on the writer's connection, inside its transaction.
class LogIndexWriter {
public:
    explicit LogIndexWriter(SQLite::Database& database);

    /// Up to `limit` entries of each run; `LogIndex::advance` confirms them after the commit.
    [[nodiscard]] LogIndex::Slices write(const LogIndex& index, std::size_t limit);

private:
    void writeMark(const char* name, std::uint64_t value);
    void writeEvents(std::span<const EventIdEntry> entries);
    void writeUsers(const SortedRun<UserEntry>& run, std::span<const UserEntry> entries);
    void writeHistory(const SortedRun<HistoryEntry>& run, std::span<const HistoryEntry> entries);

    SQLite::Statement m_insertEvent;
    SQLite::Statement m_insertUser;
    SQLite::Statement m_insertUserRun;
    SQLite::Statement m_insertHistory;
    SQLite::Statement m_insertHistoryRun;
    SQLite::Statement m_mark;
    std::int64_t m_userRun = 1;     ///< numbers of the runs being written
    std::int64_t m_historyRun = 1;
};

}  // namespace lanes::store
