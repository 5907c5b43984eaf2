// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/mock_destination.h"

#include "tests/mock/raw_client.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QMessageAuthenticationCode>
#include <QTest>

#include <cmath>
#include <memory>
#include <vector>

using lanes::MockBehaviour;
using lanes::mock::MockDestination;
using Mode = lanes::MockBehaviour::Mode;

namespace {

MockBehaviour quick() {
    MockBehaviour behaviour;
    behaviour.latencyMs = 0;
    return behaviour;
}

MockBehaviour quick(Mode mode) {
    MockBehaviour behaviour = quick();
    behaviour.mode = mode;
    return behaviour;
}

std::unique_ptr<MockDestination> started(const MockBehaviour& behaviour,
                                         const std::string& secret = {}) {
    auto mock = std::make_unique<MockDestination>("crm", secret, 1);
    const std::string fault = mock->start(behaviour, 0);
    return fault.empty() ? std::move(mock) : nullptr;
}

RawDelivery of(const QByteArray& lane, int sequence) {
    RawDelivery delivery;
    delivery.lane = lane;
    delivery.sequence = sequence;
    return delivery;
}

}  // namespace

class MockDestinationTest : public QObject {
    Q_OBJECT

private slots:
    void answersWithItsStatus_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("retryAfter");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<quint64>("accepted");
        QTest::newRow("200 is accepted") << 200 << -1 << QByteArray() << quint64{1};
        QTest::newRow("204 is accepted") << 204 << -1 << QByteArray() << quint64{1};
        QTest::newRow("500 is not accepted") << 500 << -1 << QByteArray() << quint64{0};
        QTest::newRow("301 is not accepted") << 301 << -1 << QByteArray() << quint64{0};
        QTest::newRow("429 names a time") << 429 << 7 << QByteArray("7") << quint64{0};
        QTest::newRow("503 names a time") << 503 << 0 << QByteArray("0") << quint64{0};
        QTest::newRow("503 names no time") << 503 << -1 << QByteArray() << quint64{0};
        QTest::newRow("200 never names a time") << 200 << 7 << QByteArray() << quint64{1};
    }

    void answersWithItsStatus() {
        QFETCH(int, status);
        QFETCH(int, retryAfter);
        MockBehaviour behaviour = quick();
        behaviour.status = static_cast<std::uint16_t>(status);
        behaviour.retryAfterSeconds = retryAfter;
        const auto mock = started(behaviour);
        QVERIFY(mock);
        RawClient client(mock->port());
        QCOMPARE(client.ask(RawDelivery().bytes()), status);
        QTEST(client.header("Retry-After"), "header");
        QTEST(quint64{mock->report().accepted}, "accepted");
        QCOMPARE(mock->report().requests, 1u);
        QCOMPARE(mock->log().size(), 1u);
        QCOMPARE(mock->log().front().status, status);
        QCOMPARE(mock->log().front().lane, std::string("lane-a"));
        QCOMPARE(mock->log().front().type, std::string("invoice.paid"));
        // The connection is kept.
        QCOMPARE(client.ask(of("lane-a", 2).bytes()), status);
    }

    void takesItsTime() {
        MockBehaviour behaviour = quick();
        behaviour.latencyMs = 80;
        behaviour.latencySigma = 0;
        const auto mock = started(behaviour);
        RawClient client(mock->port());
        QVERIFY(client.connects());
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(client.ask(RawDelivery().bytes()), 200);
        QVERIFY2(timer.elapsed() >= 79, qPrintable(QString::number(timer.elapsed())));
    }

    void answersEachWhenItIsDue() {
        MockBehaviour behaviour = quick();
        behaviour.latencyMs = 60;
        behaviour.latencySigma = 0.8;
        const auto mock = started(behaviour);
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 20; ++i) {
            clients.push_back(std::make_unique<RawClient>(mock->port()));
            QVERIFY(clients.back()->connects());
            clients.back()->write(of("lane-" + QByteArray::number(i), i + 1).bytes());
        }
        QTRY_COMPARE(mock->report().accepted, 20u);
        QCOMPARE(mock->report().overlaps, 0u);
    }

    void failsItsShare() {
        MockBehaviour behaviour = quick();
        behaviour.errorShare = 0.3;
        behaviour.errorStatus = 502;
        const auto mock = started(behaviour);
        RawClient client(mock->port());
        int failed = 0;
        for (int i = 1; i <= 200; ++i) {
            const int status = client.ask(of("lane-a", i).bytes());
            QVERIFY(status == 200 || status == 502);
            failed += status == 502;
        }
        QVERIFY2(failed > 35 && failed < 85, qPrintable(QString::number(failed)));
        QCOMPARE(mock->report().accepted, static_cast<quint64>(200 - failed));
    }

    void doesTheSameWithTheSameSeed() {
        MockBehaviour behaviour = quick();
        behaviour.errorShare = 0.5;
        QByteArray runs[2];
        for (QByteArray& run : runs) {
            const auto mock = started(behaviour);
            RawClient client(mock->port());
            for (int i = 1; i <= 50; ++i)
                run += client.ask(of("lane-a", i).bytes()) == 200 ? '+' : '-';
        }
        QCOMPARE(runs[0], runs[1]);
        QVERIFY(runs[0].contains('+') && runs[0].contains('-'));
    }

    void refusesAboveItsCapacity() {
        MockBehaviour behaviour = quick();
        behaviour.capacityPerSecond = 5;
        behaviour.retryAfterSeconds = 1;
        const auto mock = started(behaviour);
        RawClient client(mock->port());
        int refused = 0;
        for (int i = 1; i <= 20; ++i) {
            const int status = client.ask(of("lane-a", i).bytes());
            QVERIFY(status == 200 || status == 429);
            if (status == 429) QCOMPARE(client.header("Retry-After"), QByteArray("1"));
            refused += status == 429;
        }
        QVERIFY2(refused >= 10, qPrintable(QString::number(refused)));
        QVERIFY(refused <= 15);
        // Tokens come back with time.
        QVERIFY(QTest::qWaitFor([&] { return client.ask(of("lane-a", 30).bytes()) == 200; }));
    }

    void failsThePoisonUserOnly() {
        MockBehaviour behaviour = quick();
        behaviour.poisonUser = "user-7";
        const auto mock = started(behaviour);
        RawClient client(mock->port());
        RawDelivery delivery = of("lane-a", 1);
        delivery.body = R"({"user":"user-7","n":1})";
        QCOMPARE(client.ask(delivery.bytes()), 500);
        delivery = of("lane-b", 2);
        delivery.body = R"({"user":"user-70","n":1})";
        QCOMPARE(client.ask(delivery.bytes()), 200);
        delivery.body = R"({"friend":{"user":"user-7"}})";
        QCOMPARE(client.ask(delivery.bytes()), 200);
        delivery.body = "user-7 is not JSON";
        QCOMPARE(client.ask(delivery.bytes()), 200);
    }

    void resetsAfterReading() {
        const auto mock = started(quick(Mode::reset));
        RawClient client(mock->port());
        QVERIFY(client.connects());
        client.write(RawDelivery().bytes());
        QTRY_VERIFY(!client.open());
        QCOMPARE(client.received(), QByteArray());
        QCOMPARE(mock->report().requests, 1u);
        QCOMPARE(mock->report().accepted, 0u);
        QCOMPARE(mock->log().front().status, 0);
    }

    void cutsItsBody() {
        const auto mock = started(quick(Mode::truncated));
        RawClient client(mock->port());
        QVERIFY(client.connects());
        client.write(RawDelivery().bytes());
        QTRY_VERIFY(!client.open());
        QCOMPARE(client.status(), 200);
        QCOMPARE(client.header("Content-Length"), QByteArray("100"));
        QVERIFY(client.received().endsWith("\r\n\r\n{\"o"));
        QCOMPARE(mock->report().accepted, 1u);
    }

    void hangsUntilItIsLeft() {
        const auto mock = started(quick(Mode::hang));
        RawClient client(mock->port());
        QVERIFY(client.connects());
        client.write(RawDelivery().bytes());
        QTRY_COMPARE(mock->report().requests, 1u);
        QVERIFY(client.open());
        QCOMPARE(client.received(), QByteArray());
        mock->setBehaviour(quick());
        QTRY_VERIFY(!client.open());
        QCOMPARE(client.received(), QByteArray());
        QCOMPARE(mock->report().accepted, 0u);
        RawClient next(mock->port());
        QCOMPARE(next.ask(RawDelivery().bytes()), 200);
    }

    void goesDownAndComesBackOnItsPort() {
        const auto mock = started(quick());
        const std::uint16_t port = mock->port();
        RawClient before(port);
        QCOMPARE(before.ask(RawDelivery().bytes()), 200);

        mock->setBehaviour(quick(Mode::down));
        QTRY_VERIFY(!before.open());
        RawClient during(port);
        QVERIFY(!during.connects());
        QCOMPARE(during.error(), QAbstractSocket::ConnectionRefusedError);

        mock->setBehaviour(quick());
        QCOMPARE(mock->port(), port);
        RawClient after(port);
        QCOMPARE(after.ask(of("lane-a", 2).bytes()), 200);
        QCOMPARE(mock->report().requests, 2u);
    }

    void dropsWhatItWasDoingWhenItGoesDown() {
        MockBehaviour slow = quick();
        slow.latencyMs = 10'000;
        slow.latencySigma = 0;
        const auto mock = started(slow);
        RawClient client(mock->port());
        QVERIFY(client.connects());
        client.write(RawDelivery().bytes());
        QTRY_COMPARE(mock->report().requests, 1u);
        mock->setBehaviour(quick(Mode::down));
        QTRY_VERIFY(!client.open());
        QCOMPARE(mock->report().accepted, 0u);
        QCOMPARE(mock->log().size(), 1u);
        QCOMPARE(mock->log().front().status, 0);
    }

    void acceptsNothingFromAClientThatHasLeft() {
        MockBehaviour slow = quick();
        slow.latencyMs = 100;
        slow.latencySigma = 0;
        const auto mock = started(slow);
        RawClient client(mock->port());
        QVERIFY(client.connects());
        client.write(RawDelivery().bytes());
        QTRY_COMPARE(mock->report().requests, 1u);
        client.leave();
        QTRY_COMPARE(mock->log().size(), 1u);
        QCOMPARE(mock->log().front().status, 0);
        QCOMPARE(mock->report().accepted, 0u);
    }

    void waitsForItsPortIfAnotherTookIt() {
        const auto mock = started(quick());
        mock->setBehaviour(quick(Mode::down));
        auto thief = std::make_unique<MockDestination>("thief", "", 1);
        QCOMPARE(thief->start(quick(), mock->port()), std::string());
        mock->setBehaviour(quick());
        QVERIFY(!MockDestination("third", "", 1).start(quick(), mock->port()).empty());
        thief.reset();
        QVERIFY(QTest::qWaitFor(
            [&] { return RawClient(mock->port()).ask(RawDelivery().bytes()) == 200; }));
        QCOMPARE(mock->report().requests, 1u);
    }

    void canBeginDown() {
        const auto mock = started(quick(Mode::down));
        QVERIFY(mock->port() != 0);
        RawClient during(mock->port());
        QVERIFY(!during.connects());
        mock->setBehaviour(quick());
        RawClient after(mock->port());
        QCOMPARE(after.ask(RawDelivery().bytes()), 200);
    }

    void countsTwoRequestsOfALaneAtOnce() {
        const auto mock = started(quick(Mode::hang));
        RawClient one(mock->port());
        RawClient two(mock->port());
        RawClient other(mock->port());
        QVERIFY(one.connects() && two.connects() && other.connects());
        one.write(of("lane-a", 1).bytes());
        QTRY_COMPARE(mock->report().requests, 1u);
        other.write(of("lane-b", 2).bytes());
        QTRY_COMPARE(mock->report().requests, 2u);
        two.write(of("lane-a", 1).bytes());
        QTRY_COMPARE(mock->report().overlaps, 1u);
    }

    void forgivesARequestThatWasGivenUp() {
        const auto mock = started(quick(Mode::hang));
        RawClient one(mock->port());
        RawClient two(mock->port());
        QVERIFY(one.connects() && two.connects());
        one.write(of("lane-a", 1).bytes());
        QTRY_COMPARE(mock->report().requests, 1u);
        one.leave();
        two.write(of("lane-a", 1).bytes());
        QTRY_COMPARE(mock->report().requests, 2u);
        QTest::qWait(120);  // longer than the mock's own second look
        QCOMPARE(mock->report().overlaps, 0u);
    }

    void seesOrderDuplicatesAndRewindsOnTheWire() {
        const auto mock = started(quick());
        RawClient client(mock->port());
        QCOMPARE(client.ask(of("lane-a", 5).bytes()), 200);
        QCOMPARE(client.ask(of("lane-a", 5).bytes()), 200);
        QCOMPARE(mock->report().duplicates, 1u);
        RawDelivery late = of("lane-a", 3);
        late.rewind = "12";
        QCOMPARE(client.ask(late.bytes()), 200);
        QCOMPARE(mock->report().rewinds, 1u);
        QCOMPARE(mock->report().orderViolations, 0u);
        QCOMPARE(client.ask(of("lane-a", 4).bytes()), 200);
        QCOMPARE(mock->report().orderViolations, 1u);
    }

    void checksSignatures() {
        const QByteArray key = "0123456789abcdef01234567";
        const auto mock = started(quick(), "whsec_" + key.toBase64().toStdString());
        RawDelivery delivery;
        RawClient client(mock->port());
        QCOMPARE(client.ask(delivery.bytes()), 200);
        QCOMPARE(mock->report().badSignatures, 1u);

        const QByteArray at = QByteArray::number(QDateTime::currentSecsSinceEpoch());
        const QByteArray signature = QMessageAuthenticationCode::hash(
            "msg_1." + at + "." + delivery.body, key, QCryptographicHash::Sha256);
        delivery.sequence = 2;
        delivery.more = "webhook-id: msg_1\r\nwebhook-timestamp: " + at +
                        "\r\nwebhook-signature: v1," + signature.toBase64() + "\r\n";
        QCOMPARE(client.ask(delivery.bytes()), 200);
        QCOMPARE(mock->report().badSignatures, 1u);
        delivery.sequence = 3;
        delivery.body += " ";
        QCOMPARE(client.ask(delivery.bytes()), 200);
        QCOMPARE(mock->report().badSignatures, 2u);
    }

    void survivesBehaviourThatMakesNoSense() {
        MockBehaviour odd = quick();
        odd.latencyMs = std::nan("");
        odd.latencySigma = std::nan("");
        odd.errorShare = std::nan("");
        odd.capacityPerSecond = std::nan("");
        odd.status = 7;
        const auto mock = started(odd);
        RawClient client(mock->port());
        QCOMPARE(client.ask(RawDelivery().bytes()), 200);
    }
};

QTEST_GUILESS_MAIN(MockDestinationTest)
#include "mock_destination_test.moc"
