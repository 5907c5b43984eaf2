// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lanes;
using namespace lanes::test;

/// Who goes next: probes of a destination that is ill, its recovery, and lanes that fail for
/// reasons of their own.
class KernelProbingTest : public QObject {
    Q_OBJECT

private slots:
    void whatBeganBeforeAWakeSaysNothingAboutTheTimeAfterIt() {
        KernelHarness h;
        const auto crm = h.add("crm");
        for (std::uint64_t user = 1; user <= 8; ++user) h.accept(user);
        QCOMPARE(h.runningCount(), 8u);
        h.step(input::Woke{});
        h.advance(2 * kSecond);
        for (const auto& start : h.open()) h.refuseConnection(start);
        QVERIFY(h.state(crm).health != HealthState::degraded);
        QCOMPARE(h.state(crm).budget, 1.0);
    }

    void lanesThatFailedOftenHaveTheirTurnAmongTheProbes() {
        KernelHarness h;
        const auto crm = h.add("crm");
        degrade(h, crm, 1);  // its lane has failed so often that it needs a token
        for (std::uint64_t user = 2; user <= 4; ++user) h.accept(user);
        const auto probes = h.starts().size();
        const auto began = h.now();
        while (h.now() - began < 30 * kSecond) {
            h.advanceUntil([&] { return h.runningCount() > 0; }, 2 * kSecond);
            h.refuseConnection(h.starts().back());
        }
        const auto ofTheFirst =
            std::count_if(h.starts().begin() + static_cast<std::ptrdiff_t>(probes),
                          h.starts().end(),
                          [](const StartAttempt& start) { return start.user == UserId(1); });
        QVERIFY2(ofTheFirst >= 2, qPrintable(QString::number(ofTheFirst)));
    }

    void aDegradedDestinationIsProbedOnceASecondLaneByLane() {
        KernelHarness h;
        const auto crm = h.add("crm");
        degrade(h, crm, 1);
        std::vector<Sequence> waiting;
        for (std::uint64_t user = 2; user <= 6; ++user) waiting.push_back(h.accept(user));
        const auto before = h.starts().size();
        const auto began = h.now();
        std::vector<std::uint64_t> probed;
        while (h.now() - began < 10 * kSecond) {
            h.advanceUntil([&] { return h.runningCount() > 0; }, 2 * kSecond);
            const auto start = h.starts().back();
            QCOMPARE(start.cause, Cause::probe);
            probed.push_back(start.user.value);
            h.refuseConnection(start);
        }
        const auto count = h.starts().size() - before;
        QVERIFY2(count >= 9 && count <= 11, qPrintable(QString::number(count)));
        // Every waiting lane had a turn before any had its second. (The first lane backs off.)
        auto firstTurn = std::vector(probed.begin(), probed.begin() + 5);
        std::sort(firstTurn.begin(), firstTurn.end());
        QVERIFY(std::adjacent_find(firstTurn.begin(), firstTurn.end()) == firstTurn.end());
    }

    void theFirstAnswerOfAProbeRecoversAndRampsUp() {
        KernelHarness h;
        const auto crm = h.add("crm");
        degrade(h, crm, 1);
        for (std::uint64_t user = 2; user <= 500; ++user) h.accept(user);
        QVERIFY(h.advanceUntil([&] { return h.runningCount() > 0; }, 20 * kSecond));
        h.answer(h.starts().back(), 200);
        QVERIFY(h.state(crm).health != HealthState::degraded);
        QCOMPARE(h.runningCount(), 1u);  // one slot at first
        std::size_t peak = 0;
        for (int round = 0; round < 40; ++round) {
            h.advance(50 * kMillisecond);
            for (const auto& start : h.open()) h.answer(start, 200);
            peak = std::max(peak, h.runningCount());
        }
        QVERIFY2(peak >= 2 && peak <= 16, qPrintable(QString::number(peak)));
    }

    void aRefusedProbeProvesLifeToo() {
        KernelHarness h;
        const auto crm = h.add("crm");
        degrade(h, crm, 1);
        QVERIFY(h.advanceUntil([&] { return h.runningCount() > 0; }, 20 * kSecond));
        h.answer(h.starts().back(), 404);
        QVERIFY(h.state(crm).health != HealthState::degraded);
    }

    void poisonLanesDoNotSlowTheOthers() {
        KernelHarness h;
        const auto crm = h.add("crm");
        std::uint64_t poison = 0;
        std::uint64_t user = 1000;
        std::uint64_t delivered = 0;
        for (int i = 0; i < 1000; ++i) {
            h.accept(++user);
            if (i % 25 == 0) h.accept(++poison);
            h.advance(20 * kMillisecond);
            for (const auto& start : h.open()) {
                const bool bad = start.user.value <= 40;
                h.answer(start, bad ? 500 : 200);
                delivered += bad ? 0 : 1;
            }
        }
        QVERIFY(delivered >= 990);
        QVERIFY(h.state(crm).health != HealthState::degraded);
    }

    /// Heads that fail for a reason of their own are the oldest at a recovery.
    void headsThatFailedBeforeDoNotBringARecoveryDown() {
        KernelHarness h;
        const auto crm = h.add("crm");
        constexpr std::uint64_t kPoison = 20;
        const auto answerAll = [&h] {
            for (const auto& start : h.open())
                h.answer(start, start.user.value <= kPoison ? 500 : 200);
        };
        for (std::uint64_t user = 1; user <= kPoison; ++user) {
            h.accept(user);
            h.accept(1000 + user);
            h.advance(40 * kMillisecond);
            answerAll();
        }
        bool was = false;
        for (std::uint64_t user = 2000; !was && user < 2100; ++user) {
            h.accept(user);
            h.advance(100 * kMillisecond);
            for (const auto& start : h.open()) h.refuseConnection(start);
            was = h.state(crm).health == HealthState::degraded;
        }
        QVERIFY(was);
        int degraded = 0;
        for (std::uint64_t user = 3000; user < 3500; ++user) {
            h.accept(user);
            h.advance(20 * kMillisecond);
            answerAll();
            const bool is = h.state(crm).health == HealthState::degraded;
            degraded += is && !was ? 1 : 0;
            was = is;
        }
        QCOMPARE(degraded, 0);
        QCOMPARE(h.state(crm).counters.waiting, kPoison);
    }

    /// Where tokens are short, older lanes that fail for ever keep nobody from its next attempt.
    void patientLanesTakeTurns() {
        KernelHarness h;
        const auto crm = h.add("crm");
        constexpr std::uint64_t kUnlucky = 50;
        std::uint64_t user = 1000;
        std::uint64_t bad = 0;
        bool lucky = false;
        const auto run = [&](int steps) {
            for (int i = 0; i < steps; ++i) {
                h.accept(++user);
                if (bad < kUnlucky) h.accept(++bad);
                h.advance(100 * kMillisecond);
                for (const auto& start : h.open()) {
                    const auto who = start.user.value;
                    h.answer(start, who > kUnlucky || (lucky && who == kUnlucky) ? 200 : 500);
                }
            }
        };
        run(1000);
        QVERIFY(h.kernel.row({crm, UserId(kUnlucky)}, h.now())->attempts >= 4);
        lucky = true;
        run(600);
        QVERIFY(!h.kernel.row({crm, UserId(kUnlucky)}, h.now()));
    }
};

QTEST_GUILESS_MAIN(KernelProbingTest)
#include "kernel_probing_test.moc"
