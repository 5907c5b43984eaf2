// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/credential_watch.h"

#include <QTest>

#include <string>

using namespace lanes;

class CredentialWatchTest : public QObject {
    Q_OBJECT

private slots:
    void decides_data();
    void decides();
    void looksAgainAfterThirtySeconds();
    void takesTheLastAnswerOfEachLane();
};

/// One letter is the answer to one lane after the other: r 401, f 403, d 200, x 500.
void CredentialWatchTest::decides_data() {
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<bool>("refused");
    QTest::newRow("five lanes, all 401") << QByteArray("rrrrr") << true;
    QTest::newRow("five lanes, 401 and 403") << QByteArray("rfrfr") << true;
    QTest::newRow("four lanes are too few") << QByteArray("rrrr") << false;
    QTest::newRow("nine of ten") << QByteArray("rdrrrrrrrr") << true;
    QTest::newRow("eight of nine") << QByteArray("rdrrrrrrr") << false;
    QTest::newRow("what was delivered before the first 401 does not count")
        << QByteArray("dddddddddrrrrr") << true;
    QTest::newRow("other failures are lanes that were tried") << QByteArray("rxxrrrrrrr") << false;
}

void CredentialWatchTest::decides() {
    QFETCH(QByteArray, answers);
    QFETCH(bool, refused);
    CredentialWatch watch;
    bool found = false;
    std::uint64_t lane = 0;
    for (const char answer : answers) {
        const int status = answer == 'r' ? 401 : answer == 'f' ? 403 : answer == 'd' ? 200 : 500;
        found = watch.ended(UserId(++lane), status, kSecond);
    }
    QCOMPARE(found, refused);
}

void CredentialWatchTest::looksAgainAfterThirtySeconds() {
    CredentialWatch watch;
    QVERIFY(!watch.ended(UserId(1), 401, 0));
    for (std::uint64_t lane = 2; lane <= 5; ++lane)
        QVERIFY(!watch.ended(UserId(lane), 401, 31 * kSecond));
    QVERIFY(watch.ended(UserId(6), 401, 32 * kSecond));
}

void CredentialWatchTest::takesTheLastAnswerOfEachLane() {
    CredentialWatch watch;
    for (int again = 0; again < 10; ++again) QVERIFY(!watch.ended(UserId(1), 401, kSecond));
    for (std::uint64_t lane = 1; lane <= 5; ++lane) (void)watch.ended(UserId(lane), 401, kSecond);
    QVERIFY(!watch.ended(UserId(1), 200, kSecond));  // four refused of five
    QVERIFY(watch.ended(UserId(1), 403, kSecond));
}

QTEST_GUILESS_MAIN(CredentialWatchTest)
#include "credential_watch_test.moc"
