// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/index_runs.h"
#include "engine/store/log_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Runs are written on the writer's connection, inside its transaction. All of it throws
// SQLite::Exception.
namespace lanes::store {

/// Blocks of runs, and the list of finished ones.
class RunWriter {
public:
    explicit RunWriter(SQLite::Database& database);

    /// Writes the blocks of about `limit` entries after the first `done` of them; how many entries
    /// that were. Blocks do not depend on how many calls a run takes, so those of a commit that
    /// failed and is on the disk all the same are written again as they are.
    [[nodiscard]] std::size_t writeBlocks(IndexKind kind, const IndexRun& run,
                                          std::span<const IndexEntry> entries, std::size_t done,
                                          std::size_t limit);
    /// Readers see it from here on.
    void list(IndexKind kind, const IndexRun& run);
    void remove(IndexKind kind, std::int64_t run);
    /// What was begun after the last finished run, and never finished.
    void removeUnfinished(IndexKind kind, std::uint64_t mark);

private:
    SQLite::Statement m_insertBlock;
    SQLite::Statement m_insertRun;
    SQLite::Statement m_deleteBlocks;
    SQLite::Statement m_deleteRun;
    SQLite::Statement m_deleteUnfinished;
};

/// The run that these sorted entries make; its number is given.
[[nodiscard]] IndexRun runOf(std::int64_t number, std::span<const IndexEntry> entries);

/// Writes what the memory part of the indexes has frozen.
class LogIndexWriter {
public:
    explicit LogIndexWriter(SQLite::Database& database);

    /// About `limit` entries of each run; `LogIndex::advance` confirms them after the commit.
    [[nodiscard]] LogIndex::Slices write(const LogIndex& index, std::size_t limit);

private:
    void finish(IndexKind kind, const IndexRun& run);

    RunWriter m_writer;
    SQLite::Statement m_mark;
    std::array<std::uint64_t, std::size(kIndexKinds)> m_marks{};
};

/// Makes all indexes of a file that has none from its log.
void buildIndexes(SQLite::Database& database);

}  // namespace lanes::store
