// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sim/history.h"

#include <QTest>

#include <functional>
#include <string>
#include <vector>

using namespace lanes;
using namespace lanes::sim;

namespace {

DeliveryCounters counters(std::uint64_t accepted, std::uint64_t delivered, std::uint64_t waiting) {
    DeliveryCounters counters;
    counters.accepted = accepted;
    counters.delivered = delivered;
    counters.waiting = waiting;
    return counters;
}

}  // namespace

class AuditorTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsGoodHistories_data();
    void acceptsGoodHistories();
    void catchesPlantedViolations_data();
    void catchesPlantedViolations();
    void keepsTheFirstViolationsOnly();
    void countsDuplicates();
};

void AuditorTest::acceptsGoodHistories_data() {
    QTest::addColumn<Play>("play");
    QTest::newRow("events of a lane one after the other") << Play([](History& h) {
        h.accept(1);
        h.accept(2);
        h.deliver(1);
        h.deliver(2);
        h.auditor.compareTotals(counters(2, 2, 0));
        h.auditor.compareEnd("now");
    });
    QTest::newRow("two lanes at once") << Play([](History& h) {
        h.accept(1);
        h.accept(2, kBert);
        const auto one = h.start(1);
        h.start(2, 1, 1, kBert);
        h.answer(one, 200);
    });
    QTest::newRow("a retry after an answer of 500") << Play([](History& h) {
        h.accept(1);
        const auto first = h.start(1);
        h.answer(first, 500);
        h.log(first, Outcome::failed);
        h.deliver(1, 2);
    });
    QTest::newRow("a second sending after an unknown outcome, and a third") << Play([](History& h) {
        h.accept(1);
        const auto first = h.start(1);
        h.cut(first, true);
        h.log(first, Outcome::unknown);
        const auto second = h.start(1, 2);
        h.answer(second, 503);
        h.log(second, Outcome::overloaded);
        h.deliver(1, 3);
    });
    QTest::newRow("a second sending after a crash in flight") << Play([](History& h) {
        h.accept(1);
        h.auditor.received(h.start(1));
        h.auditor.crashed();
        h.deliver(1);
        h.auditor.compareEnd("now");
    });
    QTest::newRow("a second sending after a crash between the 2xx and its commit")
        << Play([](History& h) {
               h.accept(1);
               h.answer(h.start(1), 200);
               h.auditor.crashed();
               h.deliver(1);
               h.auditor.compareEnd("now");
           });
    QTest::newRow("the next event after a dead letter, and the dead letter rewound")
        << Play([](History& h) {
               h.accept(1);
               h.accept(2);
               h.log(JournalKind::deadLettered, 1);
               h.deliver(2);
               h.log(JournalKind::rewound, 1);
               h.deliver(1, 1, 2);
               h.auditor.compareEnd("now");
           });
    QTest::newRow("a dead letter is rewound while a later event is in flight")
        << Play([](History& h) {
               h.accept(1);
               h.accept(2);
               h.log(JournalKind::deadLettered, 1);
               const auto later = h.start(2);
               h.log(JournalKind::rewound, 1);
               h.answer(later, 200);
               h.log(later, Outcome::delivered);
               h.deliver(1, 1, 2);
           });
    QTest::newRow("the next event after a discard") << Play([](History& h) {
        h.hold();
        h.accept(1);
        h.accept(2);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::discarded, 1);
        h.deliver(2);
        h.auditor.compareEnd("now");
    });
    QTest::newRow("an attempt between a pause and its acknowledgement") << Play([](History& h) {
        h.accept(1);
        const auto pause = h.pause();
        const auto attempt = h.start(1);
        h.auditor.commandDone(pause, {});
        h.answer(attempt, 200);
    });
    QTest::newRow("an attempt after a resume, though the pause is acknowledged later")
        << Play([](History& h) {
               h.accept(1);
               const auto pause = h.pause();
               h.resume();
               h.auditor.commandDone(pause, {});
               h.start(1);
           });
    QTest::newRow("a dead letter in its time, pause and downtime not counted")
        << Play([](History& h) {
               h.setWindow(kMinute);
               h.accept(1);
               h.auditor.commandDone(h.pause(), {});
               h.setTime(70 * kSecond);
               h.resume();
               h.setTime(100 * kSecond);
               h.auditor.crashed();
               h.setTime(200 * kSecond);
               h.auditor.restarted({});
               h.setTime(231 * kSecond);
               h.log(JournalKind::deadLettered, 1);
           });
    QTest::newRow("a dead letter at once by its status") << Play([](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        JournalEntry entry;
        entry.kind = JournalKind::deadLettered;
        entry.pointer = {kCrm, Sequence(1)};
        entry.user = kAnna;
        entry.status = 422;
        h.auditor.durable(entry);
    });
    QTest::newRow("a dead letter by a window that was changed just now") << Play([](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.setTime(61 * kSecond);
        h.setWindow(5 * kMinute);
        h.setTime(62 * kSecond);
        h.log(JournalKind::deadLettered, 1);
    });
    QTest::newRow("an empty destination is removed, and back after a crash")
        << Play([](History& h) {
               h.accept(1);
               h.deliver(1);
               h.auditor.removed(kCrm);
               h.auditor.compareTotals({});
               h.auditor.crashed();
               h.setWindow(0);
               h.auditor.restarted({});
               h.auditor.compareTotals(counters(1, 1, 0));
           });
    QTest::newRow("a pause that was refused") << Play([](History& h) {
        h.accept(1);
        CommandResult refused;
        refused.error = "There is no such destination.";
        h.auditor.commandDone(h.pause(), refused);
        h.start(1);
    });
}

void AuditorTest::acceptsGoodHistories() {
    QFETCH(Play, play);
    QCOMPARE(found(play, false).join('\n'), QByteArray());
}

void AuditorTest::catchesPlantedViolations_data() {
    QTest::addColumn<Play>("play");
    QTest::addColumn<QByteArray>("promise");
    const auto planted = [](const char* name, const char* promise, Play play) {
        QTest::newRow(name) << std::move(play) << QByteArray(promise);
    };
    planted("an event is missing after a restart", "P1", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.auditor.compareLane({kCrm, kAnna}, {Sequence(2)}, "P1");
    });
    planted("the second event is tried before the first", "P2", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.start(2);
    });
    planted("the second event is tried before the end of the first is durable", "P2",
            [](History& h) {
                h.accept(1);
                h.accept(2);
                h.answer(h.start(1), 200);
                h.start(2);
            });
    planted("the second event is tried while the first backs off", "P2", [](History& h) {
        h.accept(1);
        h.accept(2);
        const auto first = h.start(1);
        h.answer(first, 500);
        h.log(first, Outcome::failed);
        h.start(2);
    });
    planted("a later event is tried after a rewind put an earlier one back", "P2", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::rewound, 1);
        h.start(2);
    });
    planted("an event that was never accepted is tried", "P2", [](History& h) { h.start(7); });
    planted("an event is tried in the lane of another user", "P2", [](History& h) {
        h.accept(1);
        h.start(1, 1, 1, kBert);
    });
    planted("a dead letter is tried", "P2", [](History& h) {
        h.accept(1);
        h.log(JournalKind::deadLettered, 1);
        h.start(1);
    });
    planted("a discarded event is tried", "P2", [](History& h) {
        h.accept(1);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::discarded, 1);
        h.start(1);
    });
    planted("a retry starts before the attempt before is logged", "P2", [](History& h) {
        h.accept(1);
        h.answer(h.start(1), 500);
        h.start(1);
    });
    planted("the destination receives them in the wrong order", "P2", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.receive(2);
        h.receive(1);
    });
    planted("two requests of a lane are in flight", "P3", [](History& h) {
        h.accept(1);
        h.start(1);
        h.start(1);
    });
    planted("an answer comes back twice", "P3", [](History& h) {
        h.accept(1);
        const auto attempt = h.start(1);
        h.answer(attempt, 500);
        h.answer(attempt, 500);
    });
    planted("a delivered event is sent again", "P4", [](History& h) {
        h.accept(1);
        h.deliver(1);
        h.start(1, 2);
    });
    planted("an event is sent again after its 2xx without a crash", "P4", [](History& h) {
        h.accept(1);
        h.answer(h.start(1), 200);
        h.start(1);
    });
    planted("an event is sent again twice after one crash", "P4", [](History& h) {
        h.accept(1);
        h.answer(h.start(1), 200);
        h.auditor.crashed();
        h.answer(h.start(1), 200);
        h.start(1);
    });
    planted("an attempt is missing in the log", "P5", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.deliver(1);
        h.answer(h.start(2), 500);
        h.log(JournalKind::deadLettered, 2);
        h.log(JournalKind::discarded, 2);
        h.auditor.compareEnd("now");
    });
    planted("an attempt is logged twice", "P5", [](History& h) {
        h.accept(1);
        const auto attempt = h.start(1);
        h.answer(attempt, 500);
        h.log(attempt, Outcome::failed);
        h.log(attempt, Outcome::failed);
    });
    planted("the count of attempts starts again", "P5", [](History& h) {
        h.accept(1);
        const auto attempt = h.start(1);
        h.answer(attempt, 500);
        h.log(attempt, Outcome::failed);
        h.start(1, 1);
    });
    planted("a rewound event is tried in its old life", "P5", [](History& h) {
        h.accept(1);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::rewound, 1);
        h.start(1, 1, 1);
    });
    planted("an attempt starts after the pause was acknowledged", "P6", [](History& h) {
        h.accept(1);
        h.auditor.commandDone(h.pause(), {});
        h.start(1);
    });
    planted("an attempt starts after a crash of a paused engine", "P6", [](History& h) {
        h.accept(1);
        h.auditor.commandDone(h.pause(), {});
        h.auditor.crashed();
        h.start(1);
    });
    planted("an attempt starts while the engine stops", "P6", [](History& h) {
        h.accept(1);
        h.auditor.stopping();
        h.start(1);
    });
    planted("an attempt starts while the store cannot keep its result", "store", [](History& h) {
        h.accept(1);
        h.auditor.storeWritable(false);
        h.start(1);
    });
    planted("a destination is removed that has an event waiting", "removed", [](History& h) {
        h.accept(1);
        h.auditor.removed(kCrm);
    });
    planted("a destination is removed that has a dead letter", "removed", [](History& h) {
        h.accept(1);
        h.log(JournalKind::deadLettered, 1);
        h.auditor.removed(kCrm);
    });
    planted("a removed destination is called", "removed", [](History& h) {
        h.auditor.removed(kCrm);
        h.accept(1);
        h.start(1);
    });
    planted("the retry clock runs while the machine sleeps", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.setTime(8 * kHour);
        h.auditor.slept(8 * kHour);
        h.log(JournalKind::deadLettered, 1);
    });
    planted("a dead letter dies by a window that was set long ago", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.setWindow(5 * kMinute);
        h.setTime(2 * kMinute);
        h.log(JournalKind::deadLettered, 1);
    });
    planted("a dead letter before its time", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.setTime(45 * kSecond);
        h.log(JournalKind::deadLettered, 1);
    });
    planted("the retry clock runs while the destination is paused", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.auditor.commandDone(h.pause(), {});
        h.setTime(70 * kSecond);
        h.resume();
        h.log(JournalKind::deadLettered, 1);
    });
    planted("the retry clock runs while the engine does not", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.auditor.crashed();
        h.setTime(70 * kSecond);
        h.auditor.restarted({});
        h.log(JournalKind::deadLettered, 1);
    });
    planted("a rewound event dies by its old window", "window", [](History& h) {
        h.setWindow(kMinute);
        h.accept(1);
        h.setTime(61 * kSecond);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::rewound, 1);
        h.setTime(62 * kSecond);
        h.log(JournalKind::deadLettered, 1);
    });
    planted("the engine's books do not balance", "P7", [](History& h) {
        h.accept(1);
        h.auditor.compareTotals(counters(1, 0, 0));
    });
    planted("the engine lost an event and its books balance", "P7", [](History& h) {
        h.accept(1);
        h.accept(2);
        h.auditor.compareTotals(counters(1, 0, 1));
    });
    planted("the engine's books are wrong for one destination", "P7", [](History& h) {
        h.accept(1);
        h.auditor.compare(kCrm, counters(1, 1, 0));
    });
    planted("a lane has an event twice", "P7", [](History& h) {
        h.accept(1);
        h.auditor.compareLane({kCrm, kAnna}, {Sequence(1), Sequence(1)}, "P7");
    });
    planted("an event is accepted twice", "P7", [](History& h) {
        h.accept(1);
        h.accept(1);
    });
    planted("an event is dead-lettered after its delivery", "P7", [](History& h) {
        h.accept(1);
        h.deliver(1);
        h.log(JournalKind::deadLettered, 1);
    });
    planted("an event is rewound that is not dead", "P7", [](History& h) {
        h.accept(1);
        h.log(JournalKind::rewound, 1);
    });
    planted("an event is discarded twice", "P7", [](History& h) {
        h.accept(1);
        h.log(JournalKind::deadLettered, 1);
        h.log(JournalKind::discarded, 1);
        h.log(JournalKind::discarded, 1);
    });
    planted("a command does not account for all that was asked", "P7", [](History& h) {
        CommandResult result;
        result.asked = 3;
        result.done = 1;
        result.skipped = 1;
        h.auditor.commandDone(CommandId(1), result);
    });
    planted("something waits at the end", "drain", [](History& h) {
        h.accept(1);
        h.auditor.compareEnd("now");
    });
    planted("a dead letter does not hold its lane", "hold", [](History& h) {
        h.hold();
        h.accept(1);
        h.accept(2);
        h.log(JournalKind::deadLettered, 1);
        h.start(2);
    });
    planted("more requests are in flight than allowed", "limit", [](History& h) {
        DestinationConfig config;
        config.id = kCrm;
        config.policy.maxInFlight = 1;
        h.auditor.setDestination(config);
        h.accept(1);
        h.accept(2, kBert);
        h.start(1);
        h.start(2, 1, 1, kBert);
    });
}

void AuditorTest::catchesPlantedViolations() {
    QFETCH(Play, play);
    QFETCH(QByteArray, promise);
    const auto all = found(play, true);
    QVERIFY2(all.contains(promise), all.join(' ').constData());
}

void AuditorTest::keepsTheFirstViolationsOnly() {
    History history;
    for (std::uint64_t i = 1; i <= 2 * lanes::sim::Violations::kKept; ++i) history.start(i);
    QCOMPARE(history.auditor.violations().size(), lanes::sim::Violations::kKept);
    QVERIFY(!history.auditor.clean());
}

void AuditorTest::countsDuplicates() {
    History history;
    history.accept(1);
    const auto first = history.start(1);
    history.cut(first, true);
    history.log(first, Outcome::unknown);
    history.deliver(1, 2);
    QCOMPARE(history.auditor.duplicates(), 1u);
    QCOMPARE(history.auditor.requests(), 2u);
    QVERIFY(history.auditor.clean());
}

QTEST_GUILESS_MAIN(AuditorTest)
#include "auditor_test.moc"
