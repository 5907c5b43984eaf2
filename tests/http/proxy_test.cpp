// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"
#include "engine/http/proxy_tunnel.h"
#include "tests/http/relay_proxy.h"
#include "tests/support/certificates.h"
#include "tests/support/raw_receiver.h"

#include <QSslConfiguration>
#include <QTest>

#include <memory>

using namespace std::chrono_literals;
using namespace lanes::test;
using lanes::http::ClientRequest;
using lanes::http::ConnectionPool;
using lanes::http::ExchangeResult;
using lanes::http::parseProxy;
using lanes::http::Proxy;
using lanes::http::ProxyTunnel;
using Reach = ExchangeResult::Reach;

namespace {

constexpr auto kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

ExchangeResult post(ConnectionPool& pool) {
    std::vector<ExchangeResult> results;
    auto body = std::make_shared<const std::string>("{}");
    pool.start({[body] {
                    ClientRequest request;
                    request.headers = {{"Host", "localhost"}};
                    request.body = body;
                    return request;
                },
                [&](ExchangeResult result) { results.push_back(std::move(result)); }});
    if (!QTest::qWaitFor([&] { return !results.empty(); }, 10'000)) return {};
    return results.front();
}

ConnectionPool::Settings through(Proxy::Kind kind, std::uint16_t proxy, bool tls,
                                 const std::string& host, std::uint16_t port) {
    ConnectionPool::Settings settings;
    settings.origin = {tls, host, port};
    settings.limits.wholeTime = 5s;
    settings.limits.connectTime = 5s;
    settings.proxy = Proxy{kind, "127.0.0.1", proxy, {}, {}};
    return settings;
}

}  // namespace

class ProxyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_default); }
    void readsAddresses_data();
    void readsAddresses();
    void passesThrough_data();
    void passesThrough();
    void asksForNamesAndAddresses_data();
    void asksForNamesAndAddresses();
    void whatGoesWrongIsToldAndNothingIsSent_data();
    void whatGoesWrongIsToldAndNothingIsSent();
    void aWrongPasswordIsTold_data();
    void aWrongPasswordIsTold();
    void aProxyThatIsNotThereIsNamed();
    void aSilentProxyEndsByTheDeadline();
    void aLoginThatWasAskedForIsNeverGivenToTheServer();

private:
    QSslConfiguration m_default;
    std::optional<Certificates> m_certificates;
};

void ProxyTest::initTestCase() {
    m_default = QSslConfiguration::defaultConfiguration();
    QString error;
    m_certificates = makeCertificates(error);
    QVERIFY2(m_certificates, qPrintable(error));
}

void ProxyTest::readsAddresses_data() {
    QTest::addColumn<QByteArray>("parts");  // kind host port; empty = refused
    const auto row = [](const char* url, const char* parts) {
        QTest::newRow(url) << QByteArray(parts);
    };
    row("http://proxy.example:3128", "0 proxy.example 3128");
    row("http://proxy.example:80/", "0 proxy.example 80");
    row("socks5://[::1]:1080", "1 ::1 1080");
    row("socks5://127.0.0.1:1080", "1 127.0.0.1 1080");
    row("http://proxy.example", "");
    row("socks5://[::1]", "");
    row("http://user@proxy.example:3128", "");
    row("http://proxy.example:3128/path", "");
    row("http://proxy.example:3128?x", "");
    row("https://proxy.example:3128", "");
    row("proxy.example:3128", "");
    row("socks5://:1080", "");
    row("socks5://proxy.example:0", "");
}

void ProxyTest::readsAddresses() {
    QFETCH(QByteArray, parts);
    const auto proxy = parseProxy(QTest::currentDataTag());
    std::string seen;
    if (proxy)
        seen = std::to_string(static_cast<int>(proxy->kind)) + " " + proxy->host + " " +
               std::to_string(proxy->port);
    QCOMPARE(QByteArray::fromStdString(seen), parts);
}

void ProxyTest::passesThrough_data() {
    QTest::addColumn<bool>("socks");
    QTest::addColumn<bool>("tls");
    QTest::addColumn<bool>("login");
    for (const bool socks : {false, true})
        for (const bool tls : {false, true})
            for (const bool login : {false, true})
                QTest::addRow("%s, %s, %s", socks ? "SOCKS 5" : "CONNECT",
                              tls ? "an encrypted server" : "a plain server",
                              login ? "with a login" : "without a login")
                    << socks << tls << login;
}

void ProxyTest::passesThrough() {
    QFETCH(bool, socks);
    QFETCH(bool, tls);
    QFETCH(bool, login);
    trustOnly({m_certificates->authority});
    RawReceiver receiver(
        [](RawPeer& peer) {
            while (!peer.readRequest().empty()) peer.send(kOk);
        },
        tls ? std::optional(m_certificates->good) : std::nullopt);
    RelayProxy proxy(socks, login ? "anna" : "", login ? "pass:word" : "");
    auto settings = through(socks ? Proxy::Kind::socks5 : Proxy::Kind::http, proxy.port(), tls,
                            "localhost", receiver.port());
    if (login) {
        settings.proxy->user = "anna";
        settings.proxy->password = "pass:word";
    }
    ConnectionPool pool(settings);
    for (int i = 0; i < 3; ++i) {
        const auto result = post(pool);
        QVERIFY2(result.status == 200, result.error.c_str());
        QVERIFY(result.header("x-proxy").empty());  // what the proxy says is not of the server
    }
    QCOMPARE(receiver.requests(), 3);
    QCOMPARE(receiver.connections(), 1);  // kept, as without a proxy
    QCOMPARE(proxy.passed(), 1);
    QCOMPARE(proxy.asked(), "localhost:" + QByteArray::number(receiver.port()));
}

void ProxyTest::asksForNamesAndAddresses_data() {
    QTest::addColumn<bool>("socks");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("asked");
    QTest::newRow("CONNECT, a name nobody here knows")
        << false << QByteArray("crm.invalid") << QByteArray("crm.invalid");
    QTest::newRow("CONNECT, IPv6") << false << QByteArray("::1") << QByteArray("[::1]");
    QTest::newRow("SOCKS 5, a name")
        << true << QByteArray("crm.invalid") << QByteArray("crm.invalid");
    QTest::newRow("SOCKS 5, IPv4") << true << QByteArray("127.0.0.1") << QByteArray("7f000001");
    QTest::newRow("SOCKS 5, IPv6")
        << true << QByteArray("::1") << QByteArray("00000000000000000000000000000001");
}

void ProxyTest::asksForNamesAndAddresses() {
    QFETCH(bool, socks);
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, asked);
    RawReceiver receiver([](RawPeer& peer) {
        if (!peer.readRequest().empty()) peer.send(kOk);
    });
    RelayProxy proxy(socks, {}, {});
    ConnectionPool pool(through(socks ? Proxy::Kind::socks5 : Proxy::Kind::http, proxy.port(),
                                false, host.toStdString(), receiver.port()));
    const auto result = post(pool);
    QVERIFY2(result.status == 200, result.error.c_str());
    QCOMPARE(proxy.asked(), asked + ':' + QByteArray::number(receiver.port()));
}

void ProxyTest::whatGoesWrongIsToldAndNothingIsSent_data() {
    QTest::addColumn<bool>("socks");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* title, bool socks, const QByteArray& answer, const char* text) {
        QTest::newRow(title) << socks << answer << QString::fromLatin1(text);
    };
    row("CONNECT, forbidden", false, "HTTP/1.1 403 Forbidden\r\n\r\n", "it answered 403");
    row("CONNECT, a login", false, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
        "asks for a user and a password");
    row("CONNECT, no HTTP", false, "SSH-2.0-x\r\n\r\n", "not HTTP");
    row("CONNECT, too long", false, QByteArray(40'000, 'x'), "no end");
    row("CONNECT, more than an answer", false, "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "more than its answer");
    row("CONNECT, hangs up", false, "", "");
    row("SOCKS 5, no SOCKS", true, "HTTP/1.1 400 Bad Request\r\n\r\n", "not SOCKS 5");
    row("SOCKS 5, a login", true, "\5\xff", "asks for a user and a password");
    row("SOCKS 5, refused", true, QByteArray("\5\0\5\5\0\1\0\0\0\0\0\0", 12),
        "the host refuses connections");
    row("SOCKS 5, hangs up", true, "", "");
}

void ProxyTest::whatGoesWrongIsToldAndNothingIsSent() {
    QFETCH(bool, socks);
    QFETCH(QByteArray, answer);
    QFETCH(QString, text);
    RawReceiver proxy([&](RawPeer& peer) {
        if (!peer.waitForBytes()) return;
        if (!answer.isEmpty()) {
            peer.send(answer.toStdString());
            peer.waitUntilClientLeaves();
        }
        peer.close();
    });
    ConnectionPool pool(through(socks ? Proxy::Kind::socks5 : Proxy::Kind::http, proxy.port(),
                                false, "crm.invalid", 80));
    const auto result = post(pool);
    QCOMPARE(result.reach, Reach::notSent);
    QCOMPARE(result.status, 0);
    QVERIFY(!result.deadline);
    const auto start = "The proxy 127.0.0.1:" + std::to_string(proxy.port()) +
                       " did not open a way to crm.invalid: ";
    QVERIFY2(result.error.starts_with(start), result.error.c_str());
    QVERIFY2(QString::fromStdString(result.error).contains(text), result.error.c_str());
}

void ProxyTest::aWrongPasswordIsTold_data() {
    QTest::addColumn<bool>("socks");
    QTest::newRow("CONNECT") << false;
    QTest::newRow("SOCKS 5") << true;
}

void ProxyTest::aWrongPasswordIsTold() {
    QFETCH(bool, socks);
    RelayProxy proxy(socks, "anna", "right");
    auto settings = through(socks ? Proxy::Kind::socks5 : Proxy::Kind::http, proxy.port(), false,
                            "localhost", 9);
    settings.proxy->user = "anna";
    settings.proxy->password = "wrong";
    ConnectionPool pool(settings);
    const auto result = post(pool);
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.ends_with("it does not accept the user and the password."),
             result.error.c_str());
    QVERIFY(result.error.find("wrong") == std::string::npos);
    QCOMPARE(proxy.passed(), 0);
}

void ProxyTest::aProxyThatIsNotThereIsNamed() {
    std::uint16_t port = 0;
    {
        const RelayProxy gone(false, {}, {});
        port = gone.port();
    }
    ConnectionPool pool(through(Proxy::Kind::http, port, true, "crm.invalid", 443));
    const auto result = post(pool);
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.starts_with("Could not connect to the proxy 127.0.0.1:"),
             result.error.c_str());
}

void ProxyTest::aSilentProxyEndsByTheDeadline() {
    RawReceiver proxy([](RawPeer& peer) { peer.waitUntilClientLeaves(); });
    auto settings = through(Proxy::Kind::socks5, proxy.port(), false, "crm.invalid", 80);
    settings.limits.connectTime = 200ms;
    ConnectionPool pool(settings);
    const auto result = post(pool);
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY(result.deadline);
    QVERIFY2(result.error.find("waiting for the proxy 127.0.0.1:") != std::string::npos,
             result.error.c_str());
}

void ProxyTest::aLoginThatWasAskedForIsNeverGivenToTheServer() {
    RawReceiver receiver([](RawPeer& peer) {
        if (!peer.readRequest().empty()) peer.send(kOk);
    });
    RelayProxy proxy(false, "anna", "secret");
    auto settings = through(Proxy::Kind::http, proxy.port(), false, "localhost", receiver.port());
    settings.proxy->user = "anna";
    settings.proxy->password = "secret";
    ConnectionPool pool(settings);
    QCOMPARE(post(pool).status, 200);
    QVERIFY(receiver.texts().front().find("Proxy-") == std::string::npos);
}

QTEST_GUILESS_MAIN(ProxyTest)
#include "proxy_test.moc"
