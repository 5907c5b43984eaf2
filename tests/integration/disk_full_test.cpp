// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"
#include "tests/support/small_disk.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace lanes::test;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr int kUsers = 12;

/// Seconds for which the disk stays full; LANES_FULL_SECONDS=30 is the full size.
int holdSeconds() {
    bool good = false;
    const int asked = qEnvironmentVariableIntValue("LANES_FULL_SECONDS", &good);
    return good ? asked : 4;
}

/// Processor time that a process has used, in seconds.
double processorTime(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    const auto all = file.readAll();
    const auto fields = all.mid(all.lastIndexOf(')') + 2).split(' ');
    return (fields.value(11).toDouble() + fields.value(12).toDouble()) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

/// The real program on a disk that is really full, with a sender that believes only a 202 and a
/// receiver that counts.
class DiskFullTest : public QObject {
    Q_OBJECT

    /// One event of each user; the answer to the request. Kept in `m_sure` if it was 202.
    QByteArray send(Headless& engine) {
        QByteArray body = "[";
        QList<QByteArray> payloads;
        for (int user = 0; user < kUsers; ++user) {
            const auto payload =
                "\"" + QByteArray::number(user) + ":" + QByteArray::number(++m_numbers[user]) +
                ":" + QByteArray(2000, 'x') + "\"";
            payloads.append(payload);
            body += QByteArray(user > 0 ? "," : "") + "{\"user\":\"u" + QByteArray::number(user) +
                    "\",\"type\":\"n\",\"payload\":" + payload + "}";
        }
        const auto answer = answerTo(engine.port(), engine.writeKey(), body + "]");
        if (answer.startsWith("HTTP/1.1 202")) m_sure += payloads;
        return answer;
    }

    static QJsonObject status(const Headless& engine) {
        return engine.tell({QStringLiteral("status"), QStringLiteral("--json")}).json();
    }
    static qint64 attempts(const QJsonObject& status, const QString& name) {
        for (const auto& entry : status.value(QStringLiteral("destinations")).toArray())
            if (entry.toObject().value(QStringLiteral("name")) == name)
                return entry.toObject().value(QStringLiteral("attempts")).toInteger();
        return -1;
    }
    static QStringList add(const QString& name, const QString& url) {
        return {QStringLiteral("destinations"), QStringLiteral("add"), name, url};
    }

    QHash<int, int> m_numbers;
    QList<QByteArray> m_sure;

private slots:
    void init() {
        m_numbers.clear();
        m_sure.clear();
    }

    void nothingIsLostOrSentAgainAndItGoesOnByItself_data() {
        QTest::addColumn<quint64>("left");
        QTest::addColumn<QString>("said");
        QTest::newRow("less is left than the results may need")
            << quint64{40 * kMiB} << QStringLiteral("almost full");
        QTest::newRow("nothing is left at once, while requests are under way")
            << quint64{0} << QStringLiteral("is full");
    }
    void nothingIsLostOrSentAgainAndItGoesOnByItself() {
        QFETCH(quint64, left);
        QFETCH(QString, said);
        SmallDisk disk(240 * kMiB);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        OrderReceiver receiver;
        receiver.setDelay(400);
        QVERIFY(receiver.listen());
        Headless engine(QString::fromStdString(disk.path() + "/data"));
        QVERIFY(engine.start());
        QCOMPARE(engine.tell(add(QStringLiteral("crm"), QString::fromLatin1(receiver.url()))).exit,
                 0);
        // One that is down has lanes that wait for their next attempt all the time.
        QCOMPARE(engine.tell(add(QStringLiteral("down"), QStringLiteral("http://127.0.0.1:1/")))
                     .exit,
                 0);
        for (int n = 0; n < 4; ++n) QVERIFY(send(engine).startsWith("HTTP/1.1 202"));
        QTRY_VERIFY_WITH_TIMEOUT(receiver.requests() > 0, 20'000);

        QVERIFY(disk.fill(left));
        QByteArray answer;
        QTRY_VERIFY_WITH_TIMEOUT((answer = send(engine)).startsWith("HTTP/1.1 503"), 5'000);
        QVERIFY2(answer.contains("\r\nRetry-After: "), answer.constData());
        // Which of them comes first is a matter of milliseconds; what is shown is settled below.
        QVERIFY2(answer.contains("full") || answer.contains("could not be stored"),
                 answer.constData());
        if (left > 0) QVERIFY(disk.freeBytes() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            status(engine).value(QStringLiteral("in_flight")).toInt(-1), 0, 20'000);

        const int requests = receiver.requests();
        const double used = processorTime(engine.pid());
        QElapsedTimer hold;
        hold.start();
        int asked = 0;
        while (hold.elapsed() < holdSeconds() * 1000) {
            QVERIFY(send(engine).startsWith("HTTP/1.1 503"));
            ++asked;
            QTest::qWait(250);
        }
        const double seconds = static_cast<double>(hold.elapsed()) / 1000;
        const double spent = processorTime(engine.pid()) - used;
        qInfo("%.1f s full: %d refused, %.2f s of processor time", seconds, asked, spent);
        QVERIFY2(spent < 0.15 * seconds + 0.1, QByteArray::number(spent).constData());
        QCOMPARE(receiver.requests(), requests);
        const auto ill = status(engine);
        const auto store = ill.value(QStringLiteral("store")).toObject();
        QCOMPARE(store.value(QStringLiteral("writable")), QJsonValue(false));
        const auto fault = store.value(QStringLiteral("fault")).toString();
        QVERIFY2(fault.contains(said), qPrintable(fault));
        for (const char* part : {"free some space", "New events are refused", "what was accepted "
                                 "is kept", "goes on by itself"})
            QVERIFY2(fault.contains(QLatin1String(part)), qPrintable(fault));
        QVERIFY(engine.tell({QStringLiteral("status")}).out.contains(said.toUtf8()));
        QCOMPARE(attempts(ill, QStringLiteral("crm")), qint64{requests});

        disk.clear();
        QTRY_VERIFY_WITH_TIMEOUT(send(engine).startsWith("HTTP/1.1 202"), 5'000);
        receiver.setDelay(1);
        QTRY_VERIFY_WITH_TIMEOUT(receiver.accepted().size() >= m_sure.size(), 60'000);
        QCOMPARE(receiver.bodies().size(), m_sure.size());
        const auto bodies = receiver.bodies();
        QCOMPARE(QSet<QByteArray>(bodies.begin(), bodies.end()),
                 QSet<QByteArray>(m_sure.begin(), m_sure.end()));
        QCOMPARE(receiver.orderBreaks(), 0);
        QCOMPARE(receiver.duplicates(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(attempts(status(engine), QStringLiteral("crm")),
                                  qint64{receiver.requests()}, 5'000);
        const auto well = status(engine);
        QVERIFY(!well.value(QStringLiteral("store")).toObject().contains(QLatin1String("fault")));
        QByteArray log;
        QTRY_VERIFY_WITH_TIMEOUT((log += engine.errors()).contains("can be written again"), 5'000);
        QVERIFY2(engine.stop() == 0, engine.errors().constData());
        const auto verified = engine.tell({QStringLiteral("verify"), QStringLiteral("--json")});
        QVERIFY2(verified.exit == 0, (verified.out + verified.err).constData());
        // Every request is in the log, and nothing else.
        QVERIFY(verified.json().value(QStringLiteral("attempts")).toInteger() >=
                attempts(well, QStringLiteral("crm")) + attempts(well, QStringLiteral("down")));
    }

    void aStartWithoutRoomSaysSo() {
        SmallDisk disk(8 * kMiB);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        QVERIFY(disk.fill(0));
        const auto directory = QString::fromStdString(disk.path() + "/data");
        const auto ran = run({QStringLiteral("headless"), QStringLiteral("--listen"),
                              QStringLiteral("0"), QStringLiteral("--data-dir"), directory});
        QCOMPARE(ran.exit, 3);
        QVERIFY2(ran.err.contains("space"), ran.err.constData());
        disk.clear();
        Headless engine(directory);
        QVERIFY(engine.start());
        QVERIFY2(engine.stop() == 0, engine.errors().constData());
    }
};

QTEST_GUILESS_MAIN(DiskFullTest)
#include "disk_full_test.moc"
