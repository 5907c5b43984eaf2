// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/retry_after.h"

#include <QLocale>
#include <QTest>

using namespace lanes;

namespace {
constexpr std::int64_t kNow = 1'800'000'000;  // 2027-01-15T08:00:00Z
}

class RetryAfterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsDates_data();
    void readsDates();
    void readsWaits_data();
    void readsWaits();
    void doesNotDependOnTheLocale();
};

void RetryAfterTest::readsDates_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("seconds");  // -1 = none
    const auto row = [](const char* title, const char* text, qint64 seconds) {
        QTest::newRow(title) << QByteArray(text) << seconds;
    };
    row("the present form", "Sun, 06 Nov 1994 08:49:37 GMT", 784111777);
    row("the form of RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784111777);
    row("the form of asctime", "Sun Nov  6 08:49:37 1994", 784111777);
    row("asctime with two digits of the day", "Fri Dec 31 23:59:59 1999", 946684799);
    row("the end of a century", "Fri, 31 Dec 1999 23:59:59 GMT", 946684799);
    row("a leap day", "Thu, 29 Feb 2024 00:00:00 GMT", 1709164800);
    row("a leap second", "Sat, 31 Dec 2016 23:59:60 GMT", 1483228800);
    row("a short year up to 50 years ahead is the future", "Friday, 01-Jan-77 00:00:00 GMT",
        3376684800);
    row("a short year more than 50 years ahead is the past", "Sunday, 01-Jan-78 00:00:00 GMT",
        252460800);
    row("no leap day", "Wed, 29 Feb 2023 00:00:00 GMT", -1);
    row("hour 24", "Sun, 06 Nov 1994 24:00:00 GMT", -1);
    row("another zone", "Sun, 06 Nov 1994 08:49:37 CET", -1);
    row("no zone", "Sun, 06 Nov 1994 08:49:37", -1);
    row("another language", "So, 06 Nov 1994 08:49:37 GMT", -1);
    row("something after it", "Sun, 06 Nov 1994 08:49:37 GMT;", -1);
    row("one digit of the day", "Sun, 6 Nov 1994 08:49:37 GMT", -1);
    row("ISO 8601", "1994-11-06T08:49:37Z", -1);
    row("empty", "", -1);
}

void RetryAfterTest::readsDates() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, seconds);
    QCOMPARE(parseHttpDate(text.toStdString(), kNow).value_or(-1), seconds);
}

void RetryAfterTest::readsWaits_data() {
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<qint64>("wait");  // in seconds; -1 = none
    const auto row = [](const char* title, const char* value, const char* date, qint64 wait) {
        QTest::newRow(title) << QByteArray(value) << QByteArray(date) << wait;
    };
    row("seconds", "120", "", 120);
    row("an hour is an hour", "3600", "", 3600);
    row("zero", "0", "", 0);
    row("zeros in front", "00010", "", 10);
    row("more than a day counts as a day", "86401", "", 86400);
    row("a number beyond every type", "99999999999999999999999999", "", 86400);
    row("a date against the answer's own date", "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:48:37 GMT", 60);
    row("a date against our clock", "Fri, 15 Jan 2027 08:00:30 GMT", "", 30);
    row("a date against our clock if theirs is junk", "Fri, 15 Jan 2027 08:00:30 GMT", "soon", 30);
    row("a date in the past", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:00:00 GMT", 0);
    row("a date far ahead counts as a day", "Fri, 31 Dec 2027 23:59:59 GMT", "", 86400);
    row("nothing", "", "", -1);
    row("a negative number", "-1", "", -1);
    row("a fraction", "1.5", "", -1);
    row("a unit", "10s", "", -1);
    row("a word", "soon", "", -1);
    row("a sign", "+5", "", -1);
    row("hexadecimal", "0x10", "", -1);
    row("digits of another script", "\xd9\xa1\xd9\xa2", "", -1);
}

void RetryAfterTest::readsWaits() {
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, date);
    QFETCH(qint64, wait);
    const auto expected = wait < 0 ? -1 : wait * kSecond;
    QCOMPARE(retryAfter(value.toStdString(), date.toStdString(), kNow), expected);
}

void RetryAfterTest::doesNotDependOnTheLocale() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::Arabic, QLocale::Egypt));
    const auto seconds = parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT", kNow);
    QLocale::setDefault(before);
    QCOMPARE(seconds.value_or(-1), 784111777);
}

QTEST_GUILESS_MAIN(RetryAfterTest)
#include "retry_after_test.moc"
