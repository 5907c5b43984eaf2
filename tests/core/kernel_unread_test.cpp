// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::test;

namespace {

DeliveryPolicy oneAtOnce() {
    DeliveryPolicy policy;
    policy.maxInFlight = 1;
    return policy;
}

/// The event of this attempt cannot be read.
void takeBack(KernelHarness& h, const StartAttempt& start) {
    AttemptResult result;
    result.reach = AttemptResult::Reach::notMade;
    h.finish(start, std::move(result));
}

}  // namespace

/// An event that the disk does not give was not sent: nothing happened to it, and nobody else
/// waits for it.
class KernelUnreadTest : public QObject {
    Q_OBJECT

private slots:
    void itIsNoAttemptAndItsSlotIsFree() {
        KernelHarness h;
        const auto crm = h.add("crm", oneAtOnce());
        const auto unread = h.accept(1);
        const auto behind = h.accept(1);
        const auto other = h.accept(2);
        takeBack(h, *h.running(unread));
        QVERIFY(h.running(other));  // at once, in the only slot
        h.answer(other, 200);
        QVERIFY(!h.running(behind));
        QVERIFY(std::none_of(h.journal().begin(), h.journal().end(), [&](const auto& entry) {
            return entry.pointer.sequence == unread;
        }));
        QCOMPARE(h.state(crm).counters.waiting, 2u);

        const auto began = h.now();
        QVERIFY(h.advanceUntil([&] { return h.running(unread).has_value(); }, 2 * kSecond));
        QVERIFY(h.now() - began >= 900 * kMillisecond);
        QCOMPARE(h.running(unread)->number, 1u);
        h.answer(unread, 200);
        h.answer(behind, 200);
        QCOMPARE(h.state(crm).counters.delivered, 3u);
    }

    void itSaysNothingAboutTheDestination() {
        KernelHarness h;
        const auto crm = h.add("crm");
        const auto budget = h.state(crm).budget;
        const auto unread = h.accept(1);
        for (int n = 0; n < 100; ++n) {
            QVERIFY(h.advanceUntil([&] { return h.running(unread).has_value(); }, 2 * kSecond));
            takeBack(h, *h.running(unread));
        }
        QCOMPARE(h.state(crm).health, HealthState::healthy);
        QCOMPARE(h.state(crm).budget, budget);
        QCOMPARE(h.state(crm).inFlight, 0u);
        QVERIFY(h.journal().empty());
    }

    void aDiskThatReadsNothingIsNotAskedEverMore() {
        KernelHarness h;
        h.add("crm");
        constexpr int kLanes = 2000;
        for (int user = 1; user <= kLanes; ++user) h.accept(static_cast<std::uint64_t>(user));
        const auto began = h.now();
        while (h.now() - began < 30 * kSecond) {
            while (h.runningCount() > 0) takeBack(h, h.open().front());
            h.advance(100 * kMillisecond);
        }
        // Each once, and then a hundred a second.
        const auto asked = h.starts().size();
        QVERIFY2(asked > kLanes && asked <= kLanes + 3000, qPrintable(QString::number(asked)));
    }

    void itsWindowEndsAllTheSame() {
        KernelHarness h;
        auto policy = oneAtOnce();
        policy.window = kMinute;
        const auto crm = h.add("crm", policy);
        const auto unread = h.accept(1);
        const auto behind = h.accept(1);
        const auto over = [&] {
            if (const auto start = h.running(unread)) takeBack(h, *start);
            return h.state(crm).counters.dead == 1;
        };
        QVERIFY(h.advanceUntil(over, 2 * kMinute));
        QVERIFY(h.now() >= kMinute);
        QCOMPARE(h.journal().front().kind, JournalKind::deadLettered);
        QCOMPARE(h.journal().front().attempt, 0u);
        QVERIFY(h.running(behind));
    }

    void whatCameBackBeforeItGoesFirst() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = h.accept(1);
        const auto second = h.accept(1);
        h.answer(first, 422);
        QVERIFY(h.running(second));
        h.command(RewindDeadLetters{{{crm, first}}, "test", ""});
        takeBack(h, *h.running(second));
        QVERIFY(!h.running(second));
        QVERIFY(h.running(first));  // it need not wait for the disk
    }

    void aRewindThatWasNotTriedCanBeUndone() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto first = h.accept(1);
        h.answer(first, 422);
        const auto rewind = h.command(RewindDeadLetters{{{crm, first}}, "test", ""});
        QVERIFY(h.running(first));
        QCOMPARE(h.operation(rewind.operation).untried, 0u);
        takeBack(h, *h.running(first));
        const auto undo = h.command(UndoRewind{rewind.operation, "test"});
        QVERIFY2(undo.ok(), undo.error.c_str());
        QCOMPARE(h.operation(rewind.operation).returned, 1u);
        QCOMPARE(h.operation(rewind.operation).untried, 0u);
        QCOMPARE(h.state(crm).counters.dead, 1u);
    }
};

QTEST_APPLESS_MAIN(KernelUnreadTest)
#include "kernel_unread_test.moc"
