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
#include <map>
#include <random>
#include <thread>

using namespace lanes;
using namespace lanes::test;

Q_DECLARE_METATYPE(Filter)

namespace {

constexpr std::uint64_t kRows = 700;
constexpr std::uint64_t kMany = 20'000;
/// The last ones died a little before the time of the tests.
constexpr WallMicros kFirstDeath = kTestTime - 400 * kSecond;

/// Dead letters with their events, and for each an attempt, of all kinds.
void fill(SQLite::Database& database, std::uint64_t count) {
    database.exec("BEGIN");
    SQLite::Statement letter(
        database,
        "INSERT INTO dead_letters(destination, seq, user_id, user_kind, user, event_id, type,"
        " accepted_at, died_at, first_tried_at, attempts, life, last_outcome, last_status,"
        " last_error, reason, bytes, rewound_by)"
        " VALUES(?1 % 3 + 1, ?1, ?1 % 40, 1, 'user-' || (?1 % 40), 'event-' || ?1,"
        " 'type.' || (?1 % 5) || '.x', 500 + ?1, ?2 + ?1 / 4 * 3 % 400 * 1000000, ?1 % 7 * 10,"
        " ?1 % 11, ?1 % 3 + 1, ?1 % 4 + 1, CASE ?1 % 4 WHEN 0 THEN 0 ELSE 500 + ?1 % 4 END,"
        " CASE WHEN ?1 % 97 = 19 THEN 'the Needle' ELSE 'HTTP 503' END,"
        " CASE WHEN ?1 % 89 = 3 THEN 'Needle too' ELSE 'window over' END, 16 + ?1 % 9, 0)");
    SQLite::Statement event(
        database, "INSERT INTO events VALUES(?1, 's', 'event-' || ?1, 1, 'user-' || (?1 % 40),"
                  " 'type.' || (?1 % 5) || '.x', 'application/json', 500 + ?1,"
                  " CAST('{\"Order_ID\":' || (?1 % 13) || '}' AS BLOB))");
    SQLite::Statement attempt(
        database,
        "INSERT INTO journal VALUES(?1, CASE ?1 % 6 WHEN 5 THEN 1 ELSE 0 END, ?1 % 3 + 1,"
        " ?1 % 200 + 1, ?1 % 3 + 1, ?1 % 11, ?2 + ?1 * 500000, ?1 % 5 * 1000, ?1 % 7,"
        " CASE ?1 % 4 WHEN 0 THEN 0 ELSE 500 + ?1 % 4 END, ?1 % 4, ?1 % 2, 0,"
        " CASE WHEN ?1 % 97 = 19 THEN 'the Needle' ELSE 'HTTP 503' END, '',"
        " CAST('<p>Busy ' || (?1 % 3) || '</p>' AS BLOB))");
    for (std::uint64_t n = 1; n <= count; ++n)
        for (auto* statement : {&letter, &event, &attempt}) {
            statement->reset();
            statement->bind(1, static_cast<std::int64_t>(n));
            if (statement != &event) statement->bind(2, kFirstDeath);
            statement->exec();
        }
    database.exec("INSERT INTO dead_letter_notes SELECT seq, destination, 0, 'anna',"
                  " CASE WHEN seq % 4 = 0 THEN 'a NEEDLE' ELSE 'ticket ' || (seq % 12) END"
                  " FROM dead_letters WHERE seq % 3 = 0");
    database.exec("COMMIT");
}

Filter term(FilterField field, FilterRelation relation, std::int64_t low, std::int64_t high = 0) {
    return Filter::Term{field, relation, low, high, {}};
}
Filter text(FilterField field, std::vector<std::string> parts,
            FilterRelation relation = FilterRelation::equal) {
    return Filter::Term{field, relation, 0, 0, std::move(parts)};
}

/// A condition on any field with a value that some rows have.
Filter randomTerm(FilterList list, std::mt19937_64& random) {
    const auto pick = [&random](std::int64_t below) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
    };
    FilterField field{};
    do {
        field = static_cast<FilterField>(pick(kFilterFields));
    } while (!has(list, field));
    const auto n = std::to_string(pick(12));
    switch (kindOf(field)) {
    case FilterKind::text: {
        const std::string stem = field == FilterField::user    ? "user-"
                                 : field == FilterField::event ? "event-"
                                                               : "type.";
        switch (pick(4)) {
        case 0:
            return text(field, {stem + n, ""});
        case 1:
            return text(field, {"", n, ""});
        case 2:
            return text(field, {"R-" + n}, FilterRelation::contains);
        default:
            return text(field, {field == FilterField::type ? stem + n + ".x" : stem + n});
        }
    }
    case FilterKind::prose:
        switch (pick(3)) {
        case 0:
            return text(field, {"needle"}, FilterRelation::contains);
        case 1:
            return text(field, {"order", n, "}"}, FilterRelation::contains);
        default:
            return text(field, {n}, FilterRelation::contains);
        }
    case FilterKind::destination:
    case FilterKind::number:
    case FilterKind::duration:
    case FilterKind::time:
    case FilterKind::state:
    case FilterKind::outcome:
    case FilterKind::cause:
        break;
    }
    std::int64_t low = pick(12);
    if (field == FilterField::status) low = 499 + pick(6);
    if (field == FilterField::sequence) low = pick(200);
    if (field == FilterField::age) low = pick(400) * kSecond;
    if (field == FilterField::died || field == FilterField::started)
        low = kFirstDeath + pick(400) * kSecond;
    if (field == FilterField::tried) low = pick(8) * 10;
    if (field == FilterField::accepted) low = 500 + pick(700);
    if (field == FilterField::took) low = pick(5) * 1000;
    const auto relation = static_cast<FilterRelation>(pick(6));
    return term(field, relation, low, low + pick(5) * (field == FilterField::age ? kMinute : 3));
}

Filter randomFilter(FilterList list, std::mt19937_64& random, int depth) {
    const auto shape = random() % (depth > 0 ? 6 : 2);
    if (shape < 2) return randomTerm(list, random);
    if (shape == 2)
        return Filter::negationOf(randomFilter(list, random, depth - 1)).value();
    std::vector<Filter> parts;
    for (auto count = 2 + random() % 2; count > 0; --count)
        parts.push_back(randomFilter(list, random, depth - 1));
    return (shape == 3 ? Filter::anyOf(parts) : Filter::allOf(parts)).value();
}

}  // namespace

class TestFilterPages : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::unique_ptr<OpenStore> m_few;
    std::unique_ptr<OpenStore> m_many;
    std::unique_ptr<PageReader> m_reader;
    std::vector<DeadLetterRow> m_letters;  ///< newest death first
    std::vector<AttemptRow> m_attempts;    ///< newest first
    std::map<Sequence, EventRow> m_events;

    [[nodiscard]] std::unique_ptr<OpenStore> make(const std::string& name, std::uint64_t count) {
        const std::string path = m_directory.path().toStdString() + "/" + name;
        { OpenStore made(optionsFor(path)); }
        {
            SQLite::Database database(store::dataFile(path), SQLite::OPEN_READWRITE);
            fill(database, count);
        }
        return std::make_unique<OpenStore>(optionsFor(path));
    }

    [[nodiscard]] std::vector<Pointer> found(DeadLetterQuery query, bool up) const {
        std::vector<Pointer> all;
        if (up) query.before = DeadLetterQuery::Key{0, {}, -1, {}};  // behind the last one
        for (int pages = 0; pages < 10'000; ++pages) {
            const auto page = m_reader->deadLetters(query);
            if (!page.error.empty()) qFatal("%s", page.error.c_str());
            std::vector<Pointer> rows;
            for (const auto& row : page.rows) rows.push_back(row.pointer);
            all.insert(up ? all.begin() : all.end(), rows.begin(), rows.end());
            if (page.complete) return all;
            (up ? query.before : query.after) = page.resume;
        }
        qFatal("the list has no end");
    }
    [[nodiscard]] std::vector<Pointer> expected(const Filter& filter) const {
        std::vector<Pointer> all;
        for (const auto& row : m_letters) {
            const auto& payload = m_events.at(row.pointer.sequence).payload;
            if (match(filter, row, kTestTime, &payload) == Match::yes) all.push_back(row.pointer);
        }
        return all;
    }
    [[nodiscard]] std::vector<std::uint64_t> foundAttempts(const Filter& filter, bool up) const {
        std::vector<std::uint64_t> all;
        AttemptQuery query;
        query.filter = filter;
        query.limit = 50;
        if (up) query.after = 1;
        for (int pages = 0; pages < 10'000; ++pages) {
            const auto page = m_reader->attempts(query);
            if (!page.error.empty()) qFatal("%s", page.error.c_str());
            std::vector<std::uint64_t> rows;
            for (const auto& row : page.rows) rows.push_back(row.position);
            all.insert(up ? all.begin() : all.end(), rows.begin(), rows.end());
            if (page.complete) return all;
            (up ? query.after : query.before) = page.resume;
        }
        qFatal("the list has no end");
    }
    [[nodiscard]] std::vector<std::uint64_t> expectedAttempts(const Filter& filter, bool up) const {
        std::vector<std::uint64_t> all;
        for (const auto& row : m_attempts) {
            if (up && row.position <= 1) continue;
            const auto event = m_events.find(row.pointer.sequence);
            if (match(filter, row, kTestTime, &event->second) == Match::yes)
                all.push_back(row.position);
        }
        return all;
    }

private slots:
    void initTestCase() {
        m_few = make("few", kRows);
        QCOMPARE(m_few->error, std::string());
        m_reader = m_few->store->openPageReader();
        DeadLetterQuery letters;
        for (bool complete = false; !complete;) {
            auto page = m_reader->deadLetters(letters);
            m_letters.insert(m_letters.end(), page.rows.begin(), page.rows.end());
            complete = page.complete;
            letters.after = page.resume;
        }
        QCOMPARE(m_letters.size(), std::size_t{kRows});
        AttemptQuery attempts;
        for (bool complete = false; !complete;) {
            auto page = m_reader->attempts(attempts);
            m_attempts.insert(m_attempts.end(), page.rows.begin(), page.rows.end());
            complete = page.complete;
            attempts.before = page.resume;
        }
        QVERIFY(m_attempts.size() > kRows / 2);
        for (std::uint64_t n = 1; n <= kRows; ++n)
            m_events[Sequence(n)] = m_reader->event(Sequence(n)).value();
    }

    void everyFieldNarrowsTheDeadLetters_data() {
        QTest::addColumn<Filter>("filter");
        using F = FilterField;
        using R = FilterRelation;
        QTest::newRow("destination") << term(F::destination, R::equal, 2);
        QTest::newRow("not a destination")
            << Filter::negationOf(term(F::destination, R::equal, 2)).value();
        QTest::newRow("user") << text(F::user, {"user-7"});
        QTest::newRow("users with a wildcard") << text(F::user, {"user-", "7"});
        QTest::newRow("type") << text(F::type, {"type.3.x"});
        QTest::newRow("part of the type") << text(F::type, {"PE.3"}, R::contains);
        QTest::newRow("event") << text(F::event, {"event-77"});
        QTest::newRow("sequence") << term(F::sequence, R::within, 100, 120);
        QTest::newRow("status") << term(F::status, R::equal, 502);
        QTest::newRow("status below, never none") << term(F::status, R::less, 502);
        QTest::newRow("a class of statuses") << term(F::status, R::within, 500, 599);
        QTest::newRow("outcome") << term(F::outcome, R::equal, 3);
        QTest::newRow("error or reason") << text(F::error, {"nEEDle"}, R::contains);
        QTest::newRow("note") << text(F::note, {"needle"}, R::contains);
        QTest::newRow("payload") << text(F::payload, {"order_id", "7}"}, R::contains);
        QTest::newRow("attempts") << term(F::attempts, R::atLeast, 5);
        QTest::newRow("life") << term(F::life, R::equal, 2);
        QTest::newRow("size") << term(F::size, R::more, 20);
        QTest::newRow("older than") << term(F::age, R::more, 200 * kSecond);
        QTest::newRow("at least as old as") << term(F::age, R::atLeast, 202 * kSecond);
        QTest::newRow("younger than") << term(F::age, R::less, 202 * kSecond);
        QTest::newRow("of an age") << term(F::age, R::within, 100 * kSecond, 202 * kSecond);
        QTest::newRow("died from") << term(F::died, R::atLeast, kFirstDeath + 300 * kSecond);
        QTest::newRow("died after") << term(F::died, R::more, kFirstDeath + 300 * kSecond);
        QTest::newRow("first tried, never not at all") << term(F::tried, R::less, 30);
        QTest::newRow("accepted") << term(F::accepted, R::less, 700);
        QTest::newRow("one of two")
            << Filter::anyOf({text(F::type, {"type.1.x"}), term(F::attempts, R::equal, 3)}).value();
        QTest::newRow("two destinations at once are none")
            << Filter::allOf({term(F::destination, R::equal, 1), term(F::destination, R::equal, 2)})
                   .value();
        QTest::newRow("two bounds of time")
            << Filter::allOf({term(F::died, R::atLeast, kFirstDeath + 100 * kSecond),
                              term(F::died, R::less, kFirstDeath + 200 * kSecond),
                              term(F::age, R::less, 260 * kSecond)})
                   .value();
    }
    void everyFieldNarrowsTheDeadLetters() {
        QFETCH(const Filter, filter);
        DeadLetterQuery query;
        query.filter.rest = filter;
        query.limit = 10;
        QVERIFY(filter.suits(FilterList::deadLetters));
        const auto down = expected(filter);
        QVERIFY(down.size() < m_letters.size());
        if (QLatin1String(QTest::currentDataTag()) !=
            QLatin1String("two destinations at once are none"))
            QVERIFY(!down.empty());
        QCOMPARE(found(query, false), down);
        QCOMPARE(found(query, true), down);
        auto sorted = down;
        std::sort(sorted.begin(), sorted.end());
        for (int order = 1; order <= static_cast<int>(DeadLetterOrder::outcome); ++order) {
            query.order = static_cast<DeadLetterOrder>(order);
            auto rows = found(query, false);
            std::sort(rows.begin(), rows.end());
            QCOMPARE(rows, sorted);
        }
        // A plan and a count take the same set.
        const auto plan = m_reader->planRewind(query.filter);
        QCOMPARE(plan.error, std::string());
        auto planned = plan.pointers;
        std::sort(planned.begin(), planned.end());
        QCOMPARE(planned, sorted);
        QCOMPARE(m_reader->countDeadSince(query.filter, 0), std::uint64_t{down.size()});
    }

    void anyFilterOfDeadLettersIsTheSameInTheStore() {
        std::mt19937_64 random(1);
        std::size_t hits = 0;
        for (int n = 0; n < 400; ++n) {
            const auto filter = randomFilter(FilterList::deadLetters, random, 3);
            DeadLetterQuery query;
            query.filter.rest = filter;
            const auto wanted = expected(filter);
            if (!wanted.empty() && wanted.size() < m_letters.size()) ++hits;
            QVERIFY2(found(query, false) == wanted, qPrintable(QString::number(n)));
        }
        QVERIFY(hits > 100);
    }

    void anyFilterOfAttemptsIsTheSameInTheStore() {
        std::mt19937_64 random(2);
        std::size_t hits = 0;
        for (int n = 0; n < 400; ++n) {
            const auto filter = randomFilter(FilterList::attempts, random, n % 4);
            const auto wanted = expectedAttempts(filter, n % 2 == 1);
            if (!wanted.empty() && wanted.size() < m_attempts.size()) ++hits;
            QVERIFY2(foundAttempts(filter, n % 2 == 1) == wanted, qPrintable(QString::number(n)));
        }
        QVERIFY(hits > 100);
    }

    void newcomersOfAFilterAreCountedApart() {
        DeadLetterFilter filter;
        filter.rest = text(FilterField::type, {"type.1", ""});
        const auto since = m_letters[50].diedAt;
        std::uint64_t expectedNew = 0;
        for (const auto& row : m_letters)
            if (row.type == "type.1.x" && row.diedAt >= since) ++expectedNew;
        QVERIFY(expectedNew > 0);
        QCOMPARE(m_reader->countDeadSince(filter, since), expectedNew);
    }

    void payloadsAreLookedAtALittleAtATimeAndEndWhenAsked() {
        m_many = make("many", kMany);
        const auto reader = m_many->store->openPageReader();
        DeadLetterQuery query;
        query.filter.rest = text(FilterField::payload, {"no such text"}, FilterRelation::contains);
        std::uint64_t calls = 0;
        for (bool complete = false; !complete; ++calls) {
            const auto page = reader->deadLetters(query);
            QVERIFY(page.rows.empty());
            complete = page.complete;
            QCOMPARE(page.resume.has_value(), !complete);
            query.after = page.resume;
        }
        QVERIFY2(calls > 1, "20 000 payloads were read in one call");
        query.after.reset();
        std::atomic<bool> stop = false;
        std::thread other([&] {
            while (!stop) reader->interrupt();
        });
        bool interrupted = false;
        bool planEnded = false;
        for (int n = 0; n < 100 && !(interrupted && planEnded); ++n) {
            const auto page = reader->deadLetters(query);
            interrupted = interrupted || page.interrupted;
            QVERIFY(page.error.empty());
            planEnded = planEnded || !reader->planRewind(query.filter).error.empty();
        }
        stop = true;
        other.join();
        QVERIFY(interrupted);
        QVERIFY(planEnded);
    }
};

QTEST_GUILESS_MAIN(TestFilterPages)
#include "filter_pages_test.moc"
