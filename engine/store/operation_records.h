// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/operations.h"
#include "engine/store/connection.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What operators did, as rows: an operation, its frozen set in parts, what it left where it was,
// the lanes that are held, the payloads that were replaced and the notes on dead letters.
namespace lanes::store {

/// Members in one part of a set: about 50 kB, so that a page of a large set reads little.
inline constexpr std::size_t kSetPart = 4096;

/// The columns that `operationRow` reads, in its order.
inline constexpr const char* kOperationColumns =
    "SELECT id, at, who, action, scope, reason, asked, done, skipped, kind, state, note, pace,"
    " tracer, delivered, dead_again, returned, target FROM operations ";
[[nodiscard]] OperationRow operationRow(const SQLite::Statement& query);

[[nodiscard]] std::string encodeMembers(std::span<const OperationMember> members);
/// Appends. False if the bytes are damaged.
[[nodiscard]] bool decodeMembers(std::string_view bytes, std::vector<OperationMember>& members);

/// Parts `first` to `last` of a set, in order. Throws SQLite::Exception.
[[nodiscard]] std::vector<OperationMember> readSet(SQLite::Database& database, OperationId id,
                                                   std::uint64_t first, std::uint64_t last);
/// Operations that still do something, with their sets, rising. Throws SQLite::Exception.
[[nodiscard]] std::vector<RecoveredOperation> readOpenOperations(SQLite::Database& database);
/// Holds of a destination, rising by their begin. Throws SQLite::Exception.
[[nodiscard]] std::vector<LaneHold> readHolds(SQLite::Database& database, DestinationId id);
/// Events whose payload was replaced, rising. Throws SQLite::Exception.
[[nodiscard]] std::vector<Pointer> readVersions(SQLite::Database& database);

/// Prepared statements of the writer; used inside its transaction.
class OperationWriter {
public:
    explicit OperationWriter(SQLite::Database& database);

    void writeRow(const OperationRow& row);
    void writeSet(OperationId id, std::span<const OperationMember> members);
    void writeSkip(const OperationSkip& skip);
    /// Also forgets holds that ended so long ago that no event can have waited under them.
    void writeHold(const LaneHold& hold);
    void writeVersion(const EventVersion& version);
    /// Forgets the payload that came with the rewind by which a dead letter is hidden.
    void forgetVersion(Pointer deadLetter);
    void writeNote(const NoteChange& change);

private:
    SQLite::Statement m_row;
    SQLite::Statement m_set;
    SQLite::Statement m_skip;
    SQLite::Statement m_hold;
    SQLite::Statement m_forgetHolds;
    SQLite::Statement m_version;
    SQLite::Statement m_forgetVersion;
    SQLite::Statement m_note;
    SQLite::Statement m_forgetNote;
};

}  // namespace lanes::store
