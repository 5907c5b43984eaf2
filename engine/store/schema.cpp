// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/schema.h"

#include "engine/store/data_directory.h"
#include "engine/store/durable_file.h"
#include "engine/store/index_writer.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes::store {

namespace {

constexpr Migration kMigrations[] = {
    {1, R"sql(
CREATE TABLE marks(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO marks VALUES
    ('sequence', 0), ('journal', 0), ('event_ids', 0), ('history', 0), ('destination', 0);
CREATE TABLE events(seq INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL,
    user_kind INTEGER NOT NULL, user TEXT NOT NULL, type TEXT NOT NULL,
    content_type TEXT NOT NULL, accepted_at INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE TABLE pointers(seq INTEGER PRIMARY KEY, user INTEGER NOT NULL, targets BLOB NOT NULL);
CREATE TABLE event_ids(hash INTEGER, seq INTEGER, PRIMARY KEY(hash, seq)) WITHOUT ROWID;
CREATE TABLE journal(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, destination INTEGER NOT NULL,
    seq INTEGER NOT NULL, life INTEGER NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL,
    duration INTEGER NOT NULL, outcome INTEGER NOT NULL, status INTEGER NOT NULL,
    cause INTEGER NOT NULL, operation INTEGER NOT NULL, clock INTEGER NOT NULL,
    error TEXT NOT NULL, reason TEXT NOT NULL, response BLOB NOT NULL);
CREATE INDEX journal_by_destination ON journal(destination);
CREATE TABLE history(run INTEGER, seq INTEGER, destination INTEGER, id INTEGER,
    PRIMARY KEY(run, seq, destination, id)) WITHOUT ROWID;
CREATE TABLE history_runs(run INTEGER PRIMARY KEY, low INTEGER NOT NULL, high INTEGER NOT NULL);
CREATE TABLE dead_letters(row INTEGER PRIMARY KEY, destination INTEGER NOT NULL,
    seq INTEGER NOT NULL, user_id INTEGER NOT NULL, user_kind INTEGER NOT NULL,
    user TEXT NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL, accepted_at INTEGER NOT NULL,
    died_at INTEGER NOT NULL, first_tried_at INTEGER NOT NULL, attempts INTEGER NOT NULL,
    life INTEGER NOT NULL, last_outcome INTEGER NOT NULL, last_status INTEGER NOT NULL,
    last_error TEXT NOT NULL, reason TEXT NOT NULL, bytes INTEGER NOT NULL,
    UNIQUE(destination, seq));
CREATE INDEX dead_by_time ON dead_letters(died_at, destination, seq);
CREATE INDEX dead_by_destination ON dead_letters(destination, died_at, seq);
CREATE INDEX dead_by_user ON dead_letters(user, died_at, destination, seq);
CREATE TABLE destinations(id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL,
    window INTEGER NOT NULL, max_in_flight INTEGER NOT NULL, after_dead_letter INTEGER NOT NULL,
    statuses BLOB NOT NULL, secrets BLOB NOT NULL, headers BLOB NOT NULL,
    event_types BLOB NOT NULL, connect_timeout INTEGER NOT NULL,
    attempt_timeout INTEGER NOT NULL, allow_link_local INTEGER NOT NULL);
CREATE TABLE destination_state(id INTEGER PRIMARY KEY, clock INTEGER NOT NULL,
    known_good REAL NOT NULL, paused INTEGER NOT NULL, paused_by_system INTEGER NOT NULL,
    paused_at INTEGER NOT NULL, paused_by TEXT NOT NULL, pause_reason TEXT NOT NULL);
CREATE TABLE operations(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, scope TEXT NOT NULL, reason TEXT NOT NULL, asked INTEGER NOT NULL,
    done INTEGER NOT NULL, skipped INTEGER NOT NULL);
CREATE TABLE checkpoint(destination INTEGER PRIMARY KEY, accepted INTEGER NOT NULL,
    delivered INTEGER NOT NULL, discarded INTEGER NOT NULL, pending BLOB NOT NULL,
    dead BLOB NOT NULL, tried BLOB NOT NULL, hash INTEGER NOT NULL);
CREATE TABLE trimmed(destination INTEGER PRIMARY KEY, accepted INTEGER NOT NULL,
    delivered INTEGER NOT NULL, discarded INTEGER NOT NULL);
)sql"},
    // A rewound dead letter keeps its row, hidden, so that an undo brings it back as it was. What
    // operators did to events is found by event; the index has no row for anything else. The first
    // version did not follow its rewinds: what did not die again counts as delivered.
    {2, R"sql(
ALTER TABLE destinations ADD COLUMN rate_limit REAL NOT NULL DEFAULT 0;
ALTER TABLE destinations ADD COLUMN allow_edits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE destination_state ADD COLUMN resume_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dead_letters ADD COLUMN rewound_by INTEGER NOT NULL DEFAULT 0;
DROP INDEX dead_by_time;
DROP INDEX dead_by_destination;
DROP INDEX dead_by_user;
CREATE INDEX dead_by_time ON dead_letters(died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_destination ON dead_letters(destination, died_at, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_user ON dead_letters(user, died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX journal_acts ON journal(destination, seq) WHERE kind>=2;
ALTER TABLE operations ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE operations ADD COLUMN pace REAL NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN tracer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN dead_again INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN returned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN target INTEGER NOT NULL DEFAULT 0;
UPDATE operations SET kind=CASE action WHEN 'rewind' THEN 1 WHEN 'discard' THEN 3 ELSE 0 END;
CREATE TEMP TABLE died_again(operation INTEGER PRIMARY KEY, events INTEGER NOT NULL);
INSERT INTO died_again SELECT operation, COUNT(*) FROM journal WHERE kind=1 AND operation<>0
    GROUP BY operation;
UPDATE operations SET dead_again=min(done, coalesce(
    (SELECT events FROM died_again d WHERE d.operation=operations.id), 0)) WHERE kind=1;
UPDATE operations SET delivered=done-dead_again WHERE kind=1;
DROP TABLE died_again;
CREATE TABLE operation_sets(operation INTEGER, part INTEGER, data BLOB NOT NULL,
    PRIMARY KEY(operation, part));
CREATE TABLE operation_skips(operation INTEGER, position INTEGER, reason INTEGER NOT NULL,
    PRIMARY KEY(operation, position)) WITHOUT ROWID;
CREATE TABLE lane_holds(destination INTEGER, user INTEGER, from_clock INTEGER,
    to_clock INTEGER NOT NULL, at INTEGER NOT NULL, user_text TEXT NOT NULL,
    held_by TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY(destination, user, from_clock)) WITHOUT ROWID;
CREATE TABLE event_versions(seq INTEGER, destination INTEGER, operation INTEGER,
    at INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY(seq, destination, operation));
)sql"},
    // The tried pointers of a checkpoint, in blocks, so that only what changed is written. What a
    // checkpoint of the second version holds is read from its row until the next one is written.
    // Each index of dead letters goes on with the time of the death and the pointer, so that it
    // serves a filter in the order of time, and its own order page by page. Ids, users and
    // histories are found in blocks of sorted runs from here on, which are made of the log.
    // Pointers have the hash of the id, so that the end of the log that no run holds is known
    // without its payloads; those that were there before are in the runs. A note stands beside its
    // dead letter, whose row comes and goes with each life of the event.
    {3, R"sql(
CREATE TABLE tried_blocks(id INTEGER PRIMARY KEY, data BLOB NOT NULL, hash INTEGER NOT NULL);
CREATE INDEX dead_by_first_try ON dead_letters(first_tried_at, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_attempts ON dead_letters(attempts, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_lane ON dead_letters(destination, user, died_at, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_type ON dead_letters(type, died_at, destination, seq) WHERE rewound_by=0;
CREATE INDEX dead_by_status ON dead_letters(last_status, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_outcome ON dead_letters(last_outcome, died_at, destination, seq)
    WHERE rewound_by=0;
CREATE INDEX dead_by_event ON dead_letters(event_id, died_at, destination, seq)
    WHERE rewound_by=0;
ALTER TABLE pointers ADD COLUMN hash INTEGER NOT NULL DEFAULT 0;
DROP TABLE event_ids;
DROP TABLE history;
DROP TABLE history_runs;
UPDATE marks SET value=0 WHERE name IN ('event_ids', 'history');
INSERT INTO marks VALUES('users', 0);
CREATE TABLE index_runs(kind INTEGER, run INTEGER, low INTEGER NOT NULL, high INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, entries INTEGER NOT NULL,
    PRIMARY KEY(kind, run)) WITHOUT ROWID;
CREATE TABLE index_blocks(kind INTEGER, run INTEGER, key INTEGER, row INTEGER,
    data BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(kind, run, key, row)) WITHOUT ROWID;
CREATE TABLE dead_letter_notes(note_seq INTEGER, note_destination INTEGER,
    noted_at INTEGER NOT NULL, noted_by TEXT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY(note_seq, note_destination)) WITHOUT ROWID;
)sql", buildIndexes},
    // How deliveries are dressed and how they get there; senders with write keys of their own, of
    // which only fingerprints are kept; and what senders sent that could not be taken.
    {4, R"sql(
ALTER TABLE destinations ADD COLUMN body_format INTEGER NOT NULL DEFAULT 0;
ALTER TABLE destinations ADD COLUMN authentication BLOB NOT NULL DEFAULT x'';
ALTER TABLE destinations ADD COLUMN tls BLOB NOT NULL DEFAULT x'';
ALTER TABLE destinations ADD COLUMN proxy BLOB NOT NULL DEFAULT x'';
CREATE TABLE sources(id INTEGER PRIMARY KEY, name TEXT NOT NULL, keys BLOB NOT NULL,
    added_at INTEGER NOT NULL, added_by TEXT NOT NULL);
CREATE TABLE quarantine(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, source TEXT NOT NULL,
    format INTEGER NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL, event_id TEXT NOT NULL,
    body BLOB NOT NULL, bytes INTEGER NOT NULL);
INSERT INTO marks VALUES('source', 0), ('quarantine', 0), ('quarantined', 0);
)sql"},
};

std::string systemError() {
    return std::strerror(errno);
}

Error cannotCreate(const std::string& path) {
    const auto code = errno == ENOSPC || errno == EDQUOT ? Error::Code::full
                                                         : Error::Code::readOnly;
    return {code, "cannot create the data file " + path + " (" + systemError() +
                      "); check the space and the permissions of its directory"};
}

void applySteps(SQLite::Database& database, int from, std::span<const Migration> steps) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const auto& step : steps) {
        if (step.version <= from) continue;
        database.exec(step.sql);
        if (step.fill != nullptr) step.fill(database);
        database.exec("PRAGMA user_version=" + std::to_string(step.version));
    }
    database.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
    transaction.commit();
}

/// The version of the file's schema, if the file is ours and not newer than `newest`.
Result<int> versionOf(SQLite::Database& database, const std::string& path, int newest) {
    const auto application = queryNumber(database, "PRAGMA application_id");
    const int version = static_cast<int>(queryNumber(database, "PRAGMA user_version"));
    if (application != kApplicationId)
        return damaged(path, "it is a database, but not one of this program");
    if (version > newest) {
        return Error{Error::Code::newer,
                     "the data file " + path + " was written by a newer version (schema " +
                         std::to_string(version) + ", this program knows " +
                         std::to_string(newest) + "); install the newer version"};
    }
    if (version < 1) return damaged(path, "its schema has no version");
    return version;
}

/// A new empty file that only its owner reads; what is left of an earlier try goes.
int openFresh(const std::string& path) {
    removeDatabase(path);
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/// Gives what was written under another name its own, once it is on the disk. Closes it.
bool putInPlace(int descriptor, const std::string& fresh, const std::string& path) {
    const bool synced = ::fsync(descriptor) == 0;
    ::close(descriptor);
    if (!synced || ::rename(fresh.c_str(), path.c_str()) != 0) return false;
    (void)syncPath(directoryOf(path));
    return true;
}

/// A copy of the file as it is, beside it: whole under its name, or not there.
Result<Nothing> backUp(SQLite::Database& database, const std::string& path, int version) {
    const auto bytes =
        static_cast<std::uint64_t>(queryNumber(database, "PRAGMA page_count")) *
        static_cast<std::uint64_t>(queryNumber(database, "PRAGMA page_size"));
    const auto space = diskSpace(directoryOf(path));
    // The steps may write as much again as the copy.
    if (space && space->freeBytes < 2 * bytes) {
        return Error{Error::Code::full,
                     "the data file " + path + " is of an older version, and there is no room for "
                     "a copy of it before it is brought up (" +
                         std::to_string((2 * bytes >> 20) + 1) + " MiB needed, " +
                         std::to_string(space->freeBytes >> 20) +
                         " MiB free); nothing was changed. Free some space"};
    }
    const std::string backup = path + ".backup-v" + std::to_string(version);
    const std::string fresh = backup + ".new";
    const int fd = openFresh(fresh);
    if (fd < 0) return cannotCreate(backup);
    try {
        SQLite::Database copy(fresh, SQLite::OPEN_READWRITE);
        if (SQLite::Backup(copy, database).executeStep(-1) != SQLITE_DONE)
            throw SQLite::Exception("the file is busy", SQLITE_BUSY);
    } catch (const SQLite::Exception&) {
        ::close(fd);
        removeDatabase(fresh);
        throw;
    }
    removeDatabase(backup);  // a log of another file must not be taken for its own
    if (!putInPlace(fd, fresh, backup)) return cannotCreate(backup);
    return Nothing{};
}

}  // namespace

std::span<const Migration> migrations() {
    return kMigrations;
}

Result<Nothing> createDataFile(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) {
        if (!S_ISREG(status.st_mode)) return damaged(path, "it is not a regular file");
        if (status.st_size == 0) return damaged(path, "it is empty");
        return Nothing{};
    }
    if (errno != ENOENT) return cannotCreate(path);
    if (::stat((path + "-wal").c_str(), &status) == 0 && status.st_size > 0)
        return damaged(path, "it is missing, but its write-ahead log is there");

    const std::string fresh = path + ".new";
    const int fd = openFresh(fresh);
    if (fd < 0) return cannotCreate(path);
    try {
        SQLite::Database database(fresh, SQLite::OPEN_READWRITE);
        applySteps(database, 0, migrations());
    } catch (const SQLite::Exception& exception) {
        ::close(fd);
        ::unlink(fresh.c_str());
        return describe(exception, path);
    }
    if (!putInPlace(fd, fresh, path)) return cannotCreate(path);
    return Nothing{};
}

Result<Nothing> migrate(SQLite::Database& database, const std::string& path,
                        std::span<const Migration> steps) {
    const int newest = steps.back().version;
    const auto version = versionOf(database, path, newest);
    if (!version) return version.error();
    if (version.value() == newest) return Nothing{};

    const auto kept = backUp(database, path, version.value());
    if (!kept) return kept.error();
    applySteps(database, version.value(), steps);
    return Nothing{};
}

Result<Nothing> checkVersion(SQLite::Database& database, const std::string& path) {
    const int newest = migrations().back().version;
    const auto version = versionOf(database, path, newest);
    if (!version) return version.error();
    if (version.value() < newest) {
        return Error{Error::Code::unavailable,
                     "the data file " + path +
                         " is of an older version; start the program once to bring it up"};
    }
    return Nothing{};
}

}  // namespace lanes::store
