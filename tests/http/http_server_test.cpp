// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/http_server.h"
#include "tests/http/raw_client.h"

#include <QTcpServer>
#include <QTest>

#include <memory>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace lanes::http;
using lanes::test::RawAnswer;
using lanes::test::RawClient;
using namespace std::chrono_literals;

namespace {

/// A server that keeps every request; it answers at once with the body that came, or not at all.
struct Fixture {
    explicit Fixture(const ServerLimits& limits = {})
        : server(std::make_unique<HttpServer>(limits)) {
        server->setHandler([this](Request request, Responder responder) {
            Response response;
            response.body = request.body;
            requests.push_back(std::move(request));
            responders.push_back(responder);
            if (answersAtOnce) responder.respond(std::move(response));
        });
        error = server->listen(QHostAddress(QHostAddress::LocalHost), 0);
        port = server->port();
    }

    std::unique_ptr<HttpServer> server;
    std::vector<Request> requests;
    std::vector<Responder> responders;
    bool answersAtOnce = true;
    std::string error;
    std::uint16_t port = 0;
};

Response textResponse(const std::string& body) {
    Response response;
    response.body = body;
    return response;
}

const QByteArray kGet = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

}  // namespace

class HttpServerTest : public QObject {
    Q_OBJECT

private slots:
    void readsARequestAndAnswersIt();
    void aLargeAnswerComesWhole();
    void keepsTheConnection();
    void answersPipelinedRequestsInOrder();
    void readsChunkedBodies_data();
    void readsChunkedBodies();
    void dropsTrailers();
    void answersExpectations();
    void sendsNoBodyWhereNoneMayBe();
    void servesOldClients();
    void refusesMalformedRequests_data();
    void refusesMalformedRequests();
    void refusesWhatIsTooLarge();
    void refusesSlowClients();
    void standsAClientThatLeftBeforeTheAnswer();
    void standsAnAnswerAfterTheServerIsGone();
    void standsItsEndInsideTheHandler();
    void answersOnlyOnce();
    void resets();
    void sendsRawBytes();
    void cannotBeMadeToSplitAnAnswer();
    void turnsAwayTooMany();
    void letsSilentClientsGiveWay();
    void endsAfterTheAnswersThatAreDue();
    void namesAPortInUse();
    void usesTheRefusal();
};

void HttpServerTest::readsARequestAndAnswersIt() {
    Fixture fixture;
    QCOMPARE(fixture.error, std::string());
    RawClient client(fixture.port);
    const RawAnswer answer = client.ask(
        "POST /a/b?c=d HTTP/1.1\r\nHost: localhost\r\nX-One:  two words \r\n"
        "Content-Length: 5\r\n\r\nhello");
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.body, QByteArray("hello"));
    QCOMPARE(answer.header("Content-Length"), QByteArray("5"));
    QVERIFY(answer.header("Date").endsWith(" GMT"));
    QCOMPARE(fixture.requests.size(), 1u);
    const Request& request = fixture.requests.front();
    QCOMPARE(request.method, std::string("POST"));
    QCOMPARE(request.target, std::string("/a/b?c=d"));
    QCOMPARE(request.headers.at(1), Header("X-One", "two words"));
    QCOMPARE(request.header("x-ONE"), std::string_view("two words"));
    QCOMPARE(request.count("host"), 1u);
    QCOMPARE(request.header("absent"), std::string_view());
    QVERIFY(request.peer.isLoopback());
}

/// The kernel does not take it at once: its buffers are smaller.
void HttpServerTest::aLargeAnswerComesWhole() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    std::string body;
    while (body.size() < 24u << 20) body += "line " + std::to_string(body.size()) + "\n";
    RawClient client(fixture.port);
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    fixture.responders[0].respond(textResponse(body));
    QVERIFY(client.read(false, 20'000).body == QByteArray::fromStdString(body));
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 2u);
    fixture.responders[1].respond(textResponse("next"));
    QCOMPARE(client.read().body, QByteArray("next"));
}

void HttpServerTest::keepsTheConnection() {
    Fixture fixture;
    RawClient client(fixture.port);
    for (int i = 0; i < 50; ++i) QCOMPARE(client.ask(kGet).status, 200);
    QVERIFY(!client.closed());
    QCOMPARE(fixture.requests.size(), 50u);
    QCOMPARE(client.ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status, 200);
    QVERIFY(client.waitClosed());
    QTRY_COMPARE(fixture.server->connections(), 0u);
}

void HttpServerTest::answersPipelinedRequestsInOrder() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient client(fixture.port);
    QByteArray all;
    for (int i = 0; i < 20; ++i)
        all +=
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n" + QByteArray::number(10 + i);
    client.send(all);
    for (std::size_t i = 0; i < 20; ++i) {
        QTRY_COMPARE(fixture.requests.size(), i + 1);
        QVERIFY2(fixture.requests.size() == i + 1, "the next one waits for this answer");
        fixture.responders.at(i).respond(textResponse(fixture.requests.at(i).body));
        QCOMPARE(fixture.requests.size(), i + 1);
        QCOMPARE(client.read().body, QByteArray::number(static_cast<int>(10 + i)));
    }
}

void HttpServerTest::readsChunkedBodies_data() {
    QTest::addColumn<QByteArray>("chunks");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("an empty body") << QByteArray("0\r\n\r\n") << QByteArray();
    QTest::newRow("one chunk") << QByteArray("5\r\nhello\r\n0\r\n\r\n") << QByteArray("hello");
    QTest::newRow("several chunks, capitals and leading zeros")
        << QByteArray("0A\r\n0123456789\r\n1\r\n0\r\n000\r\n\r\n") << QByteArray("01234567890");
    QTest::newRow("extensions") << QByteArray("2;a=b;c=\"d\"\r\nok\r\n0;e\r\n\r\n")
                                << QByteArray("ok");
    QTest::newRow("a trailer") << QByteArray("2\r\nok\r\n0\r\nX-T: 1\r\n\r\n") << QByteArray("ok");
}

void HttpServerTest::readsChunkedBodies() {
    QFETCH(QByteArray, chunks);
    QFETCH(QByteArray, body);
    const QByteArray head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n";
    Fixture fixture;
    RawClient client(fixture.port);
    const RawAnswer whole = client.ask(head + chunks);
    QCOMPARE(whole.status, 200);
    QCOMPARE(whole.body, body);
    for (const char byte : head + chunks) {
        client.send(QByteArray(1, byte));
        QCoreApplication::processEvents();
    }
    const RawAnswer dripped = client.read();
    QCOMPARE(dripped.status, 200);
    QCOMPARE(dripped.body, body);
    QVERIFY(!client.closed());
}

void HttpServerTest::dropsTrailers() {
    Fixture fixture;
    RawClient client(fixture.port);
    const RawAnswer answer = client.ask(
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        "1\r\na\r\n0\r\nAuthorization: Bearer x\r\nHost: other\r\n\r\n");
    QCOMPARE(answer.status, 200);
    QCOMPARE(fixture.requests.at(0).count("Authorization"), 0u);
    QCOMPARE(fixture.requests.at(0).count("Host"), 1u);
}

void HttpServerTest::answersExpectations() {
    Fixture fixture;
    RawClient client(fixture.port);
    const QByteArray head =
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n";
    QCOMPARE(client.ask(head).status, 100);
    QCOMPARE(client.ask("ok").body, QByteArray("ok"));
    const RawAnswer answer = client.ask(head + "at");
    QCOMPARE(answer.status, 200);
    QCOMPARE(client.ask("POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n").status, 417);
    QVERIFY(client.waitClosed());
}

void HttpServerTest::sendsNoBodyWhereNoneMayBe() {
    Fixture fixture;
    RawClient client(fixture.port);
    client.send("HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
    const RawAnswer head = client.read(true);
    QCOMPARE(head.status, 200);
    QCOMPARE(head.header("Content-Length"), QByteArray("3"));
    fixture.answersAtOnce = false;
    client.send(kGet);
    QTRY_COMPARE(fixture.requests.size(), 2u);
    Response response = textResponse("not to be sent");
    response.status = 204;
    fixture.responders.at(1).respond(response);
    const RawAnswer none = client.read();
    QCOMPARE(none.status, 204);
    QCOMPARE(none.header("Content-Length"), QByteArray());
    fixture.answersAtOnce = true;
    QCOMPARE(client.ask(kGet).status, 200);
}

void HttpServerTest::servesOldClients() {
    Fixture fixture;
    RawClient old(fixture.port);
    const RawAnswer answer = old.ask("GET / HTTP/1.0\r\n\r\n");
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("Connection"), QByteArray("close"));
    QVERIFY(old.waitClosed());
    RawClient keeps(fixture.port);
    const QByteArray request = "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
    QCOMPARE(keeps.ask(request).header("Connection"), QByteArray("keep-alive"));
    QCOMPARE(keeps.ask("\r\n" + request).status, 200);
}

void HttpServerTest::refusesMalformedRequests_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto post = [](const char* headers, const char* body = "") {
        return QByteArray("POST / HTTP/1.1\r\nHost: h\r\n") + headers + "\r\n" + body;
    };
    QTest::newRow("HTTP/0.9") << QByteArray("GET /\r\n\r\n");
    QTest::newRow("the preface of HTTP/2") << QByteArray("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    QTest::newRow("HTTP/1.2") << QByteArray("GET / HTTP/1.2\r\nHost: h\r\n\r\n");
    QTest::newRow("a TLS hello") << QByteArray::fromHex("160301020001000 1fc0303");
    QTest::newRow("no method") << QByteArray(" / HTTP/1.1\r\nHost: h\r\n\r\n");
    QTest::newRow("no target") << QByteArray("GET  HTTP/1.1\r\nHost: h\r\n\r\n");
    QTest::newRow("bare line feeds") << QByteArray("GET / HTTP/1.1\nHost: h\n\n");
    QTest::newRow("a space before the colon") << post("Content-Length : 1\r\n", "a");
    QTest::newRow("a header without a colon") << post("Nonsense\r\n");
    QTest::newRow("a header without a name") << post(": x\r\n");
    QTest::newRow("NUL in a header") << QByteArray("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 30);
    QTest::newRow("a folded header") << post("X-A: b\r\n c\r\n");
    QTest::newRow("a folded first header") << QByteArray("GET / HTTP/1.1\r\n Host: h\r\n\r\n");
    QTest::newRow("two hosts") << post("Host: other\r\n");
    QTest::newRow("a negative length") << post("Content-Length: -1\r\n", "a");
    QTest::newRow("a signed length") << post("Content-Length: +1\r\n", "a");
    QTest::newRow("a hexadecimal length") << post("Content-Length: 0x1\r\n", "a");
    QTest::newRow("a length in words") << post("Content-Length: one\r\n", "a");
    QTest::newRow("an empty length") << post("Content-Length: \r\n", "a");
    QTest::newRow("a length beyond 64 bits")
        << post("Content-Length: 99999999999999999999\r\n", "a");
    QTest::newRow("two lengths") << post("Content-Length: 1\r\nContent-Length: 2\r\n", "ab");
    QTest::newRow("two lengths in one") << post("Content-Length: 1, 2\r\n", "ab");
    QTest::newRow("length, then chunked")
        << post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n");
    QTest::newRow("chunked, then length")
        << post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n");
    QTest::newRow("length and an unknown coding")
        << post("Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n", "hello");
    QTest::newRow("an unknown coding") << post("Transfer-Encoding: gzip\r\n", "hello");
    QTest::newRow("a coding before chunked")
        << post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n");
    QTest::newRow("chunked twice")
        << post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n");
    QTest::newRow("chunked in HTTP/1.0")
        << QByteArray("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    const char* chunked = "Transfer-Encoding: chunked\r\n";
    QTest::newRow("a chunk size that is no number") << post(chunked, "zz\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("a negative chunk size") << post(chunked, "-1\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("a chunk size beyond 64 bits")
        << post(chunked, "fffffffffffffffff\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("a chunk that is longer than it says")
        << post(chunked, "3\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("a chunk size ended by a line feed") << post(chunked, "5\nhello\r\n0\r\n\r\n");
    QTest::newRow("a bad chunk extension") << post(chunked, "5 x\r\nhello\r\n0\r\n\r\n");
    QTest::newRow("a bad trailer") << post(chunked, "0\r\nno trailer\r\n\r\n");
    QTest::newRow("a length in the trailer") << post(chunked, "0\r\nContent-Length: 3\r\n\r\n");
}

void HttpServerTest::refusesMalformedRequests() {
    QFETCH(QByteArray, bytes);
    Fixture fixture;
    RawClient client(fixture.port);
    QCOMPARE(client.ask(bytes + kGet).status, 400);
    QVERIFY(client.waitClosed());
    QCOMPARE(client.rest(), QByteArray());
    QCOMPARE(fixture.requests.size(), 0u);
    QTRY_COMPARE(fixture.server->connections(), 0u);
}

void HttpServerTest::refusesWhatIsTooLarge() {
    ServerLimits limits;
    limits.headerBytes = 1'000;
    limits.bodyBytes = 100;
    Fixture fixture(limits);
    const auto refused = [&](const QByteArray& bytes, int status) {
        RawClient client(fixture.port);
        const RawAnswer answer = client.ask(bytes);
        return answer.status == status && client.waitClosed();
    };
    const QByteArray start = "POST / HTTP/1.1\r\nHost: h\r\n";
    QVERIFY(refused("GET /" + QByteArray(2'000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n", 431));
    QVERIFY(refused(start + "X: " + QByteArray(2'000, 'a') + "\r\n\r\n", 431));
    QVERIFY(refused(start + QByteArray("X: y\r\n").repeated(200) + "\r\n", 431));
    QVERIFY(refused(
        "GET /" + QByteArray(700, 'a') + " HTTP/1.1\r\nX: " + QByteArray(700, 'a') + "\r\n\r\n",
        431));
    QVERIFY2(refused(start + "X: " + QByteArray(2'000, 'a'), 431), "without waiting for its end");
    QVERIFY2(refused(start + "Content-Length: 101\r\n\r\n", 413), "without waiting for the body");
    QVERIFY(refused(start + "Transfer-Encoding: chunked\r\n\r\n65\r\n", 413));
    QVERIFY(refused(start + "Transfer-Encoding: chunked\r\n\r\n40\r\n" + QByteArray(64, 'a') +
                        "\r\n40\r\n" + QByteArray(64, 'a') + "\r\n0\r\n\r\n",
                    413));
    QVERIFY2(refused(start + "Transfer-Encoding: chunked\r\n\r\n1;" + QByteArray(2'000, 'a'), 400),
             "an endless chunk extension");
    QVERIFY2(
        refused(start + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + QByteArray(2'000, 'a'), 400),
        "an endless trailer");
    QCOMPARE(fixture.requests.size(), 0u);
    RawClient client(fixture.port);
    QCOMPARE(client.ask(start + "Content-Length: 100\r\n\r\n" + QByteArray(100, 'a')).status, 200);
}

void HttpServerTest::refusesSlowClients() {
    ServerLimits limits;
    limits.headerTime = 80ms;
    limits.bodyTime = 80ms;
    limits.idleTime = 150ms;
    Fixture fixture(limits);
    RawClient header(fixture.port);
    RawClient body(fixture.port);
    RawClient silent(fixture.port);
    RawClient idle(fixture.port);
    QCOMPARE(idle.ask(kGet).status, 200);
    header.send("GET / HT");
    body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n12345");
    QCOMPARE(header.read().status, 408);
    QCOMPARE(body.read().status, 408);
    QVERIFY(header.waitClosed());
    QVERIFY(body.waitClosed());
    QVERIFY(silent.waitClosed());
    QVERIFY(idle.waitClosed());
    QCOMPARE(silent.rest(), QByteArray());
    QCOMPARE(idle.rest(), QByteArray());
    // An answer may take as long as it takes.
    fixture.answersAtOnce = false;
    RawClient patient(fixture.port);
    patient.send(kGet);
    QTRY_COMPARE(fixture.requests.size(), 2u);
    RawClient other(fixture.port);
    QVERIFY(other.waitClosed());
    fixture.responders.at(1).respond(textResponse("late"));
    QCOMPARE(patient.read().body, QByteArray("late"));
}

void HttpServerTest::standsAClientThatLeftBeforeTheAnswer() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    {
        RawClient client(fixture.port);
        client.send(kGet);
        QTRY_COMPARE(fixture.responders.size(), 1u);
        QVERIFY(fixture.responders.at(0).connected());
    }
    QTRY_COMPARE(fixture.server->connections(), 0u);
    QVERIFY(!fixture.responders.at(0).connected());
    fixture.responders.at(0).respond(textResponse("too late"));
    fixture.responders.at(0).sendRaw("too late", true);
    fixture.responders.at(0).finishRaw();
    fixture.responders.at(0).reset();
    RawClient next(fixture.port);
    fixture.answersAtOnce = true;
    QCOMPARE(next.ask(kGet).status, 200);
}

void HttpServerTest::standsAnAnswerAfterTheServerIsGone() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient client(fixture.port);
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    fixture.server.reset();
    QVERIFY(!fixture.responders.at(0).connected());
    fixture.responders.at(0).respond(textResponse("too late"));
    QVERIFY(client.waitClosed());
    QCOMPARE(client.rest(), QByteArray());
    Responder().respond({});
}

void HttpServerTest::standsItsEndInsideTheHandler() {
    auto server = std::make_unique<HttpServer>(ServerLimits{});
    int requests = 0;
    server->setHandler([&](Request, Responder responder) {
        ++requests;
        server.reset();
        responder.respond({});
    });
    QCOMPARE(server->listen(QHostAddress(QHostAddress::LocalHost), 0), std::string());
    RawClient client(server->port());
    client.send(kGet + kGet);
    QVERIFY(client.waitClosed());
    QCOMPARE(requests, 1);
}

void HttpServerTest::answersOnlyOnce() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient client(fixture.port);
    client.send(kGet + kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    const Responder copy = fixture.responders.at(0);
    fixture.responders.at(0).respond(textResponse("first"));
    copy.respond(textResponse("twice"));
    QTRY_COMPARE(fixture.responders.size(), 2u);
    copy.respond(textResponse("twice"));
    copy.reset();
    fixture.responders.at(1).respond(textResponse("second"));
    QCOMPARE(client.read().body, QByteArray("first"));
    QCOMPARE(client.read().body, QByteArray("second"));
    QCOMPARE(client.rest(), QByteArray());
}

void HttpServerTest::resets() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    // A plain socket tells a reset from an orderly end, which QTcpSocket does not.
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(fixture.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QCOMPARE(::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    QCOMPARE(::send(descriptor, kGet.data(), static_cast<std::size_t>(kGet.size()), 0),
             static_cast<ssize_t>(kGet.size()));
    QTRY_COMPARE(fixture.responders.size(), 1u);
    fixture.responders.at(0).reset();
    char byte = 0;
    QCOMPARE(::recv(descriptor, &byte, 1, 0), ssize_t{-1});
    QCOMPARE(errno, ECONNRESET);
    ::close(descriptor);
    QCOMPARE(fixture.server->connections(), 0u);
}

void HttpServerTest::sendsRawBytes() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient client(fixture.port);
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    const Responder& first = fixture.responders.at(0);
    first.sendRaw("HTTP/1.1 103 Early Hints\r\n\r\n", false);
    QCOMPARE(client.read().status, 103);
    first.sendRaw("HTTP/1.1 299 Own\r\nContent-", false);
    first.sendRaw("Length: 0\r\n\r\n", false);
    first.finishRaw();
    QCOMPARE(client.read().status, 299);
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 2u);
    fixture.responders.at(1).sendRaw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut", true);
    QVERIFY(client.waitClosed());
    QCOMPARE(client.rest(), QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"));
}

void HttpServerTest::cannotBeMadeToSplitAnAnswer() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient client(fixture.port);
    client.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    Response response = textResponse("body");
    response.headers = {{"X-A", "b\r\nX-Evil: 1"}, {"X-C\r\nX-Evil", "2"}, {"", "d"}, {"X-E", "f"}};
    fixture.responders.at(0).respond(response);
    const RawAnswer answer = client.read();
    QVERIFY(!answer.head.contains("Evil"));
    QCOMPARE(answer.header("X-E"), QByteArray("f"));
    QCOMPARE(answer.body, QByteArray("body"));
}

void HttpServerTest::turnsAwayTooMany() {
    ServerLimits limits;
    limits.connections = 2;
    Fixture fixture(limits);
    fixture.answersAtOnce = false;
    RawClient first(fixture.port);
    RawClient second(fixture.port);
    first.send(kGet);
    second.send(kGet);
    QTRY_COMPARE(fixture.responders.size(), 2u);
    RawClient third(fixture.port);
    third.send(kGet);
    QCOMPARE(third.read().status, 503);
    QVERIFY(third.waitClosed());
    QTRY_COMPARE(fixture.server->connections(), 2u);
    first.leave();
    QTRY_COMPARE(fixture.server->connections(), 1u);
    RawClient fourth(fixture.port);
    fixture.answersAtOnce = true;
    QCOMPARE(fourth.ask(kGet).status, 200);
}

void HttpServerTest::letsSilentClientsGiveWay() {
    ServerLimits limits;
    limits.connections = 2;
    Fixture fixture(limits);
    RawClient first(fixture.port);
    first.send("GET / HT");
    RawClient second(fixture.port);
    second.send("GET / HT");
    int refusals = 0;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            RawClient good(fixture.port);
            if (good.ask(kGet).status == 200) return true;
            ++refusals;
            return false;
        }(),
        5'000);
    QVERIFY2(refusals > 0, "those that were just heard keep their places");
    QVERIFY(first.waitClosed() || second.waitClosed());
}

void HttpServerTest::endsAfterTheAnswersThatAreDue() {
    Fixture fixture;
    fixture.answersAtOnce = false;
    RawClient due(fixture.port);
    RawClient idle(fixture.port);
    due.send(kGet + kGet);
    QTRY_COMPARE(fixture.responders.size(), 1u);
    fixture.server->close(false);
    QCOMPARE(fixture.server->port(), std::uint16_t{0});
    QVERIFY(idle.waitClosed());
    fixture.responders.at(0).respond(textResponse("due"));
    const RawAnswer answer = due.read();
    QCOMPARE(answer.body, QByteArray("due"));
    QCOMPARE(answer.header("Connection"), QByteArray("close"));
    QVERIFY(due.waitClosed());
    QCOMPARE(fixture.responders.size(), 1u);
    QTRY_COMPARE(fixture.server->connections(), 0u);

    Fixture other;
    other.answersAtOnce = false;
    RawClient cut(other.port);
    cut.send(kGet);
    QTRY_COMPARE(other.responders.size(), 1u);
    other.server->close(true);
    QCOMPARE(other.server->connections(), 0u);
    QVERIFY(cut.waitClosed());
}

void HttpServerTest::namesAPortInUse() {
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress(QHostAddress::LocalHost), 0));
    HttpServer server{ServerLimits{}};
    const std::string error =
        server.listen(QHostAddress(QHostAddress::LocalHost), other.serverPort());
    QCOMPARE(error, "port " + std::to_string(other.serverPort()) + " is in use by another program");
    QVERIFY(server.addressInUse());
    QCOMPARE(server.port(), std::uint16_t{0});
    QVERIFY(!server.listen(QHostAddress(QStringLiteral("192.0.2.1")), 0).empty());
    QVERIFY(!server.addressInUse());
}

void HttpServerTest::usesTheRefusal() {
    Fixture fixture;
    fixture.server->setRefusal([](unsigned status, const std::string& detail) {
        Response response;
        response.status = status;
        response.headers.emplace_back("X-Refused", "yes");
        response.body = detail;
        return response;
    });
    RawClient client(fixture.port);
    const RawAnswer answer = client.ask("nonsense\r\n\r\n");
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.header("X-Refused"), QByteArray("yes"));
    QVERIFY(answer.body.contains("malformed"));
    QVERIFY(client.waitClosed());
}

QTEST_GUILESS_MAIN(HttpServerTest)
#include "http_server_test.moc"
