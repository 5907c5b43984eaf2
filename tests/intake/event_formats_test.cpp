// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"

#include "engine/config.h"
#include "engine/core/random.h"
#include "engine/intake/event_id.h"
#include "engine/json_check.h"
#include "engine/user_id.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <set>

using namespace lanes;

namespace {

ReadEvents readGood(const std::string& body, EventFormat format = EventFormat::json) {
    IntakeReader reader;
    auto out = reader.read(body, format);
    if (const auto* fault = std::get_if<RequestFault>(&out)) {
        qWarning("%s", fault->detail.c_str());
        return {};
    }
    return std::get<ReadEvents>(std::move(out));
}

RequestFault readFault(const std::string& body, EventFormat format = EventFormat::json) {
    IntakeReader reader;
    auto out = reader.read(body, format);
    const auto* fault = std::get_if<RequestFault>(&out);
    return fault ? *fault : RequestFault{0, {}, {}};
}

std::string eventText(const std::string& fields, const std::string& payload = "{}") {
    return R"({"type":"t","payload":)" + payload + (fields.empty() ? "" : ",") + fields + "}";
}

}  // namespace

class EventFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void readsOneEvent();
    void keepsPayloadBytes_data();
    void keepsPayloadBytes();
    void readsUsers_data();
    void readsUsers();
    void rejectsEvents_data();
    void rejectsEvents();
    void refusesBrokenJson_data();
    void refusesBrokenJson();
    void rejectsEventsOfAnArrayOneByOne();
    void readsLines();
    void namesTheLineOfBrokenJson();
    void keepsLimits();
    void agreesWithAnotherParser();
    void namesUsersApart();
    void makesIdsThatRiseAndDiffer();
};

void EventFormatsTest::readsOneEvent() {
    const ReadEvents read = readGood(
        R"( {"id":"e-1","user":"Zo\u00eb","type":"subscription.created",
            "payload": {"plan" : "gold"} , "destinations":["crm","bill\u0069ng","crm"]} )");
    QVERIFY(read.single);
    QCOMPARE(read.rejected.size(), 0u);
    QCOMPARE(read.events.size(), 1u);
    const IncomingEvent& event = read.events.front();
    QCOMPARE(event.id, std::string("e-1"));
    QCOMPARE(event.user.text, std::string("Zoë"));
    QVERIFY(event.user.kind == UserKey::Kind::user);
    QCOMPARE(event.type, std::string("subscription.created"));
    QCOMPARE(event.payload, std::string(R"({"plan" : "gold"})"));
    QVERIFY(event.named);
    QCOMPARE(event.destinations, (std::vector<std::string>{"crm", "billing"}));
    QVERIFY(readGood(event.id.empty() ? "" : ::eventText("")).events.at(0).id.empty());
    QVERIFY(!readGood(::eventText("")).events.at(0).named);
}

void EventFormatsTest::keepsPayloadBytes_data() {
    QTest::addColumn<QByteArray>("payload");
    QTest::newRow("an integer beyond 64 bits") << QByteArray("12345678901234567890");
    QTest::newRow("thirty digits") << QByteArray("123456789012345678901234567890");
    QTest::newRow("a number beyond double") << QByteArray("1e400");
    QTest::newRow("a long fraction") << QByteArray("0.1000000000000000000000000000000000001");
    QTest::newRow("a negative zero") << QByteArray("-0.0E+00");
    QTest::newRow("numbers inside") << QByteArray("{\"n\":[12345678901234567890, 1e400 ,-0]}");
    QTest::newRow("spaces and line ends") << QByteArray("{ \"a\" :\r\n\t[ 1 , 2 ] }");
    QTest::newRow("escapes") << QByteArray("\"\\u0041\\/\\b\\ud83d\\ude00\"");
    QTest::newRow("a lone surrogate escape") << QByteArray("{\"a\":\"\\ud800\"}");
    QTest::newRow("the same name twice") << QByteArray("{\"a\":1,\"a\":2}");
    QTest::newRow("characters beyond the first plane")
        << QByteArray("{\"n\":\"Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80\"}");
    QTest::newRow("a string") << QByteArray("\"text\"");
    QTest::newRow("null") << QByteArray("null");
    QTest::newRow("true") << QByteArray("true");
    QTest::newRow("empty containers") << QByteArray("[[],{},[{}]]");
    QTest::newRow("brackets in strings") << QByteArray("[\"]}\\\"\",{\"}\":\"[\"}]");
}

void EventFormatsTest::keepsPayloadBytes() {
    QFETCH(QByteArray, payload);
    const std::string text = payload.toStdString();
    for (const std::string& before : {std::string(), std::string(" \n")}) {
        const std::string first = "{\"payload\":" + before + text + before + ",\"type\":\"t\"}";
        const std::string last = "{\"type\":\"t\",\"payload\":" + before + text + before + "}";
        for (const std::string& body : {first, last, "[" + first + "," + last + "]"}) {
            const ReadEvents read = readGood(body);
            QCOMPARE(read.rejected.size(), 0u);
            QVERIFY(!read.events.empty());
            for (const IncomingEvent& event : read.events) QCOMPARE(event.payload, text);
        }
    }
}

void EventFormatsTest::readsUsers_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a string") << QByteArray(R"("user":"u")") << 1 << QByteArray("u");
    QTest::newRow("a number") << QByteArray(R"("user":42)") << 1 << QByteArray("42");
    QTest::newRow("a large number") << QByteArray(R"("user": 12345678901234567890 )") << 1
                                    << QByteArray("12345678901234567890");
    QTest::newRow("a negative number") << QByteArray(R"("user":-7)") << 1 << QByteArray("-7");
    QTest::newRow("null") << QByteArray(R"("user":null)") << 0 << QByteArray();
    QTest::newRow("none") << QByteArray() << 0 << QByteArray();
    QTest::newRow("an anonymous one") << QByteArray(R"("anonymous":"a")") << 2 << QByteArray("a");
    QTest::newRow("an anonymous number") << QByteArray(R"("anonymous":9)") << 2 << QByteArray("9");
    QTest::newRow("a user and an anonymous one")
        << QByteArray(R"("anonymous":"a","user":"u")") << 1 << QByteArray("u");
    QTest::newRow("null and an anonymous one")
        << QByteArray(R"("user":null,"anonymous":"a")") << 2 << QByteArray("a");
    QTest::newRow("markup, direction marks and emoji")
        << QByteArray("\"user\":\"<b>\\u202e\xf0\x9f\x98\x80\"") << 1
        << QByteArray("<b>\xe2\x80\xae\xf0\x9f\x98\x80");
}

void EventFormatsTest::readsUsers() {
    QFETCH(QByteArray, fields);
    QFETCH(int, kind);
    QFETCH(QByteArray, text);
    const ReadEvents read = readGood(eventText(fields.toStdString()));
    QCOMPARE(read.events.size(), 1u);
    QCOMPARE(static_cast<int>(read.events.front().user.kind), kind);
    QCOMPARE(read.events.front().user.text, text.toStdString());
}

void EventFormatsTest::rejectsEvents_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const std::string& body, const char* code,
                        const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(body) << QByteArray(code)
                            << QByteArray(says);
    };
    row("an unknown field", eventText(R"("usr":"u")"), "unknown_field", "\"usr\"");
    row("an unknown field with a long name", eventText("\"" + std::string(500, 'x') + "\":1"),
        "unknown_field", "x…\"");
    row("a known field in capitals", eventText(R"("User":"u")"), "unknown_field", "\"User\"");
    row("a field twice", eventText(R"("user":"u","user":"v")"), "duplicate_field", "\"user\"");
    row("a field twice, once escaped", eventText(R"("user":"u","us\u0065r":"v")"),
        "duplicate_field", "\"user\"");
    row("no type", R"({"payload":{}})", "missing_field", "\"type\"");
    row("no payload", R"({"type":"t"})", "missing_field", "\"payload\"");
    row("an empty object", "{}", "missing_field", "\"type\"");
    row("an empty type", R"({"type":"","payload":1})", "bad_field", "\"type\" is empty");
    row("a type that is a number", R"({"type":1,"payload":1})", "bad_field", "must be a string");
    row("a type with NUL", R"({"type":"a\u0000b","payload":1})", "bad_field", "control");
    row("a long type", R"({"type":")" + std::string(257, 't') + R"(","payload":1})", "bad_field",
        "256 bytes");
    row("an empty user", eventText(R"("user":"")"), "bad_field", "\"user\" is empty");
    row("a user with a fraction", eventText(R"("user":1.0)"), "bad_field", "fraction");
    row("a user with an exponent", eventText(R"("user":1e3)"), "bad_field", "exponent");
    row("a user that is true", eventText(R"("user":true)"), "bad_field", "\"user\" must be");
    row("a user that is a list", eventText(R"("user":["u"])"), "bad_field", "\"user\" must be");
    row("a user that is an object", eventText(R"("user":{"id":1})"), "bad_field",
        "\"user\" must be");
    row("a user with NUL", eventText(R"("user":"a\u0000")"), "bad_field", "control");
    row("a user with a line end", eventText(R"("user":"a\nb")"), "bad_field", "control");
    row("half a surrogate as user", eventText(R"("user":"\ud800")"), "bad_field", "escape");
    row("a long user", eventText("\"user\":\"" + std::string(1025, 'u') + "\""), "bad_field",
        "1024 bytes");
    row("a user of many digits", eventText("\"user\":1" + std::string(1024, '0')), "bad_field",
        "1024 bytes");
    row("an anonymous one that is false", eventText(R"("anonymous":false)"), "bad_field",
        "\"anonymous\" must be");
    row("a bad anonymous one beside a user", eventText(R"("user":"u","anonymous":{})"), "bad_field",
        "\"anonymous\" must be");
    row("an id that is a number", eventText(R"("id":7)"), "bad_field", "\"id\" must be a string");
    row("an empty id", eventText(R"("id":"")"), "bad_field", "\"id\" is empty");
    row("a long id", eventText("\"id\":\"" + std::string(257, 'i') + "\""), "bad_field",
        "256 bytes");
    row("an id with NUL", eventText(R"("id":"\u0000")"), "bad_field", "control");
    row("destinations that are a string", eventText(R"("destinations":"crm")"), "bad_field",
        "list");
    row("destinations that are numbers", eventText(R"("destinations":[1])"), "bad_field", "string");
    row("no destinations", eventText(R"("destinations":[])"), "bad_field", "leave it out");
    row("a string", R"("event")", "not_an_object", "object");
    row("a number", "17", "not_an_object", "object");
    row("null", "null", "not_an_object", "object");
}

void EventFormatsTest::rejectsEvents() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, says);
    const std::string good = eventText("");
    const ReadEvents single = readGood(body.toStdString());
    QVERIFY(single.single);
    QCOMPARE(single.events.size(), 0u);
    QCOMPARE(single.rejected.size(), 1u);
    QCOMPARE(QByteArray::fromStdString(single.rejected.front().code), code);
    const QByteArray detail = QByteArray::fromStdString(single.rejected.front().detail);
    QVERIFY2(detail.contains(says), detail.constData());
    const ReadEvents many = readGood("[" + good + "," + body.toStdString() + "," + good + "]");
    QCOMPARE(many.events.size(), 2u);
    QCOMPARE(many.rejected.size(), 1u);
    QCOMPARE(many.rejected.front().index, 1u);
    QCOMPARE(many.events.back().index, 2u);
}

void EventFormatsTest::refusesBrokenJson_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QByteArray& body, const char* says) {
        QTest::newRow(name) << body << QByteArray(says);
    };
    row("nothing", "", "empty");
    row("spaces", " \r\n ", "empty");
    row("words", "hello", "at byte 0: this is no value");
    row("a cut object", R"({"type":"t")", "at byte 11: a comma or }");
    row("a cut string", R"({"type":"t)", "at byte 10: a string does not end");
    row("a cut number", R"({"type":-)", "at byte 9: a digit");
    row("a comma at the end", R"({"type":"t",})", "at byte 12: a name in double quotes");
    row("a comma at the end of a list", "[1,]", "at byte 3: this is no value");
    row("no comma", "[1 2]", "at byte 3: a comma or ]");
    row("no colon", R"({"a" 1})", "at byte 5: a colon");
    row("two values", "{} {}", "at byte 3: there is more");
    row("a wrong bracket", "[1}", "at byte 2: a comma or ]");
    row("single quotes", "{'a':1}", "at byte 1: a name in double quotes");
    row("a name without quotes", "{a:1}", "at byte 1: a name in double quotes");
    row("a comment", "{/**/}", "at byte 1");
    row("a word glued to a word", "[truefalse]", "at byte 5");
    row("NaN", "[NaN]", "at byte 1: this is no value");
    row("a leading zero", "[01]", "at byte 2: a number must not begin with 0");
    row("a plus", "[+1]", "at byte 1");
    row("a number that ends in a point", "[1.]", "at byte 3: a digit");
    row("an empty exponent", "[1e]", "at byte 3: a digit");
    row("a hexadecimal number", "[0x1]", "at byte 2");
    row("a broken number deep in a payload", R"({"type":"t","payload":{"a":[{"b":1.2.3}]}})",
        "at byte 36: a comma or }");
    row("an unknown escape", R"(["\x"])", "at byte 3: there is no such escape");
    row("a short escape", R"(["\u12"])", "at byte 6");
    row("a raw line end in a string", "[\"a\nb\"]", "at byte 3: a control character");
    row("a raw NUL in a string", QByteArray("[\"a\0b\"]", 7), "at byte 3: a control character");
    row("a NUL between", QByteArray("[1,\0 2]", 7), "at byte 3");
    row("a byte order mark", "\xef\xbb\xbf{}", "at byte 0");
    row("invalid UTF-8", "{\"a\":\"\xff\"}", "at byte 6: it is not valid UTF-8");
    row("an overlong character", "[\"\xc0\xa0\"]", "at byte 2: it is not valid UTF-8");
    row("a surrogate in UTF-8", "[\"abc\xed\xa0\x80\"]", "at byte 5: it is not valid UTF-8");
    row("a cut character", "[\"\xe2\x82", "at byte 2: it is not valid UTF-8");
    row("UTF-16", QByteArray("\xff\xfe{\0}\0", 6), "at byte 0: it is not valid UTF-8");
    row("too deep", QByteArray("[").repeated(200) + QByteArray("]").repeated(200),
        "at byte 128: it is nested too deeply");
    row("very deep", QByteArray("{\"a\":").repeated(100'000), "nested too deeply");
}

void EventFormatsTest::refusesBrokenJson() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, says);
    const RequestFault fault = readFault(body.toStdString());
    QCOMPARE(fault.status, 400u);
    QCOMPARE(fault.code, std::string("bad_json"));
    QVERIFY2(QByteArray::fromStdString(fault.detail).contains(says), fault.detail.c_str());
}

void EventFormatsTest::rejectsEventsOfAnArrayOneByOne() {
    const std::string large = eventText("", "\"" + std::string(limits::kEventBytes, 'x') + "\"");
    const ReadEvents read = readGood("[" + eventText("\"id\":\"a\"") + ",7, " + large + " ,[]," +
                                     eventText("\"id\":\"b\"") + "]");
    QVERIFY(!read.single);
    QCOMPARE(read.events.size(), 2u);
    QCOMPARE(read.events.at(0).index, 0u);
    QCOMPARE(read.events.at(1).index, 4u);
    QCOMPARE(read.events.at(1).id, std::string("b"));
    QCOMPARE(read.rejected.size(), 3u);
    QCOMPARE(read.rejected.at(0).code, std::string("not_an_object"));
    QCOMPARE(read.rejected.at(1).index, 2u);
    QCOMPARE(read.rejected.at(1).code, std::string("too_large"));
    QCOMPARE(read.rejected.at(2).code, std::string("not_an_object"));
    QCOMPARE(readGood("[]").events.size(), 0u);
    QVERIFY(!readGood("[]").single);
}

void EventFormatsTest::readsLines() {
    const ReadEvents read =
        readGood("\n" + eventText("\"user\":1") + "\r\n\n  " + eventText("\"user\":2") + "  \n" +
                     eventText("\"usr\":3") + "\n" + eventText("\"user\":4", "1e400"),
                 EventFormat::ndjson);
    QVERIFY(!read.single);
    QCOMPARE(read.events.size(), 3u);
    QCOMPARE(read.events.at(1).user.text, std::string("2"));
    QCOMPARE(read.events.at(2).index, 3u);
    QCOMPARE(read.events.at(2).payload, std::string("1e400"));
    QCOMPARE(read.rejected.size(), 1u);
    QCOMPARE(read.rejected.at(0).index, 2u);
}

void EventFormatsTest::namesTheLineOfBrokenJson() {
    const ReadEvents read = readGood(
        eventText("") + "\n\n{\"type\":\n" + eventText("", "\"\xff\"") + "\n" + eventText(""),
        EventFormat::ndjson);
    QCOMPARE(read.events.size(), 2u);
    QCOMPARE(read.rejected.size(), 2u);
    QCOMPARE(read.rejected.at(0).index, 1u);
    QCOMPARE(read.rejected.at(0).code, std::string("bad_json"));
    QVERIFY(read.rejected.at(0).detail.find("line 3: ") == 0);
    QVERIFY(read.rejected.at(0).detail.find("at byte 8") != std::string::npos);
    QVERIFY(read.rejected.at(1).detail.find("line 4: ") == 0);
    QVERIFY(read.rejected.at(1).detail.find("UTF-8") != std::string::npos);
    const RequestFault nothing = readFault("no\njson\nat all", EventFormat::ndjson);
    QCOMPARE(nothing.status, 400u);
    QVERIFY(nothing.detail.find("line 1: ") == 0);
}

void EventFormatsTest::keepsLimits() {
    const std::string fits = eventText(
        "", "\"" + std::string(limits::kEventBytes - eventText("", "\"\"").size(), 'x') + "\"");
    QCOMPARE(fits.size(), limits::kEventBytes);
    QCOMPARE(readGood(fits).events.size(), 1u);
    const std::string over = eventText(
        "", "\"" + std::string(limits::kEventBytes - eventText("", "\"\"").size() + 1, 'x') + "\"");
    QCOMPARE(readGood(over).rejected.at(0).code, std::string("too_large"));
    std::string many = "[";
    std::string lines;
    for (std::size_t i = 0; i < limits::kEventsPerRequest; ++i) {
        many += eventText("") + ",";
        lines += eventText("") + "\n";
    }
    QCOMPARE(readGood(many.substr(0, many.size() - 1) + "]").events.size(),
             limits::kEventsPerRequest);
    QCOMPARE(readGood(lines, EventFormat::ndjson).events.size(), limits::kEventsPerRequest);
    QCOMPARE(readFault(many + eventText("") + "]").status, 413u);
    QCOMPARE(readFault(lines + eventText(""), EventFormat::ndjson).status, 413u);
    const std::string deep(static_cast<std::size_t>(kJsonDepth) - 1, '[');
    const std::string closed(static_cast<std::size_t>(kJsonDepth) - 1, ']');
    QCOMPARE(readGood(eventText("", deep + closed)).events.size(), 1u);
    QCOMPARE(readFault(eventText("", "[" + deep + closed + "]")).status, 400u);
}

void EventFormatsTest::agreesWithAnotherParser() {
    const std::vector<std::string> seeds = {
        R"({"id":"e","user":"Zoë","type":"a.b","payload":{"x":[1,-2.5e-3,true,null,"\u00e9\n"]}})",
        R"([{"a":[]},{"b":{}},[[["deep",0]]], "\\\"", 1E+2, false])",
        R"({"":{"":[{"k":"€ 😀"},0.1,10,-0]}})"};
    const std::string alphabet = "{}[]:,\"\\ \n\t0123456789-+.eEtrufalsn/\x01\x7f\x80\xc3\xff";
    Random random(20'260'729);
    int good = 0;
    for (int round = 0; round < 60'000; ++round) {
        std::string text = seeds[random.below(seeds.size())];
        const auto changes = 1 + random.below(3);
        for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
            const std::size_t at = random.below(text.size());
            switch (random.below(4)) {
                case 0: text.erase(at, 1 + random.below(3)); break;
                case 1: text.insert(at, 1, alphabet[random.below(alphabet.size())]); break;
                case 2: text[at] = alphabet[random.below(alphabet.size())]; break;
                default: text.insert(at, text.substr(random.below(text.size()), 4)); break;
            }
        }
        // The other parser refuses what does not fit a double and single surrogate escapes.
        const bool expected = nlohmann::json::accept(text);
        const bool ours = !checkJson(text, nullptr).has_value();
        const bool large = text.find('e') != std::string::npos ||
                           text.find('E') != std::string::npos ||
                           text.find("\\u") != std::string::npos;
        if (ours != expected && !(ours && large)) {
            QFAIL(qPrintable(
                QStringLiteral("round %1: %2").arg(round).arg(QString::fromStdString(text))));
        }
        if (ours) ++good;
    }
    QVERIFY2(good > 1'000, "some of them must be good");
}

void EventFormatsTest::namesUsersApart() {
    const auto of = [](UserKey::Kind kind, const char* text, const char* id = "e") {
        return fingerprint(UserKey{kind, text}, id).value;
    };
    using Kind = UserKey::Kind;
    const std::set<std::uint64_t> all = {of(Kind::user, "1"),       of(Kind::anonymous, "1"),
                                         of(Kind::none, "", "1"),   of(Kind::none, "", "2"),
                                         of(Kind::user, "2"),       of(Kind::user, "12"),
                                         of(Kind::anonymous, "12"), of(Kind::user, "")};
    QCOMPARE(all.size(), 8u);
    QVERIFY(all.count(0) == 0);
    QCOMPARE(of(Kind::user, "1", "a"), of(Kind::user, "1", "b"));
    // Lanes are found by it after a restart and an update: it must never change.
    QCOMPARE(of(Kind::user, "1"), std::uint64_t{3'360'882'067'514'183'020});
}

void EventFormatsTest::makesIdsThatRiseAndDiffer() {
    std::set<std::string> ids;
    std::string last;
    for (int i = 0; i < 2'000; ++i) {
        const std::string id = makeEventId(1'800'000'000'000'000 + i * 1'000);
        QCOMPARE(id.size(), 26u);
        QVERIFY(id > last);
        last = id;
        ids.insert(id.substr(10));
    }
    QCOMPARE(ids.size(), 2'000u);
}

QTEST_GUILESS_MAIN(EventFormatsTest)
#include "event_formats_test.moc"
