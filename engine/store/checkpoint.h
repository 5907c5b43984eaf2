// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/store/log_writer.h"
#include "engine/store/pending_ledger.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lanes::store {

/// Writes the ledger a slice at a time, so that no commit waits for the whole of it.
///
/// Which events are open is taken when the pass begins, and written at its end together with the
/// marks. How they were tried is written block by block in between, as it is then, which may be
/// after the marks. That is right all the same: a start applies the journal after the marks once
/// more, and what an entry says of a tried pointer does not depend on what was there before.
class CheckpointPass {
public:
    /// \param committed up to where the ledger goes.
    CheckpointPass(PendingLedger& ledger, const LogPositions& committed);

    /// Writes the next part inside the writer's transaction: at most `blocks` of the tried
    /// pointers, or the end. Throws SQLite::Exception.
    void write(SQLite::Database& database, const PendingLedger& ledger, std::size_t blocks);
    /// The transaction is durable; true if the pass is over.
    bool confirm();
    /// It was given up, and the pass with it: the next one writes all of this one again.
    void abandon(PendingLedger& ledger) const;

    [[nodiscard]] const LogPositions& positions() const { return m_positions; }

private:
    LogPositions m_positions;
    std::vector<std::pair<DestinationId, CheckpointRow>> m_rows;
    std::vector<std::pair<DestinationId, std::uint64_t>> m_blocks;
    std::size_t m_done = 0;  // of the blocks, durable
    std::size_t m_next = 0;  // of the blocks, written
    bool m_endWritten = false;
};

/// Reads the tried pointers that the checkpoint holds; false if they are damaged.
[[nodiscard]] bool loadTried(SQLite::Database& database, PendingLedger& ledger);

/// After the ledger was made from the log itself: the next pass overwrites or removes every block
/// that is stored.
void replaceTried(SQLite::Database& database, PendingLedger& ledger);
/// A destination is removed.
void removeTried(SQLite::Database& database, DestinationId id);

/// A whole pass inside the writer's transaction.
void writeCheckpoint(SQLite::Database& database, PendingLedger& ledger,
                     const LogPositions& committed);

}  // namespace lanes::store
