// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/random.h"
#include "tests/core/kernel_harness.h"

#include <QTest>

using namespace lanes;
using namespace lanes::test;

/// How many lanes are near the end of their window.
class NearDeathTest : public QObject {
    Q_OBJECT

    /// Lanes with so much or less to live, looked at one by one.
    static std::uint64_t counted(KernelHarness& h, DestinationId id, Micros left) {
        LanePageRequest request;
        request.destination = id;
        request.order = LaneOrder::deadLettersIn;
        std::uint64_t near = 0;
        for (const auto& row : h.kernel.page(request, h.now()).rows)
            if (row.state != LaneState::held && row.deadLettersIn <= left) ++near;
        return near;
    }

private slots:
    void lanesAreNearWhenTheirTimeIsNearlyUp() {
        KernelHarness h;
        const auto crm = h.add("crm");
        h.answer(h.accept(1), 500);
        h.advance(30 * kHour);
        const auto second = h.accept(2);
        QCOMPARE(h.state(crm).nearDeath, 4 * kHour);
        QCOMPARE(h.state(crm).lanesNearDeath, 0u);
        for (const auto& start : h.open()) h.answer(start, 500);
        h.advance(38 * kHour + kMinute);
        QCOMPARE(h.state(crm).lanesNearDeath, 1u);
        QVERIFY(h.state(crm).oldestHeadAge >= 68 * kHour);
        QVERIFY(h.state(crm).oldestHeadAge <= 68 * kHour + 3 * kMinute);
        QVERIFY(h.advanceUntil([&] { return h.running(second).has_value(); }, kHour));
        h.answer(second, 200);
        QCOMPARE(h.state(crm).lanesNearDeath, 1u);
    }

    void aShortWindowHasAShortEnd() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = 40 * kMinute;
        const auto crm = h.add("crm", policy);
        const auto event = h.accept(1);
        QCOMPARE(h.state(crm).nearDeath, 10 * kMinute);
        h.answer(event, 500);
        h.advance(25 * kMinute);
        QCOMPARE(h.state(crm).lanesNearDeath, 0u);
        h.advance(6 * kMinute);
        QCOMPARE(h.state(crm).lanesNearDeath, 1u);
    }

    void whatIsHeldDoesNotComeNearer() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto event = h.accept(7);
        h.answer(event, 500);
        QVERIFY(h.command(HoldLane{{crm, UserId(7)}, "anna", "bert", ""}).ok());
        h.advance(100 * kHour);
        QCOMPARE(h.state(crm).lanesNearDeath, 0u);
        QCOMPARE(h.state(crm).oldestHeadAge, Micros{0});
        QVERIFY(h.command(ReleaseLane{{crm, UserId(7)}, "bert"}).ok());
        QCOMPARE(h.state(crm).lanesNearDeath, 0u);
        h.advance(kMinute);
        QVERIFY(h.state(crm).oldestHeadAge <= 3 * kMinute);
    }

    /// Against what the rows of the lanes say, while lanes come, fail, are held and go.
    void theCountIsThatOfTheLanes() {
        KernelHarness h;
        DeliveryPolicy policy;
        policy.window = 40 * kMinute;
        policy.afterDeadLetter = AfterDeadLetter::hold;
        const auto crm = h.add("crm", policy);
        Random random(5);
        for (int i = 0; i < 3000; ++i) {
            const auto user = 1 + random.below(40);
            const auto what = random.below(10);
            if (what < 3) h.accept(user);
            if (what == 3) (void)h.command(HoldLane{{crm, UserId(user)}, "a", "b", ""});
            if (what == 4) (void)h.command(ReleaseLane{{crm, UserId(user)}, "b"});
            for (const auto& start : h.open()) h.answer(start, random.chance(0.2) ? 200 : 500);
            h.advance(static_cast<Micros>(random.below(4)) * kMinute);
            const auto state = h.state(crm);
            QVERIFY(state.lanesNearDeath >= counted(h, crm, state.nearDeath));
            QVERIFY(state.lanesNearDeath <= counted(h, crm, state.nearDeath + kMinute));
        }
        QVERIFY(h.state(crm).counters.dead > 0);
    }
};

QTEST_GUILESS_MAIN(NearDeathTest)
#include "near_death_test.moc"
