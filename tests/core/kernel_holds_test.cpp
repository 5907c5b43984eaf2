// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

using namespace lanes;
using namespace lanes::test;

class KernelHoldsTest : public QObject {
    Q_OBJECT

private slots:
    void nothingOfAHeldLaneStarts() {
        KernelHarness h;
        const auto crm = h.add("crm");
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", "a call is pending"}).ok());
        const auto held = h.accept(7);
        const auto other = h.accept(8);
        h.advance(kMinute);
        QVERIFY(!h.running(held));
        QVERIFY(h.running(other));
        const auto row = h.kernel.row({crm, UserId(7)}, h.now());
        QCOMPARE(row->state, LaneState::held);
        QCOMPARE(row->heldBy, std::string("bert"));
        QCOMPARE(row->holdReason, std::string("a call is pending"));
        QCOMPARE(h.state(crm).lanesHeld, 1u);
        QVERIFY(h.command(ReleaseLane{{crm, UserId(7)}, "bert"}).ok());
        QVERIFY(h.running(held));
        QCOMPARE(h.state(crm).lanesHeld, 0u);
    }

    void whatIsInFlightFinishesAndIsNotRetried() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto event = h.accept(7);
        QVERIFY(h.running(event));
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""}).ok());
        h.answer(event, 500);
        h.advance(kMinute);
        QVERIFY(!h.running(event));
        QVERIFY(h.command(ReleaseLane{{crm, UserId(7)}, "bert"}).ok());
        QVERIFY(h.running(event));
        QCOMPARE(h.running(event)->number, 2u);
    }

    void aHeldHeadThatFailedInFlightDoesNotExpire() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = 10 * kMinute;
        const auto crm = h.add("crm", policy);
        const auto event = h.accept(7);
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""}).ok());
        h.answer(event, 503, kHour);  // a Retry-After that is longer than the window
        QVERIFY(!h.advanceUntil([&] { return h.state(crm).counters.dead > 0; }, 2 * kHour));
        QCOMPARE(h.kernel.row({crm, UserId(7)}, h.now())->state, LaneState::held);
    }

    void aLaneThatBacksOffStandsAtOnce() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto event = h.accept(7);
        h.answer(event, 500);
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""}).ok());
        QCOMPARE(h.kernel.row({crm, UserId(7)}, h.now())->state, LaneState::held);
        h.advance(kMinute);
        QVERIFY(!h.running(event));
    }

    void theRetryWindowStandsStillWhileALaneIsHeld() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = 10 * kMinute;
        const auto crm = h.add("crm", policy);
        const auto first = h.accept(7);
        const auto second = h.accept(7);
        h.answer(first, 500);
        h.advance(500 * kMillisecond);
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""}).ok());
        h.advance(kHour);
        const auto during = h.accept(7);
        h.advance(kHour);
        QCOMPARE(h.state(crm).counters.dead, 0u);
        QVERIFY(h.command(ReleaseLane{{crm, UserId(7)}, "bert"}).ok());
        const auto row = h.kernel.row({crm, UserId(7)}, h.now());
        QVERIFY(row->headAge <= kSecond);
        QVERIFY(row->deadLettersIn >= 10 * kMinute - kSecond);
        // All of them: the retries of the first use up its window, then the others follow.
        QVERIFY(h.running(first));
        h.answer(first, 200);
        h.answer(second, 200);
        h.answer(during, 200);
        QCOMPARE(h.state(crm).counters.dead, 0u);
    }

    void aRestartKeepsHoldsAndGivesTheTimeBack() {
        KernelHarness h;
        RecoveredDestination recovered;
        recovered.config.id = DestinationId(3);
        recovered.config.name = "crm";
        recovered.config.url = "http://127.0.0.1:9/";
        recovered.config.policy.window = 10 * kMinute;
        recovered.state.clock = 3 * kHour;
        LaneHold open;
        open.lane = {DestinationId(3), UserId(7)};
        open.from = 2 * kHour;
        LaneHold ended;
        ended.lane = {DestinationId(3), UserId(8)};
        ended.from = kHour;
        ended.to = 3 * kHour - kMinute;
        recovered.holds = {ended, open};
        h.kernel.recoverDestination(recovered, 0);
        PendingPointer held;
        held.pointer = {DestinationId(3), Sequence(1)};
        held.user = UserId(7);
        held.clock = 2 * kHour - kMinute;
        h.kernel.recoverPointer(held);
        PendingPointer released = held;
        released.pointer.sequence = Sequence(2);
        released.user = UserId(8);
        released.clock = kHour - 2 * kMinute;  // two minutes before its hold, one after it
        h.kernel.recoverPointer(released);
        h.tick();
        QVERIFY(!h.running(Sequence(1)));
        const auto row = h.kernel.row({DestinationId(3), UserId(8)}, h.now());
        QCOMPARE(row->headAge, 3 * kMinute);
        h.answer(Sequence(2), 200);
        h.advance(kHour);
        QVERIFY(!h.running(Sequence(1)));
        QVERIFY(h.command(ReleaseLane{{DestinationId(3), UserId(7)}, "bert"}).ok());
        QVERIFY(h.running(Sequence(1)));
    }

    void aHeadThatFailsStandsIfADeadLetterHoldsItsLaneByThen() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = h.accept(7);
        h.answer(dead, 422);
        const auto later = h.accept(7);
        QVERIFY(h.running(later));
        auto config = h.kernel.destinations().front();
        config.policy.afterDeadLetter = AfterDeadLetter::hold;
        (void)h.command(SetDestination{config});
        h.answer(later, 500);
        QCOMPARE(h.kernel.row({crm, UserId(7)}, h.now())->state, LaneState::held);
        h.advance(kMinute);
        QVERIFY(!h.running(later));
        (void)h.command(DiscardDeadLetters{{{crm, dead}}, "anna", ""});
        QVERIFY(h.running(later));
    }

    void aDeadLetterOnItsWayOutIsCountedWhenThePolicyChanges() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = h.accept(7);
        h.answer(first, 422);
        const auto second = h.accept(7);
        h.answer(second, 422);
        auto config = h.kernel.destinations().front();
        config.policy.afterDeadLetter = AfterDeadLetter::hold;
        h.commitBySelf(false);
        h.give(DiscardDeadLetters{{{crm, first}}, "anna", ""});
        h.give(SetDestination{config});
        const auto later = h.accept(7);
        h.commit();
        h.advance(kMinute);
        QVERIFY(!h.running(later));  // the second one still holds it
    }

    void refusalsSayWhy_data() {
        QTest::addColumn<int>("act");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a hold of an unknown destination") << 0 << QByteArray("no such destination");
        QTest::newRow("a second hold") << 1 << QByteArray("already, by bert");
        QTest::newRow("a release of a lane that is not held") << 2 << QByteArray("is not held");
    }

    void refusalsSayWhy() {
        QFETCH(int, act);
        QFETCH(QByteArray, says);
        KernelHarness h;
        const auto crm = h.add("crm");
        CommandResult result;
        if (act == 0) result = h.command(HoldLane{{DestinationId(9), UserId(7)}, "", "", ""});
        if (act == 1) {
            (void)h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""});
            result = h.command(HoldLane{{crm, UserId(7)}, "anna", "carl", ""});
        }
        if (act == 2) result = h.command(ReleaseLane{{crm, UserId(7)}, "bert"});
        QVERIFY2(QByteArray::fromStdString(result.error).contains(says), result.error.c_str());
    }

    void aPauseEndsAtItsTime() {
        KernelHarness h;
        const auto crm = h.add("crm");
        QVERIFY(h.command(PauseDestination{crm, "anna", "", h.wall() + 15 * kMinute}).ok());
        const auto event = h.accept(7);
        h.advance(14 * kMinute);
        QVERIFY(!h.running(event));
        QVERIFY(h.advanceUntil([&] { return h.running(event).has_value(); }, 2 * kMinute));
        QVERIFY(h.now() <= 15 * kMinute + kSecond);
        QCOMPARE(h.state(crm).resumeAt, 0);
    }

    void aPauseCannotEndInThePast() {
        KernelHarness h;
        const auto crm = h.add("crm");
        QVERIFY(!h.command(PauseDestination{crm, "anna", "", h.wall() - kMinute}).ok());
        QVERIFY(h.state(crm).health != HealthState::paused);
    }

    void credentialsThatNobodyAcceptsPauseTheDestination() {
        KernelHarness h;
        const auto crm = h.add("crm");
        for (std::uint64_t user = 1; user <= 5; ++user) {
            const auto event = h.accept(user);
            h.advanceUntil([&] { return h.running(event).has_value(); }, 10 * kSecond);
            QVERIFY(h.state(crm).health != HealthState::paused);
            h.answer(event, 401);
        }
        QCOMPARE(h.state(crm).health, HealthState::paused);
        QVERIFY(h.state(crm).pausedBySystem);
        QVERIFY(QByteArray::fromStdString(h.state(crm).pauseReason).contains("401"));
        QCOMPARE(h.state(crm).counters.waiting, 5u);
        // A resume looks anew.
        QVERIFY(h.command(ResumeDestination{crm, "anna"}).ok());
        QVERIFY(h.advanceUntil([&] { return h.runningCount() > 0; }, kMinute));
        h.answer(h.open().front(), 401);
        QVERIFY(h.state(crm).health != HealthState::paused);
    }
};

QTEST_GUILESS_MAIN(KernelHoldsTest)
#include "kernel_holds_test.moc"
