// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"
#include "engine/types.h"

#include <cstddef>
#include <cstdint>

namespace lanes::store {

/// Removes what operators did long ago, with its set and its skips, a part at a time: an operation
/// that moves nothing any more goes when none of its events is in the log, or when it is older
/// than `limits::kOperationRetention`. The newest one stays, because numbers are never used twice.
class OperationRetention {
public:
    explicit OperationRetention(SQLite::Database& database);

    /// No pass is running.
    [[nodiscard]] bool atStart() const { return m_operation == 0; }
    /// Looks at one operation, or goes on with one, inside the writer's transaction: reads or
    /// removes one part of its set or as many skips. True if the pass is finished; the next step
    /// begins another. Throws SQLite::Exception.
    [[nodiscard]] bool step(WallMicros startedBefore);

private:
    /// What is done with the operation that the pass has come to.
    enum class Phase { looking, removing };

    [[nodiscard]] bool nextOperation(WallMicros startedBefore);
    void look();
    void remove();

    SQLite::Statement m_next;
    SQLite::Statement m_part;
    SQLite::Statement m_inLog;
    SQLite::Statement m_deletePart;
    SQLite::Statement m_deleteSkips;
    SQLite::Statement m_deleteRow;
    std::int64_t m_operation = 0;  ///< the pass has come to this one
    std::int64_t m_partNumber = 0;
    Phase m_phase = Phase::looking;
    bool m_done = true;            ///< with it
};

}  // namespace lanes::store
