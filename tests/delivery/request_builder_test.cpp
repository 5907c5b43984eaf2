// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/request_builder.h"
#include "tests/support/sent_event.h"

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

AttemptRequest attempt(std::shared_ptr<SentEvent> event = lanes::test::sentEvent("evt 1")) {
    AttemptRequest request;
    request.event = std::move(event);
    request.start.attempt = AttemptId(1);
    request.start.pointer = {DestinationId(3), Sequence(41)};
    request.start.user = UserId(77);
    request.start.number = 2;
    request.start.previous = Sequence(12);
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
    void logsInAsTheSettingsSay_data();
    void logsInAsTheSettingsSay();
    void signsTheCloudEventThatIsSent();
    void certificatesThatCannotBeUsedAreToldOf();
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
    const auto event = lanes::test::sentEvent("evt 1");
    event->contentType = "text/plain; charset=utf-8";
    auto sent = attempt(event);
    sent.start.operation = OperationId(9);
    const auto request = buildRequest(prepareTarget(config()), sent, 1614265330);
    QCOMPARE(request.method, std::string("POST"));
    QCOMPARE(request.target, std::string("/hook?a=1"));
    QCOMPARE(request.body, event->payload);
    QCOMPARE(valueOf(request, "Host"), std::string("127.0.0.1:8080"));
    QCOMPARE(valueOf(request, "User-Agent"), std::string("RivoraLanes/" LANES_VERSION));
    QCOMPARE(valueOf(request, "Accept-Encoding"), std::string("identity"));
    QCOMPARE(valueOf(request, "Content-Type"), event->contentType);
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
    auto sent = attempt(lanes::test::sentEvent({}));
    sent.start.previous = {};
    const auto request = buildRequest(prepareTarget(config()), sent, 1);
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

void RequestBuilderTest::logsInAsTheSettingsSay_data() {
    QTest::addColumn<int>("scheme");
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QByteArray>("header");
    using Scheme = Authentication::Scheme;
    const auto row = [](const char* title, Scheme scheme, const char* user, const char* secret,
                        const char* header) {
        QTest::newRow(title) << static_cast<int>(scheme) << QByteArray(user) << QByteArray(secret)
                             << QByteArray(header);
    };
    row("not at all", Scheme::none, "", "", "");
    // The examples of RFC 7617 and RFC 6750.
    row("basic", Scheme::basic, "Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    row("basic, not ASCII", Scheme::basic, "test", "123\xc2\xa3", "Basic dGVzdDoxMjPCow==");
    row("basic, a colon in the password", Scheme::basic, "a", "b:c", "Basic YTpiOmM=");
    row("bearer", Scheme::bearer, "", "mF_9.B5f-4.1JqM", "Bearer mF_9.B5f-4.1JqM");
}

void RequestBuilderTest::logsInAsTheSettingsSay() {
    QFETCH(int, scheme);
    QFETCH(QByteArray, user);
    QFETCH(QByteArray, secret);
    QFETCH(QByteArray, header);
    auto settings = config();
    settings.authentication = {static_cast<Authentication::Scheme>(scheme), user.toStdString(),
                               secret.toStdString()};
    const auto target = prepareTarget(settings);
    QCOMPARE(target.problem, std::string());
    QCOMPARE(QByteArray::fromStdString(valueOf(buildRequest(target, attempt(), 1),
                                               "Authorization")),
             header);
}

void RequestBuilderTest::signsTheCloudEventThatIsSent() {
    auto settings = config();
    settings.body = BodyFormat::cloudEventsStructured;
    settings.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
    const auto request = buildRequest(prepareTarget(settings), attempt(), 1614265330);
    QCOMPARE(valueOf(request, "Content-Type"), std::string("application/cloudevents+json"));
    QVERIFY(request.body->starts_with("{\"id\":\"evt 1\""));
    const auto signer = WebhookSigner::fromSecrets(settings.secrets);
    QVERIFY(signer.has_value());
    QCOMPARE(valueOf(request, "webhook-signature"),
             signer->sign(webhookId(Sequence(41), "evt 1"), 1614265330, *request.body));
}

void RequestBuilderTest::certificatesThatCannotBeUsedAreToldOf() {
    auto settings = config();
    settings.url = "https://127.0.0.1/";
    settings.tls = {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "x", {}};
    const auto target = prepareTarget(settings);
    QVERIFY2(target.problem.starts_with("client certificate: "), target.problem.c_str());
    QVERIFY(sendProblem(target, attempt()).starts_with("Not sent: client certificate: "));
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
    const auto event = lanes::test::sentEvent("evt 1");
    event->contentType = contentType.toStdString();
    const auto problem = sendProblem(prepareTarget(settings), attempt(event));
    QVERIFY2(problem.starts_with("Not sent: "), problem.c_str());
    QVERIFY(problem.find('\n') == std::string::npos);
    QVERIFY(sendProblem(prepareTarget(config()), attempt()).empty());
}

QTEST_GUILESS_MAIN(RequestBuilderTest)
#include "request_builder_test.moc"
