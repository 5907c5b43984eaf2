// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"

#include "engine/config.h"

#include <QTest>

using namespace lanes;

/// Requests of Segment's and RudderStack's SDKs. What makes a good event is tested by
/// event_line_test: imports read them with the same code.
class SegmentBatchTest : public QObject {
    Q_OBJECT

    static ReadResult readBatch(const QByteArray& body) {
        IntakeReader reader;
        return reader.read(body.toStdString(), EventFormat::segmentBatch);
    }
    static ReadResult readOne(const QByteArray& body, const char* type) {
        IntakeReader reader;
        return reader.read(body.toStdString(), EventFormat::segmentEvent, type);
    }
    /// "type user payload", or "code: detail".
    static QByteArray shown(const ReadResult& result) {
        if (const auto* fault = std::get_if<RequestFault>(&result))
            return QByteArray::number(fault->status) +
                   QByteArray::fromStdString(" " + fault->code + ": " + fault->detail);
        const auto& read = std::get<ReadEvents>(result);
        if (!read.rejected.empty())
            return QByteArray::fromStdString(read.rejected.front().code + ": " +
                                             read.rejected.front().detail);
        const IncomingEvent& event = read.events.front();
        return QByteArray::fromStdString(event.type + " " + event.user.text + " " + event.payload);
    }

private slots:
    void aBatchGivesItsEventsAsTheyStand() {
        const QByteArray first =
            R"({"type":"track","userId":12345678901234567890,"event":"E","messageId":"m1"})";
        const QByteArray second =
            "{\"type\":\"identify\" , \"anonymousId\":\"a\",\"x\":\"] } \\\" ,\"}";
        const ReadResult result =
            readBatch(R"({"writeKey":"x","batch": [)" + first + " ,\n" + second +
                      R"( ],"sentAt":"2026-01-01T00:00:00Z","context":{"batch":[]}})");
        const auto& read = std::get<ReadEvents>(result);
        QVERIFY(!read.single);
        QCOMPARE(read.rejected.size(), 0u);
        QCOMPARE(read.events.size(), 2u);
        QCOMPARE(QByteArray::fromStdString(read.events.at(0).payload), first);
        QCOMPARE(read.events.at(0).user.text, std::string("12345678901234567890"));
        QCOMPARE(read.events.at(0).id, std::string("m1"));
        QCOMPARE(read.events.at(0).source, std::string("segment"));
        QCOMPARE(read.events.at(0).contentType, std::string("application/json"));
        QCOMPARE(QByteArray::fromStdString(read.events.at(1).payload), second);
        QVERIFY(read.events.at(1).user.kind == UserKey::Kind::anonymous);
    }

    void badEventsDoNotTakeTheBatchAlong() {
        const QByteArray good = R"({"type":"page","userId":"u"})";
        const QByteArray large = "{\"type\":\"page\",\"userId\":\"u\",\"name\":\"" +
                                 QByteArray(static_cast<qsizetype>(limits::kEventBytes), 'x') +
                                 "\"}";
        const ReadResult result = readBatch(R"({"batch":[7,)" + good + R"(,{"type":"nonsense"},)" +
                                            large + "," + good + R"(,{"userId":"u"}]})");
        const auto& read = std::get<ReadEvents>(result);
        QCOMPARE(read.events.size(), 2u);
        QCOMPARE(read.events.at(1).index, 4u);
        QStringList wrong;
        for (const auto& rejection : read.rejected)
            wrong << QStringLiteral("%1 %2")
                         .arg(rejection.index)
                         .arg(QString::fromStdString(rejection.code));
        QCOMPARE(wrong.join(u';'),
                 QStringLiteral("0 not_an_object;2 bad_field;3 too_large;5 missing_field"));
    }

    void whatIsNoBatchIsRefused_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("fault");
        const auto row = [](const char* name, const QByteArray& body, const char* fault) {
            QTest::newRow(name) << body << QByteArray(fault);
        };
        row("nothing", "", "400 bad_json: the body is empty");
        row("no JSON", R"({"batch":[})",
            "400 bad_json: the JSON is broken at byte 10: this is no "
            "value");
        row("a list", "[]", "400 not_an_object: the body is a JSON object");
        row("no batch", R"({"sentAt":"now"})", "400 missing_field: \"batch\" is missing");
        row("a batch that is no list", R"({"batch":{}})",
            "400 bad_field: \"batch\" must be a list of events");
        row("a batch that is null", R"({"batch":null})",
            "400 bad_field: \"batch\" must be a list of events");
        row("two batches", R"({"batch":[],"batch":[]})",
            "400 duplicate_field: \"batch\" is there twice");
        row("two batches, one in disguise", R"({"batch":[],"\u0062atch":[]})",
            "400 duplicate_field: \"batch\" is there twice");
        row("too many events",
            R"({"batch":[)" +
                QByteArray("1,").repeated(static_cast<int>(limits::kEventsPerRequest)) + "1]}",
            "413 too_many_events: there are more than 10000 events; send them in several requests");
    }
    void whatIsNoBatchIsRefused() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, fault);
        QCOMPARE(shown(readBatch(body)), fault);
    }

    void anEmptyBatchIsGood() {
        const ReadResult result = readBatch(R"({"batch":[]})");
        QVERIFY(std::get<ReadEvents>(result).events.empty());
        QVERIFY(std::get<ReadEvents>(result).rejected.empty());
    }

    void thePathGivesTheType_data() {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("event");
        const auto row = [](const char* name, const char* type, const char* body,
                            const char* event) {
            QTest::newRow(name) << QByteArray(type) << QByteArray(body) << QByteArray(event);
        };
        row("none in the body", "track", R"({"userId":"u","event":"E"})",
            R"(track u {"userId":"u","event":"E"})");
        row("the same in the body", "page", R"({"type":"page","userId":"u"})",
            R"(page u {"type":"page","userId":"u"})");
        row("another one in the body", "track", R"({"type":"page","userId":"u"})",
            "bad_field: \"type\" is \"page\", but the path is that of track");
        row("nonsense in the body", "track", R"({"type":"x","userId":"u"})",
            "bad_field: \"type\" is \"x\", but the path is that of track");
        row("no text in the body", "track", R"({"type":null,"userId":"u","event":"E"})",
            "bad_field: \"type\" must be a string");
        row("what the type needs is still needed", "alias", R"({"userId":"u"})",
            "missing_field: \"previousId\" is missing");
        row("a list", "track", R"([{"userId":"u","event":"E"}])",
            "not_an_object: an event is a JSON object");
        row("a batch", "track", R"({"batch":[{"userId":"u","event":"E"}]})",
            "missing_field: \"event\" is missing");
    }
    void thePathGivesTheType() {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, event);
        const ReadResult result = readOne(body, type.constData());
        QCOMPARE(shown(result), event);
        QVERIFY(std::get<ReadEvents>(result).single);
    }
};

QTEST_GUILESS_MAIN(SegmentBatchTest)
#include "segment_batch_test.moc"
