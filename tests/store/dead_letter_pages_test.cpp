// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/config.h"
#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr int kOrders = 7;
constexpr std::uint64_t kFew = 600;
constexpr std::uint64_t kMany = 60'000;

DeadLetterOrder orderOf(int number) { return static_cast<DeadLetterOrder>(number); }

/// Dead letters of all kinds, many of them equal in what an order goes by.
void fill(SQLite::Database& database, std::uint64_t count) {
    database.exec("BEGIN");
    SQLite::Statement insert(
        database, "INSERT INTO dead_letters(destination, seq, user_id, user_kind, user, event_id,"
                  " type, accepted_at, died_at, first_tried_at, attempts, life, last_outcome,"
                  " last_status, last_error, reason, bytes, rewound_by)"
                  " VALUES(?1 % 3 + 1, ?1, ?1 % 40, 1, 'user-' || (?1 % 40), 'event-' || ?1,"
                  " 'type-' || (?1 % 5), 0, 1000 + ?1 / 4 * 3 % 1000, ?1 % 7 * 10, ?1 % 11, 1,"
                  " ?1 % 4 + 1, CASE ?1 % 4 WHEN 0 THEN 0 ELSE 500 + ?1 % 4 END,"
                  " CASE WHEN ?1 % 20000 = 19 THEN 'Needle' ELSE 'HTTP 503' END, 'window over',"
                  " 16, ?1 % 50 = 49)");
    for (std::uint64_t n = 1; n <= count; ++n) {
        insert.reset();
        insert.bind(1, static_cast<std::int64_t>(n));
        insert.exec();
    }
    database.exec("COMMIT");
}

/// All rows, a page at a time away from one end.
std::vector<DeadLetterRow> walk(PageReader& reader, DeadLetterQuery query, bool backwards) {
    std::vector<DeadLetterRow> all;
    if (backwards) query.before = query.after;
    query.after.reset();
    for (int pages = 0; pages < 100'000; ++pages) {
        const auto page = reader.deadLetters(query);
        if (!page.error.empty()) qFatal("%s", page.error.c_str());
        all.insert(backwards ? all.begin() : all.end(), page.rows.begin(), page.rows.end());
        if (page.complete) return all;
        (backwards ? query.before : query.after) = page.resume;
    }
    qFatal("the list has no end");
}

}  // namespace

class TestDeadLetterPages : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::unique_ptr<OpenStore> m_few;
    std::unique_ptr<OpenStore> m_many;

    [[nodiscard]] std::unique_ptr<OpenStore> make(const std::string& name, std::uint64_t count) {
        const std::string path = m_directory.path().toStdString() + "/" + name;
        { OpenStore made(optionsFor(path)); }
        {
            SQLite::Database database(store::dataFile(path), SQLite::OPEN_READWRITE);
            fill(database, count);
        }
        return std::make_unique<OpenStore>(optionsFor(path));
    }
    [[nodiscard]] std::vector<DeadLetterRow> everything() const {
        return walk(*m_few->store->openPageReader(), {}, false);
    }

private slots:
    void initTestCase() {
        m_few = make("few", kFew);
        m_many = make("many", kMany);
        QCOMPARE(m_few->error, std::string());
        QCOMPARE(m_many->error, std::string());
    }

    void pagesJoinToTheWholeListInItsOrder_data() {
        QTest::addColumn<int>("order");
        QTest::addColumn<bool>("descending");
        QTest::addColumn<bool>("backwards");
        const char* names[] = {"died", "first try", "attempts", "lane", "type", "status",
                               "outcome"};
        for (int order = 0; order < kOrders; ++order)
            for (const bool descending : {true, false})
                for (const bool backwards : {true, false})
                    QTest::addRow("by %s, %s, read %s", names[order],
                                  descending ? "falling" : "rising", backwards ? "up" : "down")
                        << order << descending << backwards;
    }
    void pagesJoinToTheWholeListInItsOrder() {
        QFETCH(const int, order);
        QFETCH(const bool, descending);
        QFETCH(const bool, backwards);
        DeadLetterQuery query;
        query.order = orderOf(order);
        query.descending = descending;
        query.limit = 7;
        const auto reader = m_few->store->openPageReader();
        if (backwards) {
            // From behind the last row.
            auto last = walk(*reader, query, false).back().key(query.order);
            if (descending) {
                last.number = -1;
                last.text.clear();
                last.diedAt = -1;
                last.pointer = {};
            } else {
                last.number = 1'000'000;
                last.text = "~";
                last.diedAt = 1'000'000;
                last.pointer.destination = DestinationId(1'000'000);
            }
            query.after = last;
        }
        auto rows = walk(*reader, query, backwards);
        QCOMPARE(rows.size(), std::size_t{kFew - kFew / 50});
        const auto place = [&](const DeadLetterRow& row) {
            const auto key = row.key(query.order);
            const auto by = query.order == DeadLetterOrder::lane
                                ? std::int64_t{key.pointer.destination.value}
                                : key.number;
            return std::tuple(by, key.text, key.diedAt, key.pointer);
        };
        for (std::size_t n = 1; n < rows.size(); ++n) {
            QVERIFY(descending ? place(rows[n]) < place(rows[n - 1])
                               : place(rows[n]) > place(rows[n - 1]));
        }
    }

    void aFilterGivesWhatMatchesInEveryOrder_data() {
        QTest::addColumn<DeadLetterFilter>("filter");
        const auto row = [](const char* name, auto set) {
            DeadLetterFilter filter;
            set(filter);
            QTest::newRow(name) << filter;
        };
        row("destination", [](auto& f) { f.destination = DestinationId(2); });
        row("user", [](auto& f) { f.user = "user-7"; });
        row("user of a destination", [](auto& f) {
            f.user = "user-7";
            f.destination = DestinationId(2);
        });
        row("type", [](auto& f) { f.type = "type-3"; });
        row("event", [](auto& f) { f.eventId = "event-77"; });
        row("part of the error", [](auto& f) { f.errorContains = "nEEDle"; });
        row("outcome", [](auto& f) { f.lastOutcome = Outcome::overloaded; });
        row("one status", [](auto& f) { f.statusFrom = 502; });
        row("a range of statuses", [](auto& f) {
            f.statusFrom = 501;
            f.statusTo = 502;
        });
        row("a time", [](auto& f) {
            f.diedFrom = 1'100;
            f.diedBefore = 1'300;
        });
        row("a time at a destination", [](auto& f) {
            f.diedFrom = 1'100;
            f.diedBefore = 1'300;
            f.destination = DestinationId(3);
        });
        row("never tried", [](auto& f) { f.neverTried = true; });
        row("type and outcome in a time", [](auto& f) {
            f.type = "type-1";
            f.lastOutcome = Outcome::refused;
            f.diedBefore = 1'200;
        });
        row("nothing", [](auto& f) { f.user = "nobody"; });
    }
    void aFilterGivesWhatMatchesInEveryOrder() {
        QFETCH(const DeadLetterFilter, filter);
        std::vector<Pointer> expected;
        for (const auto& row : everything())
            if (matches(filter, row)) expected.push_back(row.pointer);
        std::sort(expected.begin(), expected.end());
        const auto reader = m_few->store->openPageReader();
        for (int order = 0; order < kOrders; ++order) {
            for (const bool descending : {true, false}) {
                DeadLetterQuery query;
                query.filter = filter;
                query.order = orderOf(order);
                query.descending = descending;
                query.limit = 10;
                std::vector<Pointer> found;
                for (const auto& row : walk(*reader, query, false)) found.push_back(row.pointer);
                std::sort(found.begin(), found.end());
                QCOMPARE(found, expected);
            }
        }
    }

    /// The filter of a few rows among many: in slices, and the other way back.
    void rareRowsAmongManyAreFoundBothWays_data() {
        QTest::addColumn<int>("order");
        for (int order = 0; order < kOrders; ++order) QTest::addRow("order %d", order) << order;
    }
    void rareRowsAmongManyAreFoundBothWays() {
        QFETCH(const int, order);
        DeadLetterQuery query;
        query.order = orderOf(order);
        query.filter.errorContains = "needle";
        const auto reader = m_many->store->openPageReader();
        const auto down = walk(*reader, query, false);
        QCOMPARE(down.size(), std::size_t{3});
        query.filter.destination = down[1].pointer.destination;
        query.filter.diedFrom = down[1].diedAt;
        query.filter.diedBefore = down[1].diedAt + 1;
        QCOMPARE(walk(*reader, query, false).size(), std::size_t{1});
        query.filter.destination = {};
        query.filter.diedFrom = query.filter.diedBefore = 0;
        query.after = down[2].key(query.order);
        const auto up = walk(*reader, query, true);
        QCOMPARE(up.size(), std::size_t{2});
        QVERIFY(up[0].pointer == down[0].pointer);
        QVERIFY(up[1].pointer == down[1].pointer);
    }

    void noRowIsLostWhereOneSliceEndsAndTheNextBegins() {
        // One row in fifteen, so that no slice fills a page.
        DeadLetterQuery query;
        query.order = DeadLetterOrder::attempts;
        query.filter.destination = DestinationId(1);
        query.filter.type = "type-3";
        std::size_t expected = 0;
        for (std::uint64_t n = 1; n <= kMany; ++n)
            if (n % 3 == 0 && n % 5 == 3 && n % 50 != 49) ++expected;
        const auto reader = m_many->store->openPageReader();
        QCOMPARE(walk(*reader, query, false).size(), expected);
    }

    void aCallThatFindsLittleEndsInTimeAndSaysWhereToGoOn() {
        DeadLetterQuery query;
        query.filter.errorContains = "there is no such text";
        const auto reader = m_many->store->openPageReader();
        std::uint64_t calls = 0;
        for (bool complete = false; !complete; ++calls) {
            const auto page = reader->deadLetters(query);
            QVERIFY(page.rows.empty());
            complete = page.complete;
            QCOMPARE(page.resume.has_value(), !complete);
            query.after = page.resume;
        }
        QVERIFY2(calls > 1, "60 000 rows were looked at in one call");
        QVERIFY2(calls <= kMany / 1'000 + 1, "less than a slice was looked at in a call");
    }

    void aPageOfLongTextsEndsBeforeItsRows() {
        const std::string path = m_directory.path().toStdString() + "/long";
        { OpenStore made(optionsFor(path)); }
        {
            SQLite::Database database(store::dataFile(path), SQLite::OPEN_READWRITE);
            fill(database, 60);
            database.exec("UPDATE dead_letters SET last_error=hex(zeroblob(100000))");
        }
        const OpenStore open(optionsFor(path));
        const auto reader = open.store->openPageReader();
        const auto page = reader->deadLetters({});
        QVERIFY(!page.complete);
        QCOMPARE(page.rows.size(), limits::kPageBytes / 200'000 + 1);
        QCOMPARE(walk(*reader, {}, false).size(), std::size_t{59});
    }

    void anInterruptEndsTheCallThatRunsAndNoOther() {
        const auto reader = m_many->store->openPageReader();
        reader->interrupt();
        const auto page = reader->deadLetters({});
        QVERIFY(!page.interrupted);
        QCOMPARE(page.rows.size(), limits::kPageRows);

        std::atomic<bool> stop = false;
        std::thread other([&] {
            while (!stop) reader->interrupt();
        });
        DeadLetterQuery query;
        query.filter.errorContains = "there is no such text";
        bool interrupted = false;
        for (int n = 0; n < 100 && !interrupted; ++n) {
            const auto rare = reader->deadLetters(query);
            interrupted = rare.interrupted;
            QCOMPARE(rare.error, std::string());
            QVERIFY(!rare.complete || !rare.interrupted);
        }
        stop = true;
        other.join();
        QVERIFY(interrupted);
        QCOMPARE(reader->deadLetters({}).rows.size(), limits::kPageRows);
    }

    void aPageThatFailedSaysSoAndAnEmptyOneDoesNot() {
        const std::string path = m_directory.path().toStdString() + "/broken";
        OpenStore open(optionsFor(path));
        const auto reader = open.store->openPageReader();
        const auto empty = reader->deadLetters({});
        QVERIFY(empty.complete && empty.error.empty());
        open.store->close();
        {
            SQLite::Database database(store::dataFile(path), SQLite::OPEN_READWRITE);
            database.exec("DROP TABLE dead_letters; DROP TABLE operations; DROP TABLE journal;"
                          "DROP TABLE index_runs");
        }
        const auto broken = reader->deadLetters({});
        QVERIFY(!broken.complete);
        QVERIFY(broken.rows.empty());
        QVERIFY2(broken.error.find("/broken/lanes.db is damaged") != std::string::npos,
                 broken.error.c_str());
        QVERIFY(!reader->operations({}).error.empty());
        QVERIFY(!reader->attempts({}).error.empty());
        QVERIFY(!reader->laneEvents({{DestinationId(1), UserId(1)}, {}, {}, 10}).error.empty());
    }
};

QTEST_GUILESS_MAIN(TestDeadLetterPages)
#include "dead_letter_pages_test.moc"
