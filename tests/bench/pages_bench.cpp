// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/delivery_kernel.h"
#include "engine/core/random.h"
#include "engine/runtime/huge_pages.h"
#include "engine/store/connection.h"
#include "engine/store/index_writer.h"
#include "engine/store/sqlite_store.h"
#include "engine/user_id.h"
#include "tests/bench/delivered.h"

#include <SQLiteCpp/Statement.h>

#include <QDir>
#include <QTemporaryDir>

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Any page of any list and order, at random places, while another thread delivers 5 000 events a
// second. A figure is the slowest of a hundred pages but one.
namespace lanes::bench {

namespace {

constexpr std::uint64_t kPages = 200;  // of one run and order
constexpr std::uint64_t kPerSecond = 5'000;
constexpr std::uint32_t kDestinations = 5;
constexpr WallMicros kWall = 1'790'000'000'000'000;

UserId userOf(std::uint64_t number) {
    return fingerprint({UserKey::Kind::user, "user-" + std::to_string(number)}, {});
}

/// Milliseconds that 99 % of the calls stay below.
double slowest(const std::function<void()>& call, std::uint64_t calls = kPages) {
    std::vector<double> times;
    for (std::uint64_t n = 0; n < calls; ++n) {
        const auto before = wallSeconds();
        call();
        times.push_back((wallSeconds() - before) * 1e3);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() * 99 / 100];
}

class Listener : public StoreListener {
public:
    void committed(CommitReport report) override {
        const std::lock_guard lock(m_mutex);
        m_ticket = std::max(m_ticket, report.ticket);
        m_changed.notify_all();
    }
    void statusChanged(StoreStatus status) override {
        if (!status.writable) giveUp(status.fault);
    }
    void wait(std::uint64_t ticket) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_ticket >= ticket; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_ticket = 0;
};

/// A data directory with so many events, attempts and dead letters. The rows are put there by SQL,
/// because nothing is measured of how they came; the store opens it and delivers on top.
class Log {
public:
    explicit Log(std::uint64_t rows)
        : m_rows(rows), m_directory(QDir::current().filePath(QStringLiteral("bench-XXXXXX"))) {
        if (!m_directory.isValid()) giveUp("no directory can be made here");
        open();
        WriteBatch batch;
        for (std::uint32_t id = 1; id <= kDestinations; ++id) {
            DestinationConfig config;
            config.id = DestinationId(id);
            config.name = "bench-" + std::to_string(id);
            config.url = "http://127.0.0.1/";
            batch.destinations.push_back(config);
        }
        commit(std::move(batch));
        m_store.reset();
        fill();
        open();
    }
    ~Log() { stop(); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    /// From now on another thread has the store write what 5 000 deliveries a second leave.
    void startDeliveries() {
        m_deliveries = std::thread([this] {
            const auto began = wallSeconds();
            std::uint64_t done = 0;
            std::unique_lock lock(m_mutex);
            const auto told = [this] { return m_stop; };
            while (!m_stopped.wait_for(lock, std::chrono::milliseconds(5), told)) {
                const auto due = static_cast<std::uint64_t>((wallSeconds() - began) * kPerSecond);
                for (; done < due; done += kPerSecond / 100) commit(delivered(kPerSecond / 100));
            }
            m_rate = static_cast<double>(done) / (wallSeconds() - began);
        });
    }
    void stop() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_stopped.notify_all();
        if (m_deliveries.joinable()) m_deliveries.join();
        if (m_store) m_store->close();
    }
    [[nodiscard]] double rate() const { return m_rate; }

    [[nodiscard]] std::unique_ptr<PageReader> reader() const { return m_store->openPageReader(); }
    [[nodiscard]] std::unique_ptr<EventReader> events() const {
        return m_store->openEventReader();
    }
    [[nodiscard]] std::string file() const { return store::dataFile(path()); }

private:
    [[nodiscard]] std::string path() const {
        return m_directory.path().toStdString() + "/data";
    }
    void open() {
        StoreOptions options;
        options.directory = path();
        options.wallNow = [] { return kWall; };  // nothing is old
        m_store = std::make_unique<SqliteStore>(options, m_listener);
        Recovery recovery;
        recovery.pending = [](const PendingPointer&) {};
        if (const auto opened = m_store->open(recovery); !opened) giveUp(opened.error().detail);
    }
    void commit(WriteBatch batch) {
        batch.ticket = ++m_ticket;
        m_store->submit(std::move(batch));
        m_listener.wait(m_ticket);
    }
    /// Attempts that delivered, and as many new events behind them.
    WriteBatch delivered(std::uint64_t count) {
        WriteBatch batch;
        batch.intake = ++m_intake;
        for (std::uint64_t n = 0; n < count; ++n) {
            ++m_next;
            NewEvent event;
            event.source = "bench";
            event.id = "more-" + std::to_string(m_next);
            event.user = {UserKey::Kind::user, "user-" + std::to_string(m_next % 100'000)};
            event.userId = userOf(m_next % 100'000);
            event.type = "bench.event";
            event.contentType = "application/json";
            event.payload = std::string(300, 'x');
            event.acceptedAt = kWall;
            event.targets = {{DestinationId(1), 0}};
            batch.events.push_back(std::move(event));
            JournalEntry entry;
            entry.pointer = {DestinationId(1), Sequence(m_next)};
            entry.attempt = 1;
            entry.at = kWall;
            entry.duration = 5 * kMillisecond;
            entry.status = 200;
            batch.journal.push_back(std::move(entry));
        }
        return batch;
    }
    void fill() const;

    const std::uint64_t m_rows;
    QTemporaryDir m_directory;
    Listener m_listener;
    std::unique_ptr<SqliteStore> m_store;
    std::thread m_deliveries;
    std::mutex m_mutex;
    std::condition_variable m_stopped;
    bool m_stop = false;
    double m_rate = 0;
    std::uint64_t m_ticket = 0;
    std::uint64_t m_intake = 0;
    std::uint64_t m_next = m_rows;
};

/// An index is made faster from all rows than row by row.
std::vector<std::string> dropDeadIndexes(SQLite::Database& database) {
    std::vector<std::string> indexes;
    std::vector<std::string> names;
    SQLite::Statement query(database, "SELECT name, sql FROM sqlite_schema WHERE type='index'"
                                      " AND tbl_name='dead_letters' AND sql IS NOT NULL");
    while (query.executeStep()) {
        names.push_back(query.getColumn(0).getString());
        indexes.push_back(query.getColumn(1).getString());
    }
    query.reset();
    for (const auto& name : names) database.exec("DROP INDEX " + name);
    return indexes;
}

/// Every event was tried once, and died at one of five destinations that are gone: they have no
/// books that the store would compare with the list.
void Log::fill() const {
    SQLite::Database database(file(), SQLite::OPEN_READWRITE);
    // Written once and not twice; the store switches back to its log when it opens the file.
    database.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-400000;"
                  "BEGIN");
    const auto forEach = [&](const char* sql, const std::function<std::int64_t(std::uint64_t)>& x) {
        SQLite::Statement insert(database, sql);
        for (std::uint64_t n = 1; n <= m_rows; ++n) {
            insert.reset();
            insert.bind(1, static_cast<std::int64_t>(n));
            if (x) insert.bind(2, x(n));
            insert.exec();
        }
    };
    const auto user = [](std::uint64_t n) { return store::toColumn(userOf(n % 100'000).value); };
    forEach("INSERT INTO events VALUES(?1, 'bench', 'event-' || ?1, 1, 'user-' || (?1 % 100000),"
            " 'type-' || (?1 % 17), 'application/json', 1790000000000000, zeroblob(300))", {});
    // Two targets, written as the store does: destination 1 and 2, clocks 0.
    forEach("INSERT INTO pointers(seq, user, targets) VALUES(?1, ?2, x'01000200')", user);
    forEach("INSERT INTO journal VALUES(?1, 0, ?1 % 5 + 1, ?1, 1, 1, 1790000000000000 + ?1 * 200,"
            " 5000, ?1 % 3, 200 + ?1 % 400, 0, 0, 0, 'HTTP 503', '', x'')", {});
    const auto indexes = dropDeadIndexes(database);
    forEach("INSERT INTO dead_letters(destination, seq, user_id, user_kind, user, event_id, type,"
            " accepted_at, died_at, first_tried_at, attempts, life, last_outcome, last_status,"
            " last_error, reason, bytes) VALUES(?1 % 5 + 11, ?1, ?2, 1, 'user-' || (?1 % 100000),"
            " 'event-' || ?1, 'type-' || (?1 % 17), 1790000000000000,"
            " 1790000000000000 + ?1 * 7919 % 4999999, ?1 * 104729 % 5000011, ?1 % 60, 1,"
            " ?1 % 6 + 1, 400 + ?1 % 200, CASE WHEN ?1 % 40 = 0 THEN 'timeout' ELSE 'HTTP 503'"
            " END, 'window over', 300)", user);
    database.exec(
        "UPDATE marks SET value=(SELECT MAX(seq) FROM pointers) WHERE name='sequence';"
        "UPDATE marks SET value=(SELECT MAX(id) FROM journal) WHERE name='journal';"
        "DELETE FROM checkpoint");
    store::buildIndexes(database);
    for (const auto& index : indexes) database.exec(index);
    database.exec("COMMIT");
}

/// 256 rows by rowid from a random place, with all their columns.
class BareReader {
public:
    BareReader(const std::string& file, std::uint64_t rows) : m_rows(rows) {
        if (sqlite3_open_v2(file.c_str(), &m_database, SQLITE_OPEN_READONLY, nullptr) ||
            sqlite3_prepare_v2(m_database,
                               "SELECT * FROM dead_letters WHERE row>? ORDER BY row LIMIT 256",
                               -1, &m_query, nullptr))
            giveUp(sqlite3_errmsg(m_database));
    }
    ~BareReader() {
        sqlite3_finalize(m_query);
        sqlite3_close(m_database);
    }
    BareReader(const BareReader&) = delete;
    BareReader& operator=(const BareReader&) = delete;

    double read() {
        return slowest([this] {
            sqlite3_bind_int64(m_query, 1, static_cast<sqlite3_int64>(m_random.below(m_rows)));
            std::vector<std::string> texts;
            while (sqlite3_step(m_query) == SQLITE_ROW) {
                for (int column = 0; column < sqlite3_column_count(m_query); ++column) {
                    const auto* text =
                        reinterpret_cast<const char*>(sqlite3_column_text(m_query, column));
                    texts.emplace_back(text == nullptr ? "" : text);
                }
            }
            sqlite3_reset(m_query);
        });
    }

private:
    const std::uint64_t m_rows;
    Random m_random{11};
    sqlite3* m_database = nullptr;
    sqlite3_stmt* m_query = nullptr;
};

struct List {
    std::string name;
    std::function<void()> page;
};

/// A place in an order that any row may have.
DeadLetterQuery::Key anyKey(DeadLetterOrder order, Random& random, std::uint64_t rows) {
    const auto n = static_cast<std::int64_t>(1 + random.below(rows));
    DeadLetterRow row;
    row.pointer = {DestinationId(static_cast<std::uint32_t>(n % 5 + 11)),
                   Sequence(static_cast<std::uint64_t>(n))};
    row.user.text = "user-" + std::to_string(n % 100'000);
    row.type = "type-" + std::to_string(n % 17);
    row.diedAt = kWall + n * 7919 % 4'999'999;
    row.firstTriedAt = n * 104'729 % 5'000'011;
    row.attempts = static_cast<std::uint32_t>(n % 60);
    row.lastOutcome = static_cast<Outcome>(n % 6 + 1);
    row.lastStatus = static_cast<std::uint16_t>(400 + n % 200);
    return row.key(order);
}

template <typename Page>
void expectRows(const Page& page) {
    if (!page.error.empty()) giveUp(page.error);
}

std::vector<List> storeLists(PageReader& reader, Random& random, std::uint64_t rows) {
    std::vector<List> lists;
    const char* names[] = {"time of death", "first try", "attempts", "destination and user",
                           "type", "status", "outcome"};
    for (int number = 0; number < 7; ++number) {
        const auto order = static_cast<DeadLetterOrder>(number);
        lists.push_back({std::string("dead letters by ") + names[number], [&, order, rows] {
                             DeadLetterQuery query;
                             query.order = order;
                             query.descending = random.below(2) == 0;
                             auto key = anyKey(order, random, rows);
                             (random.below(2) == 0 ? query.after : query.before) = std::move(key);
                             expectRows(reader.deadLetters(query));
                         }});
    }
    lists.push_back({"dead letters of a destination by attempts", [&, rows] {
                         DeadLetterQuery query;
                         query.order = DeadLetterOrder::attempts;
                         query.filter.destination = DestinationId(13);
                         query.after = anyKey(query.order, random, rows);
                         expectRows(reader.deadLetters(query));
                     }});
    lists.push_back({"dead letters with a text in their error, one in 40", [&, rows] {
                         DeadLetterQuery query;
                         query.filter.errorContains = "timeout";
                         query.after = anyKey(query.order, random, rows);
                         expectRows(reader.deadLetters(query));
                     }});
    lists.push_back({"dead letters with a text that none has", [&, rows] {
                         DeadLetterQuery query;
                         query.filter.errorContains = "nothing";
                         query.after = anyKey(query.order, random, rows);
                         expectRows(reader.deadLetters(query));
                     }});
    lists.push_back({"attempts", [&, rows] {
                         AttemptQuery query;
                         (random.below(2) == 0 ? query.before : query.after) =
                             1 + random.below(rows);
                         expectRows(reader.attempts(query));
                     }});
    lists.push_back({"attempts of a destination", [&, rows] {
                         AttemptQuery query;
                         query.destination = DestinationId(2);
                         query.before = 1 + random.below(rows);
                         expectRows(reader.attempts(query));
                     }});
    lists.push_back({"attempts until a time", [&, rows] {
                         AttemptQuery query;
                         query.endedBefore =
                             kWall + static_cast<WallMicros>(random.below(rows)) * 200;
                         expectRows(reader.attempts(query));
                     }});
    lists.push_back({"attempts of an event", [&, rows] {
                         AttemptQuery query;
                         query.sequence = Sequence(1 + random.below(rows));
                         expectRows(reader.attempts(query));
                     }});
    lists.push_back({"events of a lane", [&] {
                         LaneEventQuery query;
                         query.lane = {DestinationId(1), userOf(random.below(100'000))};
                         expectRows(reader.laneEvents(query));
                     }});
    lists.push_back({"an event by its id", [&, rows] {
                         const auto id = "event-" + std::to_string(random.below(rows));
                         expectRows(reader.findEvents("bench", id));
                     }});
    return lists;
}

/// A kernel of waiting lanes that delivers, as fast as it is asked to.
class Lanes {
public:
    Lanes(std::uint64_t lanes, std::pmr::memory_resource* memory)
        : m_kernel(std::make_unique<DeliveryKernel>(1, memory)) {
        for (std::uint32_t id = 1; id <= kDestinations; ++id) {
            RecoveredDestination destination;
            destination.config.id = DestinationId(id);
            destination.config.name = "bench-" + std::to_string(id);
            destination.config.url = "http://127.0.0.1/";
            destination.state.knownGood = 64;
            m_kernel->recoverDestination(destination, 0);
        }
        input::EventsAccepted accepted;
        for (std::uint64_t n = 1; n <= lanes; ++n) {
            accepted.events.push_back(
                {Sequence(++m_sequence), UserId(n * 0x9e3779b97f4a7c15 + 1),
                 {{DestinationId(static_cast<std::uint32_t>(n % kDestinations) + 1), 0}}});
            if (accepted.events.size() == 500) step(std::exchange(accepted, {}));
        }
        step(std::move(accepted));
    }

    /// So many deliveries, each followed by a new event of its user.
    void deliver(std::uint64_t count) {
        for (std::uint64_t done = 0; done < count;) {
            m_moment.now += kMillisecond;
            step(input::TimePassed{});
            for (const auto& start : std::exchange(m_starts, {})) {
                step(input::EventsAccepted{{{Sequence(++m_sequence), start.user,
                                             {{start.pointer.destination, m_moment.now}}}}});
                step(input::AttemptFinished{delivered(start)});
                if (m_ticket) step(input::StoreCommitted{std::exchange(m_ticket, 0)});
                ++done;
            }
        }
    }
    [[nodiscard]] DeliveryKernel& kernel() { return *m_kernel; }
    [[nodiscard]] Micros now() const { return m_moment.now; }
    void pass(Micros time) { m_moment.now += time; }

private:
    void step(Input input) {
        m_effects.clear();
        m_kernel->step(std::move(input), m_moment, m_effects);
        m_starts.insert(m_starts.end(), m_effects.starts.begin(), m_effects.starts.end());
        if (m_effects.writes.ticket) m_ticket = m_effects.writes.ticket;
    }

    std::unique_ptr<DeliveryKernel> m_kernel;
    Moment m_moment;
    Effects m_effects;
    std::vector<StartAttempt> m_starts;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_ticket = 0;
};

/// What the engine's thread does in turns: deliveries, a slice of an order, a page with its texts.
void lanePages(Log& log, BareReader& bare, std::uint64_t rows, int runs,
               std::vector<BenchCase>& cases) {
    HugePages memory;
    Lanes lanes(rows, &memory);
    const auto events = log.events();
    Random random(5);
    const char* names[] = {"head age", "backlog", "attempts", "next attempt", "dead-letters in",
                           "destination"};
    for (int number = 0; number < 6; ++number) {
        LanePageRequest request;
        request.order = static_cast<LaneOrder>(number);
        const auto add = [&](const std::string& name) -> BenchCase& {
            cases.push_back({name, "ms p99", "SQLite's C API: 256 rows by rowid, same file",
                             false, {}, {}});
            return cases.back();
        };
        (void)lanes.kernel().page(request, lanes.now());
        bool more = true;
        auto& build = add(std::string("lanes by ") + names[number] + ": a slice of its building");
        std::vector<double> slices;
        while (more) {
            lanes.deliver(5);
            const auto before = wallSeconds();
            more = lanes.kernel().tendOrders(lanes.now());
            slices.push_back((wallSeconds() - before) * 1e3);
        }
        std::sort(slices.begin(), slices.end());
        build.ours.push_back(slices[slices.size() * 99 / 100]);
        build.bare.push_back(bare.read());
        auto& page = add(std::string("lanes by ") + names[number]);
        measure(
            page, runs,
            [&] {
                return slowest([&] {
                    lanes.deliver(50);
                    request.offset = random.below(rows - limits::kPageRows);
                    request.descending = random.below(2) == 0;
                    const auto found = lanes.kernel().page(request, lanes.now());
                    std::vector<Sequence> heads;
                    for (const auto& row : found.rows) heads.push_back(row.head);
                    (void)events->readTexts(heads);
                });
            },
            [&] { return bare.read(); });
        // Nobody looks at it any more.
        lanes.pass(2 * kMinute);
        std::vector<double> drops;
        for (more = true; more;) {
            const auto before = wallSeconds();
            more = lanes.kernel().tendOrders(lanes.now());
            drops.push_back((wallSeconds() - before) * 1e3);
        }
        std::sort(drops.begin(), drops.end());
        auto& drop = add(std::string("lanes by ") + names[number] + ": a slice of its end");
        drop.ours.push_back(drops[drops.size() * 99 / 100]);
        drop.bare.push_back(bare.read());
    }
}

}  // namespace

std::vector<BenchCase> benchPages(int runs) {
    const auto rows = scaled(5'000'000);  // of each list, and lanes
    std::vector<BenchCase> cases;
    Log log(rows);
    BareReader bare(log.file(), rows);
    log.startDeliveries();
    const auto reader = log.reader();
    Random random(3);
    for (const auto& list : storeLists(*reader, random, rows)) {
        BenchCase one;
        one.name = list.name;
        one.unit = "ms p99";
        one.bareIs = "SQLite's C API: 256 rows by rowid, same file";
        measure(one, runs, [&] { return slowest(list.page); }, [&] { return bare.read(); });
        cases.push_back(std::move(one));
    }
    lanePages(log, bare, rows, runs, cases);
    log.stop();
    BenchCase rate;
    rate.name = "deliveries made durable meanwhile";
    rate.unit = "a second";
    rate.bareIs = "what was asked for";
    rate.higherIsBetter = true;
    rate.ours.push_back(log.rate());
    rate.bare.push_back(kPerSecond);
    cases.push_back(std::move(rate));
    return cases;
}

}  // namespace lanes::bench
