// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/cloud_event.h"

#include "engine/config.h"

#include <QTest>

using namespace lanes;

namespace {

const QByteArray kRequired = R"("specversion":"1.0","id":"e1","source":"/s","type":"a.b")";

QByteArray with(const QByteArray& more) {
    return "{" + kRequired + (more.isEmpty() ? "" : ",") + more + "}";
}

http::Request binary(std::vector<http::Header> headers, const std::string& body = "{}") {
    http::Request request;
    request.method = "POST";
    request.headers = {{"CE-SpecVersion", "1.0"},
                       {"ce-id", "e1"},
                       {"ce-source", "/s"},
                       {"ce-type", "a.b"},
                       {"Content-Type", "application/json"}};
    for (auto& header : headers) {
        std::erase_if(request.headers,
                      [&](const auto& known) { return known.first == header.first; });
        request.headers.push_back(std::move(header));
    }
    request.body = body;
    return request;
}

/// "source id kind:user type", or "code: detail".
QByteArray shown(const ReadResult& result) {
    if (const auto* fault = std::get_if<RequestFault>(&result))
        return QByteArray::fromStdString("400 " + fault->code + ": " + fault->detail);
    const auto& read = std::get<ReadEvents>(result);
    if (!read.rejected.empty())
        return QByteArray::fromStdString(read.rejected.front().code + ": " +
                                         read.rejected.front().detail);
    const IncomingEvent& event = read.events.front();
    const char* kinds = "-ua";
    return QByteArray::fromStdString(event.source + " " + event.id + " ") +
           kinds[static_cast<int>(event.user.kind)] + ':' +
           QByteArray::fromStdString(event.user.text + " " + event.type);
}

const IncomingEvent& only(const ReadResult& result) {
    return std::get<ReadEvents>(result).events.at(0);
}

}  // namespace

class CloudEventTest : public QObject {
    Q_OBJECT

    static ReadResult read(const QByteArray& body, EventFormat format = EventFormat::cloudEvent) {
        IntakeReader reader;
        return reader.read(body.toStdString(), format);
    }

private slots:
    void envelopesAreRead_data() {
        QTest::addColumn<QByteArray>("envelope");
        QTest::addColumn<QByteArray>("event");
        const auto row = [](const char* name, const QByteArray& envelope, const char* event) {
            QTest::newRow(name) << envelope << QByteArray(event);
        };
        const char* nobody = "cloudevents:/s e1 -: a.b";
        row("what is required", with(""), nobody);
        row("a subject is the user", with(R"("subject":"u")"), "cloudevents:/s e1 u:u a.b");
        row("the partition key is the user", with(R"("partitionkey":"p")"),
            "cloudevents:/s e1 u:p a.b");
        row("the partition key before the subject", with(R"("subject":"u","partitionkey":"p")"),
            "cloudevents:/s e1 u:p a.b");
        row("whichever comes first", with(R"("partitionkey":"p","subject":"u")"),
            "cloudevents:/s e1 u:p a.b");
        row("a partition key that is a number", with(R"("partitionkey":12345678901234567890)"),
            "cloudevents:/s e1 u:12345678901234567890 a.b");
        row("null leaves out", with(R"("subject":null,"partitionkey":null)"), nobody);
        row("escapes", with(R"("subject":"Zo\u00eb")"), "cloudevents:/s e1 u:Zo\xc3\xab a.b");
        row("other attributes are not looked at",
            with(R"("time":"yesterday","x":{"a":[1]},"data_base64":"!!")"), nobody);
        row("no id", R"({"specversion":"1.0","source":"/s","type":"t"})",
            "missing_field: \"id\" is missing");
        row("an id that is null", R"({"specversion":"1.0","id":null,"source":"/s","type":"t"})",
            "missing_field: \"id\" is missing");
        row("no source", R"({"specversion":"1.0","id":"1","type":"t"})",
            "missing_field: \"source\" is missing");
        row("no type", R"({"specversion":"1.0","id":"1","source":"/s"})",
            "missing_field: \"type\" is missing");
        row("no version", R"({"id":"1","source":"/s","type":"t"})",
            "missing_field: \"specversion\" is missing");
        row("another version", R"({"specversion":"0.3","id":"1","source":"/s","type":"t"})",
            "bad_field: \"specversion\" is \"0.3\"; this takes 1.0");
        row("an empty id", R"({"specversion":"1.0","id":"","source":"/s","type":"t"})",
            "bad_field: \"id\" is empty");
        row("an id that is a number", R"({"specversion":"1.0","id":1,"source":"/s","type":"t"})",
            "bad_field: \"id\" must be a string");
        row("an empty subject", with(R"("subject":"")"), "bad_field: \"subject\" is empty");
        row("a subject with a control character", with(R"("subject":"a\u0000")"),
            "bad_field: \"subject\" contains a control character");
        row("an attribute twice", with(R"("type":"c")"),
            "duplicate_field: \"type\" is there twice");
        row("data in two ways", with(R"("data":1,"data_base64":"AA==")"),
            "bad_field: \"data_base64\" and \"data\" exclude each other");
        row("a list", "[" + with("") + "]", "not_an_object: an event is a JSON object");
        row("no JSON", "{",
            "400 bad_json: the JSON is broken at byte 1: a name in double quotes "
            "belongs here");
    }
    void envelopesAreRead() {
        QFETCH(QByteArray, envelope);
        QFETCH(QByteArray, event);
        QCOMPARE(shown(read(envelope)), event);
    }

    void theEnvelopeIsThePayloadAsItStands() {
        const QByteArray envelope = with(R"( "data" : {"n":12345678901234567890, "x":1e400})");
        const ReadResult result = read(" " + envelope + "\n");
        QCOMPARE(QByteArray::fromStdString(only(result).payload), envelope);
        QCOMPARE(only(result).contentType, std::string("application/cloudevents+json"));
        QVERIFY(std::get<ReadEvents>(result).single);
    }

    void batchesAreReadOneByOne() {
        const QByteArray first = with(R"("subject":"a")");
        const ReadResult result = read("[" + first + ", 7 ,{}," + with(R"("subject":"b")") + "]",
                                       EventFormat::cloudEventBatch);
        const auto& events = std::get<ReadEvents>(result);
        QVERIFY(!events.single);
        QCOMPARE(events.events.size(), 2u);
        QCOMPARE(QByteArray::fromStdString(events.events.at(0).payload), first);
        QCOMPARE(events.events.at(1).index, 3u);
        QCOMPARE(events.rejected.size(), 2u);
        QCOMPARE(events.rejected.at(0).index, 1u);
        QCOMPARE(events.rejected.at(1).code, std::string("missing_field"));
        QVERIFY(std::get<ReadEvents>(read("[]", EventFormat::cloudEventBatch)).events.empty());
        QCOMPARE(shown(read(first, EventFormat::cloudEventBatch)),
                 QByteArray("400 bad_json: a batch is an array of CloudEvents"));
    }

    void headersAreRead_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("event");
        const auto row = [](const char* title, const char* name, const QByteArray& value,
                            const char* event) {
            QTest::newRow(title) << QByteArray(name) << value << QByteArray(event);
        };
        row("a subject", "ce-subject", "u", "cloudevents:/s e1 u:u a.b");
        row("a header in capitals", "CE-SUBJECT", "u", "cloudevents:/s e1 u:u a.b");
        row("an encoded subject", "ce-subject", "Euro%20%E2%82%AC%20%F0%9F%98%80",
            "cloudevents:/s e1 u:Euro \xe2\x82\xac \xf0\x9f\x98\x80 a.b");
        row("a subject that nobody encoded", "ce-subject", "a b\"q\"",
            "cloudevents:/s e1 u:a b\"q\" a.b");
        row("a partition key", "ce-partitionkey", "p", "cloudevents:/s e1 u:p a.b");
        row("an encoded source", "ce-source", "/a%20b", "cloudevents:/a b e1 -: a.b");
        row("other attributes are not looked at", "ce-time", "%C0%A0", "cloudevents:/s e1 -: a.b");
        row("a subject that is not UTF-8", "ce-subject", "%C0%A0",
            "bad_field: \"ce-subject\" is not valid UTF-8 when it is decoded");
        row("an id that is not UTF-8", "ce-id", "\xff",
            "bad_field: \"ce-id\" is not valid UTF-8 when it is decoded");
        row("an encoded line break", "ce-id", "a%0d%0ab",
            "bad_field: \"ce-id\" contains a control character");
        row("an encoded line break in a subject", "ce-subject", "a%0d%0ab",
            "bad_field: \"ce-subject\" contains a control character");
        row("an empty subject", "ce-subject", "", "bad_field: \"ce-subject\" is empty");
        row("an empty type", "ce-type", "", "bad_field: \"ce-type\" is empty");
        row("another version", "CE-SpecVersion", "2.0",
            "bad_field: \"ce-specversion\" is \"2.0\"; this takes 1.0");
        row("a long id", "ce-id", QByteArray(257, 'i'),
            "bad_field: \"ce-id\" is longer than 256 bytes");
        row("a long source", "ce-source", QByteArray(1025, 's'),
            "bad_field: \"ce-source\" is longer than 1024 bytes");
        row("the type of the data as an attribute", "ce-datacontenttype", "text/plain",
            "bad_field: \"ce-datacontenttype\" must not be a header; the type of the data is the "
            "Content-Type");
        row("a long content type", "Content-Type", "a/" + QByteArray(255, 'b'),
            "bad_field: \"Content-Type\" is longer than 256 bytes or has characters that are not "
            "ASCII");
    }
    void headersAreRead() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, event);
        QCOMPARE(shown(readBinaryCloudEvent(binary({{name.toStdString(), value.toStdString()}}))),
                 event);
    }

    void headersMustBeThereOnce() {
        for (const char* name : {"CE-SpecVersion", "ce-id", "ce-source", "ce-type"}) {
            auto request = binary({});
            std::erase_if(request.headers,
                          [&](const auto& header) { return header.first == name; });
            QVERIFY2(shown(readBinaryCloudEvent(request)).startsWith("missing_field: \"ce-"), name);
            request = binary({});
            request.headers.emplace_back(name, "1.0");
            QVERIFY2(shown(readBinaryCloudEvent(request)).startsWith("duplicate_field: \"ce-"),
                     name);
        }
    }

    void dataIsThePayloadAsReceived() {
        const auto read = [](const char* type, const std::string& body) {
            return readBinaryCloudEvent(binary({{"Content-Type", type}}, body));
        };
        const char* json = "application/vnd.a+json; charset=utf-8";
        const ReadResult result = read(json, "{ \"n\": 12345678901234567890 }\n");
        QCOMPARE(only(result).payload, std::string("{ \"n\": 12345678901234567890 }\n"));
        QCOMPARE(only(result).contentType, std::string(json));
        QVERIFY(shown(read(json, "{")).startsWith("bad_json: "));
        QCOMPARE(only(read(json, "")).payload, std::string());
        QCOMPARE(only(read("text/plain", "hello")).payload, std::string("hello"));
        QCOMPARE(only(read("text/plain", "hello")).contentType, std::string("text/plain"));
        QVERIFY(shown(read("text/plain", "\xff")).startsWith("bad_data: "));
        QCOMPARE(only(read("", "x")).contentType, std::string("application/octet-stream"));
        const std::string fits(limits::kEventBytes, ' ');
        QCOMPARE(only(read("text/plain", fits)).payload.size(), fits.size());
        QVERIFY(shown(read("text/plain", fits + " ")).startsWith("too_large: "));
    }
};

QTEST_GUILESS_MAIN(CloudEventTest)
#include "cloud_event_test.moc"
