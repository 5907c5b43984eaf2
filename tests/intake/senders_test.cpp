// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/senders.h"

#include "engine/config.h"
#include "engine/write_key.h"
#include "tests/intake/intake_fixture.h"

#include <QTest>

using namespace lanes;
using lanes::test::IntakeFixture;
using lanes::test::isProblem;
using lanes::test::parsed;

namespace {

const QByteArray kEvent = R"({"id":"e1","user":"u1","type":"a.b","payload":{"n":1}})";
const QByteArray kTrack = R"({"messageId":"m1","userId":"u1","event":"Bought","type":"track"})";
const QByteArray kCloud =
    R"({"specversion":"1.0","id":"c1","source":"/shop","type":"a.b","data":{}})";
constexpr const char* kShopKey = "shopkeyshopkeyshopkeyshopkeyshopkeyshopkey1";

SourceConfig shop(const char* key = kShopKey) {
    return {SourceId(4), "shop", {writeKeyHash(key)}, 1, "anna"};
}

QByteArray with(const QByteArray& key, const QByteArray& type) {
    return "Authorization: Bearer " + key + "\r\nContent-Type: " + type + "\r\n";
}

}  // namespace

/// Senders with write keys of their own, and what becomes of events that are rejected.
class SendersTest : public QObject {
    Q_OBJECT

private slots:
    void aKeyOpensForItsSource_data();
    void aKeyOpensForItsSource();
    void aWithdrawnKeyOpensNothing();
    void aSourceMayNotReadTheStatus();
    void eachSourceHasItsCounts();
    void rejectedEventsAreKept_data();
    void rejectedEventsAreKept();
    void aBatchIsCommittedWithItsRejectedEvents();
    void anEventForNobodyCanBeSentAgainAsItIs();
    void whatIsNoEventAtAllIsNotKept();
    void aMendedEventIsTaken_data();
    void aMendedEventIsTaken();
    void whatIsStillWrongIsTold_data();
    void whatIsStillWrongIsTold();
    void keysAreRandomAndKeptAsFingerprints();
};

void SendersTest::aKeyOpensForItsSource_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("source");
    const QByteArray json = "application/json";
    QTest::newRow("native") << QByteArray("/v1/events") << json << kEvent << QByteArray("shop");
    QTest::newRow("an SDK") << QByteArray("/v1/track") << json << kTrack << QByteArray("shop");
    QTest::newRow("CloudEvents have a source of their own")
        << QByteArray("/v1/cloudevents") << QByteArray("application/cloudevents+json") << kCloud
        << QByteArray("cloudevents:/shop");
}

void SendersTest::aKeyOpensForItsSource() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, source);
    IntakeFixture fixture;
    const auto request = fixture.request("POST", path, with(kShopKey, type), body);
    QVERIFY(isProblem(fixture.ask(request), 401));
    fixture.server.setSources({shop()});
    QVERIFY(fixture.ask(request).status < 300);
    QCOMPARE(fixture.submitted.size(), std::size_t{1});
    QCOMPARE(QByteArray::fromStdString(fixture.submitted[0].source), source);
    // As the user of Basic, as the SDKs send it; and the general key opens as before.
    const QByteArray basic = "Authorization: Basic " + (QByteArray(kShopKey) + ":").toBase64() +
                             "\r\nContent-Type: " + type + "\r\n";
    QVERIFY(fixture.ask(fixture.request("POST", path, basic, body)).status < 300);
    QVERIFY(fixture.ask(fixture.postTo(path, body, "Content-Type: " + type + "\r\n")).status < 300);
    QVERIFY(QByteArray::fromStdString(fixture.submitted[2].source) != "shop");
}

void SendersTest::aWithdrawnKeyOpensNothing() {
    IntakeFixture fixture;
    fixture.server.setSources({shop()});
    const auto request =
        fixture.request("POST", "/v1/events", with(kShopKey, "application/json"), kEvent);
    QCOMPARE(fixture.ask(request).status, 202);
    fixture.server.setSources({shop("anotherkeyanotherkeyanotherkeyanotherkey123")});
    QVERIFY(isProblem(fixture.ask(request), 401));
    fixture.server.setSources({});
    QVERIFY(isProblem(fixture.ask(request), 401));
    // What is kept of a key is no key.
    fixture.server.setSources({shop()});
    QVERIFY(
        isProblem(fixture.ask(fixture.request(
                      "POST", "/v1/events",
                      with(QByteArray::fromStdString(shop().keys[0]), "application/json"), kEvent)),
                  401));
}

void SendersTest::aSourceMayNotReadTheStatus() {
    IntakeFixture fixture;
    fixture.server.setSources({shop()});
    for (const char* path : {"/v1/status", "/metrics"}) {
        QVERIFY(isProblem(fixture.ask(fixture.request("GET", path, with(kShopKey, "x/y"))), 401));
        QCOMPARE(fixture.ask(fixture.request("GET", path, fixture.bearer())).status, 200);
    }
}

void SendersTest::eachSourceHasItsCounts() {
    IntakeFixture fixture;
    auto other = shop("anotherkeyanotherkeyanotherkeyanotherkey123");
    other.id = SourceId(5);
    other.name = "web";
    fixture.server.setSources({shop(), other});
    fixture.known = 1;
    QCOMPARE(fixture
                 .ask(fixture.request("POST", "/v1/events", with(kShopKey, "application/json"),
                                      "[" + kEvent + "," + kEvent + ",{}]"))
                 .status,
             202);
    QCOMPARE(fixture.ask(fixture.post(kEvent)).status, 202);
    // A change of the settings keeps the counts.
    fixture.server.setSources({shop(), other});
    const auto& sources = fixture.server.sources();
    QCOMPARE(sources[0].accepted, std::uint64_t{1});
    QCOMPARE(sources[0].duplicates, std::uint64_t{1});
    QCOMPARE(sources[0].rejected, std::uint64_t{1});
    QVERIFY(sources[0].lastRequestAt != 0);
    QCOMPARE(sources[1].accepted, std::uint64_t{0});
    QCOMPARE(sources[1].lastRequestAt, WallMicros{0});
}

void SendersTest::rejectedEventsAreKept_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("form");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QByteArray>("kept");
    const auto row = [](const char* title, const char* path, const char* headers,
                        const QByteArray& body, EventForm form, const char* source,
                        const char* code, const char* id, const QByteArray& kept) {
        QTest::newRow(title) << QByteArray(path) << QByteArray(headers) << body
                             << static_cast<int>(form) << QByteArray(source) << QByteArray(code)
                             << QByteArray(id) << kept;
    };
    constexpr auto json = "Content-Type: application/json\r\n";
    row("native, alone", "/v1/events", json, R"( {"id":"e1","payload":1} )", EventForm::native,
        "native", "missing_field", "e1", R"({"id":"e1","payload":1})");
    row("native, in a list", "/v1/events", json, "[" + kEvent + R"(,{"id":"e2","user":[]}])",
        EventForm::native, "native", "bad_field", "e2", R"({"id":"e2","user":[]})");
    row("a line that is no JSON", "/v1/events", "Content-Type: application/x-ndjson\r\n",
        kEvent + "\n{\"id\":", EventForm::native, "native", "bad_json", "", "{\"id\":");
    row("in a batch of an SDK", "/v1/batch", json,
        R"({"batch":[)" + kTrack + R"(,{"messageId":"m2","type":"dance","userId":"u"}]})",
        EventForm::segment, "segment", "bad_field", "m2",
        R"({"messageId":"m2","type":"dance","userId":"u"})");
    row("a CloudEvent", "/v1/cloudevents", "Content-Type: application/cloudevents+json\r\n",
        R"({"specversion":"0.3","id":"c1","source":"/s","type":"t"})", EventForm::cloudEvent,
        "cloudevents", "bad_field", "",
        R"({"specversion":"0.3","id":"c1","source":"/s","type":"t"})");
    row("a CloudEvent in binary mode", "/v1/cloudevents",
        "Content-Type: application/json\r\nce-specversion: 1.0\r\nce-id: c1\r\nce-source: /s\r\n"
        "ce-type: t\r\n",
        "{\"n\":", EventForm::cloudEvent, "cloudevents", "bad_json", "c1", "{\"n\":");
}

void SendersTest::rejectedEventsAreKept() {
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    QFETCH(int, form);
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, id);
    QFETCH(QByteArray, kept);
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    lanes::test::RawClient client(fixture.server.port());
    client.send(fixture.postTo(path, body, headers));
    QTRY_COMPARE(fixture.waiting.size(), std::size_t{1});
    const auto& entries = fixture.waiting[0].quarantined;
    QCOMPARE(entries.size(), std::size_t{1});
    QCOMPARE(static_cast<int>(entries[0].form), form);
    QCOMPARE(QByteArray::fromStdString(entries[0].source), source);
    QCOMPARE(QByteArray::fromStdString(entries[0].code), code);
    QVERIFY(!entries[0].detail.empty());
    QCOMPARE(QByteArray::fromStdString(entries[0].eventId), id);
    QCOMPARE(QByteArray::fromStdString(entries[0].body), kept);
    QCOMPARE(entries[0].at, WallMicros{1'800'000'000'000'000});
    fixture.commit();
    QCOMPARE(fixture.server.pendingBytes(), std::size_t{0});
}

void SendersTest::aBatchIsCommittedWithItsRejectedEvents() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    lanes::test::RawClient client(fixture.server.port());
    client.send(fixture.post("[" + kEvent + ",{},[]]"));
    QTRY_COMPARE(fixture.waiting.size(), std::size_t{1});
    QCOMPARE(fixture.waiting[0].events.size(), std::size_t{1});
    QCOMPARE(fixture.waiting[0].quarantined.size(), std::size_t{2});
    fixture.commit(false);
    QCOMPARE(client.read().status, 503);
    // A list of nothing but rejected events is answered when they are kept.
    client.send(fixture.post("[{},[]]"));
    QTRY_COMPARE(fixture.waiting.size(), std::size_t{1});
    fixture.commit();
    const auto answer = client.read();
    QCOMPARE(answer.status, 202);
    QCOMPARE(parsed(answer)["rejected"].size(), std::size_t{2});
}

void SendersTest::anEventForNobodyCanBeSentAgainAsItIs() {
    const QByteArray event = R"({"id":"e\"1","anonymous":"a","type":"a.b",)"
                             R"("destinations":["crm","nobody"],"payload":{"n":1.50}})";
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    QVERIFY(isProblem(fixture.ask(fixture.post(event)), 422));
    QCOMPARE(fixture.waiting.size(), std::size_t{1});
    const auto& entry = fixture.waiting[0].quarantined.at(0);
    QCOMPARE(entry.code, std::string("unknown_destination"));
    QCOMPARE(QByteArray::fromStdString(entry.body), event);
}

void SendersTest::whatIsNoEventAtAllIsNotKept() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    for (const QByteArray body : {"", "{", "{\"a\":1}x"})
        QVERIFY(isProblem(fixture.ask(fixture.post(body)), 400));
    QVERIFY(fixture.waiting.empty());
}

void SendersTest::aMendedEventIsTaken_data() {
    QTest::addColumn<int>("form");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("native") << static_cast<int>(EventForm::native) << kEvent << QByteArray("shop")
                            << QByteArray("e1");
    QTest::newRow("native, without an id")
        << static_cast<int>(EventForm::native) << QByteArray(R"({"type":"a","payload":1})")
        << QByteArray("shop") << QByteArray("rejected-7-5");
    QTest::newRow("of an SDK") << static_cast<int>(EventForm::segment) << kTrack
                               << QByteArray("shop") << QByteArray("m1");
    QTest::newRow("a CloudEvent") << static_cast<int>(EventForm::cloudEvent) << kCloud
                                  << QByteArray("cloudevents:/shop") << QByteArray("c1");
}

void SendersTest::aMendedEventIsTaken() {
    QFETCH(int, form);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, id);
    IntakeFixture fixture;
    QuarantineRow row;
    row.id = QuarantineId(7);
    row.at = 5;
    row.source = "shop";
    row.form = static_cast<EventForm>(form);
    const auto read = fixture.server.readAgain(row, body.toStdString());
    QVERIFY(std::holds_alternative<IntakeSubmission>(read));
    const auto& submission = std::get<IntakeSubmission>(read);
    QCOMPARE(submission.events.size(), std::size_t{1});
    QCOMPARE(submission.named.size(), std::size_t{1});
    QCOMPARE(QByteArray::fromStdString(submission.events[0].source), source);
    QCOMPARE(QByteArray::fromStdString(submission.events[0].id), id);
    QCOMPARE(submission.events[0].acceptedAt, WallMicros{1'800'000'000'000'000});
}

void SendersTest::whatIsStillWrongIsTold_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("");
    QTest::newRow("nothing") << QByteArray() << QByteArray("empty");
    QTest::newRow("a field is missing") << QByteArray("{\"payload\":1}") << QByteArray("\"type\"");
    QTest::newRow("a list") << "[" + kEvent + "]" << QByteArray("no list");
    QTest::newRow("a destination that there is not")
        << QByteArray(R"({"type":"a","payload":1,"destinations":["nobody"]})")
        << QByteArray("nobody");
    QTest::newRow("too large") << QByteArray(R"({"type":"a","payload":")") +
                                      QByteArray(limits::kEventBytes, 'x') + "\"}"
                               << QByteArray("1 MiB");
}

void SendersTest::whatIsStillWrongIsTold() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, text);
    IntakeFixture fixture;
    const auto read = fixture.server.readAgain(QuarantineRow(), body.toStdString());
    const auto* rejection = std::get_if<EventRejection>(&read);
    QVERIFY(rejection);
    QVERIFY2(rejection->detail.find(text.toStdString()) != std::string::npos,
             rejection->detail.c_str());
}

void SendersTest::keysAreRandomAndKeptAsFingerprints() {
    const auto key = makeWriteKey();
    QCOMPARE(key.size(), std::size_t{43});
    QVERIFY(key != makeWriteKey());
    // SHA-256 of "abc", from FIPS 180-2.
    QCOMPARE(writeKeyHash("abc"),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

QTEST_GUILESS_MAIN(SendersTest)
#include "senders_test.moc"
