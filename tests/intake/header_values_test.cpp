// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/header_values.h"

#include <QTest>

using namespace lanes;

/// Values of headers, with the examples of the specifications.
class HeaderValuesTest : public QObject {
    Q_OBJECT

    /// "-" for nothing, else the text in angle brackets: an empty one is not nothing.
    static QByteArray shown(const std::optional<std::string>& text) {
        return text ? "<" + QByteArray::fromStdString(*text) + ">" : QByteArray("-");
    }

private slots:
    void attributesAreDecodedOnce_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("decoded");
        const auto row = [](const char* name, const char* value, const char* decoded) {
            QTest::newRow(name) << QByteArray(value) << QByteArray(decoded);
        };
        row("plain text", "abc/1", "<abc/1>");
        row("the example of the specification", "Euro%20%E2%82%AC%20%F0%9F%98%80",
            "<Euro \xe2\x82\xac \xf0\x9f\x98\x80>");
        row("small hexadecimal digits", "%e2%82%ac", "<\xe2\x82\xac>");
        row("one round only", "%2541", "<%41>");
        row("nothing that is encoded, from SDKs that encode nothing", "a b\"q\"", "<a b\"q\">");
        row("raw UTF-8", "Zo\xc3\xab", "<Zo\xc3\xab>");
        row("a percent sign at the end", "100%", "<100%>");
        row("a percent sign and one digit", "100%4", "<100%4>");
        row("a percent sign before other letters", "%zz%4g", "<%zz%4g>");
        row("in double quotes", "\"a b\"", "<a b>");
        row("in double quotes, with escapes", R"("a\"b\\c")", R"(<a"b\c>)");
        row("unquoted first, then decoded", R"("%41\%42")", "<AB>");
        row("a quote that does not end", "\"a", "<\"a>");
        row("a quote that ends before the end", "\"a\" b", "<\"a\" b>");
        row("a quote whose end is escaped", R"("a\")", R"(<"a\">)");
        row("encoded quotes stay", "%22a%22", "<\"a\">");
        row("an overlong space", "%C0%A0", "-");
        row("half a character", "%E2%82", "-");
        row("a surrogate", "%ED%A0%80", "-");
        row("beyond Unicode", "%F5%80%80%80", "-");
        row("raw Latin-1", "Zo\xeb", "-");
        row("nothing", "", "<>");
    }
    void attributesAreDecodedOnce() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, decoded);
        QCOMPARE(shown(decodeAttribute(value.toStdString())), decoded);
    }

    void keysAreStringsOrBare_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("key");
        const auto row = [](const char* name, const char* value, const char* key) {
            QTest::newRow(name) << QByteArray(value) << QByteArray(key);
        };
        row("the example of the draft", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"",
            "<8e03978e-40d5-43dd-bc93-6894a57f9324>");
        row("bare, as most clients send it", "8e03978e-40d5-43dd-bc93-6894a57f9324",
            "<8e03978e-40d5-43dd-bc93-6894a57f9324>");
        row("with space around", "  \"a\"\t", "<a>");
        row("a space inside of quotes", "\"a b\"", "<a b>");
        row("escapes", R"("a\"b\\")", R"(<a"b\>)");
        row("an escape that there is not", R"("a\b")", "-");
        row("an escape at the end", R"("a\")", "-");
        row("a quote that does not end", "\"a", "-");
        row("more behind the quote", "\"a\";b=1", "-");
        row("two of them", "\"a\", \"b\"", "-");
        row("a bare one with a space", "a b", "-");
        row("a bare one with a quote", "a\"b", "-");
        row("not ASCII", "Zo\xc3\xab", "-");
        row("not ASCII, in quotes", "\"Zo\xc3\xab\"", "-");
        row("a tab in quotes", "\"a\tb\"", "-");
        row("empty quotes", "\"\"", "-");
        row("nothing", "", "-");
        row("white space", "  ", "-");
    }
    void keysAreStringsOrBare() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, key);
        QCOMPARE(shown(readIdempotencyKey(value.toStdString())), key);
    }

    void mediaTypesLoseTheirParameters() {
        QCOMPARE(readMediaType("Application/JSON ; Charset=\"UTF-8\"; q=1").name,
                 std::string("application/json"));
        QVERIFY(readMediaType("application/json; a=b;charset=utf-8").utf8);
        QVERIFY(!readMediaType("application/json; charset=latin1").utf8);
        QVERIFY(!readMediaType("a/b; charset=utf-8; charset=utf-16").utf8);
        QCOMPARE(readMediaType("").name, std::string());
        QCOMPARE(readMediaType(" ;").name, std::string());
    }
};

QTEST_GUILESS_MAIN(HeaderValuesTest)
#include "header_values_test.moc"
