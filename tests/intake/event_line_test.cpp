// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_line.h"
#include "engine/intake/line_splitter.h"

#include <QTest>

#include <string>

using namespace lanes;

class EventLineTest : public QObject {
    Q_OBJECT

    /// "form kind:user type id payload", or "code: detail".
    static QByteArray readAs(ImportFormat format, const QByteArray& line) {
        EventLineReader reader(format);
        std::string text = line.toStdString();
        const std::size_t size = text.size();
        text += std::string(LineSplitter::kPadding, '}');
        IncomingEvent event;
        if (const auto fault = reader.read(std::string_view(text).substr(0, size), &event))
            return QByteArray::fromStdString(fault->code + ": " + fault->detail);
        const char* kinds = "-ua";
        return QByteArray::fromStdString(event.source + " ") +
               kinds[static_cast<int>(event.user.kind)] + ':' +
               QByteArray::fromStdString(event.user.text + " " + event.type + " " + event.id + " " +
                                         event.payload);
    }

private slots:
    void aLineIsReadAsWhatItLooksLike_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("event");
        const auto whole = [](const char* head, const char* line) {
            return QByteArray(head) + line;
        };
        QTest::newRow("a native event; its number keeps its digits")
            << QByteArray(R"({"id":"a","user":7,"type":"t","payload":{"n":12345678901234567890}})")
            << QByteArray(R"(native u:7 t a {"n":12345678901234567890})");
        const char* track =
            R"({"type":"track","messageId":"m1","userId":12345678901234567890,"event":"a"})";
        QTest::newRow("a tracked event is delivered as it stands")
            << QByteArray(track) << whole("segment u:12345678901234567890 track m1 ", track);
        const char* identify = R"({ "type":"identify", "anonymousId":"x-9", "traits":{} })";
        QTest::newRow("an anonymous visitor")
            << QByteArray(identify) << whole("segment a:x-9 identify  ", identify);
        const char* both = R"({"userId":"u","anonymousId":"a","type":"page","messageId":null})";
        QTest::newRow("the user counts before the anonymous id")
            << QByteArray(both) << whole("segment u:u page  ", both);
        const char* group = R"({"type":"group","userId":"u","groupId":"g"})";
        QTest::newRow("a group") << QByteArray(group) << whole("segment u:u group  ", group);
        const char* alias = R"({"type":"alias","userId":"u","previousId":"p"})";
        QTest::newRow("an alias") << QByteArray(alias) << whole("segment u:u alias  ", alias);
        QTest::newRow("a tracked event without a name")
            << QByteArray(R"({"type":"track","userId":"u"})")
            << QByteArray("missing_field: \"event\" is missing");
        QTest::newRow("an alias without its user")
            << QByteArray(R"({"type":"alias","anonymousId":"a","previousId":"p"})")
            << QByteArray("missing_field: \"userId\" is missing");
        QTest::newRow("an SDK's event about nobody")
            << QByteArray(R"({"type":"page","messageId":"m"})")
            << QByteArray("missing_field: \"userId\" and \"anonymousId\" are missing");
        QTest::newRow("an SDK's event of an unknown kind")
            << QByteArray(R"({"type":"tracked","userId":"u"})")
            << QByteArray(
                   "bad_field: \"type\" must be track, identify, page, screen, group or alias");
        QTest::newRow("a field that is there twice")
            << QByteArray(R"({"type":"page","userId":"u","userId":"v"})")
            << QByteArray("duplicate_field: \"userId\" is there twice");
        QTest::newRow("what has a payload is meant as a native event")
            << QByteArray(R"({"type":"page","userId":"u","payload":1})")
            << QByteArray(
                   "unknown_field: there is no field \"userId\"; an event has id, user, "
                   "anonymous, type, payload and destinations");
        QTest::newRow("a list is no event")
            << QByteArray(R"([{"type":"t","payload":1}])")
            << QByteArray("not_an_object: an event is a JSON object");
        QTest::newRow("two events on one line")
            << QByteArray(R"({"type":"t","payload":1}{"type":"t","payload":1})")
            << QByteArray("bad_json: the JSON is broken at byte 24: there is more after the value");
        QTest::newRow("no UTF-8") << QByteArray("{\"type\":\"t\",\"payload\":\"\xff\"}")
                                  << QByteArray(
                                         "bad_json: the JSON is broken at byte 23: it is "
                                         "not valid UTF-8");
        QTest::newRow("a NUL byte") << QByteArray("{\"type\":\"t\0\",\"payload\":1}", 25)
                                    << QByteArray(
                                           "bad_json: the JSON is broken at byte 10: a "
                                           "control character in a string must be escaped");
    }
    void aLineIsReadAsWhatItLooksLike() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, event);
        QCOMPARE(readAs(ImportFormat::automatic, line), event);
    }

    void aChosenFormatIsTheOnlyOne() {
        const QByteArray native = R"({"type":"page","user":"u","payload":1})";
        const QByteArray theirs = R"({"type":"page","userId":"u"})";
        QCOMPARE(readAs(ImportFormat::native, native), QByteArray("native u:u page  1"));
        QVERIFY(readAs(ImportFormat::native, theirs).startsWith("unknown_field:"));
        QCOMPARE(readAs(ImportFormat::segment, theirs), "segment u:u page  " + theirs);
        QVERIFY(readAs(ImportFormat::segment, native).startsWith("missing_field:"));
    }
};

QTEST_GUILESS_MAIN(EventLineTest)
#include "event_line_test.moc"
