// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/plan_log.h"

#include "engine/config.h"
#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr Micros kDay = 24 * kHour;

std::pair<LaneKey, Sequence> from(std::uint32_t destination, std::uint64_t user,
                                  std::uint64_t sequence) {
    return {{DestinationId(destination), UserId(user)}, Sequence(sequence)};
}

NewEvent oldEvent(const std::string& id, const std::vector<std::uint32_t>& destinations,
                  WallMicros acceptedAt) {
    auto event = newEvent(id, 1, destinations);
    event.acceptedAt = acceptedAt;
    return event;
}

JournalEntry delivery(std::uint64_t sequence, WallMicros at) {
    auto entry = journalEntry(JournalKind::attempt, 1, Sequence(sequence));
    entry.at = at;
    return entry;
}

}  // namespace

class TestLanePlan : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void restOfALaneIsPlanned_data() {
        QTest::addColumn<unsigned>("destination");
        QTest::addColumn<quint64>("user");
        QTest::addColumn<quint64>("sequence");
        QTest::addColumn<QString>("events");
        QTest::addColumn<QString>("deadDeliveredWaiting");
        const auto row = [](const char* name, unsigned destination, quint64 user,
                            quint64 sequence, const char* events, const char* counts) {
            QTest::newRow(name) << destination << user << sequence
                                << QString::fromLatin1(events) << QString::fromLatin1(counts);
        };
        row("a dead letter and what came after it, without the discarded one", 1, 1, 1,
            "1/1 3/1 6/1 8/1", "1 2 1");
        row("from the middle of the lane", 1, 1, 6, "6/1 8/1", "0 1 1");
        row("from the discarded event itself", 1, 1, 4, "6/1 8/1", "0 1 1");
        row("later lives", 1, 2, 5, "5/2 9/2", "1 0 1");
        row("the same user at another destination", 2, 1, 1, "1/1 4/1 8/1", "1 2 0");
        row("an event without a user is alone", 1, 0, 7, "7/1", "1 0 0");
    }
    void restOfALaneIsPlanned() {
        QFETCH(unsigned, destination);
        QFETCH(quint64, user);
        QFETCH(quint64, sequence);
        QFETCH(QString, events);
        QFETCH(QString, deadDeliveredWaiting);
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto plan =
            open.store->openPageReader()->planLanes({from(destination, user, sequence)});
        QCOMPARE(plan.error, std::string());
        QCOMPARE(plan.plannedAt, kTestTime);
        QCOMPARE(plan.lastOperation.value, 3u);
        QCOMPARE(plan.trimmed, 0u);
        QCOMPARE(plan.lanes.size(), std::size_t{1});
        QVERIFY((plan.lanes[0].lane == LaneKey{DestinationId(destination), UserId(user)}));
        QCOMPARE(QString::fromStdString(textOf(plan.lanes[0].events)), events);
        QCOMPARE(QStringLiteral("%1 %2 %3").arg(plan.dead).arg(plan.delivered).arg(plan.waiting),
                 deadDeliveredWaiting);
    }

    void severalLanesAreOnePlan() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        // One lane twice: the earlier event counts.
        const auto plan = open.store->openPageReader()->planLanes(
            {from(2, 1, 4), from(1, 2, 9), from(1, 0, 10), from(1, 2, 2), from(1, 0, 7),
             from(1, 1, 6)});
        QCOMPARE(plan.error, std::string());
        std::vector<std::string> lanes;
        for (const auto& lane : plan.lanes)
            lanes.push_back(std::to_string(lane.lane.destination.value) + ":" +
                            std::to_string(lane.lane.user.value) + ": " + textOf(lane.events));
        const std::vector<std::string> expected{"1:0: 7/1", "1:0: 10/1", "1:1: 6/1 8/1",
                                                "1:2: 2/1 5/2 9/2", "2:1: 4/1 8/1"};
        QCOMPARE(lanes, expected);
        QCOMPARE(plan.dead, 4u);
        QCOMPARE(plan.delivered, 3u);
        QCOMPARE(plan.waiting, 2u);
    }

    void undoneLifeDoesNotCount() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(3), 4, 2, Outcome::delivered),
             actEntry(JournalKind::returned, 1, Sequence(3), 5, 2, Outcome::delivered),
             actEntry(JournalKind::rewound, 1, Sequence(6), 4, 2, Outcome::delivered),
             actEntry(JournalKind::attempt, 1, Sequence(6), 4, 2, Outcome::delivered),
             actEntry(JournalKind::rewound, 1, Sequence(6), 6, 3, Outcome::delivered),
             actEntry(JournalKind::returned, 1, Sequence(6), 7, 3, Outcome::delivered)})));
        const auto plan = open.store->openPageReader()->planLanes({from(1, 1, 3)});
        QCOMPARE(textOf(plan.lanes.at(0).events), std::string("3/1 6/2 8/1"));
        QCOMPARE(plan.delivered, 2u);
    }

    void missingFirstEventIsSaid_data() {
        QTest::addColumn<quint64>("user");
        QTest::addColumn<quint64>("sequence");
        QTest::addColumn<quint64>("lanes");
        QTest::newRow("of another user") << quint64{1} << quint64{5} << quint64{1};
        QTest::newRow("after the end of the log") << quint64{1} << quint64{77} << quint64{0};
        QTest::newRow("without a user, not there") << quint64{0} << quint64{77} << quint64{0};
    }
    void missingFirstEventIsSaid() {
        QFETCH(quint64, user);
        QFETCH(quint64, sequence);
        QFETCH(quint64, lanes);
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto plan = open.store->openPageReader()->planLanes({from(1, user, sequence)});
        QCOMPARE(plan.error, std::string());
        QCOMPARE(plan.trimmed, 1u);
        QCOMPARE(plan.lanes.size(), std::size_t(lanes));
    }

    void whatRetentionMightTakeIsLeftOut() {
        OpenStore open(optionsFor(m_path));  // seven days are kept, and one of them is in doubt
        QVERIFY(open.commit(destinationsBatch(2)));
        const WallMicros old = kTestTime - 6 * kDay - kHour;
        QVERIFY(open.accept({oldEvent("dead", {1}, old), oldEvent("old", {1}, old),
                             oldEvent("open elsewhere", {1, 2}, old),
                             oldEvent("delivered late", {1}, old),
                             oldEvent("new", {1}, kTestTime - kDay)}).stored);
        auto death = delivery(1, old);
        death.kind = JournalKind::deadLettered;
        QVERIFY(open.commit(journalBatch({death, delivery(2, old), delivery(3, old),
                                          delivery(4, kTestTime - kHour), delivery(5, old)})));
        const auto plan =
            open.store->openPageReader()->planLanes({from(1, 1, 1), from(2, 1, 3)});
        QCOMPARE(plan.error, std::string());
        QCOMPARE(plan.trimmed, 1u);
        QCOMPARE(plan.lanes.size(), std::size_t{2});
        QCOMPARE(textOf(plan.lanes[0].events), std::string("1/1 3/1 4/1 5/1"));
        QCOMPARE(plan.delivered, 3u);
    }

    void shortRetentionHasAShortMargin_data() {
        QTest::addColumn<int>("minutesAgo");
        QTest::addColumn<quint64>("planned");
        QTest::newRow("younger than half of it") << 4 << quint64{1};
        QTest::newRow("older than half of it") << 6 << quint64{0};
    }
    void shortRetentionHasAShortMargin() {
        QFETCH(int, minutesAgo);
        QFETCH(quint64, planned);
        auto options = optionsFor(m_path);
        options.retention = 10 * kMinute;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        const WallMicros then = kTestTime - minutesAgo * kMinute;
        QVERIFY(open.accept({oldEvent("a", {1}, then)}).stored);
        QVERIFY(open.commit(journalBatch({delivery(1, then)})));
        const auto plan = open.store->openPageReader()->planLanes({from(1, 1, 1)});
        QCOMPARE(plan.delivered, planned);
        QCOMPARE(plan.trimmed, 1 - planned);
    }

    void gapThatRetentionLeftIsSaid() {
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(m_path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(open.accept({oldEvent("dead", {1}, kTestTime), oldEvent("gone", {1}, kTestTime),
                             oldEvent("waits", {1}, kTestTime)}).stored);
        QVERIFY(open.commit(journalBatch(
            {journalEntry(JournalKind::deadLettered, 1, Sequence(1), Outcome::failed),
             delivery(2, kTestTime)})));
        now = kTestTime + 8 * kDay;
        const auto reader = open.store->openPageReader();
        QTRY_VERIFY_WITH_TIMEOUT(!reader->event(Sequence(2)).has_value(), 10'000);
        QVERIFY(open.accept({oldEvent("new", {1}, now)}).stored);
        const auto plan = reader->planLanes({from(1, 1, 1)});
        QCOMPARE(plan.trimmed, 1u);
        QCOMPARE(textOf(plan.lanes.at(0).events), std::string("1/1 3/1 4/1"));
        // Nothing is missing behind the gap.
        QCOMPARE(reader->planLanes({from(1, 1, 3)}).trimmed, 0u);
        QCOMPARE(reader->planLanes({from(1, 1, 2)}).trimmed, 1u);
    }

    void gapOfTheLastDaysHidesNothing() {
        // A commit that failed leaves a gap, and retention cannot have been there yet.
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        {
            SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            QCOMPARE(database.exec("DELETE FROM pointers WHERE seq=6"), 1);
        }
        const auto plan = open.store->openPageReader()->planLanes({from(1, 1, 1)});
        QCOMPARE(textOf(plan.lanes.at(0).events), std::string("1/1 3/1 8/1"));
        QCOMPARE(plan.trimmed, 0u);
    }

    void tooLongLaneIsRefused_data() {
        QTest::addColumn<quint64>("sequence");
        QTest::addColumn<bool>("refused");
        QTest::newRow("one event too many") << quint64{1} << true;
        QTest::newRow("just as many as allowed") << quint64{2} << false;
    }
    void tooLongLaneIsRefused() {
        QFETCH(quint64, sequence);
        QFETCH(bool, refused);
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        for (std::size_t n = 0; n <= limits::kLaneRewind; ++n)
            events.push_back(newEvent(std::to_string(n), 1, {1}));
        QVERIFY(open.accept(std::move(events)).stored);
        const auto plan = open.store->openPageReader()->planLanes({from(1, 1, sequence)});
        QCOMPARE(!plan.error.empty(), refused);
        QCOMPARE(plan.lanes.empty(), refused);
        if (refused) QVERIFY(plan.error.find("Choose a later event") != std::string::npos);
        if (!refused) QCOMPARE(plan.waiting, std::uint64_t{limits::kLaneRewind});
    }
};

QTEST_GUILESS_MAIN(TestLanePlan)
#include "lane_plan_test.moc"
