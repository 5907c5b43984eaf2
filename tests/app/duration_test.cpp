// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/duration.h"

#include <QTest>

using namespace lanes;
using namespace lanes::app;

class DurationTest : public QObject {
    Q_OBJECT

private slots:
    void reads_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("micros");  // -1: refused
        QTest::newRow("seconds") << QByteArray("90s") << qint64(90 * kSecond);
        QTest::newRow("minutes") << QByteArray("20m") << qint64(20 * kMinute);
        QTest::newRow("milliseconds") << QByteArray("250ms") << qint64(250 * kMillisecond);
        QTest::newRow("microseconds") << QByteArray("7us") << qint64(7);
        QTest::newRow("hours") << QByteArray("72h") << qint64(72 * kHour);
        QTest::newRow("days") << QByteArray("3d") << qint64(72 * kHour);
        QTest::newRow("zero") << QByteArray("0s") << qint64(0);
        QTest::newRow("a number without a unit is not guessed at")
            << QByteArray("90") << qint64(-1);
        QTest::newRow("an unknown unit") << QByteArray("3w") << qint64(-1);
        QTest::newRow("a unit alone") << QByteArray("s") << qint64(-1);
        QTest::newRow("nothing") << QByteArray() << qint64(-1);
        QTest::newRow("a negative number") << QByteArray("-3s") << qint64(-1);
        QTest::newRow("a fraction") << QByteArray("1.5h") << qint64(-1);
        QTest::newRow("a space before the unit") << QByteArray("3 s") << qint64(-1);
        QTest::newRow("text behind the unit") << QByteArray("3sx") << qint64(-1);
        QTest::newRow("more than a year") << QByteArray("367d") << qint64(-1);
        QTest::newRow("a product beyond 64 bits")
            << QByteArray("9223372036854775807d") << qint64(-1);
        QTest::newRow("a number beyond 64 bits")
            << QByteArray("99999999999999999999s") << qint64(-1);
    }
    void reads() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, micros);
        QCOMPARE(parseDuration(text.toStdString()).value_or(-1), micros);
    }

    void writesWhatItReads_data() {
        QTest::addColumn<qint64>("micros");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("the promise stays in hours") << qint64(72 * kHour) << QByteArray("72h");
        QTest::newRow("longer ones in days") << qint64(240 * kHour) << QByteArray("10d");
        QTest::newRow("seconds that are no minutes") << qint64(90 * kSecond) << QByteArray("90s");
        QTest::newRow("milliseconds") << qint64(1'500 * kMillisecond) << QByteArray("1500ms");
        QTest::newRow("zero") << qint64(0) << QByteArray("0s");
    }
    void writesWhatItReads() {
        QFETCH(qint64, micros);
        QFETCH(QByteArray, text);
        QCOMPARE(durationText(micros), text.toStdString());
        QCOMPARE(parseDuration(durationText(micros)).value_or(-1), micros);
    }

    void readsWell_data() {
        QTest::addColumn<qint64>("micros");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("milliseconds") << qint64(250 * kMillisecond) << QByteArray("250 ms");
        QTest::newRow("seconds") << qint64(12 * kSecond) << QByteArray("12 s");
        QTest::newRow("minutes and seconds") << qint64(90 * kSecond) << QByteArray("1 m 30 s");
        QTest::newRow("whole hours") << qint64(2 * kHour) << QByteArray("2 h");
        QTest::newRow("days and hours") << qint64(76 * kHour) << QByteArray("3 d 4 h");
    }
    void readsWell() {
        QFETCH(qint64, micros);
        QFETCH(QByteArray, text);
        QCOMPARE(roughDuration(micros), text.toStdString());
    }
};

QTEST_GUILESS_MAIN(DurationTest)
#include "duration_test.moc"
