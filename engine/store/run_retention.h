// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/index_runs.h"
#include "engine/store/index_writer.h"
#include "engine/store/stored_ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanes::store {

/// Takes out of the indexes what retention took out of the log. A run of which nothing is left
/// goes; one of which little is left is written anew, and short neighbours become one run. Until
/// then a run names rows that are not there, and readers skip them.
class RunRetention {
public:
    explicit RunRetention(SQLite::Database& database);

    /// What was removed from the log in the pass that runs.
    void noteSequence(std::uint64_t sequence) { m_sequences.note(sequence); }
    void noteJournal(std::uint64_t id) { m_journal.note(id); }

    struct Step {
        std::vector<StoredIds::Change> ids;
        bool finished = false;  ///< the pass has seen all runs
    };
    /// Looks at a few runs inside the writer's transaction. Throws SQLite::Exception.
    [[nodiscard]] Step step();

private:
    /// Rows of the log, both inclusive.
    struct Rows {
        std::uint64_t first = IndexReader::kLastRow;
        std::uint64_t last = 0;

        void note(std::uint64_t row) {
            first = std::min(first, row);
            last = std::max(last, row);
        }
    };
    struct Place {
        IndexKind kind = IndexKind::ids;
        IndexRun run;
    };

    void begin();
    [[nodiscard]] bool joins(const Place& place, std::size_t entries) const;
    [[nodiscard]] bool isDue(const Place& place) const;
    /// How many rows and entries it took.
    [[nodiscard]] std::size_t look(const Place& place, Step& step);
    [[nodiscard]] std::size_t rewrite(const Place& place, bool join, Step& step);
    [[nodiscard]] std::vector<std::uint64_t> rowsLeft(IndexKind kind, std::uint64_t first,
                                                      std::uint64_t last, std::size_t most);
    [[nodiscard]] IndexReader& reader(IndexKind kind) {
        return m_readers[static_cast<std::size_t>(kind) - 1];
    }

    RunWriter m_writer;
    std::vector<IndexReader> m_readers;  // by kind
    SQLite::Statement m_sequencesLeft;
    SQLite::Statement m_journalLeft;
    // Which rows were removed before this is not known, so the first pass looks at all runs.
    Rows m_sequences{0, IndexReader::kLastRow};
    Rows m_journal{0, IndexReader::kLastRow};
    std::vector<Place> m_due;       ///< of this pass, the last one first
    std::optional<Place> m_before;  ///< the run before the one that is looked at
    bool m_running = false;
};

}  // namespace lanes::store
