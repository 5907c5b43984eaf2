// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/request_builder.h"

#include <QTest>

#include <set>

using namespace lanes;

namespace {

DestinationConfig config() {
    DestinationConfig config;
    config.id = DestinationId(3);
    config.name = "crm";
    config.url = "http://127.0.0.1:8080/hook?a=1";
    return config;
}

AttemptRequest attempt() {
    AttemptRequest request;
    request.start.attempt = AttemptId(1);
    request.start.pointer = {DestinationId(3), Sequence(41)};
    request.start.user = UserId(77);
    request.start.number = 2;
    request.start.previous = Sequence(12);
    request.eventId = "evt 1";
    request.payload = std::make_shared<const std::string>("{}");
    return request;
}

/// Values of a header, joined by '|'.
std::string valueOf(const http::ClientRequest& request, std::string_view name) {
    std::string all;
    for (const auto& [key, value] : request.headers)
        if (key == name) all += (all.empty() ? "" : "|") + value;
    return all;
}

}  // namespace

class RequestBuilderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsUrls_data();
    void readsUrls();
    void carriesTheHeaders();
    void leavesOutWhatIsNotKnown();
    void aTestSaysThatItIsOneAndSpeaksOfNoLane();
    void customHeadersAreSentAndMayReplaceOnlySome();
    void signsWithTheTimeOfTheAttempt();
    void webhookIdsAreStableAndWithoutDots();
    void laneTokensTellLanesApart();
    void encodesForHeaders_data();
    void encodesForHeaders();
    void refusesWhatMustNotReachTheWire_data();
    void refusesWhatMustNotReachTheWire();
};

void RequestBuilderTest::readsUrls_data() {
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("parts");  // tls host port authority target; empty = refused
    const auto row = [](const char* url, const char* parts) {
        QTest::newRow(url) << QByteArray(url) << QByteArray(parts);
    };
    row("http://example.com", "0 example.com 80 example.com /");
    row("https://example.com/a/b?c=%7E&d", "1 example.com 443 example.com /a/b?c=%7E&d");
    row("HTTP://example.com:80/", "0 example.com 80 example.com /");
    row("http://example.com:8080?x", "0 example.com 8080 example.com:8080 /?x");
    row("http://[::1]:9/x", "0 ::1 9 [::1]:9 /x");
    row("http://[fe80::1%25eth0]/", "0 fe80::1%eth0 80 [fe80::1] /");
    row("http://example.com/a#part", "0 example.com 80 example.com /a");
    row("http://user:pw@example.com/", "");
    row("http://", "");
    row("http://:80/", "");
    row("http://example.com:0/", "");
    row("http://example.com:65536/", "");
    row("http://example.com:x/", "");
    row("ftp://example.com/", "");
    row("example.com", "");
    row("http://example.com/a b", "");
    row("http://[::1", "");
}

void RequestBuilderTest::readsUrls() {
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, parts);
    const auto read = http::parseUrl(url.toStdString());
    std::string seen;
    if (read)
        seen = std::to_string(read->origin.tls) + " " + read->origin.host + " " +
               std::to_string(read->origin.port) + " " + read->authority + " " + read->target;
    QCOMPARE(QByteArray::fromStdString(seen), parts);
}

void RequestBuilderTest::carriesTheHeaders() {
    auto event = attempt();
    event.start.operation = OperationId(9);
    event.contentType = "application/cloudevents+json";
    const auto request = buildRequest(prepareTarget(config()), event, 1614265330);
    QCOMPARE(request.method, std::string("POST"));
    QCOMPARE(request.target, std::string("/hook?a=1"));
    QCOMPARE(request.body, event.payload);
    QCOMPARE(valueOf(request, "Host"), std::string("127.0.0.1:8080"));
    QCOMPARE(valueOf(request, "User-Agent"), std::string("RivoraLanes/" LANES_VERSION));
    QCOMPARE(valueOf(request, "Accept-Encoding"), std::string("identity"));
    QCOMPARE(valueOf(request, "Content-Type"), event.contentType);
    QCOMPARE(valueOf(request, "webhook-id"), webhookId(Sequence(41), "evt 1"));
    QCOMPARE(valueOf(request, "webhook-timestamp"), std::string("1614265330"));
    QCOMPARE(valueOf(request, "rivora-lane"), laneToken({DestinationId(3), UserId(77)}));
    QCOMPARE(valueOf(request, "rivora-sequence"), std::string("41"));
    QCOMPARE(valueOf(request, "rivora-previous"), std::string("12"));
    QCOMPARE(valueOf(request, "rivora-attempt"), std::string("2"));
    QCOMPARE(valueOf(request, "rivora-event-id"), std::string("evt%201"));
    QCOMPARE(valueOf(request, "rivora-rewind"), std::string("9"));
    for (const auto& [name, value] : request.headers)
        QVERIFY2(http::validHeader(name, value), name.c_str());
}

void RequestBuilderTest::leavesOutWhatIsNotKnown() {
    auto event = attempt();
    event.start.previous = {};
    event.eventId.clear();
    const auto request = buildRequest(prepareTarget(config()), event, 1);
    QCOMPARE(valueOf(request, "Content-Type"), std::string("application/json"));
    for (const auto* absent :
         {"rivora-previous", "rivora-rewind", "rivora-event-id", "webhook-signature", "Cookie"})
        QCOMPARE(valueOf(request, absent), std::string());
}

void RequestBuilderTest::aTestSaysThatItIsOneAndSpeaksOfNoLane() {
    const auto target = prepareTarget(config());
    auto test = attempt();
    test.start.pointer.sequence = {};
    const auto request = buildRequest(target, test, 1'700'000'000);
    QCOMPARE(valueOf(request, "rivora-test"), std::string("1"));
    for (const char* name : {"rivora-lane", "rivora-sequence", "rivora-previous", "rivora-attempt"})
        QCOMPARE(valueOf(request, name), std::string());
    QVERIFY(!valueOf(request, "webhook-id").empty());
    QCOMPARE(valueOf(buildRequest(target, attempt(), 1), "rivora-test"), std::string());
}

void RequestBuilderTest::customHeadersAreSentAndMayReplaceOnlySome() {
    auto settings = config();
    settings.headers = {{"Authorization", "Bearer x"}, {"user-agent", "mine"}};
    const auto target = prepareTarget(settings);
    QVERIFY2(target.problem.empty(), target.problem.c_str());
    const auto request = buildRequest(target, attempt(), 1);
    QCOMPARE(valueOf(request, "Authorization"), std::string("Bearer x"));
    QCOMPARE(valueOf(request, "user-agent"), std::string("mine"));
    QCOMPARE(valueOf(request, "User-Agent"), std::string());
}

void RequestBuilderTest::signsWithTheTimeOfTheAttempt() {
    auto settings = config();
    settings.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
    const auto target = prepareTarget(settings);
    const auto early = buildRequest(target, attempt(), 1000);
    const auto late = buildRequest(target, attempt(), 4600);
    QCOMPARE(valueOf(early, "webhook-id"), valueOf(late, "webhook-id"));
    QVERIFY(valueOf(early, "webhook-signature") != valueOf(late, "webhook-signature"));
    QCOMPARE(valueOf(late, "webhook-signature"),
             target.signer.sign(valueOf(late, "webhook-id"), 4600, "{}"));
}

void RequestBuilderTest::webhookIdsAreStableAndWithoutDots() {
    std::set<std::string> ids;
    for (std::uint64_t i = 1; i <= 2000; ++i) {
        const auto id = webhookId(Sequence(i), "a.b");
        QVERIFY(id.find('.') == std::string::npos);
        QCOMPARE(id.size(), 30U);
        ids.insert(id);
    }
    QCOMPARE(ids.size(), 2000U);
    QCOMPARE(webhookId(Sequence(1), "x"), webhookId(Sequence(1), "x"));
    QVERIFY(webhookId(Sequence(1), "x") != webhookId(Sequence(1), "y"));
}

void RequestBuilderTest::laneTokensTellLanesApart() {
    std::set<std::string> tokens;
    for (std::uint32_t d = 1; d <= 20; ++d)
        for (std::uint64_t u = 0; u < 100; ++u)
            tokens.insert(laneToken({DestinationId(d), UserId(u)}));
    QCOMPARE(tokens.size(), 2000U);
    for (const auto& token : tokens) QCOMPARE(token.size(), 16U);
}

void RequestBuilderTest::encodesForHeaders_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("encoded");
    QTest::newRow("the vector of CloudEvents") << QByteArray("Euro \xe2\x82\xac \xf0\x9f\x98\x80")
                                               << QByteArray("Euro%20%E2%82%AC%20%F0%9F%98%80");
    QTest::newRow("quotes and percent signs") << QByteArray("a\"b%c") << QByteArray("a%22b%25c");
    QTest::newRow("line breaks") << QByteArray("a\r\nX: y") << QByteArray("a%0D%0AX:%20y");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a%00b");
    QTest::newRow("plain") << QByteArray("evt-1_2.3~4") << QByteArray("evt-1_2.3~4");
}

void RequestBuilderTest::encodesForHeaders() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, encoded);
    QCOMPARE(QByteArray::fromStdString(percentEncoded(text.toStdString())), encoded);
}

void RequestBuilderTest::refusesWhatMustNotReachTheWire_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("contentType");
    const auto row = [](const char* title, const QByteArray& name, const QByteArray& value,
                        const QByteArray& type) { QTest::newRow(title) << name << value << type; };
    row("a line break in a value", "X-A", "b\r\nX-C: d", "");
    row("a bare line feed in a value", "X-A", "b\nX-C: d", "");
    row("NUL in a value", "X-A", QByteArray("b\0c", 3), "");
    row("a line break in a name", "X\r\nY", "b", "");
    row("a colon in a name", "X:Y", "b", "");
    row("a name that is empty", "", "b", "");
    row("our own length", "Content-Length", "1", "");
    row("our own host", "Host", "other", "");
    row("our own coding", "Transfer-Encoding", "chunked", "");
    row("our own signature", "webhook-signature", "v1,x", "");
    row("our own order", "Rivora-Sequence", "1", "");
    row("a line break in the event's content type", "X-A", "b", "text/plain\r\nX-C: d");
}

void RequestBuilderTest::refusesWhatMustNotReachTheWire() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, contentType);
    auto settings = config();
    settings.headers = {{name.toStdString(), value.toStdString()}};
    auto event = attempt();
    event.contentType = contentType.toStdString();
    const auto problem = sendProblem(prepareTarget(settings), event);
    QVERIFY2(problem.starts_with("Not sent: "), problem.c_str());
    QVERIFY(problem.find('\n') == std::string::npos);
    QVERIFY(sendProblem(prepareTarget(config()), attempt()).empty());
}

QTEST_GUILESS_MAIN(RequestBuilderTest)
#include "request_builder_test.moc"
