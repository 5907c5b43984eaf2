// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/signature_check.h"

#include <QTest>

using lanes::mock::SignatureCheck;

namespace {
// The vectors that the specification's own libraries publish.
constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr const char* kId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr const char* kBody = R"({"test": 2432232314})";
constexpr const char* kSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
constexpr qint64 kAt = 1614265330;
}  // namespace

class SignatureCheckTest : public QObject {
    Q_OBJECT

private slots:
    void checks_data() {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("timestamp");
        QTest::addColumn<QByteArray>("signatures");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<qint64>("now");
        QTest::addColumn<bool>("good");
        const QByteArray id = kId;
        const QByteArray at = QByteArray::number(kAt);
        const QByteArray good = kSignature;
        const QByteArray body = kBody;
        QTest::newRow("the published vector is good") << id << at << good << body << kAt << true;
        QTest::newRow("the published vector of an empty body is good")
            << id << at << QByteArray("v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A=")
            << QByteArray("") << kAt << true;
        QTest::newRow("a body in UTF-8 is signed as bytes")
            << id << at << QByteArray("v1,2DBYlBUydg6b5DFuatH7pLXCvcz7yiuUb9BdXHFVp24=")
            << QByteArray("{\"n\":\"Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80\"}") << kAt << true;
        QTest::newRow("one good signature among others is enough")
            << id << at << QByteArray("v1a,abc v1,AAAA ") + good << body << kAt << true;
        QTest::newRow("another body is bad") << id << at << good << body + " " << kAt << false;
        QTest::newRow("another id is bad") << id + "x" << at << good << body << kAt << false;
        QTest::newRow("another timestamp is bad")
            << id << QByteArray::number(kAt + 1) << good << body << kAt << false;
        QTest::newRow("a missing id is bad") << QByteArray() << at << good << body << kAt << false;
        QTest::newRow("a missing signature is bad")
            << id << at << QByteArray() << body << kAt << false;
        QTest::newRow("an unknown version is bad")
            << id << at << good.mid(0).replace("v1,", "v2,") << body << kAt << false;
        QTest::newRow("a cut signature is bad")
            << id << at << good.chopped(4) << body << kAt << false;
        QTest::newRow("a timestamp with junk is bad")
            << id << at + "x" << good << body << kAt << false;
        QTest::newRow("five minutes late is good") << id << at << good << body << kAt + 300 << true;
        QTest::newRow("more than five minutes late is bad")
            << id << at << good << body << kAt + 301 << false;
        QTest::newRow("more than five minutes early is bad")
            << id << at << good << body << kAt - 301 << false;
    }

    void checks() {
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, timestamp);
        QFETCH(QByteArray, signatures);
        QFETCH(QByteArray, body);
        QFETCH(qint64, now);
        const auto check = SignatureCheck::make(kSecret);
        QVERIFY(check);
        QTEST(check->good(id.toStdString(), timestamp.toStdString(), signatures.toStdString(),
                          body.toStdString(), now),
              "good");
    }

    void refusesWhatIsNoSecret_data() {
        QTest::addColumn<QByteArray>("secret");
        QTest::newRow("without the prefix") << QByteArray("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        QTest::newRow("empty after the prefix") << QByteArray("whsec_");
        QTest::newRow("not base64") << QByteArray("whsec_***");
        QTest::newRow("empty") << QByteArray();
    }

    void refusesWhatIsNoSecret() {
        QFETCH(QByteArray, secret);
        QVERIFY(!SignatureCheck::make(secret.toStdString()));
    }
};

QTEST_GUILESS_MAIN(SignatureCheckTest)
#include "signature_check_test.moc"
