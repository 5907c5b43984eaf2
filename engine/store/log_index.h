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
#include <vector>

// The indexes that are filled in sorted runs: events by the hash of (source, id) for the duplicate
// check, events by user for the list of a lane, and journal rows by event for histories.
namespace lanes::store {

/// Histories and the events of users are appended run by run, so that a run may be short: the
/// unindexed tail is read in a few milliseconds.
inline constexpr std::size_t kHistoryRunEntries = 32'768;
inline constexpr std::size_t kUserRunEntries = 32'768;

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

/// Places of gathered ids by their hash, which is as good as random already.
class IdPlaces {
public:
    void add(std::span<const EventIdEntry> entries);
    void clear() { *this = {}; }
    /// Calls f(sequence) for each entry with this hash; `entries` as they were added.
    template <typename F>
    void forEach(std::span<const EventIdEntry> entries, std::uint64_t hash, F f) const {
        if (m_places.empty()) return;
        const auto mask = m_places.size() - 1;
        for (auto at = hash & mask; m_places[at] != 0; at = (at + 1) & mask) {
            const auto& entry = entries[m_places[at] - 1];
            if (entry.hash == hash) f(entry.sequence);
        }
    }

private:
    void put(std::uint64_t hash, std::size_t place);

    std::vector<std::uint32_t> m_places;  // a power of two, half full at most; 0: free
    std::size_t m_count = 0;
};

/// The memory part of the indexes: what is not in the file yet.
class LogIndex {
public:
    /// Makes an id known from now on. It counts as committed from `confirm` on; until then
    /// `forgetUnconfirmed` takes it back.
    void know(const EventIdEntry& entry);
    void confirm();
    void forgetUnconfirmed();
    /// Sequences of events with this hash that are not in the file's index yet.
    [[nodiscard]] std::vector<std::uint64_t> recent(std::uint64_t hash) const;

    /// Of committed rows, in order of the log.
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
    /// Entries that wait for their run.
    [[nodiscard]] std::size_t gathered() const {
        return m_events.gathered() + m_users.gathered() + m_history.gathered();
    }
    /// How many ids make a run.
    void setIdRun(std::size_t entries) { m_idRun = entries; }
    /// Starts runs that are long enough; all that have entries if `everything`. Everything must
    /// be confirmed.
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
    SortedRun<EventIdEntry> m_events;
    IdPlaces m_places;            // of the entries that gather
    std::size_t m_confirmed = 0;  // of the entries that gather
    std::uint64_t m_confirmedMark = 0;
    std::size_t m_idRun = 1;
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
    // Marks when the connection was opened.
    std::uint64_t m_userMark = 0;
    std::uint64_t m_historyMark = 0;
    std::int64_t m_userRun = 1;     ///< numbers of the runs being written
    std::int64_t m_historyRun = 1;
};

}  // namespace lanes::store
