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

// The two indexes that are filled in sorted runs: events by the hash of (source, id) for the
// duplicate check, and journal rows by event for histories.
namespace lanes::store {

/// Histories are appended run by run, so that a run may be short: the unindexed tail is read in a
/// few milliseconds.
inline constexpr std::size_t kHistoryRunEntries = 32'768;

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

/// The memory part of both indexes: what is not in the file yet.
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
    void addJournal(const HistoryEntry& entry) { m_history.add(entry, entry.id); }

    /// Sequences with journal rows that are not in the file's index yet, rising.
    [[nodiscard]] std::vector<std::uint64_t> freshSequences() const;

    [[nodiscard]] bool empty() const { return m_events.empty() && m_history.empty(); }
    [[nodiscard]] bool writing() const { return m_events.writing() || m_history.writing(); }
    /// Entries that wait for their run.
    [[nodiscard]] std::size_t gathered() const {
        return m_events.gathered() + m_history.gathered();
    }
    /// How many ids make a run.
    void setIdRun(std::size_t entries) { m_idRun = entries; }
    /// Starts runs that are long enough; all that have entries if `everything`. Everything must
    /// be confirmed.
    void freeze(bool everything);

    [[nodiscard]] const SortedRun<EventIdEntry>& events() const { return m_events; }
    [[nodiscard]] const SortedRun<HistoryEntry>& history() const { return m_history; }
    void advanceEvents(std::size_t size) { m_events.advance(size); }
    void advanceHistory(std::size_t size) { m_history.advance(size); }

private:
    SortedRun<EventIdEntry> m_events;
    IdPlaces m_places;            // of the entries that gather
    std::size_t m_confirmed = 0;  // of the entries that gather
    std::uint64_t m_confirmedMark = 0;
    std::size_t m_idRun = 1;
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
    std::int64_t m_run = 1;  ///< number of the run being written
};

}  // namespace lanes::store
