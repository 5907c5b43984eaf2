// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"
#include "tests/support/certificates.h"
#include "tests/support/swift_receiver.h"

#include <QSslConfiguration>
#include <QTest>

#include <memory>
#include <optional>

using namespace std::chrono_literals;
using lanes::http::ClientRequest;
using lanes::http::ConnectionPool;
using lanes::http::ExchangeResult;
using lanes::test::SwiftReceiver;
using lanes::test::trustOnly;
using Reach = ExchangeResult::Reach;

namespace {

ConnectionPool::Settings settingsFor(const SwiftReceiver& receiver,
                                     const std::string& host = "127.0.0.1") {
    ConnectionPool::Settings settings;
    settings.origin = {true, host, receiver.port()};
    settings.limits.wholeTime = 5s;
    settings.limits.connectTime = 5s;
    return settings;
}

ExchangeResult post(ConnectionPool& pool) {
    std::optional<ExchangeResult> ended;
    pool.start({[] {
                    ClientRequest request;
                    request.headers = {{"Host", "localhost"}};
                    return request;
                },
                [&](ExchangeResult result) { ended = std::move(result); }});
    if (!QTest::qWaitFor([&] { return ended.has_value(); }, 10'000)) return {};
    return *ended;
}

/// Posts over a connection that has to be made for it.
ExchangeResult postAnew(ConnectionPool& pool) {
    pool.closeIdle();
    return post(pool);
}

}  // namespace

class TlsSessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { trustOnly({m_certificates->authority}); }
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_default); }
    void theNextConnectionResumes_data();
    void theNextConnectionResumes();
    void aRefusedTicketIsNoFailure_data() { theNextConnectionResumes_data(); }
    void aRefusedTicketIsNoFailure();
    void connectionsAtOnceShareASession();
    void changedTrustForgetsTheSession();
    void distrustIsNotResumedAround();
    void anotherNameIsAnotherOrigin();
    void aFailedHandshakeForgetsTheSession();

private:
    QSslConfiguration m_default;
    std::optional<lanes::test::Certificates> m_certificates;
    std::optional<lanes::test::Certificates> m_others;
};

void TlsSessionTest::initTestCase() {
    m_default = QSslConfiguration::defaultConfiguration();
    QString error;
    m_certificates = lanes::test::makeCertificates(error);
    m_others = lanes::test::makeCertificates(error);
    QVERIFY2(m_certificates && m_others, qPrintable(error));
}

void TlsSessionTest::theNextConnectionResumes_data() {
    QTest::addColumn<bool>("only12");
    QTest::newRow("TLS 1.3, where tickets come after the handshake") << false;
    QTest::newRow("TLS 1.2, where the ticket is part of it") << true;
}

void TlsSessionTest::theNextConnectionResumes() {
    QFETCH(bool, only12);
    SwiftReceiver receiver({.tls = m_certificates->good, .only12 = only12});
    ConnectionPool pool(settingsFor(receiver));
    for (int i = 0; i < 4; ++i) {
        const auto result = postAnew(pool);
        QVERIFY2(result.status == 200, result.error.c_str());
    }
    QCOMPARE(receiver.handshakes(), 4U);
    QCOMPARE(receiver.resumed(), 3U);
    QCOMPARE(receiver.requests(), 4U);
}

void TlsSessionTest::aRefusedTicketIsNoFailure() {
    QFETCH(bool, only12);
    SwiftReceiver receiver({.tls = m_certificates->good, .only12 = only12});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    receiver.forgetTickets();
    const auto result = postAnew(pool);
    QVERIFY2(result.status == 200, result.error.c_str());
    QCOMPARE(receiver.handshakes(), 2U);
    QCOMPARE(receiver.resumed(), 0U);
    // The ticket of the new handshake is good again.
    QCOMPARE(postAnew(pool).status, 200);
    QCOMPARE(receiver.resumed(), 1U);
}

void TlsSessionTest::connectionsAtOnceShareASession() {
    SwiftReceiver receiver({.latency = 50ms, .tls = m_certificates->good});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    pool.closeIdle();
    int done = 0;
    for (int i = 0; i < 8; ++i)
        pool.start({[] { return ClientRequest(); },
                    [&](const ExchangeResult& result) { done += result.status == 200; }});
    QTRY_COMPARE(done, 8);
    QCOMPARE(receiver.handshakes(), 9U);
    QCOMPARE(receiver.resumed(), 8U);
}

void TlsSessionTest::changedTrustForgetsTheSession() {
    SwiftReceiver receiver({.tls = m_certificates->good});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    trustOnly({m_others->authority, m_certificates->authority});
    QCOMPARE(postAnew(pool).status, 200);
    QCOMPARE(receiver.handshakes(), 2U);
    QCOMPARE(receiver.resumed(), 0U);
    QCOMPARE(postAnew(pool).status, 200);
    QCOMPARE(receiver.resumed(), 1U);
}

void TlsSessionTest::distrustIsNotResumedAround() {
    SwiftReceiver receiver({.tls = m_certificates->good});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    trustOnly({m_others->authority});
    const auto result = postAnew(pool);
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.starts_with("TLS with 127.0.0.1"), result.error.c_str());
    QCOMPARE(receiver.requests(), 1U);
    QCOMPARE(receiver.resumed(), 0U);
}

void TlsSessionTest::anotherNameIsAnotherOrigin() {
    // The server would resume it, and its certificate is not asked for again: so it must not be
    // offered under a name that it was not verified for.
    SwiftReceiver receiver({.tls = m_certificates->good});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    ConnectionPool other(settingsFor(receiver, "localhost"));
    QCOMPARE(post(other).status, 200);
    QCOMPARE(receiver.handshakes(), 2U);
    QCOMPARE(receiver.resumed(), 0U);
}

void TlsSessionTest::aFailedHandshakeForgetsTheSession() {
    SwiftReceiver receiver({.tls = m_certificates->good});
    ConnectionPool pool(settingsFor(receiver));
    QCOMPARE(post(pool).status, 200);
    trustOnly({m_others->authority});
    QCOMPARE(postAnew(pool).reach, Reach::notSent);
    trustOnly({m_certificates->authority});
    QCOMPARE(postAnew(pool).status, 200);
    QCOMPARE(receiver.resumed(), 0U);
}

QTEST_GUILESS_MAIN(TlsSessionTest)
#include "tls_session_test.moc"
