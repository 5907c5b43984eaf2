// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/connection.h"

#include "engine/config.h"
#include "engine/store/data_directory.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>

namespace lanes::store {

namespace {

// Reads hit the page cache of the system; this one only has to hold the hot inner pages.
constexpr const char* kCommonPragmas =
    "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-32768;"
    "PRAGMA temp_store=MEMORY;";

/// Statistics of its memory cost SQLite a lock for each allocation, and nobody asks for them. This
/// has to be said before anything uses it.
[[maybe_unused]] const int kWithoutStatistics = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

void switchToWal(SQLite::Database& database) {
    SQLite::Statement query(database, "PRAGMA journal_mode=WAL");
    if (!query.executeStep() || query.getColumn(0).getString() != "wal")
        throw SQLite::Exception("no write-ahead log on this file system", SQLITE_CANTOPEN);
    // Only the end of the statement writes the switch to the file, or says that it failed.
    while (query.executeStep()) {}
}

/// Writes the write-ahead log again as it is and syncs it. After a sync that failed the system
/// takes for clean what the disk may lack: whoever reads finds it, no later sync brings it to the
/// disk. How the last sync before this connection ended is not known, so all is made durable now.
void renewWal(SQLite::Database& database) {
    constexpr sqlite3_int64 kBlock = 1 << 16;  // SQLite writes at most 128 KiB at once
    sqlite3* handle = database.getHandle();
    const auto check = [](int code) {
        if (code != SQLITE_OK) throw SQLite::Exception(sqlite3_errstr(code), code & 0xff);
    };
    database.exec("BEGIN IMMEDIATE");  // so that nobody writes meanwhile
    sqlite3_file* log = nullptr;
    check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log));
    sqlite3_int64 size = 0;
    if (log->pMethods != nullptr) check(log->pMethods->xFileSize(log, &size));
    std::string bytes;
    for (sqlite3_int64 at = 0; at < size; at += kBlock) {
        bytes.resize(static_cast<std::size_t>(std::min(kBlock, size - at)));
        const int count = static_cast<int>(bytes.size());
        check(log->pMethods->xRead(log, bytes.data(), count, at));
        check(log->pMethods->xWrite(log, bytes.data(), count, at));
    }
    if (size > 0) check(log->pMethods->xSync(log, SQLITE_SYNC_NORMAL));
    database.exec("ROLLBACK");
}

/// Only the data file and its log say so when they do not grow: the index of the log and files that
/// are made anew fail in other ways on a disk without room.
bool withoutRoom(const std::string& path) {
    constexpr std::uint64_t kLeast = 64 << 10;  // what the index of the log grows by, and a bit
    const auto space = diskSpace(path.substr(0, path.rfind('/') + 1));
    return space && space->freeBytes < kLeast;
}

Error full(const std::string& path) {
    return {Error::Code::full, "the disk of " + path + " is full; free some space"};
}

}  // namespace

std::string dataFile(const std::string& directory) {
    return directory + "/" + kDataFile;
}

Connection openForWriting(const std::string& path, int busyMilliseconds) {
    auto database = std::make_unique<SQLite::Database>(
        path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, busyMilliseconds);
    // A file that turns out to be damaged must stay as it is, so closing never checkpoints, even
    // if the first look at it fails.
    sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    database->exec(kCommonPragmas);
    switchToWal(*database);
    database->exec("PRAGMA synchronous=FULL; PRAGMA secure_delete=FAST;"
                   "PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=" +
                   std::to_string(limits::kWalBytes));
    renewWal(*database);
    return database;
}

Connection openForReading(const std::string& path) {
    constexpr int kBusyMilliseconds = 250;  // only start-up recovery of the log makes it wait
    auto database = std::make_unique<SQLite::Database>(
        path, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, kBusyMilliseconds);
    sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    database->exec(kCommonPragmas);
    return database;
}

std::string whatToDo(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash);
    return "Put a backup in its place with: rivora-lanes restore FILE --data-dir " + directory +
           ", or keep what is readable with: rivora-lanes salvage --data-dir " + directory +
           ". It, its -wal, -shm and " + kMarkSuffix + " belong together";
}

Error damaged(const std::string& path, const std::string& what) {
    std::string line = what;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return {Error::Code::damaged,
            "the data file " + path + " is damaged (" + line + "); nothing was changed. " +
                whatToDo(path)};
}

Error describe(const SQLite::Exception& exception, const std::string& path) {
    const std::string text = exception.what();
    const int code = exception.getErrorCode();
    if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && withoutRoom(path)) return full(path);
    switch (code) {
    case SQLITE_FULL:
        return full(path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {Error::Code::unavailable, "the data file " + path +
                                              " is locked by another program; close that program"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {Error::Code::readOnly,
                "the data file " + path + " is read-only; allow writing to it and its directory"};
    case SQLITE_CANTOPEN:
        return {Error::Code::readOnly,
                "the data file " + path + " cannot be opened; check its path and permissions"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return damaged(path, text);
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
        // Our statements are fixed, so an error in one means that the file has other tables.
        return damaged(path, text);
    default:
        return {Error::Code::unavailable,
                "the data file " + path + " cannot be read or written (" + text +
                    "); check the disk"};
    }
}

ReadTransaction::ReadTransaction(SQLite::Database& database) : m_database(database) {
    // An interrupt may end the end of the transaction before this one, too.
    if (sqlite3_get_autocommit(database.getHandle()) == 0) database.exec("ROLLBACK");
    database.exec("BEGIN");
}

ReadTransaction::~ReadTransaction() {
    m_database.tryExec("ROLLBACK");
}

std::string quickCheck(SQLite::Database& database) {
    SQLite::Statement check(database, "PRAGMA quick_check(1)");
    return check.executeStep() ? check.getColumn(0).getString() : "it cannot be checked";
}

std::int64_t queryNumber(SQLite::Database& database, const char* sql, std::int64_t otherwise) {
    SQLite::Statement query(database, sql);
    if (!query.executeStep() || query.isColumnNull(0)) return otherwise;
    return query.getColumn(0).getInt64();
}

}  // namespace lanes::store
