// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"
#include "tests/support/process_figures.h"
#include "tests/support/raw_receiver.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <memory>

using namespace std::chrono_literals;
using lanes::http::ClientRequest;
using lanes::http::ConnectionPool;
using lanes::http::ExchangeResult;
using lanes::test::statusKib;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;
using Reach = ExchangeResult::Reach;

namespace {

constexpr auto kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// A pool and the results it gave.
struct Client {
    explicit Client(const std::string& url, std::chrono::milliseconds whole = 5s,
                    bool linkLocal = false) {
        const auto parsed = lanes::http::parseUrl(url);
        ConnectionPool::Settings settings;
        settings.origin = parsed->origin;
        settings.limits.wholeTime = whole;
        settings.limits.connectTime = std::min<std::chrono::milliseconds>(whole, 2s);
        settings.allowLinkLocal = linkLocal;
        authority = parsed->authority;
        pool = std::make_unique<ConnectionPool>(settings);
    }

    void post(const std::string& body = "{}") {
        auto shared = std::make_shared<const std::string>(body);
        pool->start({[this, shared] {
                         ClientRequest request;
                         request.target = "/hook";
                         request.headers = {{"Host", authority}};
                         request.body = shared;
                         return request;
                     },
                     [this](ExchangeResult result) { results.push_back(std::move(result)); }});
    }
    /// Posts and waits for the result.
    ExchangeResult exchange(const std::string& body = "{}") {
        const auto before = results.size();
        post(body);
        if (!QTest::qWaitFor([&] { return results.size() > before; }, 10'000)) return {};
        return results.back();
    }

    std::string authority;
    std::unique_ptr<ConnectionPool> pool;
    std::vector<ExchangeResult> results;
};

/// Answers every request with the same bytes and keeps the connection.
RawReceiver::Script always(std::string answer) {
    return [answer = std::move(answer)](RawPeer& peer) {
        while (!peer.readRequest().empty()) peer.send(answer);
    };
}

}  // namespace

class ConnectionPoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sendsOneRequestAndReadsItsAnswer();
    void reusesAConnection();
    void endsAsThePeerLetsIt_data();
    void endsAsThePeerLetsIt();
    void aResetOnAReusedConnectionIsOneSend();
    void aConnectionClosedWhileIdleIsDialledAnew();
    void aCloseNobodySawYetIsFoundBeforeWriting();
    void closingAtTheMomentOfReuseNeverSendsTwice();
    void anEarlyAnswerCountsWhileTheBodyIsSent();
    void aLargeBodyArrivesUnchanged();
    void aDripEndsByTheDeadline();
    void aHangEndsByTheDeadline();
    void aFloodCostsNoMemory_data();
    void aFloodCostsNoMemory();
    void aRefusedPortIsNotSent();
    void aNameThatDoesNotExistIsNotSent();
    void aLinkLocalAddressIsRefused_data();
    void aLinkLocalAddressIsRefused();
    void aNameIsLookedUpAndItsAddressesAreTried();
    void waitingForAConnectionIsNotLatency();
    void idleConnectionsAreClosed();
    void givingUpReportsEachOnce();
    void tenThousandExchangesLeaveNothingBehind();
};

void ConnectionPoolTest::sendsOneRequestAndReadsItsAnswer() {
    RawReceiver receiver(always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\nok"));
    Client client(receiver.url());
    const auto result = client.exchange("{\"n\":12345678901234567890}");
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, 200);
    QCOMPARE(result.body, std::string("ok"));
    QCOMPARE(result.header("x-a"), std::string_view("b"));
    QVERIFY(result.error.empty());
    QVERIFY(result.duration.count() > 0);
    QCOMPARE(receiver.requests(), 1);
    const auto text = receiver.texts().front();
    QVERIFY(text.starts_with("POST /hook HTTP/1.1\r\n"));
    QVERIFY(text.find("Host: " + client.authority + "\r\n") != std::string::npos);
    QVERIFY(text.ends_with("\r\n\r\n{\"n\":12345678901234567890}"));
}

void ConnectionPoolTest::reusesAConnection() {
    RawReceiver receiver(always(kOk));
    Client client(receiver.url());
    for (int i = 0; i < 5; ++i) QCOMPARE(client.exchange().status, 200);
    QCOMPARE(receiver.requests(), 5);
    QCOMPARE(receiver.connections(), 1);
    QCOMPARE(client.pool->idle(), 1U);
}

void ConnectionPoolTest::endsAsThePeerLetsIt_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("rst");
    QTest::addColumn<Reach>("reach");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("cut");
    const auto row = [](const char* title, const QByteArray& answer, bool rst, Reach reach,
                        int status, bool cut) {
        QTest::newRow(title) << answer << rst << reach << status << cut;
    };
    row("close without an answer", "", false, Reach::sent, 0, false);
    row("reset without an answer", "", true, Reach::sent, 0, false);
    row("close within the header", "HTTP/1.1 200 OK\r\nConte", false, Reach::sent, 0, false);
    row("reset within the header", "HTTP/1.1 200 OK\r\nConte", true, Reach::sent, 0, false);
    row("close within the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", false,
        Reach::answered, 200, true);
    row("reset within the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", true,
        Reach::answered, 200, true);
    row("close ends a body without length", "HTTP/1.1 200 OK\r\n\r\nabc", false, Reach::answered,
        200, false);
    row("204 ends at the header", "HTTP/1.1 204 No Content\r\n\r\n", false, Reach::answered, 204,
        false);
    row("301 is not followed", "HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
        false, Reach::answered, 301, false);
    row("101 is final", "HTTP/1.1 101 Switching\r\n\r\n", false, Reach::answered, 101, false);
    row("interim answers without end", QByteArray("HTTP/1.1 100 Continue\r\n\r\n").repeated(5000),
        false, Reach::answered, 100, false);
    row("garbage", "\x16\x03\x01 nonsense nonsense", false, Reach::answered, 0, false);
    row("status 0", "HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n", false, Reach::answered, 0,
        false);
    row("status 99", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n", false, Reach::answered, 99,
        false);
    row("status 600", "HTTP/1.1 600 High\r\nContent-Length: 0\r\n\r\n", false, Reach::answered, 600,
        false);
    row("status 999", "HTTP/1.1 999 High\r\nContent-Length: 0\r\n\r\n", false, Reach::answered, 999,
        false);
}

void ConnectionPoolTest::endsAsThePeerLetsIt() {
    QFETCH(QByteArray, answer);
    QFETCH(bool, rst);
    QFETCH(Reach, reach);
    QFETCH(int, status);
    QFETCH(bool, cut);
    RawReceiver receiver([&](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(answer.toStdString());
        // The answer is to be read before the reset is seen.
        if (rst && peer.pause(50ms)) peer.reset();
    });
    Client client(receiver.url());
    const auto result = client.exchange();
    QCOMPARE(result.reach, reach);
    QCOMPARE(result.status, status);
    QCOMPARE(result.bodyCut, cut);
    QVERIFY(!result.deadline);
    const bool good = reach == Reach::answered && !cut && !answer.contains("nonsense") &&
                      !answer.contains("Continue");
    QCOMPARE(result.error.empty(), good);
    QCOMPARE(receiver.requests(), 1);
    QCOMPARE(client.results.size(), 1U);
}

void ConnectionPoolTest::aResetOnAReusedConnectionIsOneSend() {
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        if (!peer.readRequest().empty()) peer.reset();
    });
    Client client(receiver.url());
    QCOMPARE(client.exchange().status, 200);
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::sent);
    QCOMPARE(result.status, 0);
    QCOMPARE(receiver.requests(), 2);
    QCOMPARE(receiver.connections(), 1);
}

void ConnectionPoolTest::aConnectionClosedWhileIdleIsDialledAnew() {
    RawReceiver receiver([](RawPeer& peer) {
        if (!peer.readRequest().empty()) peer.send(kOk);
    });
    Client client(receiver.url());
    QCOMPARE(client.exchange().status, 200);
    QTRY_COMPARE(client.pool->idle(), 0U);
    QCOMPARE(client.exchange().status, 200);
    QCOMPARE(receiver.requests(), 2);
    QCOMPARE(receiver.connections(), 2);
}

void ConnectionPoolTest::aCloseNobodySawYetIsFoundBeforeWriting() {
    std::atomic<bool> closed = false;
    RawReceiver receiver([&](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        if (peer.index() > 0) return;
        peer.close();
        closed = true;
    });
    Client client(receiver.url());
    QCOMPARE(client.exchange().status, 200);
    // No turn of the event loop in between: the close lies unread in the kernel.
    while (!closed) QTest::qSleep(1);
    QCOMPARE(client.exchange().status, 200);
    QCOMPARE(receiver.requests(), 2);
    QCOMPARE(receiver.connections(), 2);
}

void ConnectionPoolTest::closingAtTheMomentOfReuseNeverSendsTwice() {
    constexpr int kClients = 40;
    constexpr int kRounds = 5;
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        peer.pause(100ms);
        // Every other one still reads what comes, so that a second sending of it would be counted.
        if (peer.index() % 2 == 1) peer.readRequest();
    });
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < kClients; ++i) clients.push_back(std::make_unique<Client>(receiver.url()));
    const auto all = [&](std::size_t results) {
        return QTest::qWaitFor([&] {
            return std::all_of(clients.begin(), clients.end(), [&](const auto& client) {
                return client->results.size() == results;
            });
        }, 10'000);
    };
    for (std::size_t round = 0; round < kRounds; ++round) {
        for (auto& client : clients) client->post();
        QVERIFY(all(2 * round + 1));
        // From 5 ms before to 5 ms after the server hangs up.
        for (std::size_t i = 0; i < clients.size(); ++i)
            QTimer::singleShot(95ms + 10ms * i / kClients, Qt::PreciseTimer, clients[i]->pool.get(),
                               [client = clients[i].get()] { client->post(); });
        QVERIFY(all(2 * round + 2));
        for (auto& client : clients) client->pool->closeIdle();
    }
    int answered = 0;
    for (const auto& client : clients)
        for (const auto& result : client->results) {
            // Either it was answered, or it is not known whether it arrived; nothing in between.
            QVERIFY2(result.reach == Reach::answered || result.reach == Reach::sent,
                     result.error.c_str());
            answered += result.reach == Reach::answered;
        }
    QVERIFY(answered >= kClients * kRounds);
    QVERIFY(answered < 2 * kClients * kRounds);
    QVERIFY(receiver.requests() >= answered);
    QVERIFY(receiver.requests() <= 2 * kClients * kRounds);
}

void ConnectionPoolTest::anEarlyAnswerCountsWhileTheBodyIsSent() {
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.readHeader().empty()) return;
        peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
        // The body lies unread, so that this close is a reset for the client.
        peer.pause(std::chrono::milliseconds(peer.index() % 2));
        peer.reset();
    });
    Client client(receiver.url());
    const std::string body(16u << 20, 'x');
    for (int i = 0; i < 20; ++i) {
        const auto result = client.exchange(body);
        QCOMPARE(result.reach, Reach::answered);
        QCOMPARE(result.status, 413);
    }
    QCOMPARE(receiver.requests(), 20);
    QCOMPARE(receiver.connections(), 20);
}

void ConnectionPoolTest::aLargeBodyArrivesUnchanged() {
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.index() % 2 == 0) peer.pause(100ms);  // a slow reader: the kernel's buffers fill
        while (!peer.readRequest().empty()) peer.send(kOk);
    });
    Client client(receiver.url());
    std::string body(1u << 20, '\0');
    for (std::size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>((i * 2654435761U) >> 13);
    QCOMPARE(client.exchange(body).status, 200);
    const auto text = receiver.texts().front();
    const auto got = text.substr(text.find("\r\n\r\n") + 4);
    const auto hash = [](const std::string& bytes) {
        return QCryptographicHash::hash(QByteArray::fromStdString(bytes),
                                        QCryptographicHash::Sha256);
    };
    QCOMPARE(got.size(), body.size());
    QCOMPARE(hash(got), hash(body));
}

void ConnectionPoolTest::aDripEndsByTheDeadline() {
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        if (peer.index() == 0) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        peer.drip(
            std::string(peer.index() == 0 ? "" : "HTTP/1.1 200 OK\r\nX: ") + std::string(1000, 'x'),
            5ms);
    });
    Client client(receiver.url(), 300ms);
    const auto body = client.exchange();
    QCOMPARE(body.reach, Reach::answered);
    QCOMPARE(body.status, 200);
    QVERIFY(body.deadline && body.bodyCut);
    const auto header = client.exchange();
    QCOMPARE(header.reach, Reach::sent);
    QCOMPARE(header.status, 0);
    QVERIFY(header.deadline && !header.bodyCut);
    QVERIFY(header.duration >= 250ms && header.duration < 2s);
}

void ConnectionPoolTest::aHangEndsByTheDeadline() {
    RawReceiver receiver([](RawPeer& peer) {
        peer.readRequest();
        peer.waitUntilClientLeaves();
    });
    Client client(receiver.url(), 200ms);
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::sent);
    QVERIFY(result.deadline);
    QCOMPARE(result.error, std::string("No whole answer within 200 ms."));
}

void ConnectionPoolTest::aFloodCostsNoMemory_data() {
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<int>("status");
    QTest::newRow("a header of 25 MB") << QByteArray("HTTP/1.1 200 OK\r\nX: ") << 0;
    QTest::newRow("a body of 200 MB")
        << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n") << 200;
    QTest::newRow("a body without end") << QByteArray("HTTP/1.1 200 OK\r\n\r\n") << 200;
}

void ConnectionPoolTest::aFloodCostsNoMemory() {
    QFETCH(QByteArray, start);
    QFETCH(int, status);
    RawReceiver receiver([&](RawPeer& peer) {
        if (peer.readRequest().empty() || !peer.send(start.toStdString())) return;
        const std::string piece(256u << 10, 'f');
        for (int i = 0; i < 800; ++i)
            if (!peer.send(piece)) return;
    });
    Client client(receiver.url());
    const auto before = statusKib("VmRSS");
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, status);
    QVERIFY(!result.deadline);
    QVERIFY(result.body.size() <= 4096);
    QVERIFY2(statusKib("VmRSS") - before < 10'000, "more than 10 MB were taken");
    QCOMPARE(client.pool->idle(), 0U);
}

void ConnectionPoolTest::aRefusedPortIsNotSent() {
    std::uint16_t port = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        port = server.serverPort();
    }
    Client client("http://127.0.0.1:" + std::to_string(port));
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY(!result.deadline);
    QVERIFY2(result.error.find("refused") != std::string::npos, result.error.c_str());
    QVERIFY2(result.error.find(std::to_string(port)) != std::string::npos, result.error.c_str());
}

void ConnectionPoolTest::aNameThatDoesNotExistIsNotSent() {
    Client client("http://no-such-name.invalid/", 4s);
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.find("no-such-name.invalid") != std::string::npos, result.error.c_str());
}

void ConnectionPoolTest::aLinkLocalAddressIsRefused_data() {
    QTest::addColumn<QByteArray>("host");
    QTest::newRow("IPv4") << QByteArray("169.254.169.254");
    QTest::newRow("IPv6") << QByteArray("[fe80::1]");
    QTest::newRow("IPv4 within IPv6") << QByteArray("[::ffff:169.254.169.254]");
}

void ConnectionPoolTest::aLinkLocalAddressIsRefused() {
    QFETCH(QByteArray, host);
    Client client("http://" + host.toStdString() + ":9/", 1s);
    const auto result = client.exchange();
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.find("link-local") != std::string::npos, result.error.c_str());
    Client allowed("http://" + host.toStdString() + ":9/", 100ms, true);
    QVERIFY(allowed.exchange().error.find("link-local") == std::string::npos);
}

void ConnectionPoolTest::aNameIsLookedUpAndItsAddressesAreTried() {
    RawReceiver receiver(always(kOk));
    Client client("http://localhost:" + std::to_string(receiver.port()));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(client.exchange().status, 200);
    QVERIFY(timer.elapsed() < 200);
    QCOMPARE(receiver.requests(), 1);
}

void ConnectionPoolTest::waitingForAConnectionIsNotLatency() {
    RawReceiver receiver([](RawPeer& peer) {
        while (!peer.readRequest().empty() && peer.pause(50ms)) peer.send(kOk);
    });
    Client client(receiver.url());
    auto settings = client.pool->settings();
    settings.connections = 1;
    client.pool->setSettings(settings);
    for (int i = 0; i < 10; ++i) client.post();
    QCOMPARE(client.pool->active(), 10U);
    QTRY_COMPARE(client.results.size(), 10U);
    QCOMPARE(receiver.connections(), 1);
    for (const auto& result : client.results) {
        QCOMPARE(result.status, 200);
        QVERIFY(result.duration >= 45ms && result.duration < 200ms);
    }
}

void ConnectionPoolTest::idleConnectionsAreClosed() {
    std::atomic<bool> left = false;
    RawReceiver receiver([&](RawPeer& peer) {
        peer.readRequest();
        peer.send(kOk);
        peer.waitUntilClientLeaves();
        left = true;
    });
    Client client(receiver.url());
    auto settings = client.pool->settings();
    settings.limits.idleTime = 100ms;
    client.pool->setSettings(settings);
    QCOMPARE(client.exchange().status, 200);
    QCOMPARE(client.pool->idle(), 1U);
    QTRY_COMPARE(client.pool->idle(), 0U);
    QTRY_VERIFY(left);
}

void ConnectionPoolTest::givingUpReportsEachOnce() {
    RawReceiver receiver([](RawPeer& peer) {
        peer.readRequest();
        peer.waitUntilClientLeaves();
    });
    Client client(receiver.url());
    auto settings = client.pool->settings();
    settings.connections = 4;
    client.pool->setSettings(settings);
    for (int i = 0; i < 8; ++i) client.post();
    QTRY_COMPARE(receiver.requests(), 4);
    client.pool->giveUpAll("Stopped.");
    QCOMPARE(client.results.size(), 8U);
    QCOMPARE(client.pool->active(), 0U);
    int sent = 0;
    for (const auto& result : client.results) {
        QCOMPARE(result.error, std::string("Stopped."));
        if (result.reach == Reach::sent) ++sent;
    }
    QCOMPARE(sent, 4);
    QTest::qWait(20);
    QCOMPARE(client.results.size(), 8U);
    QCOMPARE(receiver.requests(), 4);
}

void ConnectionPoolTest::tenThousandExchangesLeaveNothingBehind() {
    RawReceiver receiver([](RawPeer& peer) {
        int left = 50;  // the connections change too
        while (left-- > 0 && !peer.readRequest().empty()) peer.send(kOk);
    });
    Client client(receiver.url());
    const auto run = [&](std::size_t count) {
        std::size_t posted = 0;
        const auto before = client.results.size();
        while (posted < count) {
            for (int i = 0; i < 16; ++i, ++posted) client.post();
            if (!QTest::qWaitFor([&] { return client.results.size() == before + posted; })) return;
        }
        client.results.clear();
        client.results.shrink_to_fit();
    };
    run(2000);
    const auto before = statusKib("VmRSS");
    const auto objects = client.pool->findChildren<QObject*>().size();
    run(8000);
    QVERIFY2(statusKib("VmRSS") - before < 8'000, "memory grew");
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(client.pool->findChildren<QObject*>().size() <= objects + 64);
    QVERIFY(client.pool->idle() <= 64);
}

QTEST_GUILESS_MAIN(ConnectionPoolTest)
#include "connection_pool_test.moc"
