// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/pending_ledger.h"
#include "engine/store/recovery.h"

#include <cstdint>
#include <vector>

namespace lanes::store {

/// Removes events that were finished everywhere long ago, a few at a time, with their pointers,
/// journal and index rows. What waits or is a dead letter anywhere stays, however old it is. The
/// counts of what is removed are kept, so that the books still balance.
///
/// Only what the stored checkpoint and the sorted indexes cover is removed: the tails after them
/// must stay whole. `fresh` names the events with journal rows that the index does not hold yet.
class Retention {
public:
    explicit Retention(SQLite::Database& database);

    /// No pass is running.
    [[nodiscard]] bool atStart() const { return m_cursor == 0; }
    /// Whether the oldest event of the log is old enough to be looked at.
    [[nodiscard]] bool hasOld(WallMicros finishedBefore);

    struct Step {
        std::size_t removed = 0;
        bool finished = false;  ///< the pass has seen all that is old enough
    };
    /// Looks at up to `limit` events inside the writer's transaction; goes on after the last one
    /// looked at, and begins again when a pass is finished. Throws SQLite::Exception.
    [[nodiscard]] Step step(const PendingLedger& ledger, const CheckpointMarks& checkpoint,
                            const std::vector<std::uint64_t>& fresh, WallMicros finishedBefore,
                            std::size_t limit);

private:
    struct Candidate {
        Sequence sequence;
        std::uint64_t hash = 0;
    };

    std::vector<Candidate> candidates(const CheckpointMarks& checkpoint, WallMicros before,
                                      std::size_t limit, bool& finished);
    bool remove(const Candidate& candidate, const PendingLedger& ledger,
                const CheckpointMarks& checkpoint, WallMicros before);
    void count(const std::vector<Target>& targets,
               const std::vector<DestinationId>& discardedBy);

    SQLite::Statement m_oldest;
    SQLite::Statement m_list;
    SQLite::Statement m_targets;
    SQLite::Statement m_history;
    SQLite::Statement m_deleteJournal;
    SQLite::Statement m_deleteHistory;
    SQLite::Statement m_deleteRuns;
    SQLite::Statement m_deleteUser;
    SQLite::Statement m_deleteUserRuns;
    SQLite::Statement m_deleteId;
    SQLite::Statement m_deletePointer;
    SQLite::Statement m_deleteEvent;
    SQLite::Statement m_deleteVersions;
    SQLite::Statement m_count;
    std::uint64_t m_cursor = 0;
};

}  // namespace lanes::store
