// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/csv.h"
#include "ui/health/history_csv.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

class HistoryCsvTest : public QObject {
    Q_OBJECT

private slots:
    void cells_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::newRow("plain") << QStringLiteral("crm") << QStringLiteral("crm");
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("a formula") << QStringLiteral("=1+1") << QStringLiteral("'=1+1");
        QTest::newRow("plus") << QStringLiteral("+1") << QStringLiteral("'+1");
        QTest::newRow("minus") << QStringLiteral("-1") << QStringLiteral("'-1");
        QTest::newRow("at") << QStringLiteral("@SUM(A1)") << QStringLiteral("'@SUM(A1)");
        QTest::newRow("tab") << QStringLiteral("\tx") << QStringLiteral("'\tx");
        QTest::newRow("comma") << QStringLiteral("a,b") << QStringLiteral("\"a,b\"");
        QTest::newRow("quote") << QStringLiteral("a\"b") << QStringLiteral("\"a\"\"b\"");
        QTest::newRow("formula with comma")
            << QStringLiteral("=A1,B1") << QStringLiteral("\"'=A1,B1\"");
    }
    void cells() {
        QFETCH(QString, text);
        QTEST(csvCell(text), "cell");
    }

    void rowsSayWhatWasSeen() {
        Bucket bucket;
        bucket.start = 1'790'000'000;
        bucket.covered = 1;
        bucket.state = HealthState::degraded;
        bucket.accepted = 20;
        bucket.delivered = 5;
        bucket.attempts = 10;
        bucket.errors = 5;
        bucket.backlog.add(1'204'331);
        Bucket unseen;
        unseen.start = bucket.start + 1;
        const QList<QByteArray> lines =
            historyCsv(QStringLiteral("=crm"), {bucket, unseen}, 1, {}).split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("time,seconds,destination,state,"));
        QCOMPARE(lines[1].trimmed(),
                 QByteArray("2026-09-21T14:13:20Z,1,'=crm,degraded,20.000,5.000,10.000,5.000,"
                            "0.5000,0.00,0.00,1204331,"));
        QVERIFY(lines[2].contains(",,,0.000,0.000,,"));
    }

    void flagsStandInTheRowOfTheirBucket() {
        Bucket first;
        first.start = 1'790'000'000;
        Bucket second;
        second.start = first.start + 60;
        HealthFlag before;
        before.at = (first.start - 1) * kSecond;
        HealthFlag pause;
        pause.at = (first.start + 59) * kSecond;
        pause.who = "anna";
        pause.name = "crm";
        pause.what = "maintenance, \"planned\"\nthen";
        HealthFlag gap = pause;
        gap.kind = FlagKind::resume;
        gap.at = (second.start + 600) * kSecond;
        gap.what.clear();
        HealthFlag rewind = gap;
        rewind.kind = FlagKind::rewind;
        rewind.name.clear();
        rewind.what = "12 selected";
        const QList<QByteArray> lines =
            historyCsv(QStringLiteral("crm"), {first, second}, 60, {before, pause, gap, rewind})
                .split('\n');
        QVERIFY(lines[0].trimmed().endsWith(",backlog,flags"));
        QVERIFY2(lines[1].trimmed().endsWith(
                     ",\"2026-09-21T14:14:19Z pause crm anna: maintenance, \"\"planned\"\" then\""),
                 lines[1].constData());
        QVERIFY2(lines[2].trimmed().endsWith(",2026-09-21T14:24:20Z resume crm anna | "
                                             "2026-09-21T14:24:20Z rewind anna: 12 selected"),
                 lines[2].constData());
    }

    void aFileIsWrittenWholeOrNotAtAll() {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("health.csv"));
        QCOMPARE(writeFile(path, "a\r\n"), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("a\r\n"));
        QVERIFY(!writeFile(dir.filePath(QStringLiteral("none/health.csv")), "a").isEmpty());
    }
};

QTEST_GUILESS_MAIN(HistoryCsvTest)
#include "history_csv_test.moc"
