// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"
#include "tests/support/certificates.h"
#include "tests/support/raw_receiver.h"

#include <QCryptographicHash>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTest>

#include <array>
#include <memory>

using namespace std::chrono_literals;
using lanes::http::ClientRequest;
using lanes::http::ConnectionPool;
using lanes::http::ExchangeResult;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;
using Reach = ExchangeResult::Reach;

namespace {

constexpr auto kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

ExchangeResult post(ConnectionPool& pool, const std::string& body) {
    std::vector<ExchangeResult> results;
    auto shared = std::make_shared<const std::string>(body);
    pool.start({[shared] {
                    ClientRequest request;
                    request.headers = {{"Host", "localhost"}};
                    request.body = shared;
                    return request;
                },
                [&](ExchangeResult result) { results.push_back(std::move(result)); }});
    if (!QTest::qWaitFor([&] { return !results.empty(); }, 10'000)) return {};
    return results.front();
}

ConnectionPool::Settings settingsFor(const std::string& host, std::uint16_t port,
                                     std::chrono::milliseconds whole = 5s) {
    ConnectionPool::Settings settings;
    settings.origin = {true, host, port};
    settings.limits.wholeTime = whole;
    settings.limits.connectTime = whole;
    return settings;
}

}  // namespace

class TlsClientTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_default); }
    void deliversToATrustedServer_data();
    void deliversToATrustedServer();
    void failsClosed_data();
    void failsClosed();
    void aPinnedCertificateAloneCounts_data();
    void aPinnedCertificateAloneCounts();
    void showsItsCertificateToWhoAsks_data();
    void showsItsCertificateToWhoAsks();
    void rulesThatCannotBeUsedAreToldOf_data();
    void rulesThatCannotBeUsedAreToldOf();
    void httpsToAPlainPortFailsByItself();
    void httpsToASilentPortEndsByTheDeadline();
    void aCutHandshakeIsNotSent();
    void aResetOnAReusedConnectionIsOneSend();
    void aCutBodyIsToldApart();
    void aLargeBodyArrivesUnchanged();
    void anEarlyAnswerCountsWhileTheBodyIsSent();

private:
    void trustOurs();

    QSslConfiguration m_default;
    std::optional<lanes::test::Certificates> m_certificates;
};

void TlsClientTest::initTestCase() {
    m_default = QSslConfiguration::defaultConfiguration();
    QString error;
    m_certificates = lanes::test::makeCertificates(error);
    QVERIFY2(m_certificates, qPrintable(error));
    QVERIFY(!m_certificates->authority.isNull());
    QVERIFY(!m_certificates->good.key.isNull());
}

void TlsClientTest::trustOurs() {
    lanes::test::trustOnly({m_certificates->authority});
}

void TlsClientTest::deliversToATrustedServer_data() {
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("by name") << QByteArray("localhost");
    QTest::newRow("by address") << QByteArray("127.0.0.1");
}

void TlsClientTest::deliversToATrustedServer() {
    QFETCH(QByteArray, host);
    trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            while (!peer.readRequest().empty()) peer.send(kOk);
        },
        m_certificates->good);
    ConnectionPool pool(settingsFor(host.toStdString(), receiver.port()));
    for (int i = 0; i < 3; ++i) {
        const auto result = post(pool, "{}");
        QVERIFY2(result.status == 200, result.error.c_str());
    }
    QCOMPARE(receiver.requests(), 3);
    QCOMPARE(receiver.connections(), 1);
}

void TlsClientTest::failsClosed_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<QString>("text");
    QTest::newRow("an authority that nobody knows") << 0 << false << QStringLiteral("certificate");
    QTest::newRow("a certificate for another host") << 1 << true << QStringLiteral("host name");
    QTest::newRow("a certificate that has expired") << 2 << true << QStringLiteral("expired");
}

void TlsClientTest::failsClosed() {
    QFETCH(int, which);
    QFETCH(bool, trusted);
    QFETCH(QString, text);
    if (trusted) trustOurs();
    const auto& all = *m_certificates;
    const auto identity = which == 0 ? all.good : which == 1 ? all.otherHost : all.expired;
    RawReceiver receiver([](RawPeer& peer) { peer.readRequest(); }, identity);
    ConnectionPool pool(settingsFor("localhost", receiver.port()));
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY(!result.deadline);
    QVERIFY2(QString::fromStdString(result.error).contains(text), result.error.c_str());
    QCOMPARE(receiver.requests(), 0);
}

void TlsClientTest::aPinnedCertificateAloneCounts_data() {
    QTest::addColumn<int>("shown");
    QTest::addColumn<int>("pinned");
    QTest::newRow("of an authority that nobody knows") << 0 << 0;
    QTest::newRow("for another host") << 1 << 1;
    QTest::newRow("expired") << 2 << 2;
    QTest::newRow("another one that would be trusted") << 0 << 1;
}

void TlsClientTest::aPinnedCertificateAloneCounts() {
    QFETCH(int, shown);
    QFETCH(int, pinned);
    const auto& all = *m_certificates;
    const std::array identities = {all.good, all.otherHost, all.expired};
    const auto fingerprint = [&](int which) {
        return identities.at(static_cast<std::size_t>(which))
            .certificate.digest(QCryptographicHash::Sha256)
            .toHex()
            .toStdString();
    };
    if (shown != pinned) trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            while (!peer.readRequest().empty()) peer.send(kOk);
        },
        identities.at(static_cast<std::size_t>(shown)));
    auto settings = settingsFor("localhost", receiver.port());
    settings.tls.pin = fingerprint(pinned);
    ConnectionPool pool(settings);
    // The second connection may resume the session of the first.
    for (int i = 0; i < 2; ++i) {
        const auto result = post(pool, "{}");
        pool.closeIdle();
        if (shown == pinned) {
            QVERIFY2(result.status == 200, result.error.c_str());
            continue;
        }
        QCOMPARE(result.reach, Reach::notSent);
        QVERIFY2(result.error.ends_with("it has " + fingerprint(shown) + "."),
                 result.error.c_str());
    }
    QCOMPARE(receiver.requests(), shown == pinned ? 2 : 0);
}

void TlsClientTest::showsItsCertificateToWhoAsks_data() {
    QTest::addColumn<bool>("shows");
    QTest::newRow("it has one") << true;
    QTest::newRow("it has none") << false;
}

void TlsClientTest::showsItsCertificateToWhoAsks() {
    QFETCH(bool, shows);
    trustOurs();
    auto server = m_certificates->good;
    server.clients = m_certificates->authority;
    RawReceiver receiver(
        [](RawPeer& peer) {
            while (!peer.readRequest().empty()) peer.send(kOk);
        },
        server);
    auto settings = settingsFor("localhost", receiver.port());
    if (shows) {
        const auto& ours = m_certificates->otherHost;
        settings.tls.certificate =
            (ours.certificate.toPem() + m_certificates->authority.toPem()).toStdString();
        settings.tls.key = ours.key.toPem().toStdString();
        QCOMPARE(lanes::http::problemOf(settings.tls), std::string());
    }
    ConnectionPool pool(settings);
    const auto result = post(pool, "{}");
    QCOMPARE(result.status, shows ? 200 : 0);
    QCOMPARE(receiver.requests(), shows ? 1 : 0);
    if (!shows) QVERIFY(!result.error.empty());
}

void TlsClientTest::rulesThatCannotBeUsedAreToldOf_data() {
    QTest::addColumn<QByteArray>("certificate");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QString>("text");
    const auto& all = *m_certificates;
    const auto good = all.good.certificate.toPem();
    QTest::newRow("no certificate") << QByteArray("hello") << all.good.key.toPem()
                                    << QStringLiteral("there is no certificate");
    QTest::newRow("no key") << good << QByteArray("hello") << QStringLiteral("cannot be read");
    QTest::newRow("another's key")
        << good << all.otherHost.key.toPem() << QStringLiteral("not that of the first");
    QTest::newRow("a key with a password")
        << good << all.good.key.toPem("secret") << QStringLiteral("without a password");
}

void TlsClientTest::rulesThatCannotBeUsedAreToldOf() {
    QFETCH(QByteArray, certificate);
    QFETCH(QByteArray, key);
    QFETCH(QString, text);
    const auto problem =
        lanes::http::problemOf({certificate.toStdString(), key.toStdString(), {}});
    QVERIFY2(QString::fromStdString(problem).contains(text), problem.c_str());
}

void TlsClientTest::httpsToAPlainPortFailsByItself() {
    RawReceiver receiver([](RawPeer& peer) { peer.send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    ConnectionPool pool(settingsFor("127.0.0.1", receiver.port()));
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.starts_with("TLS with 127.0.0.1"), result.error.c_str());
}

void TlsClientTest::httpsToASilentPortEndsByTheDeadline() {
    RawReceiver receiver([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    ConnectionPool pool(settingsFor("127.0.0.1", receiver.port(), 300ms));
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY(result.deadline);
    QVERIFY2(result.error.find("TLS handshake") != std::string::npos, result.error.c_str());
    QVERIFY(result.duration >= 250ms);
}

void TlsClientTest::aCutHandshakeIsNotSent() {
    RawReceiver receiver([](RawPeer& peer) {
        peer.pause(20ms);
        peer.reset();
    });
    ConnectionPool pool(settingsFor("127.0.0.1", receiver.port()));
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.starts_with("TLS with 127.0.0.1"), result.error.c_str());
}

void TlsClientTest::aResetOnAReusedConnectionIsOneSend() {
    trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            if (peer.readRequest().empty()) return;
            peer.send(kOk);
            if (!peer.readRequest().empty()) peer.reset();
        },
        m_certificates->good);
    ConnectionPool pool(settingsFor("localhost", receiver.port()));
    QCOMPARE(post(pool, "{}").status, 200);
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::sent);
    QCOMPARE(receiver.requests(), 2);
    QCOMPARE(receiver.connections(), 1);
}

void TlsClientTest::aCutBodyIsToldApart() {
    trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            if (peer.readRequest().empty()) return;
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
        },
        m_certificates->good);
    ConnectionPool pool(settingsFor("localhost", receiver.port()));
    const auto result = post(pool, "{}");
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, 200);
    QVERIFY(result.bodyCut);
}

void TlsClientTest::aLargeBodyArrivesUnchanged() {
    trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            peer.pause(100ms);
            while (!peer.readRequest().empty()) peer.send(kOk);
        },
        m_certificates->good);
    ConnectionPool pool(settingsFor("localhost", receiver.port()));
    std::string body(1u << 20, '\0');
    for (std::size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>((i * 2654435761U) >> 13);
    const auto result = post(pool, body);
    QVERIFY2(result.status == 200, result.error.c_str());
    const auto text = receiver.texts().front();
    const auto hash = [](const std::string& bytes) {
        return QCryptographicHash::hash(QByteArray::fromStdString(bytes),
                                        QCryptographicHash::Sha256);
    };
    QCOMPARE(hash(text.substr(text.find("\r\n\r\n") + 4)), hash(body));
}

void TlsClientTest::anEarlyAnswerCountsWhileTheBodyIsSent() {
    trustOurs();
    RawReceiver receiver(
        [](RawPeer& peer) {
            if (peer.readHeader().empty()) return;
            peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
            peer.pause(50ms);
            peer.reset();
        },
        m_certificates->good);
    ConnectionPool pool(settingsFor("localhost", receiver.port()));
    const auto result = post(pool, std::string(16u << 20, 'x'));
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, 413);
}

QTEST_GUILESS_MAIN(TlsClientTest)
#include "tls_client_test.moc"
