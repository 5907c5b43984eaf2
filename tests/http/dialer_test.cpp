// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialer.h"
#include "tests/support/raw_receiver.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QThread>

#include <array>
#include <memory>
#include <optional>

using namespace std::chrono_literals;
using lanes::http::Dialer;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;

namespace {

const QHostAddress kFour(QHostAddress::LocalHost);
const QHostAddress kSix(QHostAddress::LocalHostIPv6);

struct Outcome {
    std::unique_ptr<QTcpSocket> socket;
    std::string error;
    qint64 elapsed = 0;
};

/// Dials and waits for what becomes of it.
Outcome dial(std::uint16_t port, std::vector<QHostAddress> addresses, QHostAddress preferred = {}) {
    Outcome outcome;
    bool over = false;
    Dialer dialer({{false, "localhost", port}, 250ms, false, preferred},
                  [&](QTcpSocket* socket, std::string error) {
                      if (socket) socket->setParent(nullptr);
                      outcome.socket.reset(socket);
                      outcome.error = std::move(error);
                      over = true;
                  });
    QElapsedTimer timer;
    timer.start();
    dialer.start(std::move(addresses));
    if (!QTest::qWaitFor([&] { return over; }, 5000)) outcome.error = "nothing";
    outcome.elapsed = timer.elapsed();
    return outcome;
}

}  // namespace

class DialerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDeadAddressCostsNoMoreThanTheStagger();
    void anAddressThatRefusesCostsNothing();
    void theFirstReasonIsTold();
    void linkLocalAddressesAreLeftOut();
    void aCancelledDialerIsSilent();
    void aConnectionThatIsResetAtOnceIsNoticed();
};

void DialerTest::aDeadAddressCostsNoMoreThanTheStagger() {
    RawReceiver receiver([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    // On ::1 the port is open but nobody accepts and the queue is full: a connection neither comes
    // about nor fails, as with a host that is gone.
    QTcpServer dead;
    dead.setListenBacklogSize(1);
    if (!dead.listen(kSix, receiver.port())) QSKIP("There is no IPv6 here.");
    dead.pauseAccepting();
    std::array<QTcpSocket, 4> queue;
    for (auto& socket : queue) socket.connectToHost(kSix, receiver.port());
    QTRY_COMPARE(queue[1].state(), QAbstractSocket::ConnectedState);

    const auto first = dial(receiver.port(), {kSix, kFour});
    QVERIFY2(first.socket, first.error.c_str());
    QCOMPARE(first.socket->peerAddress(), kFour);
    QVERIFY(first.elapsed >= 240 && first.elapsed < 1000);
    // The address that worked goes first the next time.
    const auto second = dial(receiver.port(), {kSix, kFour}, kFour);
    QVERIFY2(second.socket, second.error.c_str());
    QVERIFY(second.elapsed < 200);
}

void DialerTest::anAddressThatRefusesCostsNothing() {
    RawReceiver receiver([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    const auto outcome = dial(receiver.port(), {kSix, kFour});
    QVERIFY2(outcome.socket, outcome.error.c_str());
    QVERIFY(outcome.elapsed < 200);
}

void DialerTest::theFirstReasonIsTold() {
    std::uint16_t port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(kFour));
        port = server.serverPort();
    }
    const auto outcome = dial(port, {kFour, kSix});
    QVERIFY(!outcome.socket);
    QVERIFY2(outcome.error.starts_with("Could not connect to 127.0.0.1:"), outcome.error.c_str());
}

void DialerTest::linkLocalAddressesAreLeftOut() {
    RawReceiver receiver([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    const QHostAddress local(QStringLiteral("169.254.1.1"));
    const auto other = dial(receiver.port(), {local, kFour});
    QVERIFY2(other.socket, other.error.c_str());
    const auto alone = dial(receiver.port(), {local});
    QVERIFY(!alone.socket);
    QVERIFY2(alone.error.find("link-local") != std::string::npos, alone.error.c_str());
}

void DialerTest::aCancelledDialerIsSilent() {
    RawReceiver receiver([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    int calls = 0;
    Dialer dialer({{false, "localhost", receiver.port()}, 250ms, false, {}},
                  [&](QTcpSocket*, const std::string&) { ++calls; });
    dialer.start();
    dialer.cancel();
    QTest::qWait(50);
    QCOMPARE(calls, 0);
}

void DialerTest::aConnectionThatIsResetAtOnceIsNoticed() {
    RawReceiver receiver([](RawPeer& peer) { peer.reset(); });
    for (int turn = 0; turn < 20; ++turn) {
        bool over = false;
        std::unique_ptr<QTcpSocket> socket;
        Dialer dialer({{false, "127.0.0.1", receiver.port()}, 250ms, false, {}},
                      [&](QTcpSocket* connected, const std::string&) {
                          socket.reset(connected);
                          over = true;
                      });
        dialer.start();
        // The reset is there before the event loop hears of the connection.
        while (receiver.connections() <= turn) QThread::msleep(1);
        QThread::msleep(static_cast<unsigned long>(turn % 5));
        QVERIFY2(QTest::qWaitFor([&] { return over; }, 2000), QByteArray::number(turn).constData());
        if (socket) socket->setParent(nullptr);
        QCOMPARE(receiver.connections(), turn + 1);
    }
}

QTEST_GUILESS_MAIN(DialerTest)
#include "dialer_test.moc"
