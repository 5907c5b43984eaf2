// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/store/connection.h"

#include <span>
#include <string>

// The tables, and how a file of an older version becomes one of this version.
//
// Everything on the hot path is appended in order: events, pointers (apart from the payload, so
// that the scan at start is small) and the journal. A delivered attempt in the journal is the
// acknowledgement; no row is deleted for it. What is still pending follows from the checkpoint
// (one row a destination) and the tails of pointers and journal after it.
//
// Three indexes are filled later than the rows they point to, because a random insert for each row
// would cost more than the row: events by the hash of (source, id), events by user, journal rows by
// event. Their entries are written once, in sorted runs: `index_runs` lists the finished ones, and
// `index_blocks` has their entries, about a hundred a row. Each index has a mark up to which its
// runs are complete; what is after the mark is small and is read from the log itself. Only dead
// letters, which are rare, have an index for each order of their list.
namespace lanes::store {

/// "LANE" in the header of the file, so that other SQLite files are not taken for ours.
inline constexpr int kApplicationId = 0x4c414e45;

struct Migration {
    int version;  ///< of the schema after it
    const char* sql;
    void (*fill)(SQLite::Database&) = nullptr;  ///< what SQL cannot say, right after it
};

/// All steps from an empty file to the present schema, rising by one.
[[nodiscard]] std::span<const Migration> migrations();

/// Makes the file if nothing is there, under another name first: a file with our name is always
/// whole. A missing file with a write-ahead log beside it, or an empty file, is damage.
[[nodiscard]] Result<Nothing> createDataFile(const std::string& path);

/// Refuses files that are not ours or newer; brings older ones up, after a copy beside the file
/// (`<path>.backup-v<version>`), in one transaction. Throws SQLite::Exception.
[[nodiscard]] Result<Nothing> migrate(SQLite::Database& database, const std::string& path,
                                      std::span<const Migration> steps = migrations());

/// Refuses a file that is not ours or not of this version. Throws SQLite::Exception.
[[nodiscard]] Result<Nothing> checkVersion(SQLite::Database& database, const std::string& path);

}  // namespace lanes::store
