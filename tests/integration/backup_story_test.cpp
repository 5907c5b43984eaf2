// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::test;

/// Backup, restore and salvage with the real program, as an operator does it.
class BackupStoryTest : public QObject {
    Q_OBJECT

    static constexpr int kEventsOfABatch = 200;

    /// Events with a kilobyte each, so that the copy takes a while; false if they were not taken.
    bool send(Headless& engine) {
        const QByteArray filling(1000, 'x');
        QByteArray body = "[";
        for (int n = 0; n < kEventsOfABatch; ++n)
            body += QByteArray(n > 0 ? "," : "") + "{\"user\":\"u" + QByteArray::number(n) +
                    "\",\"type\":\"n\",\"payload\":\"" + filling + "\"}";
        if (post(engine.port(), engine.writeKey(), body + "]") != 202) return false;
        m_accepted += kEventsOfABatch;
        return true;
    }

    QString at(const char* name) const { return m_directory.filePath(QLatin1String(name)); }

    QTemporaryDir m_directory;
    qint64 m_accepted = 0;

private slots:
    void backupWhileEventsFlowThenRestoreElsewhere() {
        OrderReceiver receiver;
        QVERIFY(receiver.listen());
        Headless engine(at("data"));
        QVERIFY(engine.start());
        QCOMPARE(engine.tell({QStringLiteral("destinations"), QStringLiteral("add"),
                              QStringLiteral("crm"), QString::fromLatin1(receiver.url())})
                     .exit,
                 0);
        for (int n = 0; n < 50; ++n) QVERIFY(send(engine));

        const auto before = m_accepted;
        QProcess backup;
        backup.setProcessEnvironment(withoutDisplay());
        QElapsedTimer clock;
        clock.start();
        backup.start(QStringLiteral(LANES_PROGRAM),
                     {QStringLiteral("backup"), at("copy.db"), QStringLiteral("--json"),
                      QStringLiteral("--data-dir"), at("data")});
        while (backup.state() != QProcess::NotRunning && clock.elapsed() < 60'000)
            QVERIFY(send(engine));
        const auto rate = (m_accepted - before) * 1000 / std::max<qint64>(clock.elapsed(), 1);
        qInfo("%lld events before, %lld a second meanwhile", static_cast<long long>(before),
              static_cast<long long>(rate));
        QVERIFY2(backup.exitStatus() == QProcess::NormalExit && backup.exitCode() == 0,
                 backup.readAllStandardError().constData());
        QCOMPARE(engine.tell({QStringLiteral("backup"), at("copy.db")}).exit, 3);  // it exists
        QVERIFY(engine.tell({QStringLiteral("restore"), at("copy.db")}).err.contains("in use"));

        const auto restored = run({QStringLiteral("restore"), at("copy.db"),
                                   QStringLiteral("--data-dir"), at("other"),
                                   QStringLiteral("--json")});
        QVERIFY2(restored.exit == 0, restored.err.constData());
        const auto last = restored.json().value(QStringLiteral("last_event")).toInteger();
        QVERIFY2(last >= before, restored.out.constData());
        const auto verified = run({QStringLiteral("verify"), QStringLiteral("--data-dir"),
                                   at("other")});
        QVERIFY2(verified.exit == 0, verified.out.constData());
        Headless other(at("other"));
        QVERIFY(other.start());
        const auto status = other.tell({QStringLiteral("status"), QStringLiteral("--json")}).json();
        QCOMPARE(status.value(QStringLiteral("accepted")).toInteger(), last);
        QCOMPARE(other.stop(), 0);
        QCOMPARE(engine.stop(), 0);
    }

    void damagedFileIsToldAndSalvaged() {
        const QString file = at("data/lanes.db");
        QFile data(file);
        QVERIFY(data.open(QIODevice::ReadWrite));
        // A page full of payload: what is made of events can be made again, they can not.
        const auto whole = data.readAll();
        const auto payload = whole.indexOf(QByteArray(500, 'x'), whole.size() / 2);
        QVERIFY(payload > 0);
        QVERIFY(data.seek(payload / 4096 * 4096));
        QCOMPARE(data.write(QByteArray(4096 * 16, '\x33')), qint64{65536});
        data.close();
        const auto size = data.size();

        const QStringList start{QStringLiteral("headless"), QStringLiteral("--listen"),
                                QStringLiteral("0"), QStringLiteral("--data-dir"), at("data")};
        const auto refused = run(start);
        QCOMPARE(refused.exit, 3);
        QVERIFY2(refused.err.contains("rivora-lanes restore FILE") &&
                     refused.err.contains("rivora-lanes salvage"),
                 refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
        QCOMPARE(data.size(), size);

        const QStringList salvage{QStringLiteral("salvage"), QStringLiteral("--data-dir"),
                                  at("data"), QStringLiteral("--json")};
        const auto salvaged = run(salvage);
        QVERIFY2(salvaged.exit == 1, (salvaged.err + salvaged.out.left(2000)).constData());
        const auto report = salvaged.json();
        const QDir aside(report.value(QStringLiteral("set_aside")).toString());
        QCOMPARE(QFileInfo(aside.filePath(QStringLiteral("lanes.db"))).size(), size);
        QVERIFY(aside.exists(QStringLiteral("salvage-report.json")));
        QCOMPARE(run({QStringLiteral("verify"), QStringLiteral("--data-dir"), at("data")}).exit, 0);
        QCOMPARE(run(salvage).exit, 0);  // what was salvaged is whole
        Headless engine(at("data"));
        QVERIFY(engine.start());
        QCOMPARE(engine.stop(), 0);
    }
};

QTEST_GUILESS_MAIN(BackupStoryTest)
#include "backup_story_test.moc"
