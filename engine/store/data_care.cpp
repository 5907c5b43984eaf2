// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data_care.h"

#include "engine/store/backup_copy.h"
#include "engine/store/checkpoint.h"
#include "engine/store/log_mark.h"
#include "engine/store/order_ledger.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"
#include "engine/store/set_replacement.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

namespace lanes {

namespace store {

namespace {

using std::filesystem::path;

/// Takes the directory and ends a replacement that a crash cut short.
Result<DirectoryLock> takeDirectory(const std::string& directory) {
    std::error_code failure;
    if (!std::filesystem::is_directory(directory, failure))
        return Error{Error::Code::invalid, "there is no directory " + directory +
                                               "; name the data directory with --data-dir"};
    auto lock = DirectoryLock::take(directory);
    if (!lock) return lock;
    if (const auto finished = finishReplacement(directory); !finished) return finished.error();
    return lock;
}

/// Numbers that the present set may have given. It may be damaged, so what cannot be read is left
/// out.
LogPositions givenBy(const std::string& dataPath) {
    LogPositions given = LogMark::readBeside(dataPath).rows;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(dataPath, failure)) return given;
    try {
        const auto database = openForReading(dataPath);
        const auto found = positionsOf(*database);
        given.sequence = std::max(given.sequence, found.sequence);
        given.journal = std::max(given.journal, found.journal);
    } catch (const SQLite::Exception&) {
        // Its mark is all there is.
    }
    return given;
}

/// Writes the pending sets anew, as of positions that are at least the given ones, so that no
/// number is given twice.
void raisePositions(SQLite::Database& database, LogPositions given) {
    const auto own = positionsOf(database);
    given.sequence = std::max(given.sequence, own.sequence);
    given.journal = std::max(given.journal, own.journal);
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    PendingLedger ledger;
    readLedger(database, ledger);
    writeCheckpoint(database, ledger, given);
    transaction.commit();
}

/// Makes the draft out of a backup, or says why it cannot be used.
Result<Nothing> draftFrom(const std::string& directory, const std::string& file) {
    removeDraft(directory);
    const std::string draft = draftFile(directory);
    std::error_code failure;
    for (const char* suffix : {"", "-wal", kMarkSuffix}) {
        // A copy of a set, made while nothing ran, is as good as a backup.
        if (suffix[0] != '\0' && !std::filesystem::exists(file + suffix, failure)) continue;
        std::filesystem::copy_file(file + suffix, draft + suffix, failure);
        if (failure)
            return Error{Error::Code::unavailable,
                         file + suffix + " cannot be copied into " + directory + " (" +
                             failure.message() + "); nothing was changed"};
        ::chmod((draft + suffix).c_str(), 0600);
    }
    return Nothing{};
}

Error unusable(const std::string& file, const std::string& why) {
    return {Error::Code::damaged,
            file + " cannot be restored: " + why + ". The data directory was not changed"};
}

/// Checks the draft and makes it ready to be used after `given`.
Result<RestoreReport> readyDraft(const std::string& directory, const std::string& file,
                                 const LogPositions& given) {
    const std::string draft = draftFile(directory);
    SQLite::Database database(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
    database.exec("PRAGMA journal_mode=DELETE");
    if (quickCheck(database) != "ok") return unusable(file, "it is damaged");
    const auto version = migrate(database, draft);
    std::error_code failure;
    for (const auto& step : migrations())  // what a migration kept is the backup itself
        std::filesystem::remove(draft + ".backup-v" + std::to_string(step.version), failure);
    if (!version) return unusable(file, version.error().detail);
    const auto complete = checkMark(database, draft, positionsOf(database));
    if (!complete)
        return unusable(file, "its last commits are missing; the write-ahead log that belongs to "
                              "it is not beside it");
    const auto report = verifyLog(database);
    if (report.unbalanced > 0)
        return unusable(file, "its counts do not add up (" + report.findings.back() + ")");
    RestoreReport result;
    result.lastEvent = Sequence(
        static_cast<std::uint64_t>(queryNumber(database, "SELECT MAX(seq) FROM events")));
    raisePositions(database, given);
    result.lastGiven = Sequence(positionsOf(database).sequence);
    PendingLedger ledger;
    if (!loadLedger(database, ledger)) return unusable(file, "its counts do not add up");
    for (const auto& [id, destination] : ledger.destinations()) {
        result.waiting += destination.counters().waiting;
        result.deadLetters += destination.counters().dead;
    }
    return result;
}

std::string whyNotReadable(const std::string& file, const std::string& directory) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0)
        return file + " cannot be read (" + std::strerror(errno) + "); nothing was changed";
    std::error_code failure;
    if (!S_ISREG(status.st_mode))
        return file + " is not a regular file; name one that was made with rivora-lanes backup";
    if (std::filesystem::equivalent(file, dataFile(directory), failure))
        return file + " is the data file that is in use; name a backup";
    return {};
}

}  // namespace

}  // namespace store

std::variant<BackupReport, std::string> backUpDataDirectory(const std::string& directory,
                                                            const BackupRequest& request,
                                                            const BackupProgress& progress) {
    const auto lock = store::takeDirectory(directory);
    if (!lock) return lock.error().detail;
    const std::string path = store::dataFile(directory);
    std::error_code failure;
    if (!std::filesystem::exists(path, failure))
        return "there is no data file " + path + "; name the data directory with --data-dir";
    std::atomic<bool> cancelled{false};
    try {
        const auto source = store::openForReading(path);
        if (const auto version = store::checkVersion(*source, path); !version)
            return version.error().detail;
        const auto complete = store::checkMark(*source, path, store::positionsOf(*source));
        if (!complete) return complete.error().detail;
        auto copy = store::BackupCopy::begin(*source, path, request);
        if (!copy) return copy.error().detail;
        for (bool copied = false; !copied;) {
            const auto step = copy.value()->step();
            if (!step) return step.error().detail;
            copied = step.value();
            if (progress && !progress(copy.value()->share()))
                return "the backup " + request.file + " was not made: it was cancelled";
        }
        const auto report = copy.value()->finish(cancelled);
        if (!report) return report.error().detail;
        return report.value();
    } catch (const SQLite::Exception& exception) {
        return store::describe(exception, path).detail;
    }
}

std::variant<RestoreReport, std::string> restoreDataDirectory(const std::string& directory,
                                                              const std::string& file) {
    const auto lock = store::takeDirectory(directory);
    if (!lock) return lock.error().detail;
    if (const auto why = store::whyNotReadable(file, directory); !why.empty()) return why;
    const auto given = store::givenBy(store::dataFile(directory));
    const auto drafted = store::draftFrom(directory, file);
    auto ready = [&]() -> Result<RestoreReport> {
        if (!drafted) return drafted.error();
        try {
            return store::readyDraft(directory, file, given);
        } catch (const SQLite::Exception& exception) {
            return store::unusable(file, exception.what());
        }
    }();
    if (!ready) {
        store::removeDraft(directory);
        return ready.error().detail;
    }
    auto report = ready.value();
    std::filesystem::remove(store::draftFile(directory) + store::kMarkSuffix);
    const auto place = store::replaceSet(directory);
    if (!place) return place.error().detail;
    report.setAside = place.value();
    return report;
}

std::variant<SetAsideReport, std::string> startEmpty(const std::string& directory) {
    const auto lock = store::takeDirectory(directory);
    if (!lock) return lock.error().detail;
    const auto given = store::givenBy(store::dataFile(directory));
    store::removeDraft(directory);
    const std::string draft = store::draftFile(directory);
    if (const auto created = store::createDataFile(draft); !created) return created.error().detail;
    try {
        SQLite::Database database(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
        store::raisePositions(database, given);
    } catch (const SQLite::Exception& exception) {
        return store::describe(exception, draft).detail;
    }
    const auto place = store::replaceSet(directory);
    if (!place) return place.error().detail;
    return SetAsideReport{place.value()};
}

}  // namespace lanes
