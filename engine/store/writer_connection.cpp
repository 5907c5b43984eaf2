// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/writer_connection.h"

#include <sqlite3.h>

namespace lanes::store {

namespace {

/// Readers hold only short transactions; for one that does not leave in this time it is better to
/// commit meanwhile.
constexpr int kRestartWaitMilliseconds = 100;

/// Of the data file: SQLite's default since 2016, which our files have.
constexpr std::uint64_t kPageBytes = 4096;

int modeOf(WriterConnection::Checkpoint kind) {
    switch (kind) {
    case WriterConnection::Checkpoint::passive:
        return SQLITE_CHECKPOINT_PASSIVE;
    case WriterConnection::Checkpoint::restart:
        return SQLITE_CHECKPOINT_RESTART;
    case WriterConnection::Checkpoint::truncate:
        return SQLITE_CHECKPOINT_TRUNCATE;
    }
    return SQLITE_CHECKPOINT_PASSIVE;
}

}  // namespace

WriterConnection::WriterConnection(Connection connection, StoredIds::Memory&& known)
    : m_database(std::move(connection)),
      m_ids(*m_database, std::move(known)),
      m_log(*m_database, m_ids),
      m_index(*m_database),
      m_retention(*m_database),
      m_operationRetention(*m_database) {
    sqlite3_wal_hook(
        m_database->getHandle(),
        [](void* bytes, sqlite3*, const char*, int pages) {
            *static_cast<std::uint64_t*>(bytes) = static_cast<std::uint64_t>(pages) * kPageBytes;
            return SQLITE_OK;
        },
        &m_walBytes);
}

LogPositions WriterConnection::positions() {
    return {static_cast<std::uint64_t>(queryNumber(*m_database, "SELECT MAX(seq) FROM events")),
            static_cast<std::uint64_t>(queryNumber(*m_database, "SELECT MAX(id) FROM journal"))};
}

bool WriterConnection::checkpoint(Checkpoint kind) {
    sqlite3* handle = m_database->getHandle();
    const bool waits = kind != Checkpoint::passive;
    const auto busy = waits ? queryNumber(*m_database, "PRAGMA busy_timeout") : 0;
    if (waits) m_database->setBusyTimeout(kRestartWaitMilliseconds);
    int frames = 0;
    int copied = 0;
    const int code = sqlite3_wal_checkpoint_v2(handle, nullptr, modeOf(kind), &frames, &copied);
    if (waits) m_database->setBusyTimeout(static_cast<int>(busy));
    if (code == SQLITE_BUSY) return false;
    if (code != SQLITE_OK) throw SQLite::Exception(handle, code);
    return frames == copied;
}

}  // namespace lanes::store
