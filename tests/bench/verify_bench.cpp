// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/random.h"
#include "engine/store/checkpoint.h"
#include "engine/store/connection.h"
#include "engine/store/encoding.h"
#include "engine/store/order_ledger.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"
#include "engine/verify.h"

#include <QTemporaryDir>

#include <SQLiteCpp/Transaction.h>
#include <malloc.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kAttempts = 1'000'000;
constexpr std::uint64_t kUsers = 200'000;
constexpr std::uint32_t kDestinations = 2;

/// A log as it looks after a day without trouble: most events are delivered at once, every tenth
/// one at the second attempt, those of one user in order.
void writeLog(const std::string& directory) {
    const auto path = store::dataFile(directory);
    if (!store::createDataFile(path)) std::abort();
    const auto database = store::openForWriting(path, 1000);
    SQLite::Transaction transaction(*database);
    for (std::uint32_t id = 1; id <= kDestinations; ++id)
        database->exec("INSERT INTO destinations(id, name, url, window, max_in_flight,"
                       " after_dead_letter, statuses, secrets, headers, event_types,"
                       " connect_timeout, attempt_timeout, allow_link_local) VALUES(" +
                       std::to_string(id) +
                       ",'bench','http://127.0.0.1/',259200000000,64,0,x'',x'',x'',x'',1,1,0)");
    SQLite::Statement pointer(*database,
                              "INSERT INTO pointers(seq, user, targets) VALUES(?,?,?)");
    SQLite::Statement entry(*database,
                            "INSERT INTO journal VALUES(?,0,?,?,1,?,?,5000,?,?,0,0,0,'','',x'')");
    Random random(7);
    std::uint64_t row = 0;
    for (std::uint64_t sequence = 1; row < kAttempts; ++sequence) {
        const auto id = 1 + static_cast<std::uint32_t>(random.below(kDestinations));
        const auto targets = store::encodeTargets({{DestinationId(id), kSecond}});
        const auto user = 1 + random.below(kUsers);
        pointer.bind(1, store::toColumn(sequence));
        pointer.bind(2, store::toColumn(user * 0x9e3779b97f4a7c15));
        pointer.bindNoCopy(3, targets.data(), static_cast<int>(targets.size()));
        pointer.exec();
        pointer.reset();
        const int attempts = random.chance(0.1) ? 2 : 1;
        for (int attempt = 1; attempt <= attempts; ++attempt) {
            entry.bind(1, store::toColumn(++row));
            entry.bind(2, id);
            entry.bind(3, store::toColumn(sequence));
            entry.bind(4, attempt);
            entry.bind(5, store::toColumn(1'700'000'000'000'000 + row * 100));
            entry.bind(6, attempt == attempts ? 0 : 4);
            entry.bind(7, attempt == attempts ? 204 : 500);
            entry.exec();
            entry.reset();
        }
    }
    store::PendingLedger ledger;
    store::replayLedger(*database, ledger);
    store::LogPositions positions;
    positions.sequence =
        static_cast<std::uint64_t>(store::queryNumber(*database, "SELECT MAX(seq) FROM pointers"));
    positions.journal = row;
    store::writeCheckpoint(*database, ledger, positions);
    transaction.commit();
    database->exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

VerifyReport verified(const std::string& directory) {
    auto verdict = verifyDataDirectory(directory);
    const auto* report = std::get_if<VerifyReport>(&verdict);
    if (report == nullptr || !report->clean() || report->attempts < kAttempts) {
        std::fprintf(stderr, "the log of the benchmark is not in order\n");
        std::abort();
    }
    return *report;
}

/// The same rows and columns, each read once and thrown away.
std::uint64_t bareScan(const std::string& directory) {
    const auto database = store::openForReading(store::dataFile(directory));
    std::uint64_t sum = 0;
    for (const char* sql : {"SELECT seq, user, length(targets) FROM pointers ORDER BY seq",
                            "SELECT id, kind, destination, seq, life, attempt, outcome, status,"
                            " operation, clock FROM journal ORDER BY id"}) {
        sqlite3_stmt* query = nullptr;
        if (sqlite3_prepare_v2(database->getHandle(), sql, -1, &query, nullptr) != SQLITE_OK)
            std::abort();
        const int columns = sqlite3_column_count(query);
        while (sqlite3_step(query) == SQLITE_ROW)
            for (int i = 0; i < columns; ++i)
                sum += static_cast<std::uint64_t>(sqlite3_column_int64(query, i));
        sqlite3_finalize(query);
    }
    return sum;
}

double perSecond(double seconds) { return static_cast<double>(kAttempts) / seconds; }

/// What the proof holds of the log, apart from SQLite's page cache.
BenchCase memoryCase() {
    BenchCase one;
    one.name = "verify: memory of a lane with one event while its order is proved";
    one.unit = "bytes";
    one.bareIs = "destination, user and sequence as numbers of 4, 8 and 8 bytes";
    const auto before = mallinfo2();
    VerifyReport report;
    store::OrderLedger ledger(report);
    for (std::uint64_t sequence = 1; sequence <= kAttempts; ++sequence)
        ledger.addPointer({DestinationId(1), Sequence(sequence)},
                          UserId(sequence * 0x9e3779b97f4a7c15));
    const auto after = mallinfo2();
    one.ours.push_back(static_cast<double>(after.uordblks + after.hblkhd - before.uordblks -
                                           before.hblkhd) /
                       static_cast<double>(kAttempts));
    one.bare.push_back(20);
    return one;
}

}  // namespace

std::vector<BenchCase> benchVerify(int runs) {
    const QTemporaryDir temporary;
    const auto directory = temporary.path().toStdString();
    writeLog(directory);
    BenchCase one;
    one.name = "verify: attempts of a log proved to be in order, with the books compared";
    one.unit = "attempts/s CPU";
    one.bareIs = "the same rows read by SQLite's C API and thrown away";
    one.higherIsBetter = true;
    measure(
        one, runs,
        [&] {
            const auto before = threadCpuSeconds();
            verified(directory);
            return perSecond(threadCpuSeconds() - before);
        },
        [&] {
            const auto before = threadCpuSeconds();
            if (bareScan(directory) == 0) std::abort();
            return perSecond(threadCpuSeconds() - before);
        });
    return {one, memoryCase()};
}

}  // namespace lanes::bench
