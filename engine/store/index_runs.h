// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/index_block.h"

#include <cstdint>
#include <limits>
#include <vector>

// The finished runs of the indexes in the data file. All of it throws SQLite::Exception, with
// SQLITE_CORRUPT for a block that is missing or not as it was written.
namespace lanes::store {

/// Numbers are on the disk.
enum class IndexKind : std::uint8_t {
    ids = 1,      ///< events by the hash of (source, id)
    users = 2,    ///< events by their user
    history = 3,  ///< journal rows by their event
};
inline constexpr IndexKind kIndexKinds[] = {IndexKind::ids, IndexKind::users, IndexKind::history};

/// The mark that says up to which row of the log the runs are complete.
[[nodiscard]] const char* markOf(IndexKind kind);
/// Its value.
[[nodiscard]] std::uint64_t indexedUpTo(SQLite::Database& database, IndexKind kind);

/// A run as the file lists it; its bounds are inclusive.
struct IndexRun {
    std::int64_t number = 0;
    std::uint64_t lowKey = 0;
    std::uint64_t highKey = 0;
    std::uint64_t firstRow = 0;
    std::uint64_t lastRow = 0;
    std::uint64_t entries = 0;
};

/// Reads one index. Runs come in the order of the log.
class IndexReader {
public:
    static constexpr std::uint64_t kLastRow = std::numeric_limits<std::int64_t>::max();

    IndexReader(SQLite::Database& database, IndexKind kind);

    [[nodiscard]] std::vector<IndexRun> runs();
    /// All rows of a key, rising.
    [[nodiscard]] std::vector<std::uint64_t> find(std::uint64_t key);
    /// Rows of a key in a run from `first` on, rising, up to `limit` of them.
    [[nodiscard]] std::vector<std::uint64_t> upFrom(std::int64_t run, std::uint64_t key,
                                                    std::uint64_t first, std::size_t limit);
    /// Rows of a key in a run down from `last`, falling, up to `limit` of them.
    [[nodiscard]] std::vector<std::uint64_t> downFrom(std::int64_t run, std::uint64_t key,
                                                      std::uint64_t last, std::size_t limit);
    /// All entries of a run, rising.
    [[nodiscard]] std::vector<IndexEntry> read(const IndexRun& run);

private:
    /// The block that has the entry or would have it.
    void seek(std::int64_t run, const IndexEntry& entry);

    const IndexKind m_kind;
    SQLite::Statement m_runs;
    SQLite::Statement m_runsOfKey;
    SQLite::Statement m_block;
    SQLite::Statement m_blocks;
    IndexBlock m_here;  // where `seek` came to
};

}  // namespace lanes::store
