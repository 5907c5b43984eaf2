// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/log_index.h"
#include "engine/store/operation_records.h"
#include "engine/store/pending_ledger.h"
#include "engine/store/stored_ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanes::store {

/// Positions given last. They only rise: those of a group that was not committed are not given
/// again.
struct LogPositions {
    std::uint64_t sequence = 0;
    std::uint64_t journal = 0;
};

/// What a transaction wrote, to be applied to memory once it is durable.
struct GroupEffects {
    struct Appended {
        Sequence sequence;
        std::uint64_t hash = 0;
        const NewEvent* event = nullptr;  ///< lives in the group's batches
    };
    std::vector<IntakeCommit> intakes;
    std::vector<Appended> appended;
    /// Last record of each operation, written once at the end; lives in the group's batches.
    std::map<OperationId, const OperationRow*> operations;
    LogPositions before;  ///< positions when the group began
    std::uint64_t ticket = 0;
};

/// The writer's prepared statements. Used inside the writer's transaction; throws
/// SQLite::Exception, after which the transaction and this object are given up.
class LogWriter {
public:
    /// \param ids of the finished runs; outlives this.
    LogWriter(SQLite::Database& database, StoredIds& ids);

    /// Writes a batch. Ids of appended events become known in the index at once, so that the next
    /// event of the same transaction finds them.
    /// \param ledger as of the last commit: what a dead letter went through before this batch.
    void write(const WriteBatch& batch, LogPositions& positions, LogIndex& index,
               const PendingLedger& ledger, GroupEffects& effects);
    /// Once, after all batches of a group.
    void finish(const GroupEffects& effects);
    /// Removes events that were given back to the intake although their commit turned out to be
    /// on the disk.
    void removeEvents(std::uint64_t first, std::uint64_t last);

private:
    struct Known {
        std::uint64_t sequence = 0;
        bool samePayload = false;
    };

    void writeEvents(const WriteBatch& batch, LogPositions& positions, LogIndex& index,
                     GroupEffects& effects);
    std::optional<Known> findEvent(const NewEvent& event, std::uint64_t hash,
                                   const LogIndex& index);
    std::optional<Known> compareEvent(const NewEvent& event, std::uint64_t sequence);
    void insertEvent(const NewEvent& event, std::uint64_t hash, std::uint64_t sequence);
    void writeJournal(const JournalEntry& entry, std::uint64_t id);
    void moveDeadLetter(const JournalEntry& entry);
    void deleteDeadLetter(Pointer pointer);
    void hideDeadLetter(Pointer pointer, std::uint64_t rewoundBy);
    void insertDeadLetter(const JournalEntry& entry, std::uint64_t firstAttempt,
                          std::uint64_t lastAttempt);
    void writeState(const StateChange& change);
    void writeDestination(const DestinationConfig& config);
    void removeDestination(DestinationId id);

    SQLite::Statement m_insertEvent;
    SQLite::Statement m_insertPointer;
    SQLite::Statement m_readEvent;
    SQLite::Statement m_insertJournal;
    SQLite::Statement m_insertDead;
    SQLite::Statement m_deleteDead;
    SQLite::Statement m_hideDead;
    SQLite::Statement m_writeState;
    SQLite::Statement m_writeDestination;
    SQLite::Statement m_raiseDestination;
    OperationWriter m_operations;
    StoredIds& m_ids;
    SQLite::Database& m_database;
};

}  // namespace lanes::store
