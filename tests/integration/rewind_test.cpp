// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::test;

/// Dead letters and the way back, with the real program over real HTTP. The receiver refuses what
/// says "bad" for as long as it is told to, and a refused event is a dead letter at once.
class RewindTest : public QObject {
    Q_OBJECT

    static constexpr int kDead = 40;
    static constexpr int kPatience = 30'000;

    static QStringList words(const char* line) {
        return QString::fromLatin1(line).split(QLatin1Char(' '));
    }
    static QByteArray event(const QByteArray& user, const char* payload) {
        return "{\"user\":\"" + user + "\",\"type\":\"note\",\"payload\":\"" + payload + "\"}";
    }
    bool send(const QByteArray& events) {
        return post(m_engine->port(), m_engine->writeKey(), "[" + events + "]") == 202;
    }
    /// One event of each of many users, all refused.
    bool sendBad() {
        QByteArray events;
        for (int user = 0; user < kDead; ++user)
            events += (user > 0 ? "," : "") + event("u" + QByteArray::number(user), "bad");
        return send(events);
    }
    QJsonObject told(const QStringList& command) {
        const auto ran = m_engine->tell(command + QStringList{QStringLiteral("--json")});
        if (ran.exit != 0) qWarning("%s", ran.err.constData());
        return ran.json();
    }
    int status(const char* what) { return told(words("status"))[QLatin1String(what)].toInt(-1); }
    QJsonObject operation(int id) {
        return told({QStringLiteral("operations"), QStringLiteral("show"), QString::number(id)});
    }
    static int number(const QJsonObject& object, const char* key) {
        return object[QLatin1String(key)].toInt(-1);
    }
    /// Bodies that the lane of an event took, in order.
    QList<QByteArray> bodiesOfLane(const QByteArray& body) const {
        QByteArray lane;
        for (const auto& got : m_receiver.arrivals())
            if (got.body == body) lane = got.lane;
        QList<QByteArray> bodies;
        for (const auto& got : m_receiver.arrivals())
            if (got.lane == lane) bodies.append(got.body);
        return bodies;
    }
    void verify() {
        QCOMPARE(m_receiver.orderBreaks(), 0);
        QCOMPARE(m_receiver.overlaps(), 0);
        QCOMPARE(m_engine->stop(), 0);
        const auto verified = m_engine->tell(words("verify --json"));
        QVERIFY2(verified.exit == 0, (verified.out + verified.err).constData());
    }

private slots:
    void init() {
        m_refusing = true;
        m_receiver = OrderReceiver();
        m_receiver.setAnswer([this](const OrderReceiver::Got& got) {
            return m_refusing && got.body.contains("bad") ? 422 : 204;
        });
        QVERIFY(m_receiver.listen());
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_unique<Headless>(m_directory->filePath(QStringLiteral("data")));
        QVERIFY(m_engine->start());
        const auto added = m_engine->tell(
            words("destinations add crm --dead-letter-status 422 --allow-edits --rate-limit 1000")
            << QString::fromLatin1(m_receiver.url()));
        QVERIFY2(added.exit == 0, added.err.constData());
    }
    void cleanup() {
        m_engine.reset();
        m_receiver.close();
    }

    void aLaneRewindRestoresTheOrderAtTheReceiver() {
        QVERIFY(send(event("anna", "bad 1") + "," + event("bob", "bad 2")));
        QTRY_COMPARE_WITH_TIMEOUT(status("dead"), 2, kPatience);
        QVERIFY(send(event("anna", "3") + "," + event("anna", "4") + "," + event("bob", "5")));
        QTRY_COMPARE_WITH_TIMEOUT(status("delivered"), 3, kPatience);

        const auto plan = told(words("dead-letters rewind --all-of crm --plan"));
        QCOMPARE(number(plan, "count"), 2);
        QCOMPARE(number(plan, "lanes_passed"), 2);
        QCOMPARE(number(plan, "later_delivered"), 3);
        QCOMPARE(status("dead"), 2);

        m_refusing = false;
        const auto rewound = told(words("dead-letters rewind --user anna --lane --yes"));
        QCOMPARE(number(rewound, "done"), 3);
        const QList<QByteArray> order{"\"3\"", "\"4\"", "\"bad 1\"", "\"3\"", "\"4\""};
        QTRY_COMPARE_WITH_TIMEOUT(bodiesOfLane("\"3\""), order, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(number(operation(number(rewound, "operation")), "delivered"), 3,
                                  kPatience);
        QCOMPARE(status("dead"), 1);

        QFile payload(m_directory->filePath(QStringLiteral("payload.json")));
        QVERIFY(payload.open(QIODevice::WriteOnly) && payload.write("\"mended\"") > 0);
        payload.close();
        const auto edited = told(words("dead-letters edit 2 --destination crm --payload-file")
                                 << payload.fileName());
        QCOMPARE(number(edited, "done"), 1);
        const QList<QByteArray> bob{"\"5\"", "\"mended\""};
        QTRY_COMPARE_WITH_TIMEOUT(bodiesOfLane("\"5\""), bob, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(status("delivered"), 5, kPatience);
        verify();
    }

    void aTracerThatFailsStopsTheRewind() {
        QVERIFY(sendBad());
        QTRY_COMPARE_WITH_TIMEOUT(status("dead"), kDead, kPatience);
        QCOMPARE(m_receiver.requests(), kDead);
        const auto asked = m_engine->tell(words("dead-letters rewind --all-of crm"));
        QCOMPARE(asked.exit, 2);
        QVERIFY2(asked.err.contains("rewind 40 dead letters in 40 lanes"), asked.err.constData());
        const auto rewound = told(words("dead-letters rewind --status 4xx --tracer 5 --yes"));
        const int id = number(rewound, "operation");
        QTRY_COMPARE_WITH_TIMEOUT(operation(id)[QStringLiteral("state")].toString(),
                                  QStringLiteral("stopped"), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(status("dead"), kDead, kPatience);
        const auto row = operation(id);
        QCOMPARE(number(row, "done"), 5);
        QVERIFY(row[QStringLiteral("note")].toString().contains(QLatin1String("tracer")));
        QCOMPARE(m_receiver.requests(), kDead + 5);
        verify();
    }

    void anUndoReturnsWhatWasNotTried() {
        QVERIFY(sendBad());
        QTRY_COMPARE_WITH_TIMEOUT(status("dead"), kDead, kPatience);
        QCOMPARE(m_engine->tell(words("pause crm --reason mending")).exit, 0);
        const auto rewound = told(words("dead-letters rewind --all-of crm --yes"));
        QCOMPARE(number(rewound, "done"), kDead);
        QCOMPARE(status("waiting"), kDead);
        const auto undone = told({QStringLiteral("operations"), QStringLiteral("undo"),
                                  QString::number(number(rewound, "operation"))});
        QCOMPARE(number(undone, "done"), kDead);
        QCOMPARE(status("dead"), kDead);
        const auto row = operation(number(rewound, "operation"));
        const auto events = row[QStringLiteral("events")].toArray();
        QCOMPARE(events.size(), kDead);
        QCOMPARE(events[0][QStringLiteral("fate")].toString(), QStringLiteral("returned"));
        QCOMPARE(m_engine->tell(words("resume crm")).exit, 0);
        QCOMPARE(m_receiver.requests(), kDead);
        verify();
    }

    void aPacedRewindSurvivesAKill() {
        QVERIFY(sendBad());
        QTRY_COMPARE_WITH_TIMEOUT(status("dead"), kDead, kPatience);
        m_refusing = false;
        const auto rewound = told(words("dead-letters rewind --all-of crm --pace 20 --yes"));
        QVERIFY(rewound[QStringLiteral("under_way")].toBool());
        QTRY_VERIFY_WITH_TIMEOUT(m_receiver.accepted().size() >= 5, kPatience);
        m_engine->kill();
        QVERIFY(m_receiver.accepted().size() < kDead);
        QVERIFY2(m_engine->start(), m_engine->errors().constData());
        QTRY_COMPARE_WITH_TIMEOUT(status("delivered"), kDead, kPatience);
        QCOMPARE(m_receiver.accepted().size(), kDead);
        QCOMPARE(status("dead"), 0);
        QCOMPARE(status("waiting"), 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            operation(number(rewound, "operation"))[QStringLiteral("state")].toString(),
            QStringLiteral("finished"), kPatience);
        verify();
    }

private:
    bool m_refusing = true;
    OrderReceiver m_receiver;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Headless> m_engine;
};

QTEST_GUILESS_MAIN(RewindTest)
#include "rewind_test.moc"
