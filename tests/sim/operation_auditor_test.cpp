// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sim/history.h"

#include <QTest>

#include <functional>

using namespace lanes;
using namespace lanes::sim;

namespace {

/// Events 1 .. count of one lane, all dead letters.
void killAll(History& h, std::uint64_t count) {
    for (std::uint64_t i = 1; i <= count; ++i) {
        h.accept(i);
        h.log(JournalKind::deadLettered, i);
    }
}

void end(History& h, OperationState state) {
    h.row.state = state;
    h.commit();
}

}  // namespace

class OperationAuditorTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsGoodHistories_data();
    void acceptsGoodHistories();
    void catchesPlantedViolations_data();
    void catchesPlantedViolations();
};

void OperationAuditorTest::acceptsGoodHistories_data() {
    QTest::addColumn<Play>("play");
    QTest::newRow("a rewind that is followed to its end") << Play([](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewind, {1, 2});
        h.move(JournalKind::rewound, 1);
        h.move(JournalKind::rewound, 2);
        end(h, OperationState::delivering);
        h.deliver(1, 1, 2);
        h.deliver(2, 1, 2);
        h.row.delivered = 2;
        end(h, OperationState::finished);
    });
    QTest::newRow("a rewind undone, and made again") << Play([](History& h) {
        killAll(h, 1);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1);
        end(h, OperationState::delivering);
        const auto rewind = h.row;
        h.begin(OperationKind::undo, {1});
        h.move(JournalKind::returned, 1);
        h.row.state = OperationState::finished;
        h.record();
        h.row = rewind;
        h.row.returned = 1;
        end(h, OperationState::finished);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1);
        h.deliver(1, 1, 2);
    });
    QTest::newRow("a lane with a delivered event goes out again") << Play([](History& h) {
        killAll(h, 1);
        h.accept(2);
        h.deliver(2);
        h.begin(OperationKind::rewindLanes, {1, 2});
        h.move(JournalKind::rewound, 1);
        h.move(JournalKind::rewound, 2, Outcome::delivered);
        end(h, OperationState::delivering);
        h.deliver(1, 1, 2);
        h.deliver(2, 1, 2);
    });
    QTest::newRow("a held lane after its release") << Play([](History& h) {
        h.accept(1);
        h.auditor.commandGiven(CommandId(1), HoldLane{{kCrm, kAnna}, {}, {}, {}});
        h.auditor.commandDone(CommandId(1), {});
        h.auditor.commandGiven(CommandId(2), ReleaseLane{{kCrm, kAnna}, {}});
        h.start(1);
    });
    QTest::newRow("a death whose window stood still while the lane was held")
        << Play([](History& h) {
               h.setWindow(kMinute);
               h.accept(1);
               h.auditor.commandGiven(CommandId(1), HoldLane{{kCrm, kAnna}, {}, {}, {}});
               h.auditor.commandDone(CommandId(1), {});
               h.setTime(kHour);
               h.auditor.commandGiven(CommandId(2), ReleaseLane{{kCrm, kAnna}, {}});
               h.setTime(kHour + kMinute);
               h.log(JournalKind::deadLettered, 1);
           });
}

void OperationAuditorTest::acceptsGoodHistories() {
    QFETCH(Play, play);
    QCOMPARE(found(play, false).join('\n'), QByteArray());
}

void OperationAuditorTest::catchesPlantedViolations_data() {
    QTest::addColumn<Play>("play");
    QTest::addColumn<QByteArray>("rule");
    const auto planted = [](const char* name, const char* rule, Play play) {
        QTest::newRow(name) << std::move(play) << QByteArray(rule);
    };
    planted("an event moves that is not of the set", "operation", [](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 2);
    });
    planted("events move in another order than that of the set", "operation", [](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewind, {1, 2});
        h.move(JournalKind::rewound, 2);
        h.move(JournalKind::rewound, 1);
    });
    planted("an event moves after the operation was stopped", "operation", [](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewind, {1, 2});
        h.move(JournalKind::rewound, 1);
        end(h, OperationState::stopped);
        h.move(JournalKind::rewound, 2);
    });
    planted("more moves than the tracer, which is not delivered", "operation", [](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewind, {1, 2});
        h.row.tracer = 1;
        h.record();
        h.move(JournalKind::rewound, 1);
        h.move(JournalKind::rewound, 2);
    });
    planted("events move faster than the pace", "operation", [](History& h) {
        WriteBatch batch;
        OperationRow row;
        row.id = OperationId(1);
        row.kind = OperationKind::rewind;
        row.eventsPerSecond = 1;
        batch.operations.push_back({row});
        JournalEntry entry;
        entry.kind = JournalKind::rewound;
        entry.operation = row.id;
        batch.journal = {entry, entry};
        h.auditor.decided(batch);
    });
    planted("the record counts a delivery that was not", "operation", [](History& h) {
        killAll(h, 1);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1);
        h.row.delivered = 1;
        end(h, OperationState::finished);
    });
    planted("a skip is not in the record", "operation", [](History& h) {
        killAll(h, 1);
        const auto id = h.begin(OperationKind::rewind, {1, 9});
        h.move(JournalKind::rewound, 1);
        h.auditor.skipDurable({id, 1, SkipReason::notDead});
        end(h, OperationState::moving);
    });
    planted("an event that was tried is returned", "operation", [](History& h) {
        killAll(h, 1);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1);
        h.fail(h.start(1, 1, 2));
        h.begin(OperationKind::undo, {1});
        h.move(JournalKind::returned, 1);
    });
    planted("an event comes back that is not where it was", "P7", [](History& h) {
        killAll(h, 1);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1);
        h.begin(OperationKind::undo, {1});
        h.move(JournalKind::returned, 1, Outcome::delivered);
    });
    planted("a delivered event is rewound alone", "P7", [](History& h) {
        h.accept(1);
        h.deliver(1);
        h.begin(OperationKind::rewind, {1});
        h.move(JournalKind::rewound, 1, Outcome::delivered);
    });
    planted("a part of a lane is rewound", "operation", [](History& h) {
        killAll(h, 2);
        h.begin(OperationKind::rewindLanes, {1, 2});
        h.move(JournalKind::rewound, 1);
        end(h, OperationState::moving);
    });
    planted("a delivered event of a lane is left out", "lane", [](History& h) {
        killAll(h, 1);
        h.accept(2);
        h.deliver(2);
        const auto id = h.begin(OperationKind::rewindLanes, {1, 2});
        h.move(JournalKind::rewound, 1);
        h.auditor.skipDurable({id, 1, SkipReason::waiting});
        h.row.skipped = 1;
        end(h, OperationState::delivering);
    });
    planted("a held lane is tried", "hold", [](History& h) {
        h.accept(1);
        h.auditor.commandGiven(CommandId(1), HoldLane{{kCrm, kAnna}, {}, {}, {}});
        h.auditor.commandDone(CommandId(1), {});
        h.start(1);
    });
    planted("an event dies of the time in which its lane was held", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.auditor.commandGiven(CommandId(1), HoldLane{{kCrm, kAnna}, {}, {}, {}});
        h.auditor.commandDone(CommandId(1), {});
        h.setTime(kHour);
        h.auditor.commandGiven(CommandId(2), ReleaseLane{{kCrm, kAnna}, {}});
        h.setTime(kHour + kSecond);
        h.log(JournalKind::deadLettered, 1);
    });
}

void OperationAuditorTest::catchesPlantedViolations() {
    QFETCH(Play, play);
    QFETCH(QByteArray, rule);
    const auto all = found(play, true);
    QVERIFY2(all.contains(rule), all.join(' ').constData());
}

QTEST_GUILESS_MAIN(OperationAuditorTest)
#include "operation_auditor_test.moc"
