// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/index_runs.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanes::store {

/// What happened to events, for a reader that asks about many of them. The sorted runs tell it up
/// to their mark; what came after the mark is kept, sorted by event: it is as long as two runs at
/// most, and only what is new of it is read again.
class JournalHistory {
public:
    struct Row {
        std::uint64_t sequence = 0;
        std::uint64_t id = 0;  ///< of the journal
        JournalKind kind = JournalKind::attempt;
        DestinationId destination;
        OperationId operation;
        Outcome outcome = Outcome::delivered;
        std::uint16_t status = 0;
        WallMicros at = 0;
    };

    /// Throws SQLite::Exception, as all do here.
    explicit JournalHistory(SQLite::Database& database);
    /// Reads what is new of the tail, in the transaction that is open. Before the first time
    /// nothing is known.
    void refresh();
    /// All rows about an event, in their order. What was written after the tail was read is not
    /// among them.
    [[nodiscard]] std::vector<Row> of(Sequence sequence);

private:
    SQLite::Database& m_database;
    IndexReader m_index;
    SQLite::Statement m_row;
    std::uint64_t m_mark = 0;
    std::uint64_t m_last = 0;  ///< row that was read last
    std::vector<Row> m_tail;   ///< by sequence, then id
};

/// What operators did to one event at one destination.
class OperatorActs {
public:
    explicit OperatorActs(SQLite::Database& database);
    [[nodiscard]] bool discarded(Pointer pointer);
    /// The life that the event is in, or that ended last; nothing if it was discarded.
    [[nodiscard]] std::optional<std::uint32_t> life(Pointer pointer);

private:
    SQLite::Statement m_acts;
};

}  // namespace lanes::store
