// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/webhook_signature.h"

#include <QTest>

using lanes::WebhookSigner;

namespace {

const std::string kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string kId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr std::int64_t kTime = 1614265330;

}  // namespace

class WebhookSignatureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signsThePublishedVectors_data();
    void signsThePublishedVectors();
    void everySecretSigns();
    void withoutSecretsThereIsNoSignature();
    void refusesWhatIsNoSecret_data();
    void refusesWhatIsNoSecret();
};

void WebhookSignatureTest::signsThePublishedVectors_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("signature");
    QTest::newRow("a small object")
        << QByteArray(R"({"test": 2432232314})")
        << QByteArray("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    QTest::newRow("no body") << QByteArray()
                             << QByteArray("v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A=");
    QTest::newRow("UTF-8 beyond the basic plane")
        << QByteArray("{\"n\":\"Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80\"}")
        << QByteArray("v1,2DBYlBUydg6b5DFuatH7pLXCvcz7yiuUb9BdXHFVp24=");
}

void WebhookSignatureTest::signsThePublishedVectors() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, signature);
    const auto signer = WebhookSigner::fromSecrets({kSecret});
    QVERIFY(signer);
    QCOMPARE(QByteArray::fromStdString(signer->sign(kId, kTime, body.toStdString())), signature);
}

void WebhookSignatureTest::everySecretSigns() {
    const std::string second = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const auto alone = WebhookSigner::fromSecrets({second})->sign(kId, kTime, "x");
    const auto both = WebhookSigner::fromSecrets({kSecret, second})->sign(kId, kTime, "x");
    const auto first = WebhookSigner::fromSecrets({kSecret})->sign(kId, kTime, "x");
    QCOMPARE(both, first + " " + alone);
    QVERIFY(first != alone);
}

void WebhookSignatureTest::withoutSecretsThereIsNoSignature() {
    QCOMPARE(WebhookSigner::fromSecrets({})->sign(kId, kTime, "x"), std::string());
}

void WebhookSignatureTest::refusesWhatIsNoSecret_data() {
    QTest::addColumn<QByteArray>("secret");
    QTest::newRow("no prefix") << QByteArray("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    QTest::newRow("a prefix alone") << QByteArray("whsec_");
    QTest::newRow("no base64") << QByteArray("whsec_not base64!");
    QTest::newRow("empty") << QByteArray();
}

void WebhookSignatureTest::refusesWhatIsNoSecret() {
    QFETCH(QByteArray, secret);
    QVERIFY(!WebhookSigner::fromSecrets({secret.toStdString()}));
}

QTEST_GUILESS_MAIN(WebhookSignatureTest)
#include "webhook_signature_test.moc"
