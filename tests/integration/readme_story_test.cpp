// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::test;

/// What the README tells a new user to type, step by step, with the real program.
class ReadmeStoryTest : public QObject {
    Q_OBJECT

    static QStringList words(const char* line) {
        return QString::fromLatin1(line).split(QLatin1Char(' '));
    }
    static QByteArray event(const char* user, const char* payload) {
        return QByteArray("{\"user\":\"") + user + "\",\"type\":\"note\",\"payload\":" + payload +
               "}";
    }
    QJsonObject status(Headless& engine) { return engine.tell(words("status --json")).json(); }

private slots:
    void happensAsWritten() {
        QTemporaryDir directory;
        OrderReceiver receiver;
        QVERIFY(receiver.listen());
        Headless engine(directory.filePath(QStringLiteral("data")));
        QVERIFY(engine.start());
        auto ran =
            engine.tell(words("destinations add crm") << QString::fromLatin1(receiver.url()));
        QVERIFY2(ran.exit == 0, ran.err.constData());
        const auto send = [&](const char* user, const char* payload) {
            return post(engine.port(), engine.writeKey(), event(user, payload));
        };

        QCOMPARE(send("anna", "1"), 202);
        QCOMPARE(send("anna", "2"), 202);
        QCOMPARE(send("ben", "3"), 202);
        QTRY_COMPARE(receiver.accepted().size(), 3);
        QVERIFY(receiver.bodies().indexOf("1") < receiver.bodies().indexOf("2"));

        QCOMPARE(engine.tell(words("pause crm --reason maintenance")).exit, 0);
        QCOMPARE(send("anna", "4"), 202);
        QTRY_COMPARE(status(engine)[QStringLiteral("waiting")].toInt(), 1);
        const auto paused = status(engine)[QStringLiteral("destinations")][0];
        QCOMPARE(paused[QStringLiteral("health")].toString(), QStringLiteral("paused"));
        QCOMPARE(paused[QStringLiteral("pause_reason")].toString(), QStringLiteral("maintenance"));
        QCOMPARE(receiver.accepted().size(), 3);
        QCOMPARE(engine.tell(words("resume crm")).exit, 0);
        QTRY_COMPARE(receiver.accepted().size(), 4);
        // The answer must be home before the receiver goes, or the event would rightly come again.
        QTRY_COMPARE(status(engine)[QStringLiteral("delivered")].toInt(), 4);

        receiver.close();
        QCOMPARE(send("anna", "5"), 202);
        QCOMPARE(send("anna", "6"), 202);
        const auto attempts = [&] {
            return engine.tell(words("events show 5 --json"))
                .json()
                .value(QStringLiteral("attempts"))
                .toArray();
        };
        QTRY_VERIFY_WITH_TIMEOUT(attempts().size() >= 3, 20'000);
        const auto lanes = engine.tell(words("lanes --json")).json();
        QCOMPARE(lanes[QStringLiteral("total")].toInt(), 1);
        const auto lane = lanes[QStringLiteral("lanes")][0];
        QCOMPARE(lane[QStringLiteral("user")].toString(), QStringLiteral("anna"));
        QCOMPARE(lane[QStringLiteral("waiting")].toInt(), 2);
        QCOMPARE(lane[QStringLiteral("head")].toInt(), 5);
        waitsDouble(attempts());

        QVERIFY(receiver.listen());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.accepted().size(), 6, 30'000);
        QCOMPARE(receiver.bodies().mid(4), (QList<QByteArray>{"5", "6"}));
        QCOMPARE(receiver.orderBreaks(), 0);
        QCOMPARE(receiver.overlaps(), 0);

        QCOMPARE(engine.stop(), 0);
        const auto verified = engine.tell(words("verify --json"));
        QVERIFY2(verified.exit == 0, (verified.out + verified.err).constData());
        QCOMPARE(verified.json()[QStringLiteral("order_violations")].toInt(-1), 0);
        QCOMPARE(engine.tell(words("status")).exit, 3);
    }

    void keepsThePauseAndTheEventsOverARestart() {
        QTemporaryDir directory;
        OrderReceiver receiver;
        QVERIFY(receiver.listen());
        Headless engine(directory.filePath(QStringLiteral("data")));
        QVERIFY(engine.start());
        QCOMPARE(
            engine.tell(words("destinations add crm") << QString::fromLatin1(receiver.url())).exit,
            0);
        QCOMPARE(engine.tell(words("pause crm")).exit, 0);
        QCOMPARE(post(engine.port(), engine.writeKey(), event("anna", "1")), 202);
        QCOMPARE(engine.stop(), 0);
        QVERIFY(engine.start());
        QCOMPARE(status(engine)[QStringLiteral("waiting")].toInt(), 1);
        QVERIFY(receiver.accepted().isEmpty());
        QCOMPARE(engine.tell(words("resume crm")).exit, 0);
        QTRY_COMPARE(receiver.accepted().size(), 1);
        QCOMPARE(engine.stop(), 0);
    }

private:
    /// Waits between the first attempts of a lane: 1 s, then 2 s, each +-20 % and a little for a
    /// machine that is busy.
    static void waitsDouble(const QJsonArray& newestFirst) {
        const auto startOf = [&](qsizetype number) {
            const auto row = newestFirst[newestFirst.size() - number];
            return QDateTime::fromString(row[QStringLiteral("started_at")].toString(),
                                         Qt::ISODateWithMs);
        };
        const auto first = startOf(1).msecsTo(startOf(2));
        const auto second = startOf(2).msecsTo(startOf(3));
        QVERIFY2(first >= 780 && first < 2'000, QByteArray::number(first).constData());
        QVERIFY2(second >= 1'580 && second < 3'500, QByteArray::number(second).constData());
    }
};

QTEST_GUILESS_MAIN(ReadmeStoryTest)
#include "readme_story_test.moc"
