// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/store/connection.h"
#include "engine/store/index_writer.h"
#include "engine/store/log_writer.h"
#include "engine/store/operation_retention.h"
#include "engine/store/retention.h"
#include "engine/store/stored_ids.h"

#include <cstdint>
#include <memory>
#include <string>

namespace lanes::store {

/// The writing connection with all that is prepared on it. After any failure it is closed and
/// made anew: a connection whose sync failed must not be trusted with another commit.
class WriterConnection {
public:
    /// \param known ids that an earlier connection knew
    explicit WriterConnection(Connection connection, StoredIds::Memory&& known = {});
    WriterConnection(const WriterConnection&) = delete;
    WriterConnection& operator=(const WriterConnection&) = delete;

    [[nodiscard]] SQLite::Database& database() { return *m_database; }
    [[nodiscard]] LogWriter& log() { return m_log; }
    [[nodiscard]] LogIndexWriter& index() { return m_index; }
    [[nodiscard]] StoredIds& ids() { return m_ids; }
    [[nodiscard]] Retention& retention() { return m_retention; }
    [[nodiscard]] OperationRetention& operationRetention() { return m_operationRetention; }

    /// What is on the disk, whatever a failed commit said.
    [[nodiscard]] LogPositions positions();

    enum class Checkpoint { passive, restart, truncate };
    /// Copies committed frames into the data file. True if none is left to copy. Throws
    /// SQLite::Exception, but not for a lock held by readers.
    bool checkpoint(Checkpoint kind);
    /// Bytes that the last commit left in the write-ahead log, those included that were copied
    /// since.
    [[nodiscard]] std::uint64_t walBytes() const { return m_walBytes; }

private:
    std::uint64_t m_walBytes = 0;
    Connection m_database;  // first, so that it outlives its statements
    StoredIds m_ids;
    LogWriter m_log;
    LogIndexWriter m_index;
    Retention m_retention;
    OperationRetention m_operationRetention;
};

}  // namespace lanes::store
