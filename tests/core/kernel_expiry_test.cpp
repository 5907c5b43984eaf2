// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr Micros kNinetyDays = 90 * 24 * kHour;

Pointer kill(KernelHarness& h, DestinationId crm, std::uint64_t user) {
    const auto event = h.accept(user);
    const bool started =
        h.advanceUntil([&] { return h.running(event).has_value(); }, 60 * kSecond);
    CHECK(started);
    h.answer(event, 422);
    return {crm, event};
}

void expire(KernelHarness& h, std::vector<Pointer> pointers) {
    h.step(input::DeadLettersExpired{std::move(pointers), kNinetyDays});
    for (int i = 0; i < 20; ++i) h.tick();
}

std::size_t discards(const KernelHarness& h) {
    std::size_t count = 0;
    for (const auto& entry : h.journal())
        if (entry.kind == JournalKind::discarded) ++count;
    return count;
}

}  // namespace

class KernelExpiryTest : public QObject {
    Q_OBJECT

private slots:
    void expiredDeadLettersAreDiscardedOnTheRecord() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = kill(h, crm, 1);
        const auto second = kill(h, crm, 2);
        const auto third = kill(h, crm, 3);
        const auto before = h.state(crm).counters;
        expire(h, {first, second, {crm, Sequence(99)}, {DestinationId(9), first.sequence}});
        QCOMPARE(discards(h), std::size_t{2});
        const auto after = h.state(crm).counters;
        QCOMPARE(after.dead, before.dead - 2);
        QCOMPARE(after.discarded, before.discarded + 2);
        QVERIFY(h.kernel.counters().balanced());
        const auto row = h.operation(h.journal().back().operation);
        QCOMPARE(row.kind, OperationKind::expire);
        QCOMPARE(row.state, OperationState::finished);
        QCOMPARE(row.scope, std::string("2 dead letters older than 90 days"));
        QCOMPARE(row.done, 2u);
        // What is gone cannot be rewound, what is not can.
        QCOMPARE(h.command(RewindDeadLetters{{first, third}, "anna", ""}).done, 1u);
    }

    void nothingOfALaneThatIsHeldExpires() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto held = kill(h, crm, 1);
        const auto other = kill(h, crm, 2);
        QVERIFY(h.command(HoldLane{{crm, UserId(1)}, "1", "anna", "asked"}).ok());
        expire(h, {held, other});
        QCOMPARE(discards(h), std::size_t{1});
        QVERIFY(h.command(ReleaseLane{{crm, UserId(1)}, "anna"}).ok());
        expire(h, {held});
        QCOMPARE(discards(h), std::size_t{2});
    }

    void aDeadLetterThatHoldsItsLaneDoesNotExpire() {
        KernelHarness h;
        const auto crm = addStrict(h, AfterDeadLetter::hold);
        const auto dead = kill(h, crm, 1);
        const auto next = h.accept(1);
        expire(h, {dead});
        QCOMPARE(discards(h), std::size_t{0});
        h.advance(10 * kSecond);
        QVERIFY(!h.running(next));
    }

    void whatARewindIsGoingToMoveDoesNotExpire() {
        KernelHarness h;
        const auto crm = addStrict(h);
        std::vector<Pointer> dead;
        for (std::uint64_t user = 1; user <= 20; ++user) dead.push_back(kill(h, crm, user));
        const auto left = kill(h, crm, 21);
        RewindPace slow;
        slow.eventsPerSecond = 0.5;
        const auto rewind = h.command(RewindDeadLetters{dead, "anna", "", slow});
        QVERIFY(rewind.underWay);
        auto all = dead;
        all.push_back(left);
        expire(h, all);
        QCOMPARE(discards(h), std::size_t{1});
        QVERIFY(h.advanceUntil([&] { return h.operation(rewind.operation).done == 20u; },
                               kHour));
        QCOMPARE(h.operation(rewind.operation).skipped, 0u);
        QVERIFY(h.kernel.counters().balanced());
    }

    /// The set of an expiry is looked at again when it is moved: meanwhile somebody may have acted.
    void whatWasHeldSinceItWasNamedIsKept() {
        KernelHarness h;
        const auto crm = addStrict(h);
        std::vector<Pointer> dead;
        for (std::uint64_t user = 1; user <= 3; ++user) dead.push_back(kill(h, crm, user));
        h.step(input::StoreWritable{false});  // nothing moves
        h.step(input::DeadLettersExpired{dead, kNinetyDays});
        QVERIFY(h.command(HoldLane{{crm, UserId(2)}, "2", "anna", "asked"}).ok());
        h.step(input::StoreWritable{true});
        for (int i = 0; i < 20; ++i) h.tick();
        QCOMPARE(discards(h), std::size_t{2});
        QCOMPARE(h.skips().size(), std::size_t{1});
        QCOMPARE(h.skips()[0].reason, SkipReason::kept);
    }

    /// A lane rewind believes its plan about what was delivered, so an expired dead letter must
    /// make plans from before useless.
    void aPlanFromBeforeAnExpiryIsRefused() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 1);
        RewindLanes command;
        command.lanes = {{{crm, UserId(1)}, {{dead.sequence, 1}}}};
        command.plannedAt = h.wall();
        command.lastOperation = OperationId(0);
        expire(h, {dead});
        QCOMPARE(discards(h), std::size_t{1});
        QVERIFY(!h.command(command).ok());
        QVERIFY(h.kernel.counters().balanced());
    }

    void oneExpiryAtATime() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = kill(h, crm, 1);
        const auto second = kill(h, crm, 2);
        h.step(input::StoreWritable{false});
        h.step(input::DeadLettersExpired{{first}, kNinetyDays});
        h.step(input::DeadLettersExpired{{second}, kNinetyDays});
        h.step(input::StoreWritable{true});
        for (int i = 0; i < 20; ++i) h.tick();
        QCOMPARE(discards(h), std::size_t{1});
        expire(h, {second});
        QCOMPARE(discards(h), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(KernelExpiryTest)
#include "kernel_expiry_test.moc"
