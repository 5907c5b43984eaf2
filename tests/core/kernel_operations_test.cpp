// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::test;

namespace {

void waitFor(KernelHarness& h, Sequence event) {
    const bool started = h.advanceUntil([&] { return h.running(event).has_value(); }, kMinute);
    CHECK(started);
}

/// An event of a user that is a dead letter at once.
Pointer kill(KernelHarness& h, DestinationId id, std::uint64_t user) {
    const auto event = h.accept(user);
    waitFor(h, event);
    h.answer(event, 422);
    return {id, event};
}

std::vector<Pointer> killMany(KernelHarness& h, DestinationId id, std::uint64_t count) {
    std::vector<Pointer> dead;
    for (std::uint64_t user = 1; user <= count; ++user) dead.push_back(kill(h, id, user));
    return dead;
}

Sequence deliver(KernelHarness& h, std::uint64_t user) {
    const auto event = h.accept(user);
    waitFor(h, event);
    h.answer(event, 200);
    return event;
}

/// Answers whatever runs until nothing does.
void answerAll(KernelHarness& h, int status, Micros limit = kMinute) {
    const auto end = h.now() + limit;
    while (h.now() < end) {
        for (const auto& start : h.open()) h.answer(start, status);
        h.advance(50 * kMillisecond);
    }
}

RewindLanes laneRewind(const KernelHarness& h, LaneKey lane, std::vector<LaneEvent> events,
                       OperationId last) {
    RewindLanes command;
    command.lanes.push_back({lane, std::move(events)});
    command.plannedAt = h.wall();
    command.lastOperation = last;
    command.by = "anna";
    return command;
}

bool balanced(const KernelHarness& h) { return h.kernel.counters().balanced(); }

}  // namespace

class KernelOperationsTest : public QObject {
    Q_OBJECT

private slots:
    // --- The record

    void theRecordFollowsItsEventsToTheirEnd() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 3);
        const auto result = h.command(RewindDeadLetters{dead, "anna", "mended"});
        QCOMPARE(result.done, 3u);
        auto row = h.operation(result.operation);
        QCOMPARE(row.state, OperationState::delivering);
        QCOMPARE(row.waiting(), 3u);
        QCOMPARE(h.operationSet(result.operation)->size(), 3u);
        waitFor(h, dead[0].sequence);
        h.answer(dead[0].sequence, 200);
        waitFor(h, dead[1].sequence);
        h.answer(dead[1].sequence, 422);
        row = h.operation(result.operation);
        QCOMPARE(row.delivered, 1u);
        QCOMPARE(row.deadAgain, 1u);
        QCOMPARE(row.waiting(), 1u);
        waitFor(h, dead[2].sequence);
        h.answer(dead[2].sequence, 200);
        row = h.operation(result.operation);
        QCOMPARE(row.state, OperationState::finished);
        QCOMPARE(row.delivered, 2u);
        QVERIFY(balanced(h));
    }

    void everySkipHasItsReason() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 1);
        const auto delivered = deliver(h, 2);
        const std::vector<Pointer> named{
            dead, dead, {crm, delivered}, {DestinationId(99), Sequence(1)}};
        const auto result = h.command(RewindDeadLetters{named, "anna", ""});
        QCOMPARE(result.done, 1u);
        QCOMPARE(result.skipped, 3u);
        std::vector<SkipReason> reasons;
        for (const auto& skip : h.skips()) reasons.push_back(skip.reason);
        std::sort(reasons.begin(), reasons.end());
        QCOMPARE(reasons, (std::vector{SkipReason::notDead, SkipReason::notDead,
                                       SkipReason::unknown}));
    }

    // --- Pace, tracer, stop

    void aPaceIsKept() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 40);
        const auto result = h.command(RewindDeadLetters{dead, "anna", "", {10, 0}});
        QVERIFY(result.ok());
        QVERIFY(result.operation && result.underWay);
        const auto began = h.now();
        QVERIFY(h.advanceUntil(
            [&] { return h.operation(result.operation).done == 40; }, kMinute));
        QVERIFY(h.now() - began >= 3700 * kMillisecond);
        QVERIFY(h.now() - began <= 4200 * kMillisecond);
    }

    void aPacedRewindHoldsNoOtherOperationUp() {
        KernelHarness h;
        const auto crm = addStrict(h);
        auto dead = killMany(h, crm, 10);
        const auto last = dead.back();
        dead.pop_back();
        (void)h.command(RewindDeadLetters{dead, "anna", "", {0.01, 0}});
        QCOMPARE(h.command(RewindDeadLetters{{last}, "anna", ""}).done, 1u);
    }

    void theTracerGoesFirstAndTheRestFollows() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 30);
        const auto id = h.command(RewindDeadLetters{dead, "anna", "", {0, 10}}).operation;
        h.advance(kSecond);
        QCOMPARE(h.operation(id).state, OperationState::tracing);
        QCOMPARE(h.operation(id).done, 10u);
        for (std::size_t i = 0; i < 8; ++i) {
            waitFor(h, dead[i].sequence);
            h.answer(dead[i].sequence, 200);
        }
        QCOMPARE(h.operation(id).done, 10u);
        waitFor(h, dead[8].sequence);
        h.answer(dead[8].sequence, 200);  // nine of ten
        h.advance(kSecond);
        QCOMPARE(h.operation(id).done, 30u);
        answerAll(h, 200);
        QCOMPARE(h.operation(id).state, OperationState::finished);
        QCOMPARE(h.operation(id).delivered, 30u);
    }

    void aTracerThatFailsStopsTheRewind_data() {
        QTest::addColumn<int>("status");
        QTest::newRow("dead again at once") << 422;
        QTest::newRow("failed three times") << 500;
    }

    void aTracerThatFailsStopsTheRewind() {
        QFETCH(int, status);
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 30);
        const auto id = h.command(RewindDeadLetters{dead, "anna", "", {0, 10}}).operation;
        std::size_t failed = 0;
        QVERIFY(h.advanceUntil(
            [&] {
                for (const auto& start : h.open()) {
                    const bool fails = start.pointer == dead[0] || start.pointer == dead[1];
                    if (fails) ++failed;
                    h.answer(start, fails ? status : 200);
                }
                return h.operation(id).state == OperationState::stopped;
            },
            2 * kMinute));
        QCOMPARE(failed, status == 422 ? 2u : 6u);
        QCOMPARE(h.operation(id).done, 10u);
        QVERIFY(QByteArray::fromStdString(h.operation(id).note).contains("2 of the first 10"));
        h.advance(kHour);
        QCOMPARE(h.state(crm).counters.dead, status == 422 ? 22u : 20u);
    }

    void stopLeavesTheRestWhereItIs() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 20);
        const auto id = h.command(RewindDeadLetters{dead, "anna", "", {1, 0}}).operation;
        h.advance(5 * kSecond);
        const auto moved = h.operation(id).done;
        QVERIFY(moved > 0 && moved < 20);
        const auto result = h.command(StopOperation{id, "bert"});
        QCOMPARE(result.done, moved);
        h.advance(kHour);
        QCOMPARE(h.operation(id).done, moved);
        QCOMPARE(h.operation(id).state, OperationState::stopped);
        QCOMPARE(h.operation(id).note, std::string("stopped by bert"));
        answerAll(h, 200);
        QCOMPARE(h.operation(id).delivered, moved);
        QCOMPARE(h.state(crm).counters.dead, 20 - moved);
        QVERIFY(!h.command(StopOperation{id, "bert"}).ok());
    }

    void aMassRewindRampsTheDestinationUp() {
        KernelHarness h;
        const auto crm = addStrict(h);
        auto dead = killMany(h, crm, 120);
        for (std::uint64_t user = 1000; user < 1300; ++user) deliver(h, user);
        QVERIFY(h.state(crm).budget > 4);
        (void)h.command(RewindDeadLetters{dead, "anna", ""});
        QCOMPARE(h.runningCount(), 1u);
        QVERIFY(QByteArray::fromStdString(h.state(crm).lastChange.reason).contains("mass rewind"));
        answerAll(h, 200, 2 * kMinute);
        QCOMPARE(h.state(crm).counters.dead, 0u);
    }

    // --- Undo

    void undoReturnsWhatWasNotTried() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = killMany(h, crm, 6);
        (void)h.command(PauseDestination{crm, "anna", ""});
        const auto id = h.command(RewindDeadLetters{dead, "anna", ""}).operation;
        (void)h.command(ResumeDestination{crm, "anna"});
        QCOMPARE(h.runningCount(), 1u);  // one slot after the resume
        const auto result = h.command(UndoRewind{id, "bert"});
        QCOMPARE(result.done, 5u);
        QCOMPARE(result.skipped, 1u);
        QCOMPARE(h.state(crm).counters.dead, 5u);
        QCOMPARE(h.state(crm).counters.waiting, 1u);
        QCOMPARE(h.operation(id).returned, 5u);
        QVERIFY(balanced(h));
        h.advance(kHour);
        QCOMPARE(h.runningCount(), 1u);
        h.answer(h.open().front(), 200);
        QCOMPARE(h.operation(id).state, OperationState::finished);
        QCOMPARE(h.operation(id).delivered, 1u);
        // They can be rewound again, in the same life as before.
        (void)h.command(RewindDeadLetters{dead, "anna", ""});
        waitFor(h, dead[1].sequence);
        QCOMPARE(h.running(dead[1].sequence)->life, 2u);
    }

    void nothingOvertakesAnUndoThatIsNotDurable() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        (void)h.command(HoldLane{{crm, UserId(7)}, "", "anna", ""});
        const auto later = h.accept(7);
        const auto id = h.command(RewindDeadLetters{{dead}, "anna", ""}).operation;
        h.commitBySelf(false);
        h.give(UndoRewind{id, "bert"});
        h.give(ReleaseLane{{crm, UserId(7)}, "anna"});
        h.advance(kMinute);
        QCOMPARE(h.runningCount(), 0u);
        h.commit();
        QVERIFY(h.running(later));
        QVERIFY(!h.running(dead.sequence));
        QCOMPARE(h.state(crm).counters.dead, 1u);
        QVERIFY(balanced(h));
    }

    void anEventBehindTheHeadThatIsUndoneIsNotDelivered() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = kill(h, crm, 7);
        const auto second = kill(h, crm, 7);
        const auto later = h.accept(7);
        const auto result = h.command(RewindDeadLetters{{first, second}, "anna", ""});
        h.answer(later, 500);  // the head in flight fails, so the rewound go first
        waitFor(h, first.sequence);
        h.commitBySelf(false);
        const auto undo = h.give(UndoRewind{result.operation, "bert"});
        h.answer(first.sequence, 200);
        h.advance(kMinute);
        QVERIFY(!h.running(second.sequence));
        h.commit();
        QVERIFY(!h.running(second.sequence));
        waitFor(h, later);
        h.commit();
        QVERIFY(h.answered(undo));
        QCOMPARE(h.result(undo).done, 1u);
        QCOMPARE(h.state(crm).counters.dead, 1u);
        QVERIFY(balanced(h));
    }

    void undoUnderHoldKeepsTheLaneBack() {
        KernelHarness h;
        const auto crm = addStrict(h, AfterDeadLetter::hold);
        const auto dead = kill(h, crm, 7);
        const auto later = h.accept(7);
        (void)h.command(PauseDestination{crm, "anna", ""});
        const auto id = h.command(RewindDeadLetters{{dead}, "anna", ""}).operation;
        QCOMPARE(h.command(UndoRewind{id, "bert"}).done, 1u);
        (void)h.command(ResumeDestination{crm, "anna"});
        h.advance(kMinute);
        QVERIFY(!h.running(later));
        QCOMPARE(h.kernel.row({crm, UserId(7)}, h.now())->state, LaneState::held);
    }

    void undoLeavesAnEventThatBacksOff() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto tried = kill(h, crm, 7);
        const auto behind = kill(h, crm, 7);
        const auto id = h.command(RewindDeadLetters{{tried, behind}, "anna", ""}).operation;
        waitFor(h, tried.sequence);
        h.answer(tried.sequence, 500);
        QCOMPARE(h.command(UndoRewind{id, "bert"}).done, 1u);
        QCOMPARE(h.kernel.pending({crm, UserId(7)}), (std::vector<Sequence>{tried.sequence}));
        waitFor(h, tried.sequence);
        QVERIFY(balanced(h));
    }

    void undoOfWhatHasEndedIsRefused() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto id = h.command(RewindDeadLetters{{dead}, "anna", ""}).operation;
        QVERIFY(h.running(dead.sequence));
        QVERIFY(!h.command(UndoRewind{id, "bert"}).ok());  // it was tried
        h.answer(dead.sequence, 200);
        QVERIFY(!h.command(UndoRewind{id, "bert"}).ok());
    }

    // --- Lanes from an event on

    void aLaneIsDeliveredAgainInOrder() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = deliver(h, 7);
        const auto dead = kill(h, crm, 7);
        const auto passed = deliver(h, 7);
        const auto flying = h.accept(7);
        const auto waiting = h.accept(7);
        QVERIFY(h.running(flying));
        const auto command = laneRewind(
            h, {crm, UserId(7)},
            {{dead.sequence, 1}, {passed, 1}, {flying, 1}, {waiting, 1}}, OperationId(1));
        const auto id = h.give(command);
        // What is in flight finishes first; meanwhile nothing moves.
        h.advance(kSecond);
        QVERIFY(!h.answered(id));
        QCOMPARE(h.state(crm).counters.dead, 1u);
        h.answer(flying, 200);
        QVERIFY(h.answered(id));
        QCOMPARE(h.result(id).done, 3u);
        QCOMPARE(h.result(id).skipped, 1u);
        std::vector<Sequence> received;
        for (int i = 0; i < 4; ++i) {
            QVERIFY(h.advanceUntil([&] { return h.runningCount() > 0; }, kMinute));
            const auto start = h.open().front();
            received.push_back(start.pointer.sequence);
            QCOMPARE(start.life, start.pointer.sequence == waiting ? 1u : 2u);
            h.answer(start, 200);
        }
        QCOMPARE(received, (std::vector{dead.sequence, passed, flying, waiting}));
        QVERIFY(first < dead.sequence);
        QCOMPARE(h.state(crm).counters.delivered, 5u);
        QVERIFY(balanced(h));
        QCOMPARE(h.operation(h.result(id).operation).state, OperationState::finished);
    }

    /// Each step of it costs the same, however long the lane is; else this test would not end.
    void aVeryLongLaneMovesAsAWholeAndBack() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const LaneKey lane{crm, UserId(7)};
        RecoveredDestination recovered;
        recovered.config = h.kernel.destinations().front();
        recovered.counters = {limits::kLaneRewind, limits::kLaneRewind, 0, 0, 0};
        KernelHarness other;
        other.kernel.recoverIds(OperationId(1), crm, Sequence(limits::kLaneRewind));
        other.kernel.recoverDestination(recovered, 0);
        std::vector<LaneEvent> events;
        for (std::uint64_t i = 1; i <= limits::kLaneRewind; ++i) events.push_back({Sequence(i), 1});
        (void)other.command(PauseDestination{crm, "anna", ""});
        const auto result = other.command(laneRewind(other, lane, events, OperationId(2)));
        QCOMPARE(result.done, limits::kLaneRewind);
        QCOMPARE(other.state(crm).counters.waiting, limits::kLaneRewind);
        QCOMPARE(other.command(UndoRewind{result.operation, "anna"}).done, limits::kLaneRewind);
        QCOMPARE(other.state(crm).counters.delivered, limits::kLaneRewind);
        QVERIFY(balanced(other));
    }

    void whatWaitsDoesNotOvertakeALaneThatIsMoved() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto passed = deliver(h, 7);
        h.commitBySelf(false);
        h.give(laneRewind(h, {crm, UserId(7)}, {{dead.sequence, 1}, {passed, 1}},
                          OperationId(1)));
        const auto newcomer = h.accept(7);
        h.advance(kMinute);
        QVERIFY(!h.running(newcomer));
        QCOMPARE(h.runningCount(), 0u);
        h.commit();
        QVERIFY(h.running(dead.sequence));
        QVERIFY(!h.running(newcomer));
    }

    void aPlanThatKnowsOfANewcomerFirstDoesNotSendItTwice() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const Sequence newcomer(dead.sequence.value + 1);  // durable, and not told yet
        const auto result = h.command(laneRewind(
            h, {crm, UserId(7)}, {{dead.sequence, 1}, {newcomer, 1}}, OperationId(1)));
        QCOMPARE(result.done, 1u);
        QCOMPARE(h.skips().back().reason, SkipReason::waiting);
        QCOMPARE(h.accept(7), newcomer);
        h.answer(dead.sequence, 200);
        h.answer(newcomer, 200);
        QCOMPARE(h.state(crm).counters.delivered, 2u);
        QVERIFY(balanced(h));
    }

    void anUndoneLaneIsAsItWas() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto passed = deliver(h, 7);
        (void)h.command(PauseDestination{crm, "anna", ""});
        const auto result = h.command(laneRewind(
            h, {crm, UserId(7)}, {{dead.sequence, 1}, {passed, 1}}, OperationId(9)));
        QCOMPARE(h.state(crm).counters.waiting, 2u);
        QCOMPARE(h.command(UndoRewind{result.operation, "bert"}).done, 2u);
        QCOMPARE(h.state(crm).counters.waiting, 0u);
        QCOMPARE(h.state(crm).counters.dead, 1u);
        QCOMPARE(h.state(crm).counters.delivered, 1u);
        QCOMPARE(h.kernel.laneCount(), 0u);
        QVERIFY(balanced(h));
    }

    void aLaneRewindIsRefusedWhen_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("its plan is old") << 0 << QByteArray("too old");
        QTest::newRow("events were moved since") << 1 << QByteArray("were moved since");
        QTest::newRow("its events are not in order") << 2 << QByteArray("order of the log");
        QTest::newRow("another one is under way") << 3 << QByteArray("still under way");
        QTest::newRow("nothing is named") << 4 << QByteArray("No lanes");
    }

    void aLaneRewindIsRefusedWhen() {
        QFETCH(int, what);
        QFETCH(QByteArray, says);
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto other = kill(h, crm, 8);
        const auto flying = h.accept(7);
        auto command = laneRewind(h, {crm, UserId(7)}, {{dead.sequence, 1}, {flying, 1}},
                                  OperationId(1));
        if (what == 0) h.advance(11 * kMinute);
        if (what == 1) (void)h.command(DiscardDeadLetters{{other}, "anna", ""});
        if (what == 2) std::swap(command.lanes[0].events[0], command.lanes[0].events[1]);
        if (what == 3) {
            h.give(command);
            command.lastOperation = OperationId(99);
        }
        if (what == 4) command.lanes.clear();
        const auto result = h.command(command);
        QVERIFY2(QByteArray::fromStdString(result.error).contains(says), result.error.c_str());
        QVERIFY(balanced(h));
    }

    void aStoppedLaneRewindLetsItsLanesGo() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto flying = h.accept(7);
        const auto next = h.accept(7);
        const auto id = h.give(laneRewind(h, {crm, UserId(7)}, {{dead.sequence, 1}, {flying, 1}},
                                          OperationId(1)));
        QVERIFY(!h.answered(id));
        EngineSnapshot snapshot;
        h.kernel.describe(h.now(), snapshot);
        QCOMPARE(snapshot.operations.size(), 1u);
        QVERIFY(h.command(StopOperation{snapshot.operations[0].id, "bert"}).ok());
        QVERIFY(h.answered(id));
        h.answer(flying, 200);
        QVERIFY(h.running(next));
        QCOMPARE(h.state(crm).counters.dead, 1u);
    }

    // --- Edits

    void anEditedEventIsRewoundWithItsNewPayload() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto result = h.command(EditAndRewind{dead, "{\"fixed\":true}", "anna", "typo"});
        QVERIFY(result.ok());
        QCOMPARE(result.done, 1u);
        QCOMPARE(h.versions().size(), 1u);
        QCOMPARE(h.versions()[0].payload, std::string("{\"fixed\":true}"));
        QCOMPARE(h.versions()[0].operation, result.operation);
        QVERIFY(h.running(dead.sequence));
    }

    void anEditNeedsThePermissionOfTheDestination() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.deadLetterStatuses = {422};
        const auto crm = h.add("crm", policy);
        const auto dead = kill(h, crm, 7);
        const auto result = h.command(EditAndRewind{dead, "{}", "anna", ""});
        QVERIFY(!result.ok());
        QVERIFY(h.versions().empty());
        QCOMPARE(h.state(crm).counters.dead, 1u);
    }

    // --- Restart

    void aRestartGoesOnWhereTheOperationWas() {
        KernelHarness before;
        const auto crm = addStrict(before);
        const auto dead = killMany(before, crm, 6);
        const auto id =
            before.command(RewindDeadLetters{dead, "anna", "", {1, 0}}).operation;
        QVERIFY(before.advanceUntil([&] { return before.operation(id).done == 3; }, kMinute));
        const auto row = before.operation(id);

        KernelHarness h;
        RecoveredDestination recovered;
        recovered.config.id = crm;
        recovered.config.name = "crm";
        recovered.config.url = "http://127.0.0.1:9/";
        recovered.counters = {6, 0, 3, 3, 0};
        for (std::size_t i = 3; i < 6; ++i)
            recovered.dead.push_back({dead[i].sequence, UserId(i + 1), 1});
        h.kernel.recoverIds(id, crm);
        h.kernel.recoverDestination(recovered, 0);
        for (std::size_t i = 0; i < 3; ++i) {
            PendingPointer pending;
            pending.pointer = dead[i];
            pending.user = UserId(i + 1);
            pending.life = 2;
            pending.operation = id;
            pending.lastOutcome = Outcome::failed;
            h.kernel.recoverPointer(pending);
        }
        h.kernel.recoverOperations({{row, before.operationSet(id)}}, 0);
        answerAll(h, 200);
        QCOMPARE(h.operation(id).state, OperationState::finished);
        QCOMPARE(h.operation(id).delivered, 6u);
        QCOMPARE(h.operation(id).done, 6u);
        QVERIFY(balanced(h));
    }

    void aLaneRewindThatWasCutOffByARestartSaysSo() {
        KernelHarness h;
        OperationRow row;
        row.id = OperationId(5);
        row.kind = OperationKind::rewindLanes;
        row.state = OperationState::moving;
        row.asked = 1;
        h.kernel.recoverIds(row.id, DestinationId(1));
        const OperationMember member{{DestinationId(1), Sequence(1)}, UserId(7), 1};
        h.kernel.recoverOperations(
            {{row, std::make_shared<const std::vector<OperationMember>>(1, member)}}, 0);
        h.tick();
        QCOMPARE(h.operation(row.id).state, OperationState::stopped);
        QVERIFY(!h.operation(row.id).note.empty());
    }
};

QTEST_GUILESS_MAIN(KernelOperationsTest)
#include "kernel_operations_test.moc"
