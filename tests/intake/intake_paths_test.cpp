// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_server.h"

#include "engine/config.h"
#include "engine/user_id.h"
#include "tests/intake/intake_fixture.h"

#include <QTest>

using namespace lanes;
using lanes::test::gzip;
using lanes::test::IntakeFixture;
using lanes::test::isProblem;
using lanes::test::parsed;
using lanes::test::RawAnswer;
using lanes::test::RawClient;

namespace {

const QByteArray kJson = "Content-Type: application/json\r\n";
const QByteArray kTrack = R"({"type":"track","userId":"u1","event":"E","messageId":"m1"})";
const QByteArray kBatch = R"({"batch":[)" + kTrack + "]}";
const QByteArray kCloud =
    R"({"specversion":"1.0","id":"c1","source":"/s","type":"a.b","subject":"u1"})";
const QByteArray kCloudJson = "Content-Type: application/cloudevents+json\r\n";
const QByteArray kBinary =
    "ce-specversion: 1.0\r\nce-id: c1\r\nce-source: /s\r\nce-type: a.b\r\nce-subject: u1\r\n";
const QByteArray kNative = R"({"user":"u1","type":"a.b","payload":{"n":1}})";

QByteArray code(const RawAnswer& answer) {
    return QByteArray::fromStdString(parsed(answer).value("code", ""));
}

QByteArray key(const QByteArray& value) {
    return "Idempotency-Key: " + value + "\r\n";
}

/// As senders do that do not know the length when they begin.
QByteArray chunked(QByteArray request) {
    const qsizetype body = request.indexOf("\r\n\r\n") + 4;
    const QByteArray text = request.mid(body);
    request.truncate(body - 2);
    const qsizetype length = request.indexOf("Content-Length");
    request.truncate(length);
    request += "Transfer-Encoding: chunked\r\n\r\n";
    for (qsizetype at = 0; at < text.size(); at += 7) {
        const QByteArray chunk = text.mid(at, 7);
        request += QByteArray::number(chunk.size(), 16) + "\r\n" + chunk + "\r\n";
    }
    return request + "0\r\n\r\n";
}

}  // namespace

/// The intake's paths for senders of other programs, over the wire.
class IntakePathsTest : public QObject {
    Q_OBJECT

private slots:
    void answersSdksAfterTheCommit();
    void takesEveryKindOfSdkEvent();
    void takesWhatSdksSend_data();
    void takesWhatSdksSend();
    void neverRefusesABatchForItsEvents();
    void takesCloudEvents();
    void takesCloudEventsInChunks();
    void choosesTheModeByTheContentType_data();
    void choosesTheModeByTheContentType();
    void rejectsCloudEvents();
    void takesTheKeyForTheId_data();
    void takesTheKeyForTheId();
    void tellsAKeyThatWasUsedForSomethingElse();
    void guardsEveryPath_data();
    void guardsEveryPath();
    void showsMetrics();
};

void IntakePathsTest::answersSdksAfterTheCommit() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    RawClient client(fixture.server.port());
    client.send(fixture.postTo("/v1/batch", kBatch, kJson));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    QCOMPARE(client.read(false, 50).status, 0);
    fixture.commit();
    const RawAnswer answer = client.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.body,
             QByteArray("{\"success\":true,\"accepted\":1,\"duplicates\":0,\"rejected\":[]}\n"));
    const NewEvent& event = fixture.submitted.at(0);
    QCOMPARE(event.source, std::string("segment"));
    QCOMPARE(event.id, std::string("m1"));
    QCOMPARE(event.type, std::string("track"));
    QCOMPARE(event.contentType, std::string("application/json"));
    QCOMPARE(QByteArray::fromStdString(event.payload), kTrack);
    QCOMPARE(event.userId.value, fingerprint(UserKey{UserKey::Kind::user, "u1"}, event.id).value);
    QCOMPARE(fixture.server.snapshot().acceptedEvents, 1u);

    client.send(fixture.postTo("/v1/batch", kBatch, kJson));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    fixture.commit(false);
    QVERIFY2(isProblem(client.read(), 503), "the SDK keeps it and tries again");
    fixture.duplicatesDiffer = true;
    client.send(fixture.postTo("/v1/batch", kBatch, kJson));
    QTRY_COMPARE(fixture.waiting.size(), 1u);
    fixture.commit(true, 1);
    const RawAnswer again = client.read();
    QCOMPARE(again.status, 200);
    QCOMPARE(parsed(again).value("duplicates", 0), 1);
}

void IntakePathsTest::takesEveryKindOfSdkEvent() {
    IntakeFixture fixture;
    const std::vector<std::pair<QByteArray, QByteArray>> kinds = {
        {"track", R"({"userId":"u","event":"E"})"},
        {"identify", R"({"userId":"u","traits":{}})"},
        {"page", R"({"anonymousId":"a"})"},
        {"screen", R"({"userId":"u"})"},
        {"group", R"({"userId":"u","groupId":"g"})"},
        {"alias", R"({"userId":"u","previousId":"p"})"}};
    for (const auto& [type, body] : kinds) {
        const RawAnswer answer = fixture.ask(fixture.postTo("/v1/" + type, body, kJson));
        QCOMPARE(answer.status, 200);
        QCOMPARE(parsed(answer).value("accepted", 0), 1);
        QCOMPARE(QByteArray::fromStdString(fixture.submitted.back().type), type);
        QCOMPARE(QByteArray::fromStdString(fixture.submitted.back().payload), body);
        QCOMPARE(fixture.submitted.back().id.size(), 26u);
    }
    const RawAnswer wrong = fixture.ask(fixture.postTo("/v1/page", kTrack, kJson));
    QVERIFY(isProblem(wrong, 422));
    QVERIFY(wrong.body.contains("the path is that of page"));
    QVERIFY(isProblem(fixture.ask(fixture.postTo("/v1/track", "{", kJson)), 400));
    const QByteArray large = R"({"userId":"u","event":")" +
                             QByteArray(static_cast<qsizetype>(limits::kEventBytes), 'x') + "\"}";
    QVERIFY(isProblem(fixture.ask(fixture.postTo("/v1/track", large, kJson)), 413));
    QCOMPARE(fixture.submitted.size(), kinds.size());
}

void IntakePathsTest::takesWhatSdksSend_data() {
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<bool>("packed");
    QTest::addColumn<int>("status");
    const QByteArray form = "Content-Type: application/x-www-form-urlencoded\r\n";
    const QByteArray gz = "Content-Encoding: gzip\r\n";
    QTest::newRow("JSON") << kJson << false << 200;
    QTest::newRow("packed JSON") << kJson + gz << true << 200;
    QTest::newRow("packed JSON called a form") << form + gz << true << 200;
    QTest::newRow("packed JSON called a form in UTF-8")
        << "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n" + gz << true << 200;
    QTest::newRow("a fetch mode") << kJson + "Sec-Fetch-Mode: cors\r\n" << false << 200;
    QTest::newRow("a count of retries") << kJson + "X-Retry-Count: 3\r\n" << false << 200;
    QTest::newRow("a form that is not packed") << form << false << 415;
    QTest::newRow("a form that says it is packed") << form + gz << false << 400;
    QTest::newRow("plain text") << QByteArray("Content-Type: text/plain\r\n") << false << 415;
    QTest::newRow("no type") << QByteArray() << false << 415;
    QTest::newRow("another charset")
        << QByteArray("Content-Type: application/json; charset=latin1\r\n") << false << 415;
    QTest::newRow("lines") << QByteArray("Content-Type: application/x-ndjson\r\n") << false << 415;
    QTest::newRow("two types") << kJson + form + gz << true << 415;
}

void IntakePathsTest::takesWhatSdksSend() {
    QFETCH(QByteArray, headers);
    QFETCH(bool, packed);
    QFETCH(int, status);
    IntakeFixture fixture;
    const QByteArray basic =
        "Authorization: Basic " + (QByteArray(IntakeFixture::kKey) + ":").toBase64() + "\r\n";
    for (const char* path : {"/v1/batch", "/v1/track"}) {
        const QByteArray body = QByteArray(path) == "/v1/batch" ? kBatch : kTrack;
        const QByteArray request =
            fixture.request("POST", path, basic + headers, packed ? gzip(body) : body);
        QCOMPARE(fixture.ask(request).status, status);
        QCOMPARE(fixture.ask(chunked(request)).status, status);
    }
    QCOMPARE(fixture.submitted.size(), status == 200 ? 4u : 0u);
    const RawAnswer native =
        fixture.ask(fixture.postTo("/v1/events", gzip(kNative),
                                   "Content-Type: application/x-www-form-urlencoded\r\n"
                                   "Content-Encoding: gzip\r\n"));
    QCOMPARE(native.status, 415);
}

void IntakePathsTest::neverRefusesABatchForItsEvents() {
    IntakeFixture fixture;
    const RawAnswer some = fixture.ask(fixture.postTo(
        "/v1/batch", R"({"batch":[1,)" + kTrack + R"(,{"type":"track","userId":"u"}]})", kJson));
    QCOMPARE(some.status, 200);
    QCOMPARE(parsed(some).value("success", false), true);
    QCOMPARE(parsed(some).value("accepted", 0), 1);
    QCOMPARE(parsed(some).at("rejected").size(), 2u);
    QCOMPARE(parsed(some).at("rejected").at(1).at("index").get<int>(), 2);
    QCOMPARE(parsed(some).at("rejected").at(1).at("detail").get<std::string>(),
             std::string("\"event\" is missing"));
    QCOMPARE(fixture.server.snapshot().rejectedEvents, 2u);
    const RawAnswer none = fixture.ask(fixture.postTo("/v1/batch", R"({"batch":[1,2]})", kJson));
    QCOMPARE(none.status, 200);
    QCOMPARE(parsed(none).value("accepted", -1), 0);
    QCOMPARE(fixture.ask(fixture.postTo("/v1/batch", R"({"batch":[]})", kJson)).status, 200);
    QVERIFY(isProblem(fixture.ask(fixture.postTo("/v1/batch", "{}", kJson)), 400));
    QCOMPARE(fixture.submitted.size(), 1u);
}

void IntakePathsTest::takesCloudEvents() {
    IntakeFixture fixture;
    const RawAnswer structured = fixture.ask(fixture.postTo("/v1/cloudevents", kCloud, kCloudJson));
    QCOMPARE(structured.status, 202);
    QCOMPARE(structured.body, QByteArray("{\"accepted\":1,\"duplicates\":0,\"rejected\":[]}\n"));
    QCOMPARE(fixture.submitted.back().source, std::string("cloudevents:/s"));
    QCOMPARE(fixture.submitted.back().id, std::string("c1"));
    QCOMPARE(fixture.submitted.back().type, std::string("a.b"));
    QCOMPARE(fixture.submitted.back().user.text, std::string("u1"));
    QCOMPARE(fixture.submitted.back().contentType, std::string("application/cloudevents+json"));
    QCOMPARE(QByteArray::fromStdString(fixture.submitted.back().payload), kCloud);

    QCOMPARE(fixture
                 .ask(fixture.postTo("/v1/cloudevents", "hello",
                                     kBinary + "Content-Type: text/plain; a=b\r\n"))
                 .status,
             202);
    QCOMPARE(fixture.submitted.back().source, std::string("cloudevents:/s"));
    QCOMPARE(fixture.submitted.back().contentType, std::string("text/plain; a=b"));
    QCOMPARE(fixture.submitted.back().payload, std::string("hello"));
    QCOMPARE(fixture
                 .ask(fixture.postTo("/v1/cloudevents", gzip("{}"),
                                     kBinary + kJson + "Content-Encoding: gzip\r\n"))
                 .status,
             202);
    QCOMPARE(fixture.submitted.back().payload, std::string("{}"));

    const RawAnswer batch =
        fixture.ask(fixture.postTo("/v1/cloudevents", "[" + kCloud + ",{}," + kCloud + "]",
                                   "Content-Type: application/cloudevents-batch+json\r\n"));
    QCOMPARE(batch.status, 202);
    QCOMPARE(parsed(batch).value("accepted", 0), 2);
    QCOMPARE(parsed(batch).at("rejected").size(), 1u);
    QCOMPARE(fixture.submitted.size(), 5u);
}

void IntakePathsTest::takesCloudEventsInChunks() {
    IntakeFixture fixture;
    QCOMPARE(fixture.ask(chunked(fixture.postTo("/v1/cloudevents", kCloud, kCloudJson))).status,
             202);
    QCOMPARE(fixture.ask(chunked(fixture.postTo("/v1/cloudevents", "{}", kBinary + kJson))).status,
             202);
    QCOMPARE(fixture.submitted.size(), 2u);
}

void IntakePathsTest::choosesTheModeByTheContentType_data() {
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    const auto type = [](const char* value) {
        return "Content-Type: " + QByteArray(value) + "\r\n";
    };
    QTest::newRow("structured in capitals")
        << type("Application/CloudEvents+JSON; charset=UTF-8") << kCloud << 202;
    QTest::newRow("structured, though there are headers of the binary mode")
        << type("application/cloudevents+json") + kBinary << kCloud << 202;
    QTest::newRow("batch in capitals")
        << type("APPLICATION/CLOUDEVENTS-BATCH+JSON") << "[" + kCloud + "]" << 202;
    QTest::newRow("binary without a type") << kBinary << QByteArray("x") << 202;
    QTest::newRow("binary without data") << kBinary << QByteArray() << 202;
    QTest::newRow("binary without all attributes")
        << QByteArray("ce-specversion: 1.0\r\n") << QByteArray("x") << 422;
    QTest::newRow("another format") << type("application/cloudevents+avro") << kCloud << 415;
    QTest::newRow("another format of a batch")
        << type("application/cloudevents-batch+xml") << kCloud << 415;
    QTest::newRow("no format") << type("application/cloudevents") << kCloud << 415;
    QTest::newRow("structured in another charset")
        << type("application/cloudevents+json; charset=utf-16") << kCloud << 415;
    QTest::newRow("JSON without attributes") << kJson << kCloud << 415;
    QTest::newRow("two types") << kJson + kBinary + kJson << QByteArray("{}") << 415;
    QTest::newRow("a batch that is no list")
        << type("application/cloudevents-batch+json") << kCloud << 400;
    QTest::newRow("no JSON") << kCloudJson << QByteArray("{") << 400;
}

void IntakePathsTest::choosesTheModeByTheContentType() {
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    IntakeFixture fixture;
    const RawAnswer answer = fixture.ask(fixture.postTo("/v1/cloudevents", body, headers));
    QCOMPARE(answer.status, status);
    if (status != 202) QVERIFY(isProblem(answer, status));
    QCOMPARE(fixture.submitted.size(), status == 202 ? 1u : 0u);
}

void IntakePathsTest::rejectsCloudEvents() {
    IntakeFixture fixture;
    const auto structured =
        fixture.ask(fixture.postTo("/v1/cloudevents", R"({"specversion":"1.0"})", kCloudJson));
    QVERIFY(isProblem(structured, 422));
    QCOMPARE(code(structured), QByteArray("missing_field"));
    const auto binary = [&](const QByteArray& headers, const QByteArray& body) {
        return fixture.ask(fixture.postTo("/v1/cloudevents", body, kBinary + headers));
    };
    QVERIFY(isProblem(binary("Content-Type: text/plain\r\n", "\xff"), 422));
    QVERIFY(isProblem(binary(kJson, "{"), 422));
    QVERIFY(isProblem(binary("ce-partitionkey: %C0%A0\r\n", "{}"), 422));
    QVERIFY(isProblem(binary("ce-id: c2\r\n", "{}"), 422));
    QVERIFY(isProblem(binary("", QByteArray(static_cast<qsizetype>(limits::kEventBytes) + 1, ' ')),
                      413));
    QCOMPARE(fixture.submitted.size(), 0u);
    QCOMPARE(fixture.server.snapshot().rejectedEvents, 6u);
}

void IntakePathsTest::takesTheKeyForTheId_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* name, const char* path, const QByteArray& headers,
                        const QByteArray& body, const char* result) {
        QTest::newRow(name) << QByteArray(path) << headers << body << QByteArray(result);
    };
    const QByteArray own = R"({"id":"k1","type":"a.b","payload":1})";
    const QByteArray lines = "Content-Type: application/x-ndjson\r\n";
    row("in quotes", "/v1/events", kJson + key("\"k1\""), kNative, "k1");
    row("bare", "/v1/events", kJson + key("k1"), kNative, "k1");
    row("the same as the event's", "/v1/events", kJson + key("k1"), own, "k1");
    row("another than the event's", "/v1/events", kJson + key("k2"), own,
        "422 idempotency_key_differs");
    row("of a list", "/v1/events", kJson + key("k1"), "[" + kNative + "]",
        "422 idempotency_key_of_a_list");
    row("of lines", "/v1/events", lines + key("k1"), kNative + "\n",
        "422 idempotency_key_of_a_list");
    row("of a bad event", "/v1/events", kJson + key("k1"), "{}", "422 missing_field");
    row("malformed", "/v1/events", kJson + key("\"k1"), kNative, "400 bad_idempotency_key");
    row("empty", "/v1/events", kJson + key(""), kNative, "400 bad_idempotency_key");
    row("twice", "/v1/events", kJson + key("k1") + key("k1"), kNative, "400 bad_idempotency_key");
    row("too long", "/v1/events", kJson + key(QByteArray(257, 'k')), kNative,
        "400 bad_idempotency_key");
    row("as long as an id", "/v1/events", kJson + key(QByteArray(256, 'k')), kNative,
        QByteArray(256, 'k').constData());
    row("of an SDK's event", "/v1/page", kJson + key("k1"), R"({"userId":"u"})", "k1");
    row("another than the SDK's event's", "/v1/track", kJson + key("k1"), kTrack,
        "422 idempotency_key_differs");
    row("of an SDK's batch it is left alone", "/v1/batch", kJson + key("k1"), kBatch, "m1");
    row("of a CloudEvent it is left alone", "/v1/cloudevents", kCloudJson + key("k1"), kCloud,
        "c1");
}

void IntakePathsTest::takesTheKeyForTheId() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, result);
    IntakeFixture fixture;
    const RawAnswer answer = fixture.ask(fixture.postTo(path, body, headers));
    if (answer.status >= 400) {
        QVERIFY(isProblem(answer, answer.status));
        QCOMPARE(QByteArray::number(answer.status) + " " + code(answer), result);
        QCOMPARE(fixture.submitted.size(), 0u);
    } else {
        QCOMPARE(fixture.submitted.size(), 1u);
        QCOMPARE(QByteArray::fromStdString(fixture.submitted.at(0).id), result);
    }
}

void IntakePathsTest::tellsAKeyThatWasUsedForSomethingElse() {
    IntakeFixture fixture;
    fixture.known = 1;
    const RawAnswer same = fixture.ask(fixture.postTo("/v1/events", kNative, kJson + key("k1")));
    QCOMPARE(same.status, 202);
    QCOMPARE(parsed(same).value("duplicates", 0), 1);
    fixture.duplicatesDiffer = true;
    const RawAnswer other = fixture.ask(fixture.postTo("/v1/events", kNative, kJson + key("k1")));
    QVERIFY(isProblem(other, 422));
    QCOMPARE(code(other), QByteArray("idempotency_key_reused"));
    QCOMPARE(fixture.ask(fixture.postTo("/v1/events", kNative, kJson)).status, 202);
    QCOMPARE(fixture.server.snapshot().duplicates, 3u);
    QCOMPARE(fixture.server.snapshot().conflicts, 2u);
}

void IntakePathsTest::guardsEveryPath_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("/v1/batch") << QByteArray("/v1/batch") << kJson << kBatch;
    for (const char* type : {"track", "identify", "page", "screen", "group", "alias"})
        QTest::newRow(type) << QByteArray("/v1/") + type << kJson
                            << QByteArray(R"({"userId":"u","event":"E","groupId":"g",)"
                                          R"("previousId":"p"})");
    QTest::newRow("/v1/cloudevents") << QByteArray("/v1/cloudevents") << kCloudJson << kCloud;
    QTest::newRow("/v1/cloudevents, binary")
        << QByteArray("/v1/cloudevents") << kBinary + kJson << QByteArray("{}");
}

void IntakePathsTest::guardsEveryPath() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    IntakeFixture fixture;
    const auto ask = [&](const QByteArray& more) {
        return fixture.ask(fixture.postTo(path, body, headers + more));
    };
    QVERIFY(isProblem(fixture.ask(fixture.request("POST", path, headers, body)), 401));
    QVERIFY(isProblem(ask("Origin: null\r\n"), 403));
    QVERIFY(isProblem(ask("Origin: http://localhost\r\n"), 403));
    QVERIFY(isProblem(ask("Sec-Fetch-Site: cross-site\r\n"), 403));
    QByteArray rebound = fixture.postTo(path, body, headers);
    rebound.replace(fixture.host(), "evil.example:1");
    QVERIFY(isProblem(fixture.ask(rebound), 403));
    for (const char* method : {"GET", "PUT", "OPTIONS"}) {
        const RawAnswer answer = fixture.ask(fixture.request(method, path, fixture.bearer()));
        QVERIFY(isProblem(answer, 405));
        QCOMPARE(answer.header("Allow"), QByteArray("POST"));
    }
    fixture.server.setRefusing(IntakeRefusal{9, "The disk is full."});
    const RawAnswer refused = ask({});
    QVERIFY(isProblem(refused, 503));
    QCOMPARE(refused.header("Retry-After"), QByteArray("9"));
    fixture.server.setRefusing(std::nullopt);
    QCOMPARE(fixture.submitted.size(), 0u);
    const RawAnswer good = ask("Sec-Fetch-Mode: cors\r\n");
    QVERIFY(good.status == 200 || good.status == 202);
    QCOMPARE(fixture.submitted.size(), 1u);
}

void IntakePathsTest::showsMetrics() {
    IntakeFixture fixture;
    const auto ask = [&](const QByteArray& method, const QByteArray& headers) {
        return fixture.ask(fixture.request(method, "/metrics", headers));
    };
    const RawAnswer page = ask("GET", fixture.bearer());
    QCOMPARE(page.status, 200);
    QCOMPARE(page.body, QByteArray("up 1\n"));
    QCOMPARE(page.header("Content-Type"), QByteArray("text/plain; version=0.0.4; charset=utf-8"));
    QVERIFY(isProblem(ask("GET", {}), 401));
    QVERIFY(isProblem(ask("GET", fixture.bearer() + "Origin: null\r\n"), 403));
    const RawAnswer post = ask("POST", fixture.bearer());
    QVERIFY(isProblem(post, 405));
    QCOMPARE(post.header("Allow"), QByteArray("GET, HEAD"));
}

QTEST_GUILESS_MAIN(IntakePathsTest)
#include "intake_paths_test.moc"
