// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/sqlite_store.h"

#include "engine/store/connection.h"
#include "engine/store/group_committer.h"
#include "engine/store/log_mark.h"
#include "engine/store/page_reader.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"
#include "engine/store/set_replacement.h"
#include "engine/store/stored_ids.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <string_view>
#include <utility>

namespace lanes {

namespace {

/// Files up to this size are checked whole at the start, which takes well below a second. Larger
/// ones are checked where they are read.
constexpr std::int64_t kCheckedBytes = 64 << 20;

/// A page that cannot be read says nothing about what is on it. The check tells both as text.
bool isReadError(const std::string& verdict) {
    if (verdict.find("failed to get page") != std::string::npos) return true;  // of the free ones
    constexpr std::string_view kMark = "error code=";
    const auto at = verdict.find(kMark);
    if (at == std::string::npos) return false;
    return (std::atoi(verdict.c_str() + at + kMark.size()) & 0xff) == SQLITE_IOERR;
}

Result<Nothing> checkStructure(SQLite::Database& database, const std::string& path) {
    const auto bytes = store::queryNumber(database, "PRAGMA page_count") *
                       store::queryNumber(database, "PRAGMA page_size");
    if (bytes > kCheckedBytes) return Nothing{};
    const std::string verdict = store::quickCheck(database);
    if (isReadError(verdict)) throw SQLite::Exception(verdict, SQLITE_IOERR);
    if (verdict != "ok") return store::damaged(path, verdict);
    return Nothing{};
}

store::StoredIds::Memory readIds(const std::string& path) {
    const auto database = store::openForReading(path);
    return store::StoredIds(*database).give();
}

}  // namespace

SqliteStore::SqliteStore(StoreOptions options, StoreListener& listener)
    : m_options(std::move(options)), m_listener(listener) {}

SqliteStore::~SqliteStore() {
    close();
}

Result<Nothing> SqliteStore::open(Recovery& recovery) {
    auto lock = store::DirectoryLock::take(m_options.directory);
    if (!lock) return lock.error();
    m_lock = std::move(lock.value());
    auto opened = openFile(recovery);
    if (!opened) m_lock = store::DirectoryLock();
    return opened;
}

Result<Nothing> SqliteStore::openFile(Recovery& recovery) {
    const std::string path = store::dataFile(m_options.directory);
    if (const auto finished = store::finishReplacement(m_options.directory); !finished)
        return finished.error();
    std::error_code failure;
    if (!std::filesystem::exists(path, failure) &&
        store::LogMark::readBeside(path).rows.sequence > 0)
        return store::damaged(path, "it is missing, but its mark is there");
    const auto created = store::createDataFile(path);
    if (!created) return created.error();
    try {
        auto connection = store::openForWriting(path, m_options.busyMilliseconds);
        if (sqlite3_db_readonly(connection->getHandle(), "main") == 1)
            throw SQLite::Exception("read-only", SQLITE_READONLY);
        const auto migrated = store::migrate(*connection, path);
        if (!migrated) return migrated.error();
        const auto checked = checkStructure(*connection, path);
        if (!checked) return checked.error();
        // Both read about as much, so they read at the same time.
        auto ids = std::async(std::launch::async, readIds, path);
        store::WriterState state;
        const auto recovered = store::recover(*connection, path, recovery, state);
        if (!recovered) return recovered.error();
        const auto complete = store::checkMark(*connection, path, state.positions);
        if (!complete) return complete.error();
        state.ids = ids.get();
        m_committer = std::make_unique<store::GroupCommitter>(
            m_options, m_listener, path, std::move(connection), std::move(state));
    } catch (const SQLite::Exception& exception) {
        return store::describe(exception, path);
    }
    return Nothing{};
}

void SqliteStore::submit(WriteBatch batch) {
    if (m_committer) m_committer->submit(std::move(batch));
}

void SqliteStore::close() {
    if (m_committer) m_committer->close();
    m_lock = store::DirectoryLock();
}

StoreSnapshot SqliteStore::stats() const {
    return m_committer ? m_committer->stats() : StoreSnapshot();
}

void SqliteStore::backUp(BackupRequest request,
                         std::function<void(const Result<BackupReport>&)> done) {
    if (m_committer) return m_committer->backUp(std::move(request), std::move(done));
    done(Error{Error::Code::unavailable, "the store is not open"});
}

void SqliteStore::cancelBackup() {
    if (m_committer) m_committer->cancelBackup();
}

std::unique_ptr<EventReader> SqliteStore::openEventReader() const {
    try {
        return std::make_unique<store::SqliteEventReader>(
            store::openForReading(store::dataFile(m_options.directory)));
    } catch (const SQLite::Exception&) {
        return nullptr;
    }
}

std::unique_ptr<PageReader> SqliteStore::openPageReader() const {
    try {
        return std::make_unique<store::SqlitePageReader>(
            store::openForReading(store::dataFile(m_options.directory)), m_options);
    } catch (const SQLite::Exception&) {
        return nullptr;
    }
}

}  // namespace lanes
