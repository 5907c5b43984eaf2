// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/backoff.h"
#include "tests/core/kernel_harness.h"

#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::test;

namespace {

LaneState laneState(const KernelHarness& h, DestinationId id, std::uint64_t user) {
    return h.kernel.row({id, UserId(user)}, h.now())->state;
}

}  // namespace

class DeliveryKernelTest : public QObject {
    Q_OBJECT

private slots:
    void onlyTheHeadOfALaneIsInFlight() {
        KernelHarness h;
        h.add("crm");
        const auto first = h.accept(7);
        const auto second = h.accept(7);
        QVERIFY(h.running(first));
        QVERIFY(!h.running(second));
        h.answer(first, 200);
        QVERIFY(h.running(second));
        QCOMPARE(h.running(second)->previous, first);
    }

    void theNextStartsOnlyWhenTheEndIsDurable() {
        KernelHarness h;
        h.add("crm");
        const auto first = h.accept(7);
        const auto second = h.accept(7);
        h.commitBySelf(false);
        h.answer(first, 200);
        h.advance(kMinute);
        QVERIFY(!h.running(second));
        QCOMPARE(h.kernel.counters().delivered, 0u);
        h.commit();
        QVERIFY(h.running(second));
        QCOMPARE(h.kernel.counters().delivered, 1u);
    }

    void whileTheDiskStallsOnlySoMuchIsStarted() {
        constexpr std::uint64_t kUsers = limits::kPendingResults + 1000;
        KernelHarness h;
        const auto crm = h.add("crm");
        h.add("billing");
        for (std::uint64_t user = 1; user <= kUsers; ++user) h.accept(user);
        h.commitBySelf(false);
        std::size_t ended = 0;
        const auto drain = [&] {
            for (auto open = h.open(); !open.empty(); open = h.open())
                for (const auto& start : open) {
                    ++ended;
                    h.answer(start, 200);
                }
        };
        drain();
        // What was in flight when the limit was reached has ended too.
        QVERIFY(ended >= limits::kPendingResults);
        QVERIFY(ended < limits::kPendingResults + 2 * h.state(crm).maxInFlight);
        h.advance(kMinute);
        QCOMPARE(h.runningCount(), 0u);
        h.commit();
        QVERIFY(h.runningCount() > 0);
        while (ended < 2 * kUsers) {
            drain();
            h.commit();
        }
        QCOMPARE(h.kernel.counters().delivered, 2 * kUsers);
    }

    void aStallOfOneDestinationsResultsEndsForAllAtOnce() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto billing = h.add("billing");
        h.commitBySelf(false);
        std::uint64_t sequence = 0;
        const auto acceptFor = [&](DestinationId destination) {
            ++sequence;
            h.step(input::EventsAccepted{{{Sequence(sequence), UserId(sequence),
                                           {{destination, 0}}}}});
            return Sequence(sequence);
        };
        for (std::size_t i = 0; i < limits::kPendingResults + 1000; ++i) acceptFor(crm);
        for (auto open = h.open(); !open.empty(); open = h.open())
            for (const auto& start : open) h.answer(start, 200);
        const auto bill = acceptFor(billing);
        QVERIFY(!h.running(bill));
        h.commit();
        QVERIFY(h.running(bill));
    }

    void aFailureIsDurableBeforeItsRetry() {
        KernelHarness h;
        h.add("crm");
        const auto event = h.accept(7);
        h.commitBySelf(false);
        h.answer(event, 500);
        h.advance(kMinute);
        QVERIFY(!h.running(event));
        h.commit();
        QVERIFY(h.running(event));
    }

    void lanesOfOtherUsersAndDestinationsFlowOn() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto billing = h.add("billing");
        const auto event = h.accept(7);
        for (const auto& start : h.open())
            if (start.pointer.destination == crm) h.answer(start, 500);
        const auto other = h.accept(8);
        QVERIFY(h.running(other));
        const auto& starts = h.starts();
        QVERIFY(std::any_of(starts.begin(), starts.end(), [&](const StartAttempt& s) {
            return s.pointer == Pointer{billing, event};
        }));
    }

    void aLaneRetriesAfterOneTwoFourEightSeconds() {
        KernelHarness h;
        const auto crm = h.add("crm");
        h.accept(1);  // keeps the destination alive, so that it is not degraded
        const auto event = h.accept(7);
        for (const double expected : {1.0, 2.0, 4.0, 8.0, 8.0}) {
            h.answer(event, 500);
            QCOMPARE(laneState(h, crm, 7), LaneState::backingOff);
            const auto failedAt = h.now();
            h.answer(h.accept(100 + static_cast<std::uint64_t>(failedAt)), 200);
            QVERIFY(h.advanceUntil([&] { return h.running(event).has_value(); }, 20 * kSecond));
            const double waited =
                static_cast<double>(h.now() - failedAt) / static_cast<double>(kSecond);
            // 20 % of jitter and one bucket of the timer queue; token waits at the fourth failure.
            QVERIFY2(waited >= expected * 0.8 - 0.001 && waited <= expected * 1.2 + 1.2,
                     qPrintable(QString::number(waited)));
        }
        QCOMPARE(h.running(event)->number, 6u);
    }

    void retryAfterHoldsOneLaneForItsWholeTime() {
        KernelHarness h;
        h.add("crm");
        const auto event = h.accept(7);
        const auto asked = h.now();
        h.answer(event, 429, 90 * kSecond);
        QVERIFY(h.advanceUntil([&] { return h.running(event).has_value(); }, 200 * kSecond));
        QVERIFY(h.now() - asked >= 90 * kSecond);
        QVERIFY(h.now() - asked <= 91 * kSecond);
    }

    void retryAfterOfTwoLanesSilencesTheDestination() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto first = h.accept(1);
        const auto second = h.accept(2);
        h.answer(first, 503, 60 * kSecond);
        h.answer(second, 503, 60 * kSecond);
        const auto third = h.accept(3);
        QVERIFY(!h.running(third));
        QVERIFY(h.state(crm).silentFor > 59 * kSecond);
        h.advance(61 * kSecond);
        QVERIFY(h.running(third));
    }

    void retryAfterOfADeadLetterHoldsItsLaneAndCountsForTheOthers() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.deadLetterStatuses = {429};
        const auto crm = h.add("crm", policy);
        const auto dead = h.accept(7);
        const auto next = h.accept(7);
        const auto other = h.accept(8);
        const auto asked = h.now();
        h.answer(dead, 429, 90 * kSecond);
        QCOMPARE(h.state(crm).counters.dead, 1u);
        QCOMPARE(laneState(h, crm, 7), LaneState::backingOff);
        h.answer(other, 429, 20 * kSecond);
        QVERIFY(h.state(crm).silentFor > 19 * kSecond);
        QVERIFY(h.advanceUntil([&] { return h.running(next).has_value(); }, 200 * kSecond));
        QVERIFY(h.now() - asked >= 90 * kSecond);
    }

    void lanesThatFailTogetherDoNotComeBackTogether() {
        Random random(1);
        Micros shortest = kHour;
        Micros longest = 0;
        for (int lane = 0; lane < 200; ++lane) {
            const Micros delay = backoff(1, random);
            shortest = std::min(shortest, delay);
            longest = std::max(longest, delay);
        }
        QVERIFY(shortest >= 800 * kMillisecond && shortest < 830 * kMillisecond);
        QVERIFY(longest <= 1'200 * kMillisecond && longest > 1'170 * kMillisecond);
    }

    void anEventDiesWhenItsWindowIsOver() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = 5 * kMinute;
        const auto crm = h.add("crm", policy);
        const auto event = degrade(h, crm, 1);
        const auto later = h.accept(1);
        const auto began = h.now();
        while (h.state(crm).counters.dead == 0) {
            QVERIFY(h.now() - began < 6 * kMinute);
            h.advanceUntil([&] { return h.runningCount() > 0; }, 2 * kSecond);
            for (const auto& start : h.open()) h.refuseConnection(start);
        }
        QVERIFY(h.now() - began > 4 * kMinute);
        QCOMPARE(h.kernel.pending({crm, UserId(1)}), std::vector<Sequence>{later});
        const auto& last = *std::find_if(h.journal().begin(), h.journal().end(), [](auto& e) {
            return e.kind == JournalKind::deadLettered;
        });
        QCOMPARE(last.pointer.sequence, event);
        QVERIFY(last.attempt > 0);
        QVERIFY(h.kernel.counters().balanced());
    }

    void lanesThatWaitForAProbeDieInTimeWithoutOne() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = kMinute;
        const auto crm = h.add("crm", policy);
        degrade(h, crm, 1);
        const auto began = h.now();
        for (std::uint64_t user = 2; user <= 300; ++user) h.accept(user);
        while (h.now() < began + kMinute + kSecond) {
            h.advanceUntil([&] { return h.runningCount() > 0; }, kSecond);
            for (const auto& start : h.open()) h.refuseConnection(start);
            if (h.now() < began + 59 * kSecond) QVERIFY(h.state(crm).counters.dead <= 1u);
        }
        QVERIFY(h.state(crm).counters.dead >= 299u);
        const auto neverTried =
            std::count_if(h.journal().begin(), h.journal().end(), [](const JournalEntry& e) {
                return e.kind == JournalKind::deadLettered && e.attempt == 0 &&
                       e.reason.find("never tried") != std::string::npos;
            });
        QVERIFY2(neverTried > 200, qPrintable(QString::number(neverTried)));
        QVERIFY(h.kernel.counters().balanced());
    }

    void anExpiredHeadGetsALastChanceOnceTheDestinationLives() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = kMinute;
        const auto crm = h.add("crm", policy);
        const auto held = h.accept(7);
        (void)h.command(PauseDestination{crm, "anna", "test"});
        h.answer(held, 503);  // was in flight when paused
        (void)h.command(ResumeDestination{crm, "anna"});
        // Silent for longer than the window, but alive before it ends.
        QVERIFY(h.advanceUntil([&] { return h.running(held).has_value(); }, 10 * kSecond));
        h.advance(2 * kMinute);
        h.answer(held, 503);
        QCOMPARE(h.state(crm).counters.dead, 1u);
    }

    void aPausedDestinationStartsNothingAndItsClockStands() {
        KernelHarness h;
        const auto crm = h.add("crm");
        (void)h.command(PauseDestination{crm, "anna", "maintenance"});
        const auto clock = h.state(crm).clock;
        const auto event = h.accept(7);
        h.advance(100 * kHour);
        QVERIFY(!h.running(event));
        QCOMPARE(h.state(crm).clock, clock);
        QCOMPARE(h.state(crm).health, HealthState::paused);
        QCOMPARE(h.state(crm).pausedBy, std::string("anna"));
        QCOMPARE(h.state(crm).counters.waiting, 1u);
        (void)h.command(ResumeDestination{crm, "anna"});
        QVERIFY(h.running(event));
    }

    void aPauseIsAnsweredWhenItIsDurableButWorksAtOnce() {
        KernelHarness h;
        const auto crm = h.add("crm");
        h.commitBySelf(false);
        h.step(input::CommandGiven{CommandId(99), PauseDestination{crm, "anna", ""}});
        const auto event = h.accept(7);
        QVERIFY(!h.running(event));
    }

    void deadLetteredAtOnceByPolicy() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto event = h.accept(7);
        const auto next = h.accept(7);
        h.answer(event, 422);
        QCOMPARE(h.state(crm).counters.dead, 1u);
        QVERIFY(h.running(next));
    }

    void holdKeepsTheRestOfTheLaneUntilTheDeadLetterIsDealtWith() {
        KernelHarness h;
        const auto crm = addStrict(h, AfterDeadLetter::hold);
        const auto event = h.accept(7);
        const auto next = h.accept(7);
        h.answer(event, 422);
        const auto afterwards = h.accept(7);
        h.advance(kHour);
        QVERIFY(!h.running(next));
        QCOMPARE(laneState(h, crm, 7), LaneState::held);
        (void)h.command(RewindDeadLetters{{{crm, event}}, "anna", ""});
        QVERIFY(h.running(event));
        h.answer(event, 200);
        h.answer(next, 200);
        h.answer(afterwards, 200);
        QCOMPARE(h.kernel.laneCount(), 0u);
    }

    void theRateLimitOfADestinationIsKept() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.rateLimit = 2;
        h.add("crm", policy);
        for (std::uint64_t user = 1; user <= 60; ++user) h.accept(user);
        const auto sent = [&](Micros time) {
            const auto before = h.starts().size();
            const auto end = h.now() + time;
            h.advanceUntil(
                [&] {
                    for (const auto& start : h.open()) h.answer(start, 200);
                    return h.now() >= end;
                },
                time);
            return h.starts().size() - before;
        };
        QCOMPARE(sent(10 * kSecond), 20u);
        for (auto config : h.kernel.destinations()) {
            config.policy.rateLimit = 0;
            (void)h.command(SetDestination{config});
        }
        QVERIFY(sent(10 * kSecond) > 30);
    }

    void aRewoundEventReturnsToItsPlace() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = h.accept(7);
        const auto flying = h.accept(7);
        const auto waiting = h.accept(7);
        h.answer(dead, 422);
        QVERIFY(h.running(flying));
        const auto result = h.command(RewindDeadLetters{{{crm, dead}}, "anna", "mended"});
        QCOMPARE(result.done, 1u);
        // The head in flight ends first; it fails, so the earlier event goes before it.
        h.answer(flying, 500);
        QVERIFY(h.running(dead));
        QCOMPARE(h.running(dead)->life, 2u);
        QCOMPARE(h.running(dead)->operation, result.operation);
        QCOMPARE(h.kernel.pending({crm, UserId(7)}),
                 (std::vector<Sequence>{dead, flying, waiting}));
        h.answer(dead, 200);
        QVERIFY(h.advanceUntil([&] { return h.running(flying).has_value(); }, 5 * kSecond));
        QCOMPARE(h.running(flying)->number, 2u);  // its history is kept
        QVERIFY(h.kernel.counters().balanced());
    }

    void aRewindMovesNothingTwice() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = h.accept(7);
        h.answer(dead, 422);
        h.commitBySelf(false);
        h.step(input::CommandGiven{CommandId(90), RewindDeadLetters{{{crm, dead}}, "anna", ""}});
        h.step(input::CommandGiven{CommandId(91), RewindDeadLetters{{{crm, dead}}, "anna", ""}});
        h.advance(kSecond);
        QVERIFY(!h.running(dead));  // not before the rewind is durable
        h.commit();
        QVERIFY(h.running(dead));
        const auto rewinds =
            std::count_if(h.journal().begin(), h.journal().end(),
                          [](auto& e) { return e.kind == JournalKind::rewound; });
        QCOMPARE(rewinds, 1);
        QCOMPARE(h.state(crm).counters.waiting, 1u);
        QCOMPARE(h.state(crm).counters.dead, 0u);
    }

    void aLargeRewindGoesInChunksAndCountsWhatItSkips() {
        KernelHarness h;
        const auto crm = addStrict(h);
        std::vector<Pointer> pointers;
        for (std::uint64_t user = 1; user <= 1200; ++user) {
            const auto event = h.accept(user);
            h.advanceUntil([&] { return h.running(event).has_value(); }, kMinute);
            h.answer(event, 422);
            pointers.push_back({crm, event});
        }
        pointers.push_back({crm, Sequence(999'999)});
        const auto result = h.command(RewindDeadLetters{pointers, "anna", ""});
        QCOMPARE(result.asked, 1201u);
        QCOMPARE(result.done, 1200u);
        QCOMPARE(result.skipped, 1u);
        QVERIFY(h.kernel.counters().balanced());
    }

    void aDiscardedDeadLetterIsCounted() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = h.accept(7);
        h.answer(dead, 422);
        QCOMPARE(h.command(DiscardDeadLetters{{{crm, dead}}, "anna", ""}).done, 1u);
        QCOMPARE(h.state(crm).counters.discarded, 1u);
        QCOMPARE(h.command(RewindDeadLetters{{{crm, dead}}, "anna", ""}).skipped, 1u);
        QVERIFY(h.kernel.counters().balanced());
    }

    void goneMeansPausedWithTheReasonAndEventsKept() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto event = h.accept(7);
        h.answer(event, 410);
        h.advance(kMinute);
        QCOMPARE(h.state(crm).health, HealthState::paused);
        QVERIFY(h.state(crm).pausedBySystem);
        QVERIFY(!h.running(event));
        QCOMPARE(h.state(crm).counters.waiting, 1u);
        // Who looks through the operations finds it beside the pauses by hand.
        const auto record = h.operation(OperationId(2));
        QCOMPARE(record.who + " " + record.action + " " + record.scope,
                 std::string("Rivora Lanes pause crm"));
        QVERIFY(record.reason.find("410") != std::string::npos);
    }

    void nothingStartsWhileTheStoreCannotWrite() {
        KernelHarness h;
        h.add("crm");
        h.step(input::StoreWritable{false});
        const auto event = h.accept(7);
        h.advance(kMinute);
        QVERIFY(!h.running(event));
        h.step(input::StoreWritable{true});
        QVERIFY(h.running(event));
    }

    void whatWasPendingIsPendingAgainAfterARestart() {
        KernelHarness h;
        RecoveredDestination recovered;
        recovered.config.id = DestinationId(3);
        recovered.config.name = "crm";
        recovered.config.url = "http://127.0.0.1:9/";
        recovered.counters = {10, 6, 3, 1, 0};
        recovered.dead = {{Sequence(2), UserId(9), 1}};
        h.kernel.recoverIds(OperationId(5), DestinationId(3));
        h.kernel.recoverDestination(recovered, 0);
        h.kernel.recoverPointer({{DestinationId(3), Sequence(4)}, UserId(7), 0, 3, 1, {},
                                 Outcome::failed, 500});
        PendingPointer untried;
        untried.pointer = {DestinationId(3), Sequence(5)};
        untried.user = UserId(7);
        h.kernel.recoverPointer(untried);
        untried.pointer.sequence = Sequence(6);
        untried.user = UserId(8);
        h.kernel.recoverPointer(untried);
        h.tick();
        QVERIFY(h.kernel.counters().balanced());
        QCOMPARE(h.runningCount(), 1u);  // a restart ramps up
        QCOMPARE(h.running(Sequence(4))->number, 4u);
        QCOMPARE(h.kernel.pending({DestinationId(3), UserId(7)}),
                 (std::vector<Sequence>{Sequence(4), Sequence(5)}));
        const auto result =
            h.command(RewindDeadLetters{{{DestinationId(3), Sequence(2)}}, "anna", ""});
        QCOMPARE(result.operation, OperationId(6));
        QCOMPARE(result.done, 1u);
    }

    void pagesOfLanesFollowEveryChange() {
        KernelHarness h;
        const auto crm = h.add("crm");
        (void)h.command(PauseDestination{crm, "anna", ""});
        for (std::uint64_t user = 1; user <= 50; ++user)
            for (std::uint64_t i = 0; i < user % 7 + 1; ++i) h.accept(user);
        LanePageRequest request;
        request.order = LaneOrder::backlog;
        request.limit = 20;
        auto page = h.kernel.page(request, h.now());
        QCOMPARE(page.total, 50u);
        QCOMPARE(page.rows.size(), 20u);
        QCOMPARE(page.rows.front().backlog, 7u);
        QVERIFY(std::is_sorted(page.rows.begin(), page.rows.end(),
                               [](auto& a, auto& b) { return a.backlog > b.backlog; }));
        for (int i = 0; i < 20; ++i) h.accept(1);
        page = h.kernel.page(request, h.now());
        QCOMPARE(page.rows.front().key.user, UserId(1));
        request.offset = 45;
        QCOMPARE(h.kernel.page(request, h.now()).rows.size(), 5u);
        request.order = LaneOrder::headAge;
        request.offset = 0;
        page = h.kernel.page(request, h.now());
        QCOMPARE(page.rows.front().head, Sequence(1));
    }

    void pagesByDestinationShowTheOldestOfEachFirst() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto shop = h.add("shop");
        (void)h.command(PauseDestination{crm, "anna", ""});
        (void)h.command(PauseDestination{shop, "anna", ""});
        for (std::uint64_t user = 5; user >= 1; --user) h.accept(user);
        LanePageRequest request;
        request.order = LaneOrder::destination;
        const auto page = h.kernel.page(request, h.now());
        QCOMPARE(page.rows.size(), std::size_t{10});
        for (std::size_t n = 0; n < 10; ++n) {
            QCOMPARE(page.rows[n].key.destination, n < 5 ? crm : shop);
            QCOMPARE(page.rows[n].key.user, UserId(5 - n % 5));
        }
    }

    void theLanesOfAUserAreFoundAtAllDestinations() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto shop = h.add("shop");
        (void)h.command(PauseDestination{crm, "anna", ""});
        (void)h.command(PauseDestination{shop, "anna", ""});
        for (std::uint64_t user = 1; user <= 5; ++user) h.accept(user);
        LanePageRequest request;
        request.user = UserId(3);
        auto page = h.kernel.page(request, h.now());
        QCOMPARE(page.total, 2u);
        QCOMPARE(page.readiness, 1.0);
        QCOMPARE(page.rows.size(), std::size_t{2});
        QVERIFY((page.rows[0].key == LaneKey{crm, UserId(3)}));
        QVERIFY((page.rows[1].key == LaneKey{shop, UserId(3)}));
        request.destination = shop;
        page = h.kernel.page(request, h.now());
        QCOMPARE(page.total, 1u);
        QVERIFY((page.rows[0].key == LaneKey{shop, UserId(3)}));
        request.user = UserId(77);
        QCOMPARE(h.kernel.page(request, h.now()).total, 0u);
    }

    /// Neither building an order nor taking it apart may take long, however many lanes there are.
    void ordersAreBuiltAndTakenApartALittleAtATime() {
        KernelHarness h;
        const auto crm = h.add("crm");
        (void)h.command(PauseDestination{crm, "anna", ""});
        constexpr std::uint64_t kLanes = 50'000;
        for (std::uint64_t user = 1; user <= kLanes; ++user) h.accept(user);
        LanePageRequest request;
        request.order = LaneOrder::backlog;
        QVERIFY(h.kernel.page(request, h.now()).readiness < 1);
        const auto tend = [&] {
            int turns = 0;
            while (h.kernel.tendOrders(h.now())) ++turns;
            return turns;
        };
        QVERIFY(tend() > 5);
        auto page = h.kernel.page(request, h.now());
        QCOMPARE(page.readiness, 1.0);
        QCOMPARE(page.total, kLanes);
        h.advance(2 * kMinute);
        h.accept(1);
        QVERIFY(tend() > 5);  // nobody looked at it for so long
        QVERIFY(h.kernel.page(request, h.now()).readiness < 1);
        tend();
        QCOMPARE(h.kernel.page(request, h.now()).rows.front().key.user, UserId(1));
    }

    void aDestinationIsRemovedOnlyWhenNothingIsLeft() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto event = h.accept(7);
        QVERIFY(!h.command(RemoveDestination{crm}).ok());
        h.answer(event, 200);
        QVERIFY(h.command(RemoveDestination{crm}).ok());
        QVERIFY(!h.kernel.findDestination("crm"));
        QVERIFY(h.add("crm") > crm);  // its number is not used again
    }

    void theSameInputsGiveTheSameEffects() {
        const auto play = [] {
            KernelHarness h(42);
            h.add("crm");
            std::vector<std::uint64_t> trace;
            for (std::uint64_t i = 0; i < 60; ++i) {
                h.accept(i % 13);
                h.advance(100 * kMillisecond);
                for (const auto& start : h.open())
                    h.answer(start, start.pointer.sequence.value % 3 == 0 ? 503 : 200);
            }
            for (const auto& start : h.starts()) trace.push_back(start.pointer.sequence.value);
            return trace;
        };
        QCOMPARE(play(), play());
    }
};

QTEST_GUILESS_MAIN(DeliveryKernelTest)
#include "delivery_kernel_test.moc"
