// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <map>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint64_t kEvents = 80'000;
constexpr std::uint64_t kUsers = 1'000;
constexpr LaneKey kLane{DestinationId(1), UserId(7)};

std::vector<std::uint64_t> sequences(const LaneEventPage& page) {
    std::vector<std::uint64_t> result;
    for (const auto& row : page.rows) result.push_back(row.sequence.value);
    return result;
}

}  // namespace

class TestLaneEvents : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_path;

    /// Events of many users in the log: of most the runs tell, of the last ones the log itself.
    void fill(OpenStore& open) const {
        QVERIFY(open.commit(destinationsBatch(2)));
        std::vector<NewEvent> events;
        for (std::uint64_t n = 1; n <= kEvents; ++n) {
            events.push_back(newEvent(std::to_string(n), n % kUsers,
                                      n % 3 == 0 ? std::vector<std::uint32_t>{2}
                                                 : std::vector<std::uint32_t>{1, 2}));
            if (events.size() < 2'000) continue;
            QVERIFY(open.accept(std::move(events)).stored);
            events.clear();
        }
        const auto database = store::openForReading(store::dataFile(open.directory));
        QVERIFY(store::queryNumber(*database, "SELECT COUNT(*) FROM index_runs"
                                             " WHERE kind=2") >= 1);
        QVERIFY(store::queryNumber(*database, "SELECT value FROM marks WHERE name='users'") <
                std::int64_t{kEvents});
    }
    [[nodiscard]] static std::vector<std::uint64_t> expected() {
        std::vector<std::uint64_t> result;
        for (std::uint64_t n = 1; n <= kEvents; ++n)
            if (n % kUsers == kLane.user.value && n % 3 != 0) result.push_back(n);
        return result;
    }
    [[nodiscard]] static std::vector<std::uint64_t> all(PageReader& reader, bool up) {
        std::vector<std::uint64_t> result;
        LaneEventQuery query;
        query.lane = kLane;
        query.limit = 5;
        if (up) query.before = Sequence(kEvents + 1);
        for (int pages = 0; pages < 1'000; ++pages) {
            const auto page = reader.laneEvents(query);
            if (!page.error.empty()) qFatal("%s", page.error.c_str());
            const auto found = sequences(page);
            result.insert(up ? result.begin() : result.end(), found.begin(), found.end());
            if (page.complete) return result;
            (up ? query.before : query.after) = page.resume;
        }
        qFatal("the list has no end");
    }

private slots:
    void init() {
        static int number = 0;
        m_path = m_directory.path().toStdString() + "/" + std::to_string(++number);
    }

    void pagesJoinBothWaysAcrossTheRuns() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        const auto reader = open.store->openPageReader();
        QCOMPARE(all(*reader, false), expected());
        QCOMPARE(all(*reader, true), expected());
        LaneEventQuery nobody;
        nobody.lane = {DestinationId(1), UserId(123'456)};
        const auto page = reader->laneEvents(nobody);
        QVERIFY(page.complete && page.rows.empty() && page.error.empty());
    }

    void aRestartFindsThemAgain() {
        {
            OpenStore open(optionsFor(m_path));
            fill(open);
        }
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.accept({newEvent("later", kLane.user.value, {1})}).stored);
        auto wanted = expected();
        wanted.push_back(kEvents + 1);
        QCOMPARE(all(*open.store->openPageReader(), false), wanted);
    }

    void eachEventSaysWhereItIs() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(2)));
        std::vector<NewEvent> events;
        for (int n = 1; n <= 7; ++n) events.push_back(newEvent(std::to_string(n), 7, {1, 2}));
        QVERIFY(open.accept(events).stored);
        constexpr auto kFailed = Outcome::failed;
        const auto attempt = [](std::uint64_t n, Outcome outcome) {
            return journalEntry(JournalKind::attempt, 1, Sequence(n), outcome);
        };
        const auto dies = [](std::uint64_t n) {
            return journalEntry(JournalKind::deadLettered, 1, Sequence(n), kFailed);
        };
        const auto reader = open.store->openPageReader();
        LaneEventQuery query;
        query.lane = kLane;
        QCOMPARE(reader->laneEvents(query).rows.size(), std::size_t{7});
        QVERIFY(open.commit(journalBatch(
            {attempt(1, Outcome::delivered), attempt(2, kFailed), attempt(2, kFailed), dies(2),
             dies(3), dies(4), dies(5),
             actEntry(JournalKind::discarded, 1, Sequence(3), 1, 1, kFailed),
             actEntry(JournalKind::rewound, 1, Sequence(4), 2, 2, kFailed),
             actEntry(JournalKind::rewound, 1, Sequence(5), 2, 2, kFailed),
             actEntry(JournalKind::returned, 1, Sequence(5), 3, 2, kFailed),
             // The other destination is another lane.
             journalEntry(JournalKind::attempt, 2, Sequence(6))})));
        const auto page = reader->laneEvents(query);
        using enum LaneEventState;
        const std::vector<LaneEventState> states{delivered, dead, discarded, waiting,
                                                 dead, waiting, waiting};
        QCOMPARE(page.rows.size(), states.size());
        for (std::size_t n = 0; n < states.size(); ++n) QVERIFY(page.rows[n].state == states[n]);
        QCOMPARE(page.rows[1].attempts, 2u);
        QVERIFY(page.rows[1].lastOutcome == kFailed);
        QCOMPARE(int(page.rows[1].lastStatus), 503);
        QCOMPARE(page.rows[3].life, 2u);
        QCOMPARE(page.rows[4].life, 1u);
        QVERIFY(!page.rows[5].lastOutcome);
        QCOMPARE(page.rows[0].id, std::string("1"));
        QCOMPARE(page.rows[0].bytes, std::uint64_t{events[0].payload.size()});
    }

    void eventsAreFoundByTheirIdBeforeAndAfterTheyAreIndexed() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        auto other = newEvent("5", 1, {1});
        other.source = "another";
        QVERIFY(open.accept({other}).stored);
        const auto reader = open.store->openPageReader();
        for (const std::uint64_t n : {std::uint64_t{5}, kEvents / 2, kEvents}) {
            const auto found = reader->findEvents("test", std::to_string(n));
            QCOMPARE(found.error, std::string());
            QCOMPARE(found.sequences, std::vector<Sequence>{Sequence(n)});
        }
        QCOMPARE(reader->findEvents("another", "5").sequences,
                 std::vector<Sequence>{Sequence(kEvents + 1)});
        QVERIFY(reader->findEvents("test", "nothing").sequences.empty());
    }

    void whatRetentionRemovesLeavesTheIndexToo() {
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(m_path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        std::vector<JournalEntry> journal;
        for (std::uint64_t n = 1; n <= 100; ++n) {
            events.push_back(newEvent(std::to_string(n), 7, {1}));
            if (n != 50) journal.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n)));
        }
        QVERIFY(open.accept(events).stored);
        QVERIFY(open.commit(journalBatch(journal)));
        now = kTestTime + 8 * 24 * kHour;
        const auto reader = open.store->openPageReader();
        LaneEventQuery query;
        query.lane = kLane;
        QTRY_COMPARE_WITH_TIMEOUT(sequences(reader->laneEvents(query)),
                                  std::vector<std::uint64_t>{50}, 10'000);
        const auto database = store::openForReading(store::dataFile(m_path));
        const char* left = "SELECT SUM(entries) FROM index_runs WHERE kind=2";
        QTRY_COMPARE_WITH_TIMEOUT(store::queryNumber(*database, left), 1, 10'000);
        QCOMPARE(faultOf(m_path), std::string());
    }
};

QTEST_GUILESS_MAIN(TestLaneEvents)
#include "lane_events_test.moc"
