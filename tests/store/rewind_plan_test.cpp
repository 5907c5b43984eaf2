// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/plan_log.h"

#include "engine/store/lane_planner.h"
#include "engine/store/rewind_planner.h"

#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace lanes;
using namespace lanes::test;

Q_DECLARE_METATYPE(DeadLetterFilter)

namespace {

Pointer at(std::uint32_t destination, std::uint64_t sequence) {
    return {DestinationId(destination), Sequence(sequence)};
}

std::string textOf(const PlanForDestination& plan) {
    std::string text;
    for (const std::uint64_t number :
         {plan.events, plan.lanes, plan.rewoundBefore, plan.mayHaveBeenReceived,
          plan.lanesPassed, plan.laterDelivered})
        text += (text.empty() ? "" : " ") + std::to_string(number);
    return text;
}

}  // namespace

class TestRewindPlan : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void numbersAreThoseOfTheLog_data() {
        QTest::addColumn<bool>("checkpoint");
        QTest::newRow("books from the journal") << false;
        QTest::newRow("books from the checkpoint") << true;
    }
    void numbersAreThoseOfTheLog() {
        QFETCH(bool, checkpoint);
        auto open = std::make_unique<OpenStore>(optionsFor(m_path));
        QVERIFY(writePlanLog(*open));
        if (checkpoint) {
            open.reset();
            open = std::make_unique<OpenStore>(optionsFor(m_path));
        }
        const auto plan = open->store->openPageReader()->planRewind(DeadLetterFilter());
        QCOMPARE(plan.error, std::string());
        QCOMPARE(plan.plannedAt, kTestTime);
        QCOMPARE(plan.lastOperation.value, 3u);
        QCOMPARE(textOf(plan.pointers), std::string("1@1 2@1 4@2 7@1 9@1"));
        QCOMPARE(plan.notDead, 0u);
        QCOMPARE(plan.destinations.size(), std::size_t{2});
        QVERIFY(plan.destinations[0].destination == DestinationId(1));
        QVERIFY(plan.destinations[1].destination == DestinationId(2));
        QCOMPARE(textOf(plan.destinations[0]), std::string("4 3 1 1 1 2"));
        QCOMPARE(textOf(plan.destinations[1]), std::string("1 1 0 0 1 1"));
        QCOMPARE(plan.destinations[0].bytes, 4 * std::string("{\"id\":\"event-1\"}").size());
        const std::vector<std::pair<LaneKey, Sequence>> passed{
            {{DestinationId(1), UserId(1)}, Sequence(1)},
            {{DestinationId(2), UserId(1)}, Sequence(4)}};
        QVERIFY(plan.passed == passed);
        QCOMPARE(plan.total().events, 5u);
    }

    void namedOnesAreTakenOnceAndOnlyIfDead() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(2), 4, 2, Outcome::failed)})));
        const auto plan = open.store->openPageReader()->planRewind(std::vector<Pointer>{
            at(2, 4), at(1, 9), at(1, 1), at(1, 9), at(1, 2), at(1, 3), at(7, 1), at(1, 99)});
        QCOMPARE(plan.error, std::string());
        QCOMPARE(textOf(plan.pointers), std::string("1@1 4@2 9@1"));
        QCOMPARE(plan.notDead, 4u);
        QCOMPARE(textOf(plan.total()), std::string("3 3 1 1 2 3"));
    }

    void laterOnesOfTheSetDoNotCountAsPassed() {
        // The earliest dead letter of a lane in the set decides, not one outside of it.
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        auto death = actEntry(JournalKind::deadLettered, 1, Sequence(8), 0, 1, Outcome::failed);
        death.user = UserId(1);
        QVERIFY(open.commit(journalBatch({death})));
        const auto reader = open.store->openPageReader();
        QCOMPARE(textOf(reader->planRewind(std::vector<Pointer>{at(1, 8)}).total()),
                 std::string("1 1 0 0 0 0"));
        QCOMPARE(textOf(reader->planRewind(std::vector<Pointer>{at(1, 8), at(1, 1)}).total()),
                 std::string("2 1 0 1 1 2"));
        // Another lane of the set has the log read from further back; that changes nothing.
        QCOMPARE(textOf(reader->planRewind(std::vector<Pointer>{at(1, 8), at(1, 2)}).total()),
                 std::string("2 2 0 0 0 0"));
    }

    void eventsWithoutAUserAreLanesOfTheirOwn() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(open.accept({newEvent("a", 0, {1}), newEvent("b", 0, {1}),
                             newEvent("c", 0, {1})}).stored);
        std::vector<JournalEntry> entries;
        for (const std::uint64_t n : {1u, 2u}) {
            entries.push_back(
                journalEntry(JournalKind::deadLettered, 1, Sequence(n), Outcome::failed));
        }
        entries.push_back(journalEntry(JournalKind::attempt, 1, Sequence(3)));
        QVERIFY(open.commit(journalBatch(entries)));
        const auto plan = open.store->openPageReader()->planRewind(DeadLetterFilter());
        QCOMPARE(textOf(plan.total()), std::string("2 2 0 0 0 0"));
    }

    void nothingIsPlannedOfNothing() {
        OpenStore open(optionsFor(m_path));
        const auto reader = open.store->openPageReader();
        for (const RewindScope& scope :
             {RewindScope(DeadLetterFilter()), RewindScope(std::vector<Pointer>())}) {
            const auto plan = reader->planRewind(scope);
            QCOMPARE(plan.error, std::string());
            QVERIFY(plan.pointers.empty() && plan.destinations.empty() && plan.passed.empty());
        }
    }

    void filterFinds_data() {
        QTest::addColumn<DeadLetterFilter>("filter");
        QTest::addColumn<QString>("pointers");
        const auto row = [](const char* name, const char* pointers, auto&& change) {
            DeadLetterFilter filter;
            change(filter);
            QTest::newRow(name) << filter << QString::fromLatin1(pointers);
        };
        using Filter = DeadLetterFilter;
        row("all", "1@1 2@1 4@2 7@1 9@1", [](Filter&) {});
        row("a destination", "4@2", [](Filter& f) { f.destination = DestinationId(2); });
        row("a user", "2@1 9@1", [](Filter& f) { f.user = "user-2"; });
        row("a user is no part of another", "", [](Filter& f) { f.user = "user"; });
        row("a user at a destination", "1@1", [](Filter& f) {
            f.user = "user-1";
            f.destination = DestinationId(1);
        });
        row("a type", "9@1", [](Filter& f) { f.type = "user.deleted"; });
        row("an event id", "4@2", [](Filter& f) { f.eventId = "event-4"; });
        row("a part of the error", "2@1 4@2 9@1", [](Filter& f) { f.errorContains = "HTTP"; });
        row("a part of the error in other case", "2@1 9@1",
            [](Filter& f) { f.errorContains = "hTTp 5"; });
        row("a part of the reason", "7@1", [](Filter& f) { f.errorContains = "nobody"; });
        row("a percent sign is itself", "1@1", [](Filter& f) { f.errorContains = "50%"; });
        row("a percent sign is no joker", "", [](Filter& f) { f.errorContains = "H%0"; });
        row("an underline is itself", "1@1", [](Filter& f) { f.errorContains = "it_all"; });
        row("an underline is no joker", "", [](Filter& f) { f.errorContains = "HTTP_500"; });
        row("a quote is itself", "", [](Filter& f) { f.errorContains = "' OR 1=1 --"; });
        row("a last outcome", "1@1", [](Filter& f) { f.lastOutcome = Outcome::unknown; });
        row("one status", "9@1", [](Filter& f) { f.statusFrom = 503; });
        row("a range of statuses", "2@1 9@1", [](Filter& f) {
            f.statusFrom = 500;
            f.statusTo = 599;
        });
        row("statuses up to one leave out none at all", "4@2",
            [](Filter& f) { f.statusTo = 499; });
        row("died from a time on, inclusive", "7@1 9@1",
            [](Filter& f) { f.diedFrom = kTestTime + 7 * kMinute; });
        row("died before a time, exclusive", "1@1 2@1 4@2",
            [](Filter& f) { f.diedBefore = kTestTime + 7 * kMinute; });
        row("died in a range at a destination", "2@1 7@1", [](Filter& f) {
            f.destination = DestinationId(1);
            f.diedFrom = kTestTime + 2 * kMinute;
            f.diedBefore = kTestTime + 9 * kMinute;
        });
        row("never tried", "7@1", [](Filter& f) { f.neverTried = true; });
        row("everything at once", "9@1", [](Filter& f) {
            f.destination = DestinationId(1);
            f.user = "user-2";
            f.type = "user.deleted";
            f.eventId = "event-9";
            f.errorContains = "503";
            f.lastOutcome = Outcome::overloaded;
            f.statusFrom = 503;
            f.statusTo = 503;
            f.diedFrom = kTestTime;
            f.diedBefore = kTestTime + kHour;
        });
    }
    void filterFinds() {
        QFETCH(DeadLetterFilter, filter);
        QFETCH(QString, pointers);
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto reader = open.store->openPageReader();
        const auto plan = reader->planRewind(filter);
        QCOMPARE(plan.error, std::string());
        QCOMPARE(QString::fromStdString(textOf(plan.pointers)), pointers);
        QCOMPARE(reader->countDeadSince(filter, 0), plan.pointers.size());
    }

    void newcomersAreCountedApart() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto reader = open.store->openPageReader();
        DeadLetterFilter filter;
        filter.destination = DestinationId(1);
        QCOMPARE(reader->countDeadSince(filter, kTestTime + 2 * kMinute), 3u);
        QCOMPARE(reader->countDeadSince(filter, kTestTime + 9 * kMinute), 1u);
        QCOMPARE(reader->countDeadSince(filter, kTestTime + 9 * kMinute + 1), 0u);
        filter.diedFrom = kTestTime + 7 * kMinute;
        QCOMPARE(reader->countDeadSince(filter, kTestTime), 2u);
        // A plan leaves no old view of the file behind.
        const auto plan = reader->planRewind(filter);
        auto death = actEntry(JournalKind::deadLettered, 1, Sequence(8), 0, 1, Outcome::failed);
        death.at = plan.plannedAt + kHour;
        QVERIFY(open.commit(journalBatch({death})));
        QCOMPARE(reader->countDeadSince(filter, plan.plannedAt + kHour), 1u);
    }

    void interruptBetweenTwoStatementsIsSeen() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto database = store::openForReading(store::dataFile(m_path));
        const std::atomic<bool> interrupted = true;
        const store::PlanSource source{*database, kTestTime, kHour, interrupted};
        // A transaction that an interrupt left open is no hindrance.
        database->exec("BEGIN");
        const auto codeOf = [&](auto&& plan) {
            try {
                plan();
            } catch (const SQLite::Exception& exception) {
                return exception.getErrorCode();
            }
            return SQLITE_OK;
        };
        const int rewind =
            codeOf([&] { (void)store::makeRewindPlan(source, DeadLetterFilter()); });
        QCOMPARE(rewind, SQLITE_INTERRUPT);
        const int lanes = codeOf([&] {
            (void)store::makeLanePlan(source, {{{DestinationId(1), UserId(1)}, Sequence(1)}});
        });
        QCOMPARE(lanes, SQLITE_INTERRUPT);
    }

    void interruptEndsAPlan_data() {
        QTest::addColumn<bool>("lanes");
        QTest::newRow("of dead letters") << false;
        QTest::newRow("of lanes") << true;
    }
    void interruptEndsAPlan() {
        QFETCH(bool, lanes);
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        for (int n = 0; n < 50'000; ++n) events.push_back(newEvent(std::to_string(n), 1, {1}));
        QVERIFY(open.accept(std::move(events)).stored);
        auto death = journalEntry(JournalKind::deadLettered, 1, Sequence(1), Outcome::failed);
        death.user = UserId(1);
        QVERIFY(open.commit(journalBatch({death})));
        const auto reader = open.store->openPageReader();
        const auto plan = [&] {
            return lanes ? reader->planLanes({{{DestinationId(1), UserId(1)}, Sequence(1)}}).error
                         : reader->planRewind(DeadLetterFilter()).error;
        };
        QCOMPARE(plan(), std::string());
        std::atomic<bool> ended = false;
        std::string error;
        std::thread planner([&] {
            for (int turn = 0; turn < 500 && error.empty(); ++turn) error = plan();
            ended = true;
        });
        while (!ended) reader->interrupt();
        planner.join();
        QVERIFY2(error.find("Ask for it again") != std::string::npos, error.c_str());
        // The reader is as good as before.
        QCOMPARE(plan(), std::string());
    }
};

QTEST_GUILESS_MAIN(TestRewindPlan)
#include "rewind_plan_test.moc"
