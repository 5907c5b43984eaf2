// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"
#include "tests/support/certificates.h"
#include "tests/support/raw_receiver.h"

#include <QSslConfiguration>
#include <QTest>

#include <memory>
#include <optional>

using namespace std::chrono_literals;
using lanes::http::ClientRequest;
using lanes::http::ConnectionPool;
using lanes::http::ExchangeResult;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;

namespace {

constexpr auto kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
constexpr std::size_t kLongBody = 8u << 20;

/// What is logged of a run of exchanges, one after the other.
QStringList logOf(const RawReceiver::Script& script, int posts, std::size_t bodyBytes,
                  const std::optional<lanes::test::Identity>& tls) {
    RawReceiver receiver(script, tls);
    ConnectionPool::Settings settings;
    settings.origin = {tls.has_value(), "127.0.0.1", receiver.port()};
    settings.limits.wholeTime = 1500ms;
    ConnectionPool pool(settings);
    const auto body = std::make_shared<const std::string>(bodyBytes, 'x');
    QStringList log;
    for (int i = 0; i < posts; ++i) {
        std::optional<ExchangeResult> ended;
        pool.start({[&] {
                        ClientRequest request;
                        request.headers = {{"Host", "127.0.0.1"}};
                        request.body = body;
                        return request;
                    },
                    [&](ExchangeResult result) { ended = std::move(result); }});
        if (!QTest::qWaitFor([&] { return ended.has_value(); }, 10'000)) return {};
        log << QStringLiteral("reach %1 status %2%3%4")
                   .arg(static_cast<int>(ended->reach))
                   .arg(ended->status)
                   .arg(ended->bodyCut ? QStringLiteral(" cut") : QString(),
                        ended->deadline ? QStringLiteral(" deadline") : QString());
        // A close that follows the answer is seen before the next post, not by chance.
        (void)QTest::qWaitFor([&] { return pool.idle() == 0; }, 50);
    }
    log << QStringLiteral("requests %1").arg(receiver.requests());
    return log;
}

}  // namespace

/// One policy above plain and encrypted connections: whatever a server does, the log is the same.
class SamePolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { QSslConfiguration::setDefaultConfiguration(m_default); }
    void logsTheSame_data();
    void logsTheSame();

private:
    QSslConfiguration m_default;
    std::optional<lanes::test::Certificates> m_certificates;
};

void SamePolicyTest::initTestCase() {
    m_default = QSslConfiguration::defaultConfiguration();
    QString error;
    m_certificates = lanes::test::makeCertificates(error);
    QVERIFY2(m_certificates, qPrintable(error));
    lanes::test::trustOnly({m_certificates->authority});
}

void SamePolicyTest::logsTheSame_data() {
    QTest::addColumn<RawReceiver::Script>("script");
    QTest::addColumn<int>("posts");
    QTest::addColumn<int>("bodyBytes");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* title, RawReceiver::Script script, const QStringList& expected,
                        std::size_t bodyBytes = 2) {
        QTest::newRow(title) << std::move(script) << static_cast<int>(expected.size()) - 1
                             << static_cast<int>(bodyBytes) << expected;
    };
    const QString good = QStringLiteral("reach 3 status 200");
    const QString unknown = QStringLiteral("reach 2 status 0");
    const auto requests = [](int count) { return QStringLiteral("requests %1").arg(count); };

    row("kept", [](RawPeer& peer) {
        while (!peer.readRequest().empty()) peer.send(kOk);
    }, {good, good, good, requests(3)});
    row("closed after each answer", [](RawPeer& peer) {
        if (!peer.readRequest().empty()) peer.send(kOk);
    }, {good, good, good, requests(3)});
    row("reset at the second request of a connection", [](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        if (!peer.readRequest().empty()) peer.reset();
    }, {good, unknown, good, unknown, requests(4)});
    row("closed at the second request of a connection", [](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        peer.readRequest();
    }, {good, unknown, good, unknown, requests(4)});
    row("closed without an answer", [](RawPeer& peer) { peer.readRequest(); },
        {unknown, unknown, requests(2)});
    row("the body of the answer is cut", [](RawPeer& peer) {
        if (!peer.readRequest().empty())
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    }, {good + QStringLiteral(" cut"), good + QStringLiteral(" cut"), requests(2)});
    row("no answer in time", [](RawPeer& peer) {
        peer.readRequest();
        peer.waitUntilClientLeaves();
    }, {unknown + QStringLiteral(" deadline"), requests(1)});
    row("413 while the body is sent", [](RawPeer& peer) {
        if (peer.readHeader().empty()) return;
        peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
        peer.pause(50ms);
        peer.reset();
    }, {QStringLiteral("reach 3 status 413"), QStringLiteral("reach 3 status 413"), requests(2)},
        kLongBody);
}

void SamePolicyTest::logsTheSame() {
    QFETCH(RawReceiver::Script, script);
    QFETCH(int, posts);
    QFETCH(int, bodyBytes);
    QFETCH(QStringList, expected);
    const auto bytes = static_cast<std::size_t>(bodyBytes);
    QCOMPARE(logOf(script, posts, bytes, std::nullopt), expected);
    QCOMPARE(logOf(script, posts, bytes, m_certificates->good), expected);
}

QTEST_GUILESS_MAIN(SamePolicyTest)
#include "same_policy_test.moc"
