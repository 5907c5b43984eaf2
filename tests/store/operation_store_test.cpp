// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/store/connection.h"
#include "engine/store/operation_records.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr Micros kDay = 24 * kHour;

/// A set in no order, with the largest and smallest numbers there are.
std::vector<OperationMember> unorderedMembers(std::size_t count) {
    std::vector<OperationMember> members;
    for (std::size_t n = 0; n < count; ++n) {
        OperationMember member;
        member.pointer = {DestinationId(static_cast<std::uint32_t>(1 + n % 3)),
                          Sequence((n * 7919) % 100'000 + 1)};
        member.user = UserId(n % 5 < 2 ? 42 : n * 0x9e3779b97f4a7c15);
        member.life = static_cast<std::uint32_t>(n % 4);
        members.push_back(member);
    }
    OperationMember last;
    last.pointer = {DestinationId(std::numeric_limits<std::uint32_t>::max()),
                    Sequence(std::numeric_limits<std::uint64_t>::max())};
    last.user = UserId(std::numeric_limits<std::uint64_t>::max());
    last.life = std::numeric_limits<std::uint32_t>::max();
    members.push_back(last);
    return members;
}

LaneHold hold(std::uint64_t user, Micros from, Micros to) {
    LaneHold hold;
    hold.lane = {DestinationId(1), UserId(user)};
    hold.from = from;
    hold.to = to;
    hold.at = kTestTime;
    hold.user = "user-" + std::to_string(user);
    hold.by = "ann";
    hold.reason = "asked to";
    return hold;
}

std::string textOf(const DeadLetterRow& row) {
    std::string text = row.user.text + "|" + row.eventId + "|" + row.type + "|" + row.lastError +
                       "|" + row.reason;
    for (const std::int64_t number :
         {row.acceptedAt, row.diedAt, row.firstTriedAt, std::int64_t{row.attempts},
          std::int64_t{row.life}, static_cast<std::int64_t>(row.lastOutcome),
          std::int64_t{row.lastStatus}, static_cast<std::int64_t>(row.bytes),
          static_cast<std::int64_t>(row.userId.value),
          static_cast<std::int64_t>(row.pointer.sequence.value)})
        text += "|" + std::to_string(number);
    return text;
}

}  // namespace

class TestOperationStore : public QObject {
    Q_OBJECT

private:
    /// Event 1 of user 1 and event 2 of user 2 died at destination 1, event 3 was delivered there.
    void fill(OpenStore& open) {
        QVERIFY(open.commit(destinationsBatch(2)));
        QVERIFY(open.accept({newEvent("a", 1, {1}), newEvent("b", 2, {1}),
                             newEvent("c", 1, {1, 2})}).stored);
        std::vector<JournalEntry> entries;
        for (std::uint64_t n = 1; n <= 2; ++n) {
            auto attempt = journalEntry(JournalKind::attempt, 1, Sequence(n), Outcome::overloaded);
            attempt.user = UserId(n);
            attempt.error = "HTTP 503 " + std::to_string(n);
            auto death = attempt;
            death.kind = JournalKind::deadLettered;
            death.at += static_cast<WallMicros>(n) * kMinute;
            death.reason = "window over";
            entries.insert(entries.end(), {attempt, death});
        }
        entries.push_back(journalEntry(JournalKind::attempt, 1, Sequence(3)));
        QVERIFY(open.commit(journalBatch(entries)));
    }
    std::vector<std::string> listed(const OpenStore& open, const DeadLetterQuery& query = {}) {
        std::vector<std::string> rows;
        for (const auto& row : open.store->openPageReader()->deadLetters(query).rows)
            rows.push_back(textOf(row));
        return rows;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void openOperationsComeBackWithTheirSets() {
        const auto members = unorderedMembers(2 * store::kSetPart + 17);
        auto moving = operationRow(5, OperationKind::rewind, OperationState::tracing);
        moving.scope = "all of ann";
        moving.note = "nothing yet";
        moving.eventsPerSecond = 0.75;
        moving.tracer = 12;
        moving.asked = members.size();
        moving.done = 9;
        moving.skipped = 3;
        moving.delivered = 4;
        moving.deadAgain = 2;
        moving.returned = 1;
        moving.target = OperationId(3);
        auto stopped = operationRow(6, OperationKind::rewindLanes, OperationState::stopped);
        stopped.done = 2;
        stopped.delivered = 1;
        auto stoppedAndDone = operationRow(7, OperationKind::rewind, OperationState::stopped);
        stoppedAndDone.done = stoppedAndDone.delivered = 2;
        auto finished = operationRow(8, OperationKind::discard, OperationState::finished);
        OpenStore open(optionsFor(m_path));
        WriteBatch batch;
        batch.operations = {{moving, operationSet(members)},
                            {stopped, operationSet(unorderedMembers(2))},
                            {stoppedAndDone, operationSet(unorderedMembers(2))},
                            {finished, operationSet(unorderedMembers(1))}};
        QVERIFY(open.commit(std::move(batch)));
        const std::string killed = copyAsKilled(m_path, "killed");
        open.store->close();
        for (const auto& directory : {m_path, killed}) {
            const OpenStore again(optionsFor(directory));
            QCOMPARE(again.error, std::string());
            const auto& found = again.recovery.operations;
            QCOMPARE(found.size(), std::size_t{2});
            QCOMPARE(found[0].row.id.value, 5u);
            QVERIFY(*found[0].set == members);
            QVERIFY(found[0].row.state == OperationState::tracing);
            QVERIFY(found[0].row.kind == OperationKind::rewind);
            QCOMPARE(found[0].row.scope, moving.scope);
            QCOMPARE(found[0].row.note, moving.note);
            QCOMPARE(found[0].row.eventsPerSecond, 0.75);
            QCOMPARE(found[0].row.tracer, 12u);
            QCOMPARE(found[0].row.target, moving.target);
            QCOMPARE(found[0].row.asked, members.size());
            QCOMPARE(found[0].row.skipped, 3u);
            QCOMPARE(found[0].row.waiting(), 2u);
            QCOMPARE(found[1].row.id.value, 6u);
            QCOMPARE(found[1].set->size(), std::size_t{3});
            QCOMPARE(again.recovery.lastOperation.value, 8u);
        }
    }

    void lastRecordOfAGroupWinsAndKeepsTheSet() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        {
            // While another program locks the file, batches gather and go into one group later.
            SQLite::Database other(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            other.exec("BEGIN IMMEDIATE");
            for (std::uint64_t n = 1; n <= 3; ++n) {
                auto row = operationRow(1, OperationKind::rewind, OperationState::moving);
                row.asked = 3;
                row.done = n - 1;
                row.skipped = 1;
                WriteBatch batch;
                batch.ticket = ++open.ticket;
                batch.operations = {{row, n == 1 ? operationSet(unorderedMembers(2)) : nullptr}};
                if (n == 1) {
                    batch.skips = {{OperationId(1), 0, SkipReason::unknown}};
                    batch.holds = {hold(1, 5, -1)};
                } else {
                    batch.journal = {actEntry(JournalKind::rewound, 1, Sequence(n - 1), 1, 2,
                                              Outcome::overloaded)};
                }
                open.store->submit(std::move(batch));
            }
            QVERIFY(open.listener.waitForWritable(false));
            QVERIFY(open.store->openPageReader()->operations({}).rows.empty());
            other.exec("ROLLBACK");
        }
        QVERIFY(open.listener.waitForTicket(open.ticket));
        const auto reader = open.store->openPageReader();
        QCOMPARE(reader->operations({}).rows.at(0).done, 2u);
        OperationEventQuery query;
        query.operation = OperationId(1);
        QVERIFY(reader->operationEvents(query).rows.at(0).reason == SkipReason::unknown);
        QCOMPARE(faultOf(m_path), std::string());
        open.store->close();
        const OpenStore again(optionsFor(m_path));
        QCOMPARE(again.recovery.operations.at(0).row.done, 2u);
        QVERIFY(*again.recovery.operations.at(0).set == unorderedMembers(2));
        QVERIFY(again.destination(1)->holds == std::vector<LaneHold>{hold(1, 5, -1)});
        QVERIFY((again.destination(1)->counters == DeliveryCounters{3, 1, 2, 0, 0}));
    }

    void lostSetIsDamage_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("unreadable") << QStringLiteral("UPDATE operation_sets SET data=x'ff'");
        QTest::newRow("gone") << QStringLiteral("DELETE FROM operation_sets");
        QTest::newRow("without its first part")
            << QStringLiteral("UPDATE operation_sets SET part=1");
    }
    void lostSetIsDamage() {
        QFETCH(QString, sql);
        {
            OpenStore open(optionsFor(m_path));
            auto row = operationRow(1, OperationKind::rewind, OperationState::moving);
            row.done = 3;
            WriteBatch batch;
            batch.operations = {{row, operationSet(unorderedMembers(2))}};
            QVERIFY(open.commit(std::move(batch)));
        }
        SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
        QCOMPARE(database.exec(sql.toStdString()), 1);
        const OpenStore again(optionsFor(m_path));
        QVERIFY(again.code == Error::Code::damaged);
        QVERIFY(again.error.find("operation 1") != std::string::npos);
    }

    void undoBringsTheDeadLetterBackAsItWas() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        const auto before = listed(open);
        QCOMPARE(before.size(), std::size_t{2});
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(1), 7, 2, Outcome::overloaded)})));
        QCOMPARE(listed(open), std::vector<std::string>{before[0]});
        DeadLetterQuery query;
        query.filter.destination = DestinationId(1);
        QCOMPARE(listed(open, query), std::vector<std::string>{before[0]});
        query.filter.user = "user-1";
        QVERIFY(listed(open, query).empty());
        QCOMPARE(faultOf(m_path), std::string());
        const std::string rewound = copyAsKilled(m_path, "rewound");
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::returned, 1, Sequence(1), 8, 2, Outcome::overloaded)})));
        QCOMPARE(listed(open), before);
        QCOMPARE(faultOf(m_path), std::string());
        const std::string returned = copyAsKilled(m_path, "returned");
        open.store->close();
        {
            const auto database = store::openForReading(store::dataFile(m_path));
            QCOMPARE(store::queryNumber(*database, "SELECT SUM(length(tried)) FROM checkpoint", 9),
                     0);
        }

        const OpenStore whileRewound(optionsFor(rewound));
        QCOMPARE(whileRewound.error, std::string());
        QVERIFY((whileRewound.destination(1)->counters == DeliveryCounters{3, 1, 1, 1, 0}));
        QCOMPARE(whileRewound.destination(1)->dead.size(), std::size_t{1});
        QCOMPARE(whileRewound.pending.size(), std::size_t{2});
        QVERIFY(whileRewound.pending[0].lastOutcome == Outcome::overloaded);
        QCOMPARE(whileRewound.pending[0].operation.value, 7u);
        for (const auto& directory : {m_path, returned}) {
            const OpenStore again(optionsFor(directory));
            QCOMPARE(again.error, std::string());
            QCOMPARE(listed(again), before);
            QVERIFY((again.destination(1)->counters == DeliveryCounters{3, 1, 0, 2, 0}));
            QVERIFY((again.destination(1)->dead ==
                     std::vector<DeadPointer>{{Sequence(1), UserId(1), 1},
                                              {Sequence(2), UserId(2), 1}}));
            QCOMPARE(again.pending.size(), std::size_t{1});
        }
    }

    void laterLifeEndsTheHiddenRow_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("rowsOfTheEvent");
        QTest::newRow("delivered") << static_cast<int>(JournalKind::attempt) << 0;
        QTest::newRow("dead again") << static_cast<int>(JournalKind::deadLettered) << 1;
        QTest::newRow("discarded") << static_cast<int>(JournalKind::discarded) << 0;
    }
    void laterLifeEndsTheHiddenRow() {
        QFETCH(int, kind);
        QFETCH(int, rowsOfTheEvent);
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(1), 7, 2, Outcome::overloaded)})));
        auto end = actEntry(static_cast<JournalKind>(kind), 1, Sequence(1), 7, 2,
                            Outcome::delivered);
        end.reason = "again";
        QVERIFY(open.commit(journalBatch({end})));
        QCOMPARE(faultOf(m_path), std::string());
        open.store->close();
        const auto database = store::openForReading(store::dataFile(m_path));
        QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM dead_letters WHERE seq=1"),
                 rowsOfTheEvent);
        QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM dead_letters WHERE seq=1"
                                               " AND reason='again' AND life=2"),
                 rowsOfTheEvent);
        const OpenStore again(optionsFor(m_path));
        QVERIFY(again.destination(1)->counters.balanced());
        QCOMPARE(again.destination(1)->dead.size(), std::size_t(1 + rowsOfTheEvent));
    }

    void deliveredEventIsSentAgainOrReturned_data() {
        QTest::addColumn<bool>("undone");
        QTest::newRow("sent again") << false;
        QTest::newRow("undone") << true;
    }
    void deliveredEventIsSentAgainOrReturned() {
        QFETCH(bool, undone);
        OpenStore open(optionsFor(m_path));
        fill(open);
        const auto before = listed(open);
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(3), 7, 2, Outcome::delivered)})));
        QCOMPARE(faultOf(m_path), std::string());
        {
            const OpenStore waiting(optionsFor(copyAsKilled(m_path, "waiting")));
            QVERIFY((waiting.destination(1)->counters == DeliveryCounters{3, 0, 1, 2, 0}));
            QVERIFY(waiting.pending.at(0).lastOutcome == Outcome::delivered);
            QCOMPARE(waiting.pending.at(0).life, 2u);
        }
        const auto kind = undone ? JournalKind::returned : JournalKind::attempt;
        QVERIFY(open.commit(
            journalBatch({actEntry(kind, 1, Sequence(3), 8, 2, Outcome::delivered)})));
        QCOMPARE(faultOf(m_path), std::string());
        QCOMPARE(listed(open), before);
        open.store->close();
        const OpenStore again(optionsFor(m_path));
        QVERIFY((again.destination(1)->counters == DeliveryCounters{3, 1, 0, 2, 0}));
        QCOMPARE(again.pending.size(), std::size_t{1});
        QCOMPARE(faultOf(m_path), std::string());
    }

    void heldLanesComeBackUntilTheyAreOld() {
        OpenStore open(optionsFor(m_path));
        WriteBatch batch = destinationsBatch(2);
        batch.holds = {hold(9, 50, -1), hold(3, 20, -1), hold(3, 10, 15)};
        QVERIFY(open.commit(std::move(batch)));
        batch = {};
        batch.holds = {hold(3, 20, 90)};
        QVERIFY(open.commit(std::move(batch)));
        {
            const OpenStore again(optionsFor(copyAsKilled(m_path, "killed")));
            const std::vector<LaneHold> expected{hold(3, 10, 15), hold(3, 20, 90),
                                                 hold(9, 50, -1)};
            QVERIFY(again.destination(1)->holds == expected);
            QVERIFY(again.destination(2)->holds.empty());
        }
        batch = {};
        batch.holds = {hold(4, 60 * kDay + 50, -1)};
        QVERIFY(open.commit(std::move(batch)));
        open.store->close();
        const OpenStore again(optionsFor(m_path));
        const std::vector<LaneHold> expected{hold(3, 20, 90), hold(9, 50, -1),
                                             hold(4, 60 * kDay + 50, -1)};
        QVERIFY(again.destination(1)->holds == expected);
    }

    void newestPayloadGoesToItsDestinationOnly() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        WriteBatch batch;
        const Pointer pointer{DestinationId(1), Sequence(1)};
        batch.versions = {{pointer, OperationId(4), kTestTime, "first"},
                          {pointer, OperationId(11), kTestTime, std::string("se\0cond", 7)}};
        QVERIFY(open.commit(std::move(batch)));
        const auto reader = open.store->openEventReader();
        QCOMPARE(reader->readFor(pointer)->payload, std::string("se\0cond", 7));
        QCOMPARE(reader->readFor({DestinationId(2), Sequence(1)})->payload,
                 std::string("{\"id\":\"a\"}"));
        QCOMPARE(reader->read(Sequence(1))->payload, std::string("{\"id\":\"a\"}"));
        QCOMPARE(open.store->openPageReader()->event(Sequence(1))->payload,
                 std::string("{\"id\":\"a\"}"));
        QVERIFY(!reader->readFor({DestinationId(1), Sequence(99)}).has_value());
        // When it dies again, the list says the size of what was sent.
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(1), 11, 2, Outcome::overloaded),
             actEntry(JournalKind::deadLettered, 1, Sequence(1), 11, 2, Outcome::failed)})));
        const auto rows = open.store->openPageReader()->deadLetters({}).rows;
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const DeadLetterRow& one) {
            return one.pointer == pointer;
        });
        QVERIFY(row != rows.end());
        QCOMPARE(row->bytes, 7u);
        open.store->close();
        const OpenStore again(optionsFor(m_path));
        QVERIFY(again.recovery.versions == std::vector<Pointer>{pointer});
    }

    void anUndoneEditIsForgottenAndAnEarlierOneIsNot() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        const Pointer pointer{DestinationId(1), Sequence(1)};
        const auto editAndRewind = [&](std::uint64_t operation, std::uint32_t life) {
            auto batch = journalBatch({actEntry(JournalKind::rewound, 1, Sequence(1), operation,
                                                life, Outcome::failed)});
            batch.versions = {{pointer, OperationId(operation), kTestTime,
                               "by " + std::to_string(operation)}};
            return open.commit(std::move(batch));
        };
        QVERIFY(editAndRewind(14, 2));
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::deadLettered, 1, Sequence(1), 14, 2, Outcome::failed)})));
        QVERIFY(editAndRewind(15, 3));
        const auto reader = open.store->openEventReader();
        QCOMPARE(reader->readFor(pointer)->payload, std::string("by 15"));
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::returned, 1, Sequence(1), 16, 3, Outcome::failed)})));
        QCOMPARE(reader->readFor(pointer)->payload, std::string("by 14"));
    }

    void removedDestinationTakesHoldsAndPayloadsAlong() {
        {
            OpenStore open(optionsFor(m_path));
            WriteBatch batch = destinationsBatch(2);
            batch.holds = {hold(1, 5, -1)};
            batch.versions = {{{DestinationId(1), Sequence(1)}, OperationId(4), kTestTime, "x"}};
            QVERIFY(open.commit(std::move(batch)));
            batch = {};
            batch.removed = {DestinationId(1)};
            QVERIFY(open.commit(std::move(batch)));
        }
        const auto database = store::openForReading(store::dataFile(m_path));
        QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM lane_holds"), 0);
        QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM event_versions"), 0);
    }
};

QTEST_GUILESS_MAIN(TestOperationStore)
#include "operation_store_test.moc"
