// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/engine.h"
#include "engine/store/checkpoint.h"
#include "engine/store/connection.h"
#include "engine/store/encoding.h"
#include "engine/store/index_writer.h"
#include "engine/store/recovery.h"
#include "tests/bench/bench_store.h"
#include "tests/support/swift_receiver.h"

#include <QEventLoop>
#include <QTimer>

#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kEventsOfLane = 10;

/// Where the checkpoint of a log ends and where the log itself does. What comes after the
/// checkpoint are as many events and failed attempts.
struct Shape {
    std::uint64_t covered = 0;
    std::uint64_t tail = 0;
    [[nodiscard]] std::uint64_t events() const { return covered + tail; }
};

/// Events after the first `from`, up to `to` of them.
void writeEvents(SQLite::Database& database, const Shape& shape, std::uint64_t from,
                 std::uint64_t to) {
    SQLite::Statement event(database, "INSERT INTO events VALUES(?1,'native','e'||?1,1,'u'||?2,"
                                      "'bench.event','application/json',?3,x'7b7d')");
    SQLite::Statement pointer(database, "INSERT INTO pointers VALUES(?,?,?,?)");
    const auto targets = store::encodeTargets({{DestinationId(1), kSecond}});
    const auto now = StoreOptions().now();
    const auto users = shape.covered / kEventsOfLane;
    for (auto i = from; i < to; ++i) {
        const auto user = i % users;
        event.bind(1, store::toColumn(i + 1));
        event.bind(2, store::toColumn(user));
        event.bind(3, now);
        event.exec();
        event.reset();
        pointer.bind(1, store::toColumn(i + 1));
        pointer.bind(2, store::toColumn((user + 1) * 0x9e3779b97f4a7c15));
        pointer.bindNoCopy(3, targets.data(), static_cast<int>(targets.size()));
        pointer.bind(4, store::toColumn(store::eventHash("native", "e" + std::to_string(i + 1))));
        pointer.exec();
        pointer.reset();
    }
}

void writeRows(SQLite::Database& database, const Shape& shape) {
    writeEvents(database, shape, 0, shape.covered);
    store::buildIndexes(database);
    writeEvents(database, shape, shape.covered, shape.events());
    SQLite::Statement attempt(database, "INSERT INTO journal VALUES(?1,0,1,?2,1,1,?3,5000,4,500,"
                                        "0,0,0,'status 500','',x'')");
    const auto now = StoreOptions().now();
    const auto users = shape.covered / kEventsOfLane;
    for (std::uint64_t i = 0; i < shape.tail; ++i) {
        attempt.bind(1, store::toColumn(i + 1));
        attempt.bind(2, store::toColumn(i % users + 1));
        attempt.bind(3, now);
        attempt.exec();
        attempt.reset();
    }
}

/// A log in which everything waits.
void writeWaitingLog(const std::string& directory, const std::string& url, const Shape& shape) {
    {
        OurStore store(directory);
        WriteBatch batch;
        batch.ticket = 1;
        batch.destinations.push_back(benchDestination(1));
        batch.destinations.back().url = url;
        store.submit(std::move(batch));
        store.meter().waitForTicket(1);
    }
    const auto database = store::openForWriting(store::dataFile(directory), 1000);
    database->exec("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF");
    SQLite::Transaction transaction(*database);
    writeRows(*database, shape);
    store::PendingLedger ledger;
    ledger.add(DestinationId(1));
    for (std::uint64_t sequence = 1; sequence <= shape.covered; ++sequence)
        ledger.accept(Sequence(sequence), {{DestinationId(1), kSecond}});
    store::writeCheckpoint(*database, ledger, {shape.covered, 0});
    transaction.commit();
}

struct Start {
    double shown = 0;      // seconds until a snapshot tells how far the log is read
    double delivering = 0;  // seconds until an attempt is in flight
};

/// Starts the engine in a copy of the log and stops it at the first delivery.
Start startEngine(const std::string& log) {
    const Directory directory;
    const auto copy = directory.path() + "/data";
    std::filesystem::copy(log, copy);
    EngineOptions options;
    options.dataDirectory = copy;
    options.intakeEnabled = false;
    const auto engine = makeEngine(options);
    QEventLoop loop;
    Start start;
    const auto begin = wallSeconds();
    QObject::connect(engine.get(), &Engine::snapshotPublished, &loop, [&] {
        const auto snapshot = engine->snapshot();
        if (snapshot->lifecycle == Lifecycle::failed) giveUp(snapshot->failure);
        if (snapshot->recoveryProgress > 0 && start.shown == 0)
            start.shown = wallSeconds() - begin;
        for (const auto& destination : snapshot->destinations) {
            if (destination.inFlight + destination.attempts == 0 || start.delivering > 0) continue;
            start.delivering = wallSeconds() - begin;
            loop.quit();
        }
    });
    engine->start();
    loop.exec();
    engine->stop();
    return start;
}

double bareScan(const std::string& log) {
    const auto before = wallSeconds();
    const auto database = store::openForReading(store::dataFile(log));
    sqlite3_stmt* query = nullptr;
    if (sqlite3_prepare_v2(database->getHandle(), "SELECT seq, user, targets FROM pointers", -1,
                           &query, nullptr) != SQLITE_OK)
        giveUp("the pointers cannot be read");
    std::uint64_t sum = 0;
    while (sqlite3_step(query) == SQLITE_ROW) {
        sum += static_cast<std::uint64_t>(sqlite3_column_int64(query, 0));
        sum += static_cast<std::uint64_t>(sqlite3_column_int64(query, 1));
        sum += static_cast<std::uint64_t>(sqlite3_column_bytes(query, 2));
    }
    sqlite3_finalize(query);
    if (sum == 0) giveUp("there are no pointers");
    return wallSeconds() - before;
}

void addCases(std::vector<BenchCase>& cases, int runs, const std::string& url, const Shape& shape,
              const std::string& what) {
    const Directory directory;
    const auto log = directory.path() + "/log";
    writeWaitingLog(log, url, shape);
    BenchCase delivering;
    delivering.name = "start: until the first delivery is under way, " + grouped(shape.events()) +
                      " events wait in " + grouped(shape.covered / kEventsOfLane) + " lanes, " +
                      what;
    delivering.unit = "s";
    delivering.bareIs = "the pointer rows read once by SQLite's C API and thrown away";
    BenchCase shown = delivering;
    shown.name = "start: until the window can show something, " + what;
    for (int run = 0; run < runs; ++run) {
        const auto start = startEngine(log);
        const auto bare = bareScan(log);
        delivering.ours.push_back(start.delivering);
        delivering.bare.push_back(bare);
        shown.ours.push_back(start.shown);
        shown.bare.push_back(bare);
    }
    cases.push_back(delivering);
    cases.push_back(shown);
}

}  // namespace

std::vector<BenchCase> benchRecover(int runs) {
    const test::SwiftReceiver receiver({});
    std::vector<BenchCase> cases;
    const auto events = scaled(10'000'000);
    addCases(cases, runs, receiver.url(), {events, 0}, "after a fresh checkpoint");
    addCases(cases, runs, receiver.url(), {events - events / 20, events / 20},
             "with " + grouped(events / 20) + " events and attempts after the last checkpoint");
    return cases;
}

}  // namespace lanes::bench
