// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::test;

/// kill -9 in mid-flight, again and again, with a receiver that is never killed and a sender that
/// believes only what was answered with 202.
class KillTest : public QObject {
    Q_OBJECT

    static constexpr int kKills = 6;
    static constexpr int kUsers = 20;

    /// Events of all users, numbered by user; kept in `sure` if they were answered with 202.
    void sendTo(Headless& engine, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            QByteArray body = "[";
            QList<QByteArray> payloads;
            for (int user = 0; user < kUsers; ++user) {
                const auto payload = "\"" + QByteArray::number(user) + ":" +
                                     QByteArray::number(++m_numbers[user]) + "\"";
                payloads.append(payload);
                body += QByteArray(user > 0 ? "," : "") + "{\"user\":\"u" +
                        QByteArray::number(user) + "\",\"type\":\"n\",\"payload\":" + payload + "}";
            }
            if (post(engine.port(), engine.writeKey(), body + "]") == 202) m_sure += payloads;
        }
    }

private slots:
    void losesNothingAndKeepsTheOrder() {
        QTemporaryDir directory;
        OrderReceiver receiver;
        receiver.setDelay(15);
        QVERIFY(receiver.listen());
        Headless engine(directory.filePath(QStringLiteral("data")));
        QVERIFY(engine.start());
        const QStringList add{QStringLiteral("destinations"), QStringLiteral("add"),
                              QStringLiteral("crm"), QString::fromLatin1(receiver.url())};
        QCOMPARE(engine.tell(add).exit, 0);

        for (int kill = 0; kill < kKills; ++kill) {
            sendTo(engine, 6);
            const auto target = receiver.accepted().size() + 20 + 7 * kill;
            QTRY_VERIFY_WITH_TIMEOUT(
                receiver.accepted().size() >= target || receiver.accepted().size() == m_sure.size(),
                30'000);
            engine.kill();
            QVERIFY2(engine.start(), engine.errors().constData());
        }
        QTRY_VERIFY_WITH_TIMEOUT(receiver.accepted().size() >= m_sure.size(), 60'000);

        const auto bodies = receiver.bodies();
        const QSet<QByteArray> arrived(bodies.begin(), bodies.end());
        for (const auto& payload : std::as_const(m_sure))
            QVERIFY2(arrived.contains(payload),
                     ("an answered event was lost: " + payload).constData());
        QCOMPARE(receiver.orderBreaks(), 0);
        QVERIFY2(receiver.duplicates() <= kKills * kUsers,
                 QByteArray::number(receiver.duplicates()).constData());
        checkNumbers(bodies);

        QCOMPARE(engine.stop(), 0);
        const auto verified = engine.tell({QStringLiteral("verify"), QStringLiteral("--json")});
        QVERIFY2(verified.exit == 0, (verified.out + verified.err).constData());
    }

private:
    /// The receiver's order per user by the payloads, which the program does not look into.
    static void checkNumbers(const QList<QByteArray>& bodies) {
        QHash<QByteArray, int> last;
        for (const auto& body : bodies) {
            const auto parts = body.mid(1, body.size() - 2).split(':');
            QCOMPARE(parts.size(), 2);
            const int number = parts[1].toInt();
            QVERIFY2(number > last.value(parts[0], 0), body.constData());
            last[parts[0]] = number;
        }
    }

    QHash<int, int> m_numbers;
    QList<QByteArray> m_sure;
};

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
