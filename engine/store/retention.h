// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/pending_ledger.h"
#include "engine/store/recovery.h"
#include "engine/store/run_retention.h"
#include "engine/store/stored_ids.h"

#include <cstdint>
#include <vector>

namespace lanes::store {

/// Removes events that were finished everywhere long ago, a few at a time, with their pointers,
/// journal rows, and then what the indexes had of them. What waits or is a dead letter anywhere
/// stays, however old it is. The counts of what is removed are kept, so that the books still
/// balance.
///
/// Only what the stored checkpoint and the sorted indexes cover is removed: the tails after them
/// must stay whole. `fresh` names the events with journal rows that the index does not hold yet.
class Retention {
public:
    explicit Retention(SQLite::Database& database);

    /// No pass is running.
    [[nodiscard]] bool atStart() const { return m_cursor == 0 && !m_atRuns; }
    /// Whether the oldest event of the log is old enough to be looked at.
    [[nodiscard]] bool hasOld(WallMicros finishedBefore);

    struct Step {
        bool changed = false;   ///< something was removed
        bool finished = false;  ///< the pass has seen all that is old enough
        std::vector<StoredIds::Change> ids;  ///< to be told after the commit
    };
    /// Looks at up to `limit` events, or after all of them at a few runs of the indexes, inside the
    /// writer's transaction; goes on after the last one looked at, and begins again when a pass is
    /// finished. Throws SQLite::Exception.
    [[nodiscard]] Step step(const PendingLedger& ledger, const CheckpointMarks& checkpoint,
                            const std::vector<std::uint64_t>& fresh, WallMicros finishedBefore,
                            std::size_t limit);

private:
    std::vector<Sequence> candidates(const CheckpointMarks& checkpoint, WallMicros before,
                                     std::size_t limit, bool& finished);
    bool remove(Sequence sequence, const PendingLedger& ledger, const CheckpointMarks& checkpoint,
                WallMicros before);
    void count(const std::vector<Target>& targets,
               const std::vector<DestinationId>& discardedBy);

    SQLite::Statement m_oldest;
    SQLite::Statement m_list;
    SQLite::Statement m_targets;
    IndexReader m_history;
    SQLite::Statement m_journal;
    SQLite::Statement m_deleteJournal;
    SQLite::Statement m_deletePointer;
    SQLite::Statement m_deleteEvent;
    SQLite::Statement m_deleteVersions;
    SQLite::Statement m_deleteNotes;
    SQLite::Statement m_count;
    RunRetention m_runs;
    std::uint64_t m_cursor = 0;
    bool m_atRuns = false;  ///< the events were looked at
};

}  // namespace lanes::store
