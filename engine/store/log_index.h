// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/index_runs.h"
#include "engine/store/sorted_run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The indexes that are filled in sorted runs: events by the hash of (source, id) for the duplicate
// check, events by user for the list of a lane, and journal rows by event for histories. A run is
// written once and never changed, so each entry is written once, however long the log is.
namespace lanes::store {

/// Entries that make a run. What is not in a run is read from the log itself: this many rows of the
/// small tables take a few milliseconds.
inline constexpr std::size_t kRunEntries = 32'768;

/// Places of gathered ids by their hash, which is as good as random already.
class IdPlaces {
public:
    void add(std::span<const IndexEntry> entries);
    void clear() { *this = {}; }
    /// Calls f(row) for each entry with this hash; `entries` as they were added.
    template <typename F>
    void forEach(std::span<const IndexEntry> entries, std::uint64_t hash, F f) const {
        if (m_places.empty()) return;
        const auto mask = m_places.size() - 1;
        for (auto at = hash & mask; m_places[at] != 0; at = (at + 1) & mask) {
            const auto& entry = entries[m_places[at] - 1];
            if (entry.key == hash) f(entry.row);
        }
    }

private:
    void put(std::uint64_t hash, std::size_t place);

    std::vector<std::uint32_t> m_places;  // a power of two, half full at most; 0: free
    std::size_t m_count = 0;
};

/// The memory part of the indexes: what is not in the file yet. The rows of each kind come rising.
class LogIndex {
public:
    /// Makes an id known from now on. It counts as committed from `confirm` on; until then
    /// `forgetUnconfirmed` takes it back.
    void know(std::uint64_t hash, std::uint64_t sequence);
    void confirm() { m_confirmed = run(IndexKind::ids).gathered(); }
    void forgetUnconfirmed();
    /// Sequences of events with this hash that are in no finished run.
    [[nodiscard]] std::vector<std::uint64_t> recent(std::uint64_t hash) const;

    /// Of committed rows.
    void addUser(std::uint64_t user, std::uint64_t sequence) {
        of(IndexKind::users).add({user, sequence});
    }
    void addJournal(std::uint64_t sequence, std::uint64_t id) {
        of(IndexKind::history).add({sequence, id});
    }

    /// Sequences with journal rows that are in no finished run, rising.
    [[nodiscard]] std::vector<std::uint64_t> freshSequences() const;

    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool writing() const;
    /// Entries that wait for their run.
    [[nodiscard]] std::size_t gathered() const;
    /// How many ids make a run. Of users and journal rows a run has no more, and `kRunEntries` at
    /// most.
    void setIdRun(std::size_t entries) { m_idRun = entries; }
    /// Starts runs that are long enough; all that have entries if `everything`. Everything must
    /// be confirmed.
    void freeze(bool everything);
    [[nodiscard]] const SortedRun& run(IndexKind kind) const {
        return m_runs[static_cast<std::size_t>(kind) - 1];
    }

    /// What one transaction wrote.
    struct Slices {
        std::array<std::size_t, std::size(kIndexKinds)> entries{};
        std::int64_t idRun = 0;  ///< number of the run of ids that it finished; 0 = none
    };
    /// After its commit.
    void advance(const Slices& slices);

private:
    [[nodiscard]] SortedRun& of(IndexKind kind) {
        return m_runs[static_cast<std::size_t>(kind) - 1];
    }

    std::array<SortedRun, std::size(kIndexKinds)> m_runs;
    IdPlaces m_places;            // of the ids that gather
    std::size_t m_confirmed = 0;  // of the ids that gather
    std::size_t m_idRun = kRunEntries;
};

}  // namespace lanes::store
