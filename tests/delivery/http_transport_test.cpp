// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/http_transport.h"
#include "tests/support/raw_receiver.h"
#include "tests/support/swift_receiver.h"
#include "tests/support/sent_event.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <malloc.h>

#include <algorithm>
#include <map>

using namespace std::chrono_literals;
using namespace lanes;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;
using lanes::test::SwiftReceiver;
using Reach = AttemptResult::Reach;

namespace {

constexpr auto kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

DestinationConfig configFor(const std::string& url, std::uint32_t id = 1) {
    DestinationConfig config;
    config.id = DestinationId(id);
    config.name = "d" + std::to_string(id);
    config.url = url;
    config.connectTimeout = 2 * kSecond;
    config.attemptTimeout = 5 * kSecond;
    return config;
}

AttemptRequest attemptOf(std::uint64_t number, std::uint32_t destination = 1) {
    AttemptRequest request;
    request.start.attempt = AttemptId(number);
    request.start.pointer = {DestinationId(destination), Sequence(number)};
    request.start.user = UserId(number);
    request.event = lanes::test::sentEvent("e" + std::to_string(number), "{\"n\":1}");
    return request;
}

RawReceiver::Script always(std::string answer) {
    return [answer = std::move(answer)](RawPeer& peer) {
        while (!peer.readRequest().empty()) peer.send(answer);
    };
}

/// A transport on the test's own thread, and all that it reported.
struct Bench {
    Bench() {
        QObject::connect(&transport, &HttpTransport::finished, &transport,
                         [this](const std::vector<AttemptResult>& results) {
                             ++batches;
                             for (const auto& result : results) {
                                 ++counts[result.attempt.value];
                                 all.push_back(result);
                             }
                         });
    }
    AttemptResult run(const AttemptRequest& attempt) {
        const auto before = all.size();
        transport.start({attempt});
        if (!QTest::qWaitFor([&] { return all.size() > before; }, 10'000)) return {};
        return all.back();
    }
    [[nodiscard]] bool eachOnce(std::uint64_t count) const {
        if (counts.size() != count) return false;
        for (const auto& [id, times] : counts)
            if (times != 1) return false;
        return true;
    }

    HttpTransport transport;
    std::vector<AttemptResult> all;
    std::map<std::uint64_t, int> counts;
    int batches = 0;
};

}  // namespace

class HttpTransportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void delivers();
    void reportsWhatTheDestinationSaid_data();
    void reportsWhatTheDestinationSaid();
    void readsRetryAfter();
    void aResetOnAReusedConnectionIsOneSend();
    void neverSendsCookies();
    void aForgedHeaderIsNotSent();
    void anUnknownDestinationIsReported();
    void reportsInBatches();
    void removingADestinationEndsItsAttempts();
    void changedSettingsLetOldAttemptsEnd();
    void anotherWayIsTakenAtOnce();
    void stoppingReportsAllAtOnce();
    void worksOnAThreadOfItsOwn();
    void signsAtTheMomentOfSending();
    void tenThousandDeliveriesLeaveNothingBehind();
};

void HttpTransportTest::delivers() {
    RawReceiver receiver(always(kOk));
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url() + "/in"));
    const auto result = bench.run(attemptOf(7));
    QCOMPARE(result.attempt, AttemptId(7));
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, 200);
    QCOMPARE(result.response, std::string("ok"));
    QVERIFY(result.error.empty());
    QVERIFY(result.duration > 0);
    QCOMPARE(result.retryAfter, Micros(-1));
    const auto text = receiver.texts().front();
    QVERIFY(text.starts_with("POST /in HTTP/1.1\r\n"));
    QVERIFY(text.find("\r\nContent-Length: 7\r\n") != std::string::npos);
    QVERIFY(text.ends_with("\r\n\r\n{\"n\":1}"));
}

void HttpTransportTest::reportsWhatTheDestinationSaid_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("cut");
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<QByteArray>("location");
    const auto row = [](const char* title, const char* answer, int status, bool cut,
                        const char* error, const char* location = "") {
        QTest::newRow(title) << QByteArray(answer) << status << cut << QByteArray(error)
                             << QByteArray(location);
    };
    row("204", "HTTP/1.1 204 No Content\r\n\r\n", 204, false, "");
    row("a cut body after 200 is delivered", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 200,
        true, "");
    row("503", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", 503, false,
        "The destination answered 503.");
    row("301 is shown and not followed",
        "HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n", 301,
        false, "The destination answered 301 and points to another address, which is not followed.",
        "http://127.0.0.1:1/x");
    row("304 has no location", "HTTP/1.1 304 Not Modified\r\n\r\n", 304, false,
        "The destination answered 304, a redirect, which is not followed.");
    row("101", "HTTP/1.1 101 Switching\r\n\r\n", 101, false,
        "The destination answered 101, which is no final status.");
    row("999", "HTTP/1.1 999 High\r\nContent-Length: 0\r\n\r\n", 999, false,
        "The destination answered 999, which is not a valid status.");
    row("garbage", "hello world\r\n\r\n", 0, false, "What came back is not an HTTP answer.");
    row("413 cut", "HTTP/1.1 413 Large\r\nContent-Length: 9\r\n\r\nabc", 413, true,
        "The destination answered 413. The body of the answer was cut off.");
}

void HttpTransportTest::reportsWhatTheDestinationSaid() {
    QFETCH(QByteArray, answer);
    QFETCH(int, status);
    QFETCH(bool, cut);
    QFETCH(QByteArray, error);
    QFETCH(QByteArray, location);
    RawReceiver receiver([&](RawPeer& peer) {
        if (!peer.readRequest().empty()) peer.send(answer.toStdString());
    });
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url()));
    const auto result = bench.run(attemptOf(1));
    QCOMPARE(result.reach, Reach::answered);
    QCOMPARE(result.status, status);
    QCOMPARE(result.bodyCut, cut);
    QCOMPARE(QByteArray::fromStdString(result.error), error);
    QCOMPARE(QByteArray::fromStdString(result.location), location);
    QCOMPARE(receiver.requests(), 1);
}

void HttpTransportTest::readsRetryAfter() {
    RawReceiver receiver(
        always("HTTP/1.1 429 Slow\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
               "Retry-After: Sunday, 06-Nov-94 08:50:37 GMT\r\nContent-Length: 0\r\n\r\n"));
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url()));
    const auto result = bench.run(attemptOf(1));
    QCOMPARE(result.status, 429);
    QCOMPARE(result.retryAfter, 60 * kSecond);
}

void HttpTransportTest::aResetOnAReusedConnectionIsOneSend() {
    RawReceiver receiver([](RawPeer& peer) {
        if (peer.readRequest().empty()) return;
        peer.send(kOk);
        if (!peer.readRequest().empty()) peer.reset();
    });
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url()));
    QCOMPARE(bench.run(attemptOf(1)).status, 200);
    const auto result = bench.run(attemptOf(2));
    QCOMPARE(result.reach, Reach::sent);
    QCOMPARE(result.status, 0);
    QVERIFY(!result.error.empty());
    QCOMPARE(receiver.requests(), 2);
    QVERIFY(bench.eachOnce(2));
}

void HttpTransportTest::neverSendsCookies() {
    RawReceiver receiver(
        always("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n"));
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url()));
    for (std::uint64_t i = 1; i <= 3; ++i) QCOMPARE(bench.run(attemptOf(i)).status, 200);
    for (const auto& text : receiver.texts())
        QVERIFY(!QByteArray::fromStdString(text).toLower().contains("cookie"));
}

void HttpTransportTest::aForgedHeaderIsNotSent() {
    RawReceiver receiver(always(kOk));
    Bench bench;
    auto config = configFor(receiver.url());
    config.headers = {{"X-A", "b\r\nX-Forged: 1"}};
    bench.transport.setDestination(config);
    const auto result = bench.run(attemptOf(1));
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY2(result.error.starts_with("Not sent: "), result.error.c_str());
    QCOMPARE(receiver.connections(), 0);
}

void HttpTransportTest::anUnknownDestinationIsReported() {
    Bench bench;
    const auto result = bench.run(attemptOf(1, 99));
    QCOMPARE(result.reach, Reach::notSent);
    QVERIFY(!result.error.empty());
}

void HttpTransportTest::reportsInBatches() {
    Bench bench;
    std::vector<AttemptRequest> attempts;
    for (std::uint64_t i = 1; i <= 100; ++i) attempts.push_back(attemptOf(i, 99));
    bench.transport.start(attempts);
    QCOMPARE(bench.batches, 0);
    QTRY_COMPARE(bench.all.size(), 100U);
    QCOMPARE(bench.batches, 1);
    QVERIFY(bench.eachOnce(100));
    QCOMPARE(bench.transport.open(), 0U);
}

void HttpTransportTest::removingADestinationEndsItsAttempts() {
    RawReceiver receiver([](RawPeer& peer) {
        peer.readRequest();
        peer.waitUntilClientLeaves();
    });
    Bench bench;
    bench.transport.setDestination(configFor(receiver.url()));
    bench.transport.start({attemptOf(1), attemptOf(2)});
    QTRY_COMPARE(receiver.requests(), 2);
    bench.transport.removeDestination(DestinationId(1));
    QTRY_COMPARE(bench.all.size(), 2U);
    for (const auto& result : bench.all) QCOMPARE(result.reach, Reach::sent);
    QVERIFY(bench.eachOnce(2));
}

void HttpTransportTest::changedSettingsLetOldAttemptsEnd() {
    RawReceiver old([](RawPeer& peer) {
        if (!peer.readRequest().empty() && peer.pause(100ms)) peer.send(kOk);
    });
    RawReceiver fresh(always("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"));
    Bench bench;
    bench.transport.setDestination(configFor(old.url()));
    bench.transport.start({attemptOf(1)});
    QTRY_COMPARE(old.requests(), 1);
    bench.transport.setDestination(configFor(fresh.url()));
    bench.transport.start({attemptOf(2)});
    QTRY_COMPARE(bench.all.size(), 2U);
    QCOMPARE(bench.all.front().attempt, AttemptId(2));
    QCOMPARE(bench.all.front().status, 201);
    QCOMPARE(bench.all.back().status, 200);
    QCOMPARE(old.requests(), 1);
    QCOMPARE(fresh.requests(), 1);
    QVERIFY(bench.eachOnce(2));
}

void HttpTransportTest::anotherWayIsTakenAtOnce() {
    // Both play the proxy and then the destination.
    const auto script = [](RawPeer& peer) {
        if (peer.readHeader().empty()) return;
        peer.send("HTTP/1.1 200 Connection established\r\n\r\n");
        while (!peer.readRequest().empty()) peer.send(kOk);
    };
    RawReceiver first(script);
    RawReceiver second(script);
    Bench bench;
    auto config = configFor("http://crm.invalid/in");
    for (std::uint64_t round = 0; round < 2; ++round) {
        config.proxy.url =
            "http://127.0.0.1:" + std::to_string(round == 0 ? first.port() : second.port());
        bench.transport.setDestination(config);
        for (std::uint64_t i = 1; i <= 2; ++i)
            QCOMPARE(bench.run(attemptOf(2 * round + i)).status, 200);
    }
    // CONNECT and two requests on one connection each.
    QCOMPARE(first.requests(), 3);
    QCOMPARE(second.requests(), 3);
    QCOMPARE(second.connections(), 1);
    QVERIFY(second.texts()[0].starts_with("CONNECT crm.invalid:80 HTTP/1.1\r\n"));
    QVERIFY(second.texts()[1].starts_with("POST /in HTTP/1.1\r\n"));
}

void HttpTransportTest::stoppingReportsAllAtOnce() {
    RawReceiver receiver([](RawPeer& peer) {
        peer.readRequest();
        peer.waitUntilClientLeaves();
    });
    Bench bench;
    auto config = configFor(receiver.url());
    config.policy.maxInFlight = 3;
    bench.transport.setDestination(config);
    std::vector<AttemptRequest> attempts;
    for (std::uint64_t i = 1; i <= 5; ++i) attempts.push_back(attemptOf(i));
    bench.transport.start(attempts);
    QTRY_COMPARE(receiver.requests(), 3);
    bench.transport.stop();
    QCOMPARE(bench.all.size(), 5U);
    QVERIFY(bench.eachOnce(5));
    const auto sent = std::count_if(bench.all.begin(), bench.all.end(),
                                    [](const auto& result) { return result.reach == Reach::sent; });
    QCOMPARE(sent, 3);
    const auto late = bench.run(attemptOf(6));
    QCOMPARE(late.reach, Reach::notSent);
    QCOMPARE(receiver.requests(), 3);
}

void HttpTransportTest::worksOnAThreadOfItsOwn() {
    RawReceiver receiver(always(kOk));
    QThread thread;
    auto* transport = new HttpTransport;
    transport->moveToThread(&thread);
    connect(&thread, &QThread::finished, transport, &QObject::deleteLater);
    QObject here;
    std::vector<AttemptResult> all;
    connect(transport, &HttpTransport::finished, &here,
            [&](const std::vector<AttemptResult>& results) {
                all.insert(all.end(), results.begin(), results.end());
            });
    thread.start();
    QMetaObject::invokeMethod(
        transport, [&] { transport->setDestination(configFor(receiver.url())); },
        Qt::QueuedConnection);
    std::vector<AttemptRequest> attempts;
    for (std::uint64_t i = 1; i <= 500; ++i) attempts.push_back(attemptOf(i));
    QMetaObject::invokeMethod(
        transport, [transport, attempts] { transport->start(attempts); }, Qt::QueuedConnection);
    QTRY_COMPARE(all.size(), 500U);
    QCOMPARE(receiver.requests(), 500);
    QVERIFY(receiver.connections() <= 64);
    QMetaObject::invokeMethod(transport, &HttpTransport::stop, Qt::QueuedConnection);
    thread.quit();
    QVERIFY(thread.wait(5000));
    for (const auto& result : all) QCOMPARE(result.status, 200);
}

void HttpTransportTest::signsAtTheMomentOfSending() {
    // One connection, which the first attempt holds for more than a second: the second one is
    // signed when its turn comes, not when it was queued.
    RawReceiver receiver([](RawPeer& peer) {
        while (!peer.readRequest().empty() && peer.pause(1100ms)) peer.send(kOk);
    });
    Bench bench;
    auto config = configFor(receiver.url());
    config.policy.maxInFlight = 1;
    config.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
    bench.transport.setDestination(config);
    bench.transport.start({attemptOf(1), attemptOf(2)});
    QTRY_COMPARE_WITH_TIMEOUT(bench.all.size(), 2U, 8000);
    std::vector<long long> times;
    for (const auto& text : receiver.texts()) {
        const auto bytes = QByteArray::fromStdString(text);
        const auto at = bytes.indexOf("webhook-timestamp: ") + 19;
        times.push_back(bytes.mid(at, bytes.indexOf('\r', at) - at).toLongLong());
        QVERIFY(bytes.contains("webhook-signature: v1,"));
    }
    QCOMPARE(times.size(), 2U);
    QVERIFY(times[1] > times[0]);
}

void HttpTransportTest::tenThousandDeliveriesLeaveNothingBehind() {
    SwiftReceiver receiver({});
    HttpTransport transport;
    auto config = configFor(receiver.url());
    config.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
    transport.setDestination(config);
    std::uint64_t started = 0;
    std::uint64_t delivered = 0;
    const auto start = [&](std::uint64_t count) {
        std::vector<AttemptRequest> attempts;
        for (std::uint64_t i = 0; i < count; ++i) attempts.push_back(attemptOf(++started));
        transport.start(std::move(attempts));
    };
    std::uint64_t last = 0;
    connect(&transport, &HttpTransport::finished, &transport,
            [&](const std::vector<AttemptResult>& results) {
                for (const auto& result : results) delivered += result.status == 200;
                if (started < last) start(std::min<std::uint64_t>(results.size(), last - started));
            });
    const auto deliver = [&](std::uint64_t count) {
        last = started + count;
        start(64);
        return QTest::qWaitFor([&] { return delivered == last; }, 60'000);
    };
    QVERIFY(deliver(2'000));
    const auto inUse = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
    const auto bytes = inUse();
    const auto objects = transport.findChildren<QObject*>().size();
    QVERIFY(deliver(10'000));
    QCOMPARE(receiver.requests(), 12'000U);
    QCOMPARE(transport.open(), 0U);
    QVERIFY2(inUse() < bytes + 200'000, "memory grew");
    QCOMPARE(transport.findChildren<QObject*>().size(), objects);
}

QTEST_GUILESS_MAIN(HttpTransportTest)
#include "http_transport_test.moc"
