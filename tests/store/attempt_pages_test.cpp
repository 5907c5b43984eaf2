// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/config.h"
#include "engine/store/attempt_pages.h"
#include "engine/store/connection.h"
#include "engine/store/page_budget.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint64_t kRows = 12'000;

/// One attempt a second; in the middle stand 5 000 rows that are no attempts.
bool isAttempt(std::uint64_t id) { return id <= 4'000 || id > 9'000; }

std::vector<std::uint64_t> positions(const AttemptPage& page) {
    std::vector<std::uint64_t> result;
    for (const auto& row : page.rows) result.push_back(row.position);
    return result;
}

}  // namespace

class TestAttemptPages : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::unique_ptr<OpenStore> m_open;
    std::unique_ptr<PageReader> m_reader;

    /// Positions of all pages, newest first, however they are read.
    [[nodiscard]] std::vector<std::uint64_t> all(AttemptQuery query, bool up) const {
        std::vector<std::uint64_t> result;
        for (int pages = 0; pages < 10'000; ++pages) {
            const auto page = m_reader->attempts(query);
            if (!page.error.empty()) qFatal("%s", page.error.c_str());
            const auto found = positions(page);
            result.insert(up ? result.begin() : result.end(), found.begin(), found.end());
            if (page.complete) return result;
            (up ? query.after : query.before) = page.resume;
        }
        qFatal("the list has no end");
    }
    [[nodiscard]] static std::vector<std::uint64_t> expected(std::uint64_t low,
                                                             std::uint64_t high,
                                                             std::uint32_t destination) {
        std::vector<std::uint64_t> result;
        for (std::uint64_t id = high; id >= low && id > 0; --id)
            if (isAttempt(id) && (destination == 0 || id % 2 + 1 == destination))
                result.push_back(id);
        return result;
    }

private slots:
    void initTestCase() {
        m_open =
            std::make_unique<OpenStore>(optionsFor(m_directory.path().toStdString() + "/data"));
        QVERIFY(m_open->commit(destinationsBatch(2)));
        WriteBatch batch;
        for (std::uint64_t id = 1; id <= kRows; ++id) {
            auto entry = journalEntry(
                isAttempt(id) ? JournalKind::attempt : JournalKind::rewound,
                static_cast<std::uint32_t>(id % 2 + 1), Sequence(id), Outcome::failed);
            entry.at = static_cast<WallMicros>(id) * kSecond;
            entry.duration = 0;
            batch.journal.push_back(entry);
        }
        QVERIFY(m_open->commit(std::move(batch)));
        m_reader = m_open->store->openPageReader();
    }

    void pagesJoinBothWays_data() {
        QTest::addColumn<int>("destination");
        QTest::addColumn<bool>("up");
        QTest::newRow("all, down") << 0 << false;
        QTest::newRow("all, up") << 0 << true;
        QTest::newRow("one destination, down") << 2 << false;
        QTest::newRow("one destination, up") << 2 << true;
    }
    void pagesJoinBothWays() {
        QFETCH(const int, destination);
        QFETCH(const bool, up);
        AttemptQuery query;
        query.destination = DestinationId(static_cast<std::uint32_t>(destination));
        query.limit = 100;
        if (up) query.after = 1;
        QCOMPARE(all(query, up),
                 expected(up ? 2 : 1, kRows, static_cast<std::uint32_t>(destination)));
    }

    void aTimeIsARangeOfTheLog_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("before");
        QTest::newRow("from a time on") << 11'500 << 0;
        QTest::newRow("until a time") << 0 << 800;
        QTest::newRow("between two") << 3'900 << 9'100;
        QTest::newRow("before everything") << 0 << 1;
        QTest::newRow("after everything") << 20'000 << 0;
    }
    void aTimeIsARangeOfTheLog() {
        QFETCH(const int, from);
        QFETCH(const int, before);
        AttemptQuery query;
        query.endedFrom = from * kSecond;
        query.endedBefore = before * kSecond;
        const auto low = static_cast<std::uint64_t>(std::max(from, 1));
        const auto high = before == 0 ? kRows : static_cast<std::uint64_t>(before) - 1;
        const auto wanted = low > kRows ? std::vector<std::uint64_t>() : expected(low, high, 0);
        QCOMPARE(all(query, false), wanted);
        query.after = 1;
        if (low > 1) QCOMPARE(all(query, true), wanted);
        query.after = 0;
        query.destination = DestinationId(1);
        QCOMPARE(all(query, false),
                 low > kRows ? std::vector<std::uint64_t>() : expected(low, high, 1));
    }

    void rowsSayWhoseEventItWas() {
        OpenStore open(optionsFor(m_directory.path().toStdString() + "/events"));
        QVERIFY(open.commit(destinationsBatch(2)));
        QVERIFY(open.accept({newEvent("a", 1, {1, 2}), newEvent("b", 2, {1})}).stored);
        QVERIFY(open.commit(journalBatch({journalEntry(JournalKind::attempt, 2, Sequence(1)),
                                          journalEntry(JournalKind::attempt, 1, Sequence(2)),
                                          // An event that is not in the log (any more).
                                          journalEntry(JournalKind::attempt, 1, Sequence(99))})));
        const auto reader = open.store->openPageReader();
        const auto expectNames = [](const AttemptPage& page) {
            QCOMPARE(page.error, std::string());
            for (const auto& row : page.rows) {
                const auto sequence = row.pointer.sequence.value;
                const std::string id = sequence == 1 ? "a" : sequence == 2 ? "b" : "";
                QCOMPARE(row.eventId, id);
                QCOMPARE(row.user.text.empty(), id.empty());
                QCOMPARE(row.type.empty(), id.empty());
            }
        };
        AttemptQuery query;
        QCOMPARE(reader->attempts(query).rows.size(), std::size_t(3));
        expectNames(reader->attempts(query));
        query.destination = DestinationId(1);
        QCOMPARE(reader->attempts(query).rows.size(), std::size_t(2));
        expectNames(reader->attempts(query));
        query.destination = {};
        query.sequence = Sequence(2);
        QCOMPARE(reader->attempts(query).rows.size(), std::size_t(1));
        expectNames(reader->attempts(query));
    }

    void timeAloneEndsNoPageThatHasNotMoved() {
        std::atomic<bool> interrupted{false};
        store::PageBudget budget(10, interrupted);
        QTest::qWait(static_cast<int>(2 * limits::kPageTime / kMillisecond));
        QVERIFY(!budget.spent());
        budget.move();
        QVERIFY(budget.spent());
        store::PageBudget another(10, interrupted);
        another.move();
        QVERIFY(!another.spent());
        interrupted = true;
        QVERIFY(another.spent());
    }

    void aPageEndsWhereItsTimeIsOver_data() {
        QTest::addColumn<bool>("up");
        QTest::newRow("down") << false;
        QTest::newRow("up") << true;
    }
    void aPageEndsWhereItsTimeIsOver() {
        QFETCH(const bool, up);
        const std::atomic<bool> over{true};
        const auto database =
            store::openForReading(m_directory.path().toStdString() + "/data/lanes.db");
        store::JournalHistory history(*database);
        AttemptQuery query;
        if (up) query.after = 100;
        for (std::uint64_t n = 1; n <= 5; ++n) {
            store::PageBudget budget(100, over);
            AttemptPage page;
            store::readAttempts(*database, history, query, 0, budget, page);
            const auto expected = up ? 100 + n : kRows + 1 - n;
            QCOMPARE(positions(page), std::vector<std::uint64_t>{expected});
            QVERIFY(!page.complete);
            (up ? query.after : query.before) = page.resume;
        }
    }

    void anEventIsReadBothWays() {
        AttemptQuery query;
        query.sequence = Sequence(17);
        QCOMPARE(positions(m_reader->attempts(query)), std::vector<std::uint64_t>{17});
        query.after = 16;
        QCOMPARE(positions(m_reader->attempts(query)), std::vector<std::uint64_t>{17});
        query.after = 17;
        QVERIFY(m_reader->attempts(query).rows.empty());
        query.after = 0;
        query.before = 17;
        QVERIFY(m_reader->attempts(query).rows.empty());
    }
};

QTEST_GUILESS_MAIN(TestAttemptPages)
#include "attempt_pages_test.moc"
