// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/intake_fixture.h"

#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <memory>
#include <vector>

using namespace lanes;
using lanes::test::IntakeFixture;
using lanes::test::RawClient;

namespace {

constexpr std::size_t kSockets = 500;
constexpr int kByteMs = 5'000;

/// LANES_SLOW_SECONDS=60 is the full size.
int seconds() {
    const int wanted = qEnvironmentVariableIntValue("LANES_SLOW_SECONDS");
    return wanted > 0 ? wanted : 8;
}

/// Says a request byte by byte, and begins anew where it was ended.
class SlowSender {
public:
    SlowSender(const IntakeFixture& fixture, int firstMs)
        : m_fixture(fixture), m_request(fixture.post(R"({"type":"t","payload":1})")) {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { sayOne(); });
        m_timer.start(firstMs);
    }

    [[nodiscard]] bool isConnected() const {
        return m_socket && m_socket->state() == QAbstractSocket::ConnectedState;
    }

private:
    void sayOne() {
        m_timer.setInterval(kByteMs);
        if (!isConnected()) {
            m_said = 0;
            m_socket = std::make_unique<QTcpSocket>();
            m_socket->connectToHost(QStringLiteral("127.0.0.1"), m_fixture.server.port());
        }
        m_socket->write(m_request.mid(m_said++, 1));
    }

    const IntakeFixture& m_fixture;
    const QByteArray m_request;
    qsizetype m_said = 0;
    std::unique_ptr<QTcpSocket> m_socket;
    QTimer m_timer;
};

}  // namespace

/// Many that send so slowly that they could hold every place for ever.
class SlowSendersTest : public QObject {
    Q_OBJECT

private slots:
    void nobodyWaitsForTheSlow() {
        IntakeFixture fixture;
        std::vector<std::unique_ptr<SlowSender>> slow;
        for (std::size_t i = 0; i < kSockets; ++i)
            slow.push_back(std::make_unique<SlowSender>(
                fixture, 1 + static_cast<int>(i * kByteMs / kSockets)));
        // All of them have come once.
        QTest::qWait(kByteMs + 200);
        const auto connected = [&slow] {
            return std::count_if(slow.begin(), slow.end(),
                                 [](const auto& one) { return one->isConnected(); });
        };
        qint64 worst = 0;
        std::size_t asked = 0;
        RawClient kept(fixture.server.port());
        const QByteArray event = fixture.post(R"({"type":"t","payload":1})");
        for (QElapsedTimer whole; asked == 0 || whole.elapsed() < 1000 * seconds();) {
            if (asked == 0) whole.start();
            QVERIFY2(connected() >= limits::kIntakeConnections / 2, "the slow hold many places");
            QElapsedTimer clock;
            clock.start();
            QCOMPARE(kept.ask(event).status, 202);
            worst = std::max(worst, clock.restart());
            RawClient fresh(fixture.server.port());
            QCOMPARE(fresh.ask(event).status, 202);
            worst = std::max(worst, clock.elapsed());
            asked += 2;
            QTest::qWait(100);
        }
        qInfo("%zu requests beside %zu slow senders: the slowest took %lld ms", asked, kSockets,
              static_cast<long long>(worst));
        QCOMPARE(fixture.submitted.size(), asked);
    }
};

QTEST_GUILESS_MAIN(SlowSendersTest)
#include "slow_senders_test.moc"
