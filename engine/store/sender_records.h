// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/queries.h"
#include "engine/store/connection.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What is kept of senders, besides their events: those with write keys of their own, and what they
// sent that was rejected. Everything here throws SQLite::Exception.
namespace lanes::store {

/// Rising by id.
[[nodiscard]] std::vector<SourceConfig> readSources(SQLite::Database& database);

/// Newest first, without bodies.
[[nodiscard]] QuarantinePage readQuarantine(SQLite::Database& database,
                                            const QuarantineQuery& query);
/// One of them with its body.
[[nodiscard]] std::optional<QuarantineRow> readQuarantined(SQLite::Database& database,
                                                           QuarantineId id);

/// Sets the marks of both tables by what is in them, where they may have been lost.
void settleSenderMarks(SQLite::Database& database);

/// For the writer, inside its transaction. All of it is rare, so no statements are kept.
void writeSource(SQLite::Database& database, const SourceConfig& source);
void removeSource(SQLite::Database& database, SourceId id);
/// Gives them their ids, and lets the oldest go when there are too many.
void quarantine(SQLite::Database& database, std::span<const QuarantineEntry> entries);
void release(SQLite::Database& database, std::span<const QuarantineId> ids);

}  // namespace lanes::store
