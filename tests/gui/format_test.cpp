// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/format.h"

#include <QLocale>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

Q_DECLARE_METATYPE(std::string)

/// Texts of numbers, times and external words.
class FormatTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void durations_data();
    void durations();
    void countdowns_data();
    void countdowns();
    void externalText_data();
    void externalText();
    void tooltipsAreEscaped();
    void longTextIsCut();
    void shares_data();
    void shares();
};

void FormatTest::durations_data() {
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<QString>("text");
    QTest::newRow("below a second in milliseconds") << qint64(340 * kMillisecond) << "340 ms";
    QTest::newRow("below ten seconds with a digit") << qint64(4'240 * kMillisecond) << "4.2 s";
    QTest::newRow("below a minute in seconds") << qint64(59 * kSecond) << "59 s";
    QTest::newRow("minutes and seconds") << qint64(200 * kSecond) << "3 m 20 s";
    QTest::newRow("hours and minutes") << qint64(3 * kHour + 12 * kMinute) << "3 h 12 m";
    QTest::newRow("the retry window in hours") << qint64(72 * kHour) << "72 h 00 m";
    QTest::newRow("days from four on") << qint64(12 * 24 * kHour + 4 * kHour) << "12 d 4 h";
    QTest::newRow("never negative") << qint64(-5) << "0 ms";
}

void FormatTest::durations() {
    QFETCH(qint64, micros);
    QFETCH(QString, text);
    QCOMPARE(durationText(micros), text);
}

void FormatTest::countdowns_data() {
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<QString>("text");
    QTest::newRow("over is now") << qint64(0) << "now";
    QTest::newRow("rounded up until it is over") << qint64(1) << "1 s";
    QTest::newRow("two digits of seconds") << qint64(125 * kSecond) << "2 m 05 s";
    QTest::newRow("the whole window") << qint64(72 * kHour - kMinute) << "71 h 59 m";
}

void FormatTest::countdowns() {
    QFETCH(qint64, micros);
    QFETCH(QString, text);
    QCOMPARE(countdownText(micros), text);
}

void FormatTest::externalText_data() {
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("markup stays text") << std::string("<b>x</b>") << QStringLiteral("<b>x</b>");
    QTest::newRow("line ends become spaces") << std::string("a\r\nb") << QStringLiteral("a  b");
    QTest::newRow("a reversal is made visible")
        << std::string("a\xE2\x80\xAEgpj") << QStringLiteral("a\uFFFDgpj");
    QTest::newRow("a zero-width space is made visible") << std::string(
                                                               "a\xE2\x80\x8B"
                                                               "b")
                                                        << QStringLiteral("a\uFFFDb");
    QTest::newRow("invalid UTF-8 is replaced") << std::string(
                                                      "a\xFF"
                                                      "b")
                                               << QStringLiteral("a\uFFFDb");
    QTest::newRow("NUL becomes a space") << std::string("a\0b", 3) << QStringLiteral("a b");
}

void FormatTest::externalText() {
    QFETCH(std::string, bytes);
    QFETCH(QString, text);
    QCOMPARE(plainLine(bytes), text);
}

void FormatTest::tooltipsAreEscaped() {
    const QString tip = plainTooltip(QStringLiteral("<img src=x>"));
    QVERIFY(tip.contains(QLatin1String("&lt;img src=x&gt;")));
    QCOMPARE(plainTooltip({}), QString());
}

void FormatTest::longTextIsCut() {
    const QString line = plainLine(std::string(5'000'000, 'a'));
    QCOMPARE(line.size(), kShownCharacters);
    QVERIFY(line.endsWith(QChar(0x2026)));
}

void FormatTest::shares_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << 0.0 << "0 %";
    QTest::newRow("small ones with a digit") << 0.004 << "0.4 %";
    QTest::newRow("larger ones without") << 0.123 << "12 %";
    QTest::newRow("never above all") << 1.7 << "100 %";
}

void FormatTest::shares() {
    QFETCH(double, share);
    QFETCH(QString, text);
    QCOMPARE(percentText(share), text);
}

QTEST_GUILESS_MAIN(FormatTest)
#include "format_test.moc"
