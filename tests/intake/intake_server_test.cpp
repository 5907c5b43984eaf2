// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_server.h"

#include "engine/config.h"
#include "engine/user_id.h"
#include "tests/intake/intake_fixture.h"

#include <QTcpServer>
#include <QTest>

using namespace lanes;
using lanes::test::gzip;
using lanes::test::IntakeFixture;
using lanes::test::isProblem;
using lanes::test::parsed;
using lanes::test::RawAnswer;
using lanes::test::RawClient;

namespace {

const QByteArray kEvent = R"({"id":"e1","user":"u1","type":"a.b","payload":{"n":1}})";

}  // namespace

class IntakeServerTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsAnEvent();
    void answersOnlyAfterTheCommit();
    void answersEachRequestOnItsOwn();
    void saysWhenNothingWasStored();
    void countsDuplicates();
    void rejectsSingleEvents();
    void rejectsEventsOfABatchOneByOne();
    void resolvesDestinations();
    void makesIdsWhereThereAreNone();
    void takesPackedBodies();
    void takesContentTypes_data();
    void takesContentTypes();
    void keepsWebPagesOut_data();
    void keepsWebPagesOut();
    void asksForTheWriteKey_data();
    void asksForTheWriteKey();
    void servesItsPaths();
    void refusesForATime();
    void refusesWhenTooMuchWaits();
    void answersBrokenRequestsWithProblems();
    void standsAClientThatLeft();
    void listensOnBothLoopbackAddresses();
    void namesAPortInUse();
    void closesAfterTheAnswersThatAreDue();
};

void IntakeServerTest::acceptsAnEvent() {
    IntakeFixture fixture;
    QVERIFY(fixture.listening);
    const RawAnswer answer = fixture.ask(fixture.post(kEvent));
    QCOMPARE(answer.status, 202);
    QCOMPARE(answer.header("Content-Type"), QByteArray("application/json"));
    QCOMPARE(answer.body, QByteArray("{\"accepted\":1,\"duplicates\":0,\"rejected\":[]}\n"));
    QCOMPARE(fixture.submitted.size(), 1u);
    const NewEvent& event = fixture.submitted.front();
    QCOMPARE(event.source, std::string("native"));
    QCOMPARE(event.id, std::string("e1"));
    QCOMPARE(event.user.text, std::string("u1"));
    QCOMPARE(event.userId.value, fingerprint(event.user, event.id).value);
    QCOMPARE(event.type, std::string("a.b"));
    QCOMPARE(event.contentType, std::string("application/json"));
    QCOMPARE(event.payload, std::string("{\"n\":1}"));
    QCOMPARE(event.acceptedAt, WallMicros{1'800'000'000'000'000});
    QVERIFY(event.targets.empty());
    const IntakeSnapshot snapshot = fixture.server.snapshot();
    QVERIFY(snapshot.listening);
    QCOMPARE(snapshot.port, fixture.server.port());
    QCOMPARE(snapshot.requests, 1u);
    QCOMPARE(snapshot.acceptedEvents, 1u);
}

void IntakeServerTest::answersOnlyAfterTheCommit() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.post(kEvent));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    QCOMPARE(fixture.server.pendingRequests(), 1u);
    QCOMPARE(fixture.server.pendingBytes(),
             static_cast<std::size_t>(kEvent.size()) + limits::kPendingEventBytes);
    QCOMPARE(client.read(false, 50).status, 0);
    QCOMPARE(fixture.server.snapshot().acceptedEvents, 0u);
    fixture.commit();
    QCOMPARE(client.read().status, 202);
    QCOMPARE(fixture.server.pendingRequests(), 0u);
    QCOMPARE(fixture.server.pendingBytes(), 0u);
}

void IntakeServerTest::answersEachRequestOnItsOwn() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient first(fixture.server.port());
    RawClient second(fixture.server.port());
    first.send(fixture.post(kEvent));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    second.send(fixture.post("[" + kEvent + "," + kEvent + "]"));
    QTRY_COMPARE(fixture.waiting.size(), 2u);
    QVERIFY(fixture.waiting.at(0).intake < fixture.waiting.at(1).intake);
    std::swap(fixture.waiting.at(0), fixture.waiting.at(1));
    fixture.commit();
    QCOMPARE(parsed(second.read()).value("accepted", 0), 2);
    fixture.commit(false);
    QVERIFY(isProblem(first.read(), 503));
    fixture.server.finish(IntakeCommit{999, {}, true});
}

void IntakeServerTest::saysWhenNothingWasStored() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.post(kEvent));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    fixture.server.setRefusing(IntakeRefusal{7, "The disk is full."});
    fixture.commit(false);
    const RawAnswer answer = client.read();
    QVERIFY(isProblem(answer, 503));
    QCOMPARE(answer.header("Retry-After"), QByteArray("7"));
    QCOMPARE(fixture.server.snapshot().acceptedEvents, 0u);
}

void IntakeServerTest::countsDuplicates() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.post("[" + kEvent + "," + kEvent + "," + kEvent + "]"));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    fixture.commit(true, 2);
    const nlohmann::json body = parsed(client.read());
    QCOMPARE(body.value("accepted", 0), 1);
    QCOMPARE(body.value("duplicates", 0), 2);
    QCOMPARE(fixture.server.snapshot().duplicates, 2u);
}

void IntakeServerTest::rejectsSingleEvents() {
    IntakeFixture fixture;
    const RawAnswer wrong = fixture.ask(fixture.post(R"({"type":"a","payload":1,"usr":1})"));
    QVERIFY(isProblem(wrong, 422));
    QCOMPARE(parsed(wrong).value("code", ""), std::string("unknown_field"));
    QVERIFY(wrong.body.contains("\\\"usr\\\""));
    const QByteArray large = "{\"type\":\"a\",\"payload\":\"" +
                             QByteArray(static_cast<qsizetype>(limits::kEventBytes), 'x') + "\"}";
    QVERIFY(isProblem(fixture.ask(fixture.post(large)), 413));
    QVERIFY(isProblem(fixture.ask(fixture.post("17")), 422));
    const RawAnswer broken = fixture.ask(fixture.post(R"({"type":"a",})"));
    QVERIFY(isProblem(broken, 400));
    QVERIFY(broken.body.contains("byte 12"));
    QVERIFY(isProblem(fixture.ask(fixture.post("")), 400));
    QVERIFY(isProblem(fixture.ask(fixture.post("{\"type\":\"\xff\"}")), 400));
    QCOMPARE(fixture.submitted.size(), 0u);
    QCOMPARE(fixture.server.snapshot().rejectedEvents, 3u);
}

void IntakeServerTest::rejectsEventsOfABatchOneByOne() {
    IntakeFixture fixture;
    const RawAnswer answer = fixture.ask(fixture.post(
        "[7," + kEvent + R"(,{"type":"a","payload":1,"destinations":["nowhere"]},{"type":1},)" +
        kEvent + "]"));
    QCOMPARE(answer.status, 202);
    const nlohmann::json body = parsed(answer);
    QCOMPARE(body.at("accepted").get<int>(), 2);
    QCOMPARE(body.at("rejected").size(), 3u);
    QCOMPARE(body.at("rejected").at(0).at("index").get<int>(), 0);
    QCOMPARE(body.at("rejected").at(0).at("code").get<std::string>(), std::string("not_an_object"));
    QCOMPARE(body.at("rejected").at(1).at("index").get<int>(), 2);
    QCOMPARE(body.at("rejected").at(1).at("code").get<std::string>(),
             std::string("unknown_destination"));
    QCOMPARE(body.at("rejected").at(2).at("index").get<int>(), 3);
    QVERIFY(!body.at("rejected").at(2).at("detail").get<std::string>().empty());
    QCOMPARE(fixture.submitted.size(), 2u);

    const RawAnswer none = fixture.ask(fixture.post("[1,2]"));
    QCOMPARE(none.status, 202);
    QCOMPARE(parsed(none).at("accepted").get<int>(), 0);
    QCOMPARE(parsed(none).at("rejected").size(), 2u);
    QCOMPARE(fixture.ask(fixture.post("[]")).status, 202);

    const RawAnswer lines =
        fixture.ask(fixture.post(kEvent + "\n{oops\n" + kEvent + "\n", "application/x-ndjson"));
    QCOMPARE(lines.status, 202);
    QCOMPARE(parsed(lines).at("accepted").get<int>(), 2);
    QVERIFY(lines.body.contains("line 2: "));
    QVERIFY(isProblem(fixture.ask(fixture.post("{oops\n{oops\n", "application/x-ndjson")), 400));
    QCOMPARE(fixture.submitted.size(), 4u);
}

void IntakeServerTest::resolvesDestinations() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.post(
        R"([{"type":"a","payload":1,"destinations":["billing","crm"]},{"type":"a","payload":1}])"));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    const auto& named = fixture.waiting.front().named;
    QCOMPARE(named.size(), 2u);
    QVERIFY(named.at(0) == (std::vector<DestinationId>{DestinationId(5), DestinationId(3)}));
    QVERIFY(named.at(1).empty());
    const RawAnswer answer =
        fixture.ask(fixture.post(R"({"type":"a","payload":1,"destinations":["crm","crn"]})"));
    QVERIFY(isProblem(answer, 422));
    QCOMPARE(parsed(answer).value("code", ""), std::string("unknown_destination"));
    QVERIFY(answer.body.contains("crn"));
    QVERIFY2(!answer.body.contains("billing"), "the names that there are stay here");
}

void IntakeServerTest::makesIdsWhereThereAreNone() {
    IntakeFixture fixture;
    QCOMPARE(
        fixture.ask(fixture.post(R"([{"type":"a","payload":1},{"type":"a","payload":1}])")).status,
        202);
    QCOMPARE(fixture.submitted.size(), 2u);
    QCOMPARE(fixture.submitted.at(0).id.size(), 26u);
    QVERIFY(fixture.submitted.at(0).id != fixture.submitted.at(1).id);
    QVERIFY2(fixture.submitted.at(0).userId != fixture.submitted.at(1).userId,
             "events without a user share no lane");
}

void IntakeServerTest::takesPackedBodies() {
    IntakeFixture fixture;
    const auto send = [&](const QByteArray& body, const QByteArray& coding = "gzip") {
        return fixture.ask(fixture.request("POST", "/v1/events",
                                           IntakeFixture::bearer() +
                                               "Content-Type: application/json\r\n"
                                               "Content-Encoding: " +
                                               coding + "\r\n",
                                           body));
    };
    QCOMPARE(send(gzip(kEvent)).status, 202);
    QCOMPARE(send(gzip(kEvent), "GZip").status, 202);
    QCOMPARE(send(kEvent, "identity").status, 202);
    QCOMPARE(fixture.submitted.size(), 3u);
    QCOMPARE(fixture.submitted.at(0).payload, std::string("{\"n\":1}"));
    QVERIFY(isProblem(send(kEvent), 400));
    QVERIFY(isProblem(send(gzip(kEvent).chopped(5)), 400));
    QVERIFY(isProblem(send(gzip(kEvent) + "x"), 400));
    QVERIFY(isProblem(send({}), 400));
    QByteArray damaged = gzip(kEvent);
    damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
    QVERIFY(isProblem(send(damaged), 400));
    const auto limit = static_cast<qsizetype>(limits::kIntakeBodyBytes);
    QVERIFY2(isProblem(send(gzip(QByteArray(limit + 1, ' '))), 413), "a small bomb");
    QVERIFY(isProblem(send(gzip(QByteArray(limit, ' '))), 400));
    QVERIFY(isProblem(send(gzip(QByteArray(8 * limit, ' '))), 413));
    const RawAnswer other = send(kEvent, "br");
    QVERIFY(isProblem(other, 415));
    QCOMPARE(other.header("Accept-Encoding"), QByteArray("gzip, identity"));
    QVERIFY(isProblem(send(kEvent, "gzip, gzip"), 415));
    QCOMPARE(fixture.submitted.size(), 3u);
}

void IntakeServerTest::takesContentTypes_data() {
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<int>("status");
    QTest::newRow("JSON") << QByteArray("Content-Type: application/json\r\n") << 202;
    QTest::newRow("JSON in capitals, with a charset")
        << QByteArray("content-type: Application/JSON ; Charset=UTF-8\r\n") << 202;
    QTest::newRow("a quoted charset")
        << QByteArray("Content-Type: application/json; a=b; charset=\"utf-8\"\r\n") << 202;
    QTest::newRow("NDJSON") << QByteArray("Content-Type: application/x-ndjson\r\n") << 202;
    QTest::newRow("another charset")
        << QByteArray("Content-Type: application/json; charset=latin1\r\n") << 415;
    QTest::newRow("none") << QByteArray() << 415;
    QTest::newRow("an empty one") << QByteArray("Content-Type:\r\n") << 415;
    QTest::newRow("plain text") << QByteArray("Content-Type: text/plain\r\n") << 415;
    QTest::newRow("plain text that hides JSON")
        << QByteArray("Content-Type: text/plain; application/json\r\n") << 415;
    QTest::newRow("a form") << QByteArray("Content-Type: application/x-www-form-urlencoded\r\n")
                            << 415;
    QTest::newRow("parts") << QByteArray("Content-Type: multipart/form-data; boundary=x\r\n")
                           << 415;
    QTest::newRow("another kind of JSON")
        << QByteArray("Content-Type: application/cloudevents+json\r\n") << 415;
    QTest::newRow("two of them")
        << QByteArray("Content-Type: application/json\r\nContent-Type: text/plain\r\n") << 415;
}

void IntakeServerTest::takesContentTypes() {
    QFETCH(QByteArray, headers);
    QFETCH(int, status);
    IntakeFixture fixture;
    const RawAnswer answer = fixture.ask(
        fixture.request("POST", "/v1/events", IntakeFixture::bearer() + headers, kEvent));
    QCOMPARE(answer.status, status);
    QCOMPARE(fixture.submitted.size(), status == 202 ? 1u : 0u);
}

void IntakeServerTest::keepsWebPagesOut_data() {
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<int>("status");
    const auto row = [](const char* name, const char* host, const char* headers, int status) {
        QTest::newRow(name) << QByteArray(host) << QByteArray(headers) << status;
    };
    row("localhost", "Host: localhost:PORT\r\n", "", 202);
    row("LOCALHOST", "Host: LocalHost:PORT\r\n", "", 202);
    row("127.0.0.1", "Host: 127.0.0.1:PORT\r\n", "", 202);
    row("[::1]", "Host: [::1]:PORT\r\n", "", 202);
    row("no host", "", "", 403);
    row("an empty host", "Host:\r\n", "", 403);
    row("no port", "Host: localhost\r\n", "", 403);
    row("another port", "Host: localhost:1\r\n", "", 403);
    row("a port with more behind it", "Host: localhost:PORT0\r\n", "", 403);
    row("a name bound again to us", "Host: evil.example:PORT\r\n", "", 403);
    row("our name as a part", "Host: localhost.evil.example:PORT\r\n", "", 403);
    row("our name as the end", "Host: evil-localhost:PORT\r\n", "", 403);
    row("our name with a user", "Host: localhost:PORT@evil.example\r\n", "", 403);
    row("another way to write our address", "Host: 127.1:PORT\r\n", "", 403);
    row("0.0.0.0", "Host: 0.0.0.0:PORT\r\n", "", 403);
    row("::1 without brackets", "Host: ::1:PORT\r\n", "", 403);
    row("two hosts", "Host: localhost:PORT\r\nHost: localhost:PORT\r\n", "", 400);
    row("an origin", "Host: localhost:PORT\r\n", "Origin: https://evil.example\r\n", 403);
    row("the origin null", "Host: localhost:PORT\r\n", "Origin: null\r\n", 403);
    row("our own origin", "Host: localhost:PORT\r\n", "Origin: http://localhost:PORT\r\n", 403);
    row("an empty origin", "Host: localhost:PORT\r\n", "Origin:\r\n", 403);
    row("from another site", "Host: localhost:PORT\r\n", "Sec-Fetch-Site: cross-site\r\n", 403);
    row("from the same site", "Host: localhost:PORT\r\n", "Sec-Fetch-Site: same-site\r\n", 403);
    row("from our origin", "Host: localhost:PORT\r\n", "Sec-Fetch-Site: same-origin\r\n", 202);
    row("from the address bar", "Host: localhost:PORT\r\n", "Sec-Fetch-Site: none\r\n", 202);
    row("from nowhere", "Host: localhost:PORT\r\n", "Sec-Fetch-Site:\r\n", 403);
    row("from two sites", "Host: localhost:PORT\r\n",
        "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n", 403);
    row("any fetch mode", "Host: localhost:PORT\r\n", "Sec-Fetch-Mode: no-cors\r\n", 202);
    row("cookies change nothing", "Host: localhost:PORT\r\n", "Cookie: a=b\r\n", 202);
}

void IntakeServerTest::keepsWebPagesOut() {
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, headers);
    QFETCH(int, status);
    IntakeFixture fixture;
    const QByteArray port = QByteArray::number(fixture.server.port());
    const auto ask = [&](const QByteArray& start, const QByteArray& body) {
        return fixture.ask(start + " HTTP/1.1\r\n" + QByteArray(host).replace("PORT", port) +
                           QByteArray(headers).replace("PORT", port) + IntakeFixture::bearer() +
                           "Content-Type: application/json\r\nContent-Length: " +
                           QByteArray::number(body.size()) + "\r\n\r\n" + body);
    };
    const RawAnswer answer = ask("POST /v1/events", kEvent);
    QCOMPARE(answer.status, status);
    QCOMPARE(fixture.submitted.size(), status == 202 ? 1u : 0u);
    if (status != 202) QVERIFY(isProblem(answer, status));
    QCOMPARE(ask("GET /v1/status", {}).status, status == 202 ? 200 : status);
    QCOMPARE(ask("GET /", {}).status, status == 202 ? 200 : status);
    const RawAnswer options = ask("OPTIONS /v1/events", {});
    QCOMPARE(options.status, status == 202 ? 405 : status);
    for (const RawAnswer& any : {answer, options})
        QVERIFY(!any.head.toLower().contains("access-control"));
}

void IntakeServerTest::asksForTheWriteKey_data() {
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<bool>("passes");
    const QByteArray key = IntakeFixture::kKey;
    const auto basic = [](const QByteArray& pair) {
        return "Authorization: Basic " + pair.toBase64() + "\r\n";
    };
    QTest::newRow("bearer") << QByteArray("Authorization: Bearer " + key + "\r\n") << true;
    QTest::newRow("bearer in small letters")
        << QByteArray("authorization: bearer  " + key + "\r\n") << true;
    QTest::newRow("basic with the key as user") << basic(key + ":") << true;
    QTest::newRow("basic with any password") << basic(key + ":a:b") << true;
    QTest::newRow("basic without a colon") << basic(key) << true;
    QTest::newRow("none") << QByteArray() << false;
    QTest::newRow("an empty one") << QByteArray("Authorization:\r\n") << false;
    QTest::newRow("bearer of nothing") << QByteArray("Authorization: Bearer \r\n") << false;
    QTest::newRow("a wrong key") << QByteArray("Authorization: Bearer " + QByteArray(43, 'a') +
                                               "\r\n")
                                 << false;
    QTest::newRow("a part of the key")
        << QByteArray("Authorization: Bearer " + key.chopped(1) + "\r\n") << false;
    QTest::newRow("more than the key")
        << QByteArray("Authorization: Bearer " + key + "x\r\n") << false;
    QTest::newRow("the last byte is wrong")
        << QByteArray("Authorization: Bearer " + key.chopped(1) + "x\r\n") << false;
    QTest::newRow("another scheme") << QByteArray("Authorization: Digest " + key + "\r\n") << false;
    QTest::newRow("no scheme") << QByteArray("Authorization: " + key + "\r\n") << false;
    QTest::newRow("the key as password") << basic("user:" + key) << false;
    QTest::newRow("basic that is no base64")
        << QByteArray("Authorization: Basic !!!!\r\n") << false;
    QTest::newRow("the key twice")
        << QByteArray("Authorization: Bearer " + key + "\r\n").repeated(2) << false;
    QTest::newRow("the key in another header") << QByteArray("X-Key: " + key + "\r\n") << false;
}

void IntakeServerTest::asksForTheWriteKey() {
    QFETCH(QByteArray, headers);
    QFETCH(bool, passes);
    IntakeFixture fixture;
    const RawAnswer answer = fixture.ask(fixture.request(
        "POST", "/v1/events", headers + "Content-Type: application/json\r\n", kEvent));
    const RawAnswer status = fixture.ask(fixture.request("GET", "/v1/status", headers));
    if (passes) {
        QCOMPARE(answer.status, 202);
        QCOMPARE(status.status, 200);
        return;
    }
    QVERIFY(isProblem(answer, 401));
    QVERIFY(isProblem(status, 401));
    QCOMPARE(answer.header("WWW-Authenticate"), QByteArray("Bearer"));
    QVERIFY2(!answer.body.contains(IntakeFixture::kKey), "the key is not told");
    QCOMPARE(fixture.submitted.size(), 0u);
}

void IntakeServerTest::servesItsPaths() {
    IntakeFixture fixture;
    const auto ask = [&](const QByteArray& method, const QByteArray& path) {
        return fixture.ask(fixture.request(method, path, IntakeFixture::bearer()));
    };
    const RawAnswer status = ask("GET", "/v1/status?pretty");
    QCOMPARE(status.status, 200);
    QCOMPARE(status.body, QByteArray("{\"lifecycle\":\"running\"}"));
    QCOMPARE(status.header("Content-Type"), QByteArray("application/json"));
    const RawAnswer front = ask("GET", "/");
    QCOMPARE(front.status, 200);
    QVERIFY(front.header("Content-Type").startsWith("text/plain"));
    const RawAnswer get = ask("GET", "/v1/events");
    QVERIFY(isProblem(get, 405));
    QCOMPARE(get.header("Allow"), QByteArray("POST"));
    QVERIFY(isProblem(ask("PUT", "/v1/events"), 405));
    QVERIFY(isProblem(ask("BREW", "/v1/events"), 405));
    QVERIFY(isProblem(ask("OPTIONS", "/v1/events"), 405));
    QVERIFY(isProblem(ask("OPTIONS", "/nowhere"), 405));
    const RawAnswer post = ask("POST", "/v1/status");
    QVERIFY(isProblem(post, 405));
    QCOMPARE(post.header("Allow"), QByteArray("GET, HEAD"));
    QVERIFY(isProblem(ask("POST", "/"), 405));
    for (const char* path : {"/v1/events/", "/v1/event", "/v1", "/../v1/events", "//v1/events",
                             "/v1/events%20", "/favicon.ico", "*", "http://localhost/v1/events"})
        QVERIFY2(isProblem(ask("POST", path), 404), path);
}

void IntakeServerTest::refusesForATime() {
    IntakeFixture fixture;
    fixture.server.setRefusing(IntakeRefusal{30, "The disk is full; free some space."});
    const RawAnswer answer = fixture.ask(fixture.post(kEvent));
    QVERIFY(isProblem(answer, 503));
    QCOMPARE(answer.header("Retry-After"), QByteArray("30"));
    QVERIFY(answer.body.contains("free some space"));
    QCOMPARE(fixture.submitted.size(), 0u);
    QCOMPARE(fixture.ask(fixture.request("GET", "/v1/status", IntakeFixture::bearer())).status,
             200);
    QVERIFY(isProblem(fixture.ask(fixture.request("POST", "/v1/events", {}, kEvent)), 401));
    fixture.server.setRefusing(std::nullopt);
    QCOMPARE(fixture.ask(fixture.post(kEvent)).status, 202);
}

void IntakeServerTest::refusesWhenTooMuchWaits() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    const QByteArray large =
        "[" +
        QByteArray("{\"type\":\"a\",\"payload\":\"" + QByteArray(1'000'000, 'x') + "\"},")
            .repeated(4)
            .chopped(1) +
        "]";
    const auto fits = limits::kIntakePendingBytes / static_cast<std::size_t>(large.size());
    std::vector<std::unique_ptr<RawClient>> clients;
    for (std::size_t i = 0; i < fits; ++i) {
        clients.push_back(std::make_unique<RawClient>(fixture.server.port()));
        clients.back()->send(fixture.post(large));
        QTRY_COMPARE(fixture.waiting.size(), i + 1);
    }
    const RawAnswer answer = fixture.ask(fixture.post(large));
    QVERIFY(isProblem(answer, 503));
    QVERIFY(answer.header("Retry-After").toInt() > 0);
    QCOMPARE(fixture.waiting.size(), fits);
    while (!fixture.waiting.empty()) fixture.commit();
    for (const auto& client : clients) QCOMPARE(client->read().status, 202);
    QCOMPARE(fixture.server.pendingBytes(), 0u);
    fixture.commitsAtOnce = true;
    QCOMPARE(fixture.ask(fixture.post(large)).status, 202);
}

void IntakeServerTest::answersBrokenRequestsWithProblems() {
    IntakeFixture fixture;
    QVERIFY(isProblem(fixture.ask("nonsense\r\n\r\n"), 400));
    QVERIFY(isProblem(fixture.ask("GET /" + QByteArray(20'000, 'a') + " HTTP/1.1\r\n\r\n"), 431));
    QVERIFY(isProblem(fixture.ask("POST /v1/events HTTP/1.1\r\nHost: " + fixture.host() +
                                  "\r\nContent-Length: 4194305\r\n\r\n"),
                      413));
    QVERIFY(isProblem(fixture.ask("POST /v1/events HTTP/1.1\r\nHost: " + fixture.host() +
                                  "\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
                      400));
    QCOMPARE(fixture.submitted.size(), 0u);
}

void IntakeServerTest::standsAClientThatLeft() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.post(kEvent));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    client.leave();
    // Another round trip: the end of the client is seen by then.
    QCOMPARE(fixture.ask(fixture.request("GET", "/", {})).status, 200);
    fixture.commit();
    QCOMPARE(fixture.server.snapshot().acceptedEvents, 1u);
    QCOMPARE(fixture.server.pendingBytes(), 0u);
}

void IntakeServerTest::listensOnBothLoopbackAddresses() {
    IntakeFixture fixture;
    QTcpServer probe;
    if (!probe.listen(QHostAddress(QHostAddress::LocalHostIPv6), 0))
        QSKIP("this machine has no IPv6");
    RawClient client(fixture.server.port(), QStringLiteral("::1"));
    QCOMPARE(client.ask(fixture.post(kEvent)).status, 202);
}

void IntakeServerTest::namesAPortInUse() {
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress(QHostAddress::LocalHost), 0));
    const std::string port = std::to_string(other.serverPort());
    IntakeFixture fixture;
    IntakePorts ports;
    ports.submit = [](IntakeSubmission) {};
    ports.findDestination = [](std::string_view) { return std::optional<DestinationId>(); };
    IntakeServer server(ports, IntakeFixture::kKey);
    const auto listening = server.listen(other.serverPort());
    QVERIFY(!listening);
    QVERIFY(listening.error().code == Error::Code::inUse);
    QCOMPARE(listening.error().detail, "port " + port +
                                           " is in use by another program; choose another with "
                                           "--listen PORT");
    QVERIFY(!server.snapshot().listening);
    QCOMPARE(server.snapshot().error, listening.error().detail);
    other.close();
    QVERIFY(server.listen(static_cast<std::uint16_t>(std::stoi(port))));
    QVERIFY(server.snapshot().listening);
    QCOMPARE(server.snapshot().error, std::string());

    QTcpServer six;
    if (!six.listen(QHostAddress(QHostAddress::LocalHostIPv6), 0)) return;
    IntakeServer third(ports, IntakeFixture::kKey);
    const auto half = third.listen(six.serverPort());
    QVERIFY2(!half, "whoever says localhost would reach the other program");
    QVERIFY(half.error().code == Error::Code::inUse);
    QCOMPARE(third.port(), std::uint16_t{0});
}

void IntakeServerTest::closesAfterTheAnswersThatAreDue() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    const std::uint16_t port = fixture.server.port();
    RawClient client(port);
    client.send(fixture.post(kEvent));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    fixture.server.close(false);
    QVERIFY(!fixture.server.snapshot().listening);
    fixture.commit();
    QCOMPARE(client.read().status, 202);
    QVERIFY(client.waitClosed());
    RawClient late(port);
    QVERIFY(late.closed());
}

QTEST_GUILESS_MAIN(IntakeServerTest)
#include "intake_server_test.moc"
