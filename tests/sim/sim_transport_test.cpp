// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_transport.h"

#include <QTest>

#include <array>

using namespace lanes;
using lanes::sim::DestinationModel;
using lanes::sim::SimTransport;
using lanes::sim::Verdict;
using Mode = lanes::sim::DestinationModel::Mode;

namespace {

StartAttempt attempt(std::uint64_t user = 1) {
    StartAttempt start;
    start.attempt = AttemptId(1);
    start.pointer = {DestinationId(1), Sequence(1)};
    start.user = UserId(user);
    return start;
}

/// Requests in the same instant: how many got each outcome.
std::array<int, 7> outcomes(SimTransport& transport, int requests, Micros now) {
    std::array<int, 7> counts{};
    for (int i = 0; i < requests; ++i)
        ++counts[static_cast<std::size_t>(classify(transport.begin(attempt(), now).result))];
    return counts;
}

int count(const std::array<int, 7>& counts, Outcome outcome) {
    return counts[static_cast<std::size_t>(outcome)];
}

}  // namespace

class SimTransportTest : public QObject {
    Q_OBJECT

private slots:
    void playsItsModes_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("outcome");
        const auto row = [](const char* name, Mode mode, int status, Outcome outcome) {
            QTest::newRow(name) << static_cast<int>(mode) << status << static_cast<int>(outcome);
        };
        row("well", Mode::answer, 200, Outcome::delivered);
        row("failing", Mode::answer, 500, Outcome::failed);
        row("refusing connections", Mode::refuse, 200, Outcome::unreachable);
        row("hanging until our deadline", Mode::hang, 200, Outcome::overloaded);
        row("gone", Mode::gone, 200, Outcome::refused);
    }

    void playsItsModes() {
        QFETCH(int, mode);
        QFETCH(int, status);
        QFETCH(int, outcome);
        SimTransport transport(1);
        DestinationModel model;
        model.mode = static_cast<Mode>(mode);
        model.status = status;
        transport.setModel(DestinationId(1), model, 0);
        const Verdict verdict = transport.begin(attempt(), 0);
        QCOMPARE(static_cast<int>(classify(verdict.result)), outcome);
        QVERIFY(verdict.takes > 0 && verdict.takes <= SimTransport::kDeadline);
        QCOMPARE(verdict.result.duration, verdict.takes);
    }

    void resetsLeaveTheFateOpen() {
        SimTransport transport(1);
        DestinationModel model;
        model.mode = Mode::reset;
        transport.setModel(DestinationId(1), model, 0);
        int received = 0;
        for (int i = 0; i < 200; ++i) {
            const Verdict verdict = transport.begin(attempt(), 0);
            QCOMPARE(classify(verdict.result), Outcome::unknown);
            received += verdict.received;
        }
        QVERIFY(received > 40 && received < 120);
    }

    void refusesWhatItsQueueDoesNotHold() {
        SimTransport transport(1);
        DestinationModel model;
        model.workers = 2;
        model.queue = 3;
        model.retryAfterSeconds = 4;
        transport.setModel(DestinationId(1), model, 0);
        const auto counts = outcomes(transport, 10, 0);
        QCOMPARE(count(counts, Outcome::delivered), 5);
        QCOMPARE(count(counts, Outcome::overloaded), 5);
        QCOMPARE(transport.begin(attempt(), 0).result.retryAfter, 4 * kSecond);
        // Later the workers are free again.
        QCOMPARE(count(outcomes(transport, 5, kMinute), Outcome::delivered), 5);
    }

    void limitsTheRate() {
        SimTransport transport(1);
        DestinationModel model;
        model.capacityPerSecond = 5;
        transport.setModel(DestinationId(1), model, 0);
        QCOMPARE(count(outcomes(transport, 20, 0), Outcome::throttled), 15);
        QCOMPARE(count(outcomes(transport, 20, kSecond), Outcome::throttled), 15);
    }

    void paysForRefusingWhenItIsMetastable() {
        SimTransport transport(1);
        DestinationModel model;
        model.workers = 2;
        model.queue = 3;
        model.burn = 1;
        transport.setModel(DestinationId(1), model, 0);
        const auto counts = outcomes(transport, 1'000, 0);
        QCOMPARE(count(counts, Outcome::delivered), 5);
        // A thousand refusals of 50 ms on two workers are 25 s of work that is still to be done;
        // whoever finds a place in the queue waits for longer than our deadline.
        QCOMPARE(count(outcomes(transport, 5, 5 * kSecond), Outcome::delivered), 0);
        QCOMPARE(count(outcomes(transport, 5, kMinute), Outcome::delivered), 5);
    }

    void flaps() {
        SimTransport transport(1);
        DestinationModel model;
        model.up = 2 * kSecond;
        model.down = 3 * kSecond;
        transport.setModel(DestinationId(1), model, 10 * kSecond);
        QCOMPARE(classify(transport.begin(attempt(), 11 * kSecond).result), Outcome::delivered);
        QCOMPARE(classify(transport.begin(attempt(), 13 * kSecond).result), Outcome::unreachable);
        QCOMPARE(classify(transport.begin(attempt(), 16 * kSecond).result), Outcome::delivered);
    }

    void warmsUp() {
        SimTransport transport(1);
        DestinationModel model;
        model.workers = 1'000;
        model.warmUp = kMinute;
        transport.setModel(DestinationId(1), model, 0);
        const auto mean = [&transport](Micros now) {
            Micros sum = 0;
            for (int i = 0; i < 500; ++i) sum += transport.begin(attempt(), now).takes;
            return sum / 500;
        };
        QVERIFY(mean(0) > 400 * kMillisecond);
        QVERIFY(mean(2 * kMinute) < 80 * kMillisecond);
        QCOMPARE(model.meanAnswer(), 70 * kMillisecond);
        QCOMPARE(model.requestsAtOnce(), 1'400u);
    }

    void poisonsItsUsersOnly() {
        SimTransport transport(1);
        DestinationModel model;
        model.poisonEvery = 7;
        transport.setModel(DestinationId(1), model, 0);
        QCOMPARE(classify(transport.begin(attempt(14), 0).result), Outcome::failed);
        QCOMPARE(classify(transport.begin(attempt(15), 0).result), Outcome::delivered);
    }
};

QTEST_GUILESS_MAIN(SimTransportTest)
#include "sim_transport_test.moc"
