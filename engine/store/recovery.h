// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/log_index.h"
#include "engine/store/log_writer.h"
#include "engine/store/pending_ledger.h"
#include "engine/store/stored_ids.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// From the file to memory: the checkpoint, then the tails of pointers and journal after it.
namespace lanes::store {

/// Positions up to which the stored checkpoint holds.
struct CheckpointMarks {
    std::uint64_t sequence = 0;
    std::uint64_t journal = 0;
};

/// Name of the mark that holds the hash of the positions: a position that is wrong would make
/// finished events of waiting ones.
inline constexpr const char* kCheckpointHash = "checkpoint";
[[nodiscard]] std::uint64_t hashOf(const CheckpointMarks& marks);

[[nodiscard]] CheckpointMarks readMarks(SQLite::Database& database);
/// Largest positions that anything in the file knows of.
[[nodiscard]] LogPositions positionsOf(SQLite::Database& database);
[[nodiscard]] std::vector<DestinationConfig> readDestinations(SQLite::Database& database);

/// Pointers after a sequence, rising. The targets are valid during the call.
void scanPointers(SQLite::Database& database, std::uint64_t after,
                  const std::function<void(Sequence, UserId, const std::vector<Target>&)>& visit);
/// Journal after a position, rising, with the columns that decide what is pending.
void scanJournal(SQLite::Database& database, std::uint64_t after,
                 const std::function<void(const JournalFact&)>& visit);

/// What to load of a ledger. Which events are open takes a few bits for each; how each of them was
/// tried so far takes a hundred bytes.
enum class LedgerPart { everything, openEvents };

/// Ledger of all destinations from the checkpoint and the tails. False if the checkpoint is
/// damaged; then `replayLedger` still gives the truth.
[[nodiscard]] bool loadLedger(SQLite::Database& database, PendingLedger& ledger,
                              LedgerPart part = LedgerPart::everything);
/// From the checkpoint, or from the whole log if that is damaged.
void readLedger(SQLite::Database& database, PendingLedger& ledger);
/// Destinations with what retention counted and nothing of the log yet.
void startLedger(SQLite::Database& database, PendingLedger& ledger);
/// The same from the whole log and what retention counted, without the checkpoint.
void replayLedger(SQLite::Database& database, PendingLedger& ledger);

/// What the writer goes on with.
struct WriterState {
    PendingLedger ledger;
    LogIndex index;
    LogPositions positions;
    CheckpointMarks checkpoint;
    StoredIds::Memory ids;  ///< may be empty: the writer reads then what it misses
};

/// Fills the answer for the engine and the writer's state in one read transaction.
[[nodiscard]] Result<Nothing> recover(SQLite::Database& database, const std::string& path,
                                      Recovery& recovery, WriterState& state);

}  // namespace lanes::store
