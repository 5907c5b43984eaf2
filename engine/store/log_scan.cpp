// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_scan.h"

#include "engine/store/encoding.h"
#include "engine/store/recovery.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>

namespace lanes::store {

namespace {

/// Rows of one read transaction: about ten milliseconds.
constexpr int kScanRows = 10'000;

}  // namespace

void stopIfInterrupted(const PlanSource& source) {
    if (source.interrupted) throw SQLite::Exception("interrupted", SQLITE_INTERRUPT);
}

Books readBooks(SQLite::Database& database) {
    Books books;
    if (!loadLedger(database, books.ledger, LedgerPart::openEvents)) {
        books.ledger = PendingLedger();
        replayLedger(database, books.ledger);
    }
    books.lastSequence = std::max(
        readMarks(database).sequence,
        static_cast<std::uint64_t>(queryNumber(database, "SELECT MAX(seq) FROM pointers")));
    books.lastOperation = OperationId(
        static_cast<std::uint64_t>(queryNumber(database, "SELECT MAX(id) FROM operations")));
    return books;
}

void scanLog(const PlanSource& source, std::uint64_t first, std::uint64_t last,
             const std::function<void(Sequence, UserId, std::string_view)>& visit) {
    SQLite::Statement query(source.database,
                            "SELECT seq, user, targets FROM pointers"
                            " WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?");
    for (int rows = kScanRows; rows == kScanRows;) {
        stopIfInterrupted(source);
        query.reset();
        const ResetOnExit reset(query);
        query.bind(1, toColumn(first));
        query.bind(2, toColumn(last));
        query.bind(3, kScanRows);
        for (rows = 0; query.executeStep(); ++rows) {
            const Sequence sequence(asUnsigned(query.getColumn(0)));
            visit(sequence, UserId(asUnsigned(query.getColumn(1))),
                  asView(query.getColumn(2)));
            first = sequence.value + 1;
        }
    }
    stopIfInterrupted(source);
}

std::vector<Target> targetsOf(std::string_view bytes) {
    std::vector<Target> targets;
    if (!decodeTargets(bytes, targets))
        throw SQLite::Exception("a pointer is unreadable", SQLITE_CORRUPT);
    return targets;
}

std::string planError(const SQLite::Exception& exception, const std::string& path) {
    if (exception.getErrorCode() == SQLITE_INTERRUPT)
        return "The plan was given up before it was finished. Ask for it again.";
    return "There is no plan: " + describe(exception, path).detail + ".";
}

}  // namespace lanes::store
