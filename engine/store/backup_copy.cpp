// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/backup_copy.h"

#include "engine/store/durable_file.h"
#include "engine/store/schema.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lanes::store {

namespace {

/// A commit that comes waits for one slice at most.
constexpr auto kSlice = std::chrono::milliseconds(2);
constexpr int kStepPages = 32;

Error givenUp(const std::string& file, const std::string& why, Error::Code code) {
    return {code, "the backup " + file + " was not made: " + why};
}

bool isSameFile(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Names in the data directory that the program takes for its own files.
bool isOwnName(const std::string& sourcePath, const std::string& file) {
    struct stat data {};
    struct stat target {};
    const auto name = file.substr(file.rfind('/') + 1);
    return name.starts_with(kDataFile) && ::stat(directoryOf(sourcePath).c_str(), &data) == 0 &&
           ::stat(directoryOf(file).c_str(), &target) == 0 && isSameFile(data, target);
}

Result<Nothing> checkPlace(const std::string& sourcePath, const BackupRequest& request) {
    struct stat there {};
    if (isOwnName(sourcePath, request.file))
        return givenUp(request.file,
                       "that is the data file itself, or a name that belongs to it; choose another",
                       Error::Code::invalid);
    if (::stat(request.file.c_str(), &there) != 0) return Nothing{};
    for (const char* suffix : {"", "-wal", "-shm", kMarkSuffix}) {
        struct stat source {};
        if (::stat((sourcePath + suffix).c_str(), &source) == 0 && isSameFile(source, there))
            return givenUp(request.file, "that is the data file itself; choose another name",
                           Error::Code::invalid);
    }
    if (!S_ISREG(there.st_mode))
        return givenUp(request.file, "that is not a regular file; choose another name",
                       Error::Code::invalid);
    if (!request.replace)
        return givenUp(request.file, "the file exists; choose another name, or add --force",
                       Error::Code::invalid);
    return Nothing{};
}

/// The copy as a file that stands alone: it says of itself that it has a write-ahead log.
std::string checkCopy(SQLite::Database& copy, const std::string& path) {
    SQLite::Statement mode(copy, "PRAGMA journal_mode=DELETE");
    if (!mode.executeStep() || mode.getColumn(0).getString() != "delete")
        return "it cannot be made a file of its own";
    while (mode.executeStep()) {}
    if (const auto version = checkVersion(copy, path); !version) return version.error().detail;
    const std::string verdict = quickCheck(copy);
    return verdict == "ok" ? std::string() : "the data file is damaged (" + verdict + ")";
}

}  // namespace

PartFile::~PartFile() {
    if (!m_path.empty()) removeDatabase(m_path);
}

BackupCopy::BackupCopy(const BackupRequest& request, std::string part)
    : m_request(request), m_part(std::move(part)), m_directory(directoryOf(request.file)) {}

Result<std::unique_ptr<BackupCopy>> BackupCopy::begin(SQLite::Database& source,
                                                      const std::string& sourcePath,
                                                      const BackupRequest& request) {
    if (const auto placed = checkPlace(sourcePath, request); !placed) return placed.error();
    const std::string part = request.file + ".part";
    struct stat left {};
    if (::lstat(part.c_str(), &left) == 0 && S_ISREG(left.st_mode)) ::unlink(part.c_str());
    const int made = ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0) {
        const auto code = errno == ENOSPC ? Error::Code::full : Error::Code::readOnly;
        return givenUp(request.file, "its directory cannot be written (" +
                                         std::string(std::strerror(errno)) +
                                         "); choose another place",
                       code);
    }
    std::unique_ptr<BackupCopy> copy(new BackupCopy(request, part));
    struct stat mine {};
    struct stat theirs {};
    copy->m_sameDisk = ::fstat(made, &mine) == 0 && ::stat(sourcePath.c_str(), &theirs) == 0 &&
                       mine.st_dev == theirs.st_dev;
    ::close(made);
    try {
        copy->m_target = std::make_unique<SQLite::Database>(
            part, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
        // Whatever happens to an unfinished copy, it is thrown away; what counts is synced at the
        // end, by another thread.
        copy->m_target->exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                             "PRAGMA cache_size=-512");
        copy->m_copy = std::make_unique<SQLite::Backup>(*copy->m_target, source);
    } catch (const SQLite::Exception& exception) {
        return copy->failure(exception);
    }
    return copy;
}

Result<bool> BackupCopy::step() {
    if (const auto room = checkRoom(); !room) return room.error();
    const auto end = std::chrono::steady_clock::now() + kSlice;
    try {
        do {
            const int code = m_copy->executeStep(kStepPages);
            if (code == SQLITE_DONE) {
                m_copy.reset();
                m_target.reset();
                return true;
            }
            if (code != SQLITE_OK) return false;  // busy: another turn
        } while (std::chrono::steady_clock::now() < end);
    } catch (const SQLite::Exception& exception) {
        return failure(exception);
    }
    return false;
}

double BackupCopy::share() const {
    if (!m_copy) return 1;
    const int total = m_copy->getTotalPageCount();
    return total > 0 ? 1 - static_cast<double>(m_copy->getRemainingPageCount()) / total : 0;
}

/// The room that results of deliveries need is not the backup's to take.
Result<Nothing> BackupCopy::checkRoom() const {
    const auto space = m_sameDisk ? diskSpace(m_directory) : std::nullopt;
    if (!space || space->freeBytes >= reserveOf(*space)) return Nothing{};
    return givenUp(m_request.file,
                   "its disk is almost full, and deliveries need the rest; free some space or "
                   "choose another disk. Deliveries and intake go on",
                   Error::Code::full);
}

Error BackupCopy::failure(const SQLite::Exception& exception) const {
    if (exception.getErrorCode() == SQLITE_FULL)
        return givenUp(m_request.file,
                       "its disk is full; free some space or choose another disk. Deliveries and "
                       "intake are not affected",
                       Error::Code::full);
    return givenUp(m_request.file, std::string("it cannot be written, or the data file cannot be "
                                               "read (") +
                                       exception.what() + ")",
                   Error::Code::unavailable);
}

Result<BackupReport> BackupCopy::finish(const std::atomic<bool>& cancelled) {
    BackupReport report;
    report.file = m_request.file;
    try {
        SQLite::Database copy(m_part.path(), SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
        constexpr int kOperations = 10'000;  // of SQLite's machine: well below a millisecond
        sqlite3_progress_handler(
            copy.getHandle(), kOperations,
            [](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0; },
            const_cast<std::atomic<bool>*>(&cancelled));
        if (const auto fault = checkCopy(copy, m_part.path()); !fault.empty())
            return givenUp(m_request.file, fault, Error::Code::damaged);
        report.lastEvent = Sequence(
            static_cast<std::uint64_t>(queryNumber(copy, "SELECT MAX(seq) FROM events")));
    } catch (const SQLite::Exception& exception) {
        if (cancelled) return givenUp(m_request.file, "it was cancelled", Error::Code::invalid);
        return failure(exception);
    }
    if (cancelled) return givenUp(m_request.file, "it was cancelled", Error::Code::invalid);
    struct stat status {};
    const bool durable = syncPath(m_part.path()) &&
                         ::stat(m_part.path().c_str(), &status) == 0 &&
                         ::rename(m_part.path().c_str(), m_request.file.c_str()) == 0;
    if (!durable)
        return givenUp(m_request.file, std::string("it cannot be made durable (") +
                                           std::strerror(errno) + ")",
                       Error::Code::unavailable);
    m_part.keep();
    (void)syncPath(m_directory);
    report.bytes = static_cast<std::uint64_t>(status.st_size);
    return report;
}

}  // namespace lanes::store
