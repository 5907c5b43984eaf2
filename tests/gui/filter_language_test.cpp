// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_language.h"

#include <QTest>

#include <random>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr WallMicros kNow = 1'796'000'000LL * kSecond;  // 2026-11-30T02:53:20Z

FilterContext contextOf(FilterList list) {
    FilterContext context;
    context.list = list;
    context.destinations = {{DestinationId(1), QStringLiteral("crm")},
                            {DestinationId(2), QStringLiteral("crm-eu")},
                            {DestinationId(3), QStringLiteral("billing")}};
    context.now = kNow;
    context.types = {QStringLiteral("order.made"), QStringLiteral("ping")};
    return context;
}

FilterList listOf(char name) {
    return name == 'l'   ? FilterList::lanes
           : name == 'd' ? FilterList::deadLetters
                         : FilterList::attempts;
}

QString q(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class TestFilterLanguage : public QObject {
    Q_OBJECT

private slots:
    /// The list (l, d or a), what is typed, and what it is written as.
    void whatIsTypedMeansThis_data() {
        QTest::addColumn<char>("list");
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("written");
        const auto row = [](const char* name, char list, const char* typed, const char* written) {
            QTest::newRow(name) << list << QByteArray(typed) << QByteArray(written);
        };
        row("nothing", 'l', "  ", "");
        row("a destination", 'l', "dest:crm", "dest:crm");
        row("another name of a field", 'l', "Destination=crm", "dest:crm");
        row("destinations with a wildcard", 'l', "dest:crm*", "dest:crm OR dest:crm-eu");
        row("part of a destination", 'l', "dest~EU", "dest:crm-eu");
        row("a destination by number", 'l', "dest:#3", "dest:billing");
        row("one that is gone", 'l', "dest:#9", "dest:#9");
        row("AND by itself", 'l', "dest:crm attempts>=5", "dest:crm attempts>=5");
        row("AND said", 'l', "dest:crm AND attempts>=5", "dest:crm attempts>=5");
        row("AND goes before OR", 'l', "life:1 OR life:2 attempts:3 OR life:4",
            "life:1 OR (life:2 attempts:3) OR life:4");
        row("brackets", 'l', "(life:1 OR life:2) attempts:3", "(life:1 OR life:2) attempts:3");
        row("needless brackets", 'l', "((life:1) AND (life:2))", "life:1 life:2");
        row("NOT goes first", 'l', "NOT life:1 life:2", "NOT life:1 life:2");
        row("NOT of brackets", 'l', "NOT (life:1 OR life:2)", "NOT (life:1 OR life:2)");
        row("a minus", 'l', "-type:ping -(life:1 life:2)", "NOT type:ping NOT (life:1 life:2)");
        row("twice NOT", 'l', "NOT -life:1", "life:1");
        row("unequal", 'l', "status!=503", "NOT status:503");
        row("small words", 'l', "life:1 or not life:2", "life:1 OR NOT life:2");
        row("blanks around a comparison", 'l', "attempts >= 5 user: 42", "attempts>=5 user:42");
        row("a state", 'l', "state:waiting", "state:waiting");
        row("a state of two words", 'l', "state:\"in flight\"", "state:\"in flight\"");
        row("with a hyphen", 'l', "state:In-Flight", "state:\"in flight\"");
        row("an outcome", 'd', "outcome:overloaded", "outcome:overloaded");
        row("the command line's word", 'd', "outcome:unknown", "outcome:\"outcome unknown\"");
        row("a cause", 'a', "cause:\"last chance\"", "cause:\"last chance\"");
        row("a class of statuses", 'l', "status:5xx", "status:5xx");
        row("a range of statuses", 'l', "status:500..599", "status:5xx");
        row("another range", 'l', "status:500..504", "status:500..504");
        row("from a class to another", 'l', "status:4xx..5xx", "status:400..599");
        row("above a class", 'l', "status>4xx", "status>499");
        row("not in a class", 'l', "status!=4xx", "NOT status:4xx");
        row("thousands", 'l', "backlog>=10k", "backlog>=10000");
        row("millions", 'l', "backlog<1.5M", "backlog<1500000");
        row("a size", 'd', "size>20k", "size>20000");
        row("hours", 'l', "age>2h", "age>2h");
        row("minutes that are hours", 'l', "age>120m", "age>2h");
        row("days", 'l', "age>=5d", "age>=5d");
        row("seventy-two hours", 'l', "left<3d", "left<72h");
        row("a fraction", 'l', "age<1.5h", "age<90m");
        row("milliseconds", 'a', "took>250ms", "took>250ms");
        row("a range of durations", 'l', "age:1h..2h", "age:1h..2h");
        row("a wildcard", 'd', "type:order.*", "type:order.*");
        row("a star in quotes", 'd', "type:\"a*b\"", "type:\"a*b\"");
        row("a star behind a backslash", 'd', "type:a\\*b", "type:\"a*b\"");
        row("quotes and a wildcard", 'd', "user:\"anna m\"*", "user:\"anna m\"*");
        row("a quote within", 'd', "error:\"say \\\"no\\\"\"", "error~\"say \\\"no\\\"\"");
        row("an error always has it somewhere", 'd', "error:\"timeout\"", "error~timeout");
        row("part of a payload", 'd', "payload~\"order_id\"", "payload~order_id");
        row("part of a user", 'd', "user~ann", "user~ann");
        row("nobody", 'd', "user:\"\"", "user:\"\"");
        row("a keyword as a value", 'd', "user:\"or\" user:OR.x", "user:\"or\" user:OR.x");
        row("letters of all kinds", 'd', "user:J\xc3\xbcrgen\xf0\x9f\x98\x80",
            "user:J\xc3\xbcrgen\xf0\x9f\x98\x80");
        row("a value that begins with =", 'd', "user:\\=x", "user:\\=x");
        row("a time with its zone", 'd', "died>2026-11-29T14:00Z", "died>2026-11-29T14:00:00Z");
        row("a time in another zone", 'd', "died>=2026-11-29T14:00:05+02:00",
            "died>=2026-11-29T12:00:05Z");
        row("a time of today", 'd', "died<14:00", "died<2026-11-30T14:00:00Z");
        row("within a minute", 'd', "died:01:30",
            "died:2026-11-30T01:30:00Z..2026-11-30T01:30:59.999999Z");
        row("a day", 'd', "died:2026-11-29",
            "died:2026-11-29T00:00:00Z..2026-11-29T23:59:59.999999Z");
        row("from a time to another", 'd', "died:01:00..02:00",
            "died:2026-11-30T01:00:00Z..2026-11-30T02:00:00Z");
        row("a fraction of a second", 'a', "started>=2026-11-29T14:00:00.25Z",
            "started>=2026-11-29T14:00:00.25Z");
        row("the example of the manual", 'd',
            "dest:crm age>2h attempts>=5 status:503 error:\"timeout\" user:42 "
            "payload~\"order_id\" NOT type:ping",
            "dest:crm age>2h attempts>=5 status:503 error~timeout user:42 payload~order_id "
            "NOT type:ping");
    }
    void whatIsTypedMeansThis() {
        QFETCH(const char, list);
        QFETCH(const QByteArray, typed);
        QFETCH(const QByteArray, written);
        const auto context = contextOf(listOf(list));
        const auto parsed = parseFilter(QString::fromUtf8(typed), context);
        QVERIFY2(!parsed.error, parsed.error ? qPrintable(parsed.error->text) : "");
        const QString text = toText(parsed.filter, context);
        QCOMPARE(text, QString::fromUtf8(written));
        const auto again = parseFilter(text, context);
        QVERIFY(!again.error);
        QVERIFY2(again.filter == parsed.filter, qPrintable(toText(again.filter, context)));
        QVERIFY(parsed.filter.suits(context.list));
    }

    /// The word that is wrong stands between < and > in `marked`.
    void mistakesAreShownWhereTheyAre_data() {
        QTest::addColumn<char>("list");
        QTest::addColumn<QByteArray>("marked");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, char list, const char* marked,
                            const char* sentence) {
            QTest::newRow(name) << list << QByteArray(marked) << QByteArray(sentence);
        };
        row("a field that is misspelt", 'l', "dest:crm [sate]:waiting",
            "There is no field \"sate\". Did you mean \"state\"?");
        row("no field at all", 'l', "[colour]:red", "There is no field \"colour\". Here are: dest");
        row("a field of another list", 'd', "[state]:waiting",
            "The list \"Dead letters\" has no field \"state\"; these have: Lanes.");
        row("a field of two other lists", 'l', "[error]:x",
            "The list \"Lanes\" has no field \"error\"; these have: Dead letters, Attempts.");
        row("a time of another list", 'l', "[died]>14:00",
            "The list \"Lanes\" has no field \"died\"; these have: Dead letters. Times here: age "
            "(age of the head, as 2h); accepted (when its head was accepted, as 14:00).");
        row("a word alone", 'd', "dest:crm [timeout]",
            "\"timeout\" stands alone. Write a field before it, as error~timeout.");
        row("a quoted word alone", 'd', "[\"time out\"]", "\"time out\" stands alone.");
        row("a field alone", 'l', "[status]", "Write what \"status\" should be, as status:503.");
        row("no value", 'l', "[state:]", "A value is missing, as in state:waiting.");
        row("no value before OR", 'l', "[state:] OR life:1", "A value is missing");
        row("an unknown destination", 'l', "dest:[biling]",
            "There is no destination \"biling\". Did you mean \"billing\"?");
        row("no destination like it", 'l', "dest:[x*]",
            "There is no destination \"x*\". There are: crm, crm-eu, billing.");
        row("an unknown state", 'l', "state:[waitin]",
            "\"waitin\" is none of its words. Did you mean \"waiting\"?");
        row("a comparison of a text", 'l', "user>[42]",
            "\"user\" is a text: compare it with : or ~, as user:42.");
        row("a comparison of a word", 'l', "state~[wait]", "\"state\" is a word");
        row("a part of a number", 'l', "attempts~[5]", "\"attempts\" is no text");
        row("no number", 'l', "attempts>[many]",
            "\"many\" is no number; write it as 12, 5k, 2M or 5..10.");
        row("too large a number", 'l', "attempts>[99999999999999999999]", "is no number");
        row("half a number", 'l', "attempts>[1.5]", "is no number");
        row("no status", 'l', "status:[5x]", "\"5x\" is no status; write it as 503, 5xx");
        row("no unit", 'l', "age>[2]", "\"2\" is no duration; write it with its unit");
        row("an equal age", 'l', "age:[2h]", "Say longer or shorter, as age>2h.");
        row("a duration for a time", 'd', "died>[2h]",
            "\"died\" takes a time, as died>14:00; how long ago something was is its age, as "
            "age<2h.");
        row("no time", 'd', "died>[noon]", "\"noon\" is no time; write it as 14:00");
        row("no day", 'd', "died>[2026-02-30]", "is no time");
        row("a range backwards", 'l', "status:[599..500]", "This range ends before it begins.");
        row("a range with a comparison", 'l', "status>[500..599]",
            "A range goes with a colon, as status:500..599.");
        row("half a range", 'l', "status:[500..]", "is no status");
        row("an open quote", 'd', "error:[\"time out]", "The quote is not closed.");
        row("an open bracket", 'l', "[(]life:1 OR life:2", "This bracket is not closed.");
        row("a bracket too many", 'l', "life:1[)]",
            "Nothing was opened that this bracket closes.");
        row("an empty bracket", 'l', "([)]", "A condition is missing before this bracket.");
        row("OR at the beginning", 'l', "[OR] life:1", "A condition is missing before \"OR\".");
        row("OR at the end", 'l', "life:1 OR[]", "A condition is missing at the end.");
        row("AND twice", 'l', "life:1 AND [AND] life:2",
            "A condition is missing before \"AND\".");
        row("NOT at the end", 'l', "life:1 NOT[]", "A condition is missing at the end.");
        row("a minus alone", 'l', "-[]", "A condition is missing at the end.");
    }
    void mistakesAreShownWhereTheyAre() {
        QFETCH(const char, list);
        QFETCH(const QByteArray, marked);
        QFETCH(const QByteArray, sentence);
        QString text = QString::fromUtf8(marked);
        const auto begin = text.indexOf(QLatin1Char('['));
        const auto end = text.indexOf(QLatin1Char(']')) - 1;
        text.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
        const auto parsed = parseFilter(text, contextOf(listOf(list)));
        QVERIFY(parsed.error.has_value());
        QVERIFY(parsed.filter.isEverything());
        QVERIFY2(parsed.error->text.startsWith(QString::fromUtf8(sentence)) ||
                     parsed.error->text.contains(QString::fromUtf8(sentence)),
                 qPrintable(parsed.error->text));
        QCOMPARE(parsed.error->offset, begin);
        QCOMPARE(parsed.error->length, end - begin);
    }

    void whoIsStillTypingIsNotWrongYet_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<bool>("unfinished");
        const auto row = [](const char* typed, bool unfinished) {
            QTest::newRow(typed) << QByteArray(typed) << unfinished;
        };
        row("sta", true);
        row("state:", true);
        row("state:wai", true);
        row("state:xyz", false);
        row("dest:cr", true);
        row("dest:zz", false);
        row("age>2", true);
        row("type:\"or", true);
        row("(life:1", true);
        row("life:1 OR", true);
        row("sate:waiting", false);
        row("sta life:1", false);
        row("age>2 life:1", false);
    }
    void whoIsStillTypingIsNotWrongYet() {
        QFETCH(const QByteArray, typed);
        QFETCH(const bool, unfinished);
        const auto parsed =
            parseFilter(QString::fromUtf8(typed), contextOf(FilterList::lanes));
        QVERIFY(parsed.error.has_value());
        QCOMPARE(parsed.error->unfinished, unfinished);
    }

    void aFilterHasLimits() {
        const auto context = contextOf(FilterList::lanes);
        QStringList many;
        for (std::size_t n = 0; n <= limits::kFilterTerms; ++n) many << q("life:1");
        QVERIFY(parseFilter(many.join(q(" ")), context)
                    .error->text.startsWith(q("A filter has 64 conditions at most")));
        many.removeLast();
        QVERIFY(!parseFilter(many.join(q(" ")), context).error);
        const auto nested = [](int depth) {
            return QString(depth, QLatin1Char('(')) + q("life:1") +
                   QString(depth, QLatin1Char(')'));
        };
        QVERIFY(!parseFilter(nested(10), context).error);
        QVERIFY(parseFilter(nested(4000), context).error);
        QVERIFY(parseFilter(QString(8000, QLatin1Char('-')), context).error);
        QVERIFY(parseFilter(QString(100'000, QLatin1Char('x')), context).error);
        QVERIFY(parseFilter(q("user:") + QString(1025, QLatin1Char('x')), context)
                    .error->text.startsWith(q("A text has 1024 bytes")));
    }

    void timesAreInTheZoneThatIsShown() {
        auto context = contextOf(FilterList::deadLetters);
        context.zone = QTimeZone(2 * 3600);
        const auto here = parseFilter(q("died<14:00"), context);
        QCOMPARE(toText(here.filter, context), q("died<2026-11-30T14:00:00+02:00"));
        context.zone = QTimeZone(0);
        QCOMPARE(toText(here.filter, context), q("died<2026-11-30T12:00:00Z"));
    }

    /// Words of the language in any order, and any characters: an answer each time, and what is
    /// taken means the same when it is written and read again.
    void anyTextHasAnAnswer() {
        std::mt19937 random(7);
        const QStringList words{
            q("dest"),  q("state"), q("user"), q("status"), q("age"),     q("died"),  q("payload"),
            q("error"), q(":"),     q(":"),    q("~"),      q(">="),      q("<"),     q("!="),
            q("crm"),   q("5xx"),   q("2h"),   q("503"),    q("waiting"), q("14:00"), q(".."),
            q("("),     q(")"),     q("NOT "), q(" OR "),   q(" AND "),   q("-"),     q("\""),
            q("*"),     q("\\"),    q(" "),    q(" "),      q("1k"),      q("\xf0\x9f\x98\x80"),
            q("\xc3\xa4"), q("2026-11-29"), q("T"), q("Z")};
        const QStringList conditions{q("dest:crm*"), q("status:5xx"), q("age>1.5h"),
                                     q("type:\"a b\"*"), q("-user~x"), q("life!=2")};
        int taken = 0;
        QCOMPARE(words.size(), qsizetype{38});
        for (int n = 0; n < 40'000; ++n) {
            QString text;
            const auto length = random() % 14;
            for (std::uint32_t at = 0; at < length; ++at)
                text += n % 2 && random() % 3
                            ? conditions[static_cast<qsizetype>(random() % 6)] + q(" ")
                        : random() % 12 ? words[static_cast<qsizetype>(random() % 38)]
                                        : QString(QChar(static_cast<char16_t>(random() % 0x3000)));
            const auto context = contextOf(static_cast<FilterList>(random() % 3));
            const auto parsed = parseFilter(text, context);
            (void)completeFilter(text, static_cast<qsizetype>(random() % 20), context);
            if (parsed.error) {
                QVERIFY2(parsed.error->offset >= 0 && parsed.error->length >= 0 &&
                             parsed.error->offset + parsed.error->length <= text.size(),
                         qPrintable(text));
                QVERIFY(!parsed.error->text.isEmpty());
                continue;
            }
            if (!parsed.filter.isEverything()) ++taken;
            const QString written = toText(parsed.filter, context);
            const auto again = parseFilter(written, context);
            QVERIFY2(!again.error && again.filter == parsed.filter,
                     qPrintable(text + q(" -> ") + written));
        }
        QVERIFY2(taken > 200, qPrintable(QString::number(taken)));
    }

    /// The cursor is "|"; what is offered begins with these.
    void wordsAreOffered_data() {
        QTest::addColumn<char>("list");
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("offered");
        QTest::addColumn<QByteArray>("replaces");
        const auto row = [](const char* name, char list, const char* typed, const char* offered,
                            const char* replaces) {
            QTest::newRow(name) << list << QByteArray(typed) << QByteArray(offered)
                                << QByteArray(replaces);
        };
        row("fields", 'l', "sta|", "state:,status:", "sta");
        row("fields of the list", 'd', "sta|", "status:", "sta");
        row("operators of a whole name", 'l', "dest:crm age|", "age>,age<", "age");
        row("behind a minus", 'l', "-sta|", "state:,status:", "sta");
        row("in a bracket", 'l', "(us|", "user:", "us");
        row("destinations", 'l', "dest:c|", "crm,crm-eu", "c");
        row("all destinations", 'l', "dest:|", "crm,crm-eu,billing", "");
        row("states", 'l', "state:|", "waiting,\"in flight\",committing,\"backing off\",held", "");
        row("in quotes", 'l', "state:\"in f|", "\"in flight\"", "\"in f");
        row("types that were seen", 'd', "type:o|", "order.made", "o");
        row("nothing for a whole value", 'l', "dest:billing|", "", "billing");
        row("at the cursor, not at the end", 'l', "dest:b| life:1", "billing", "b");
        row("OR is not first", 'l', "o|", "outcome:", "o");
        row("OR", 'l', "life:1 o|", "outcome:,OR ", "o");
        row("NOT", 'l', "no|", "NOT ", "no");
        row("nothing for an unknown field", 'l', "colour:|", "", "colour:");
    }
    void wordsAreOffered() {
        QFETCH(const char, list);
        QFETCH(const QByteArray, typed);
        QFETCH(const QByteArray, offered);
        QFETCH(const QByteArray, replaces);
        QString text = QString::fromUtf8(typed);
        const auto cursor = text.indexOf(QLatin1Char('|'));
        text.remove(QLatin1Char('|'));
        const auto completion = completeFilter(text, cursor, contextOf(listOf(list)));
        QStringList words;
        for (const auto& word : completion.words) words << word.text;
        QCOMPARE(words.join(QLatin1Char(',')), QString::fromUtf8(offered));
        QCOMPARE(text.mid(completion.offset, completion.length), QString::fromUtf8(replaces));
    }
};

QTEST_APPLESS_MAIN(TestFilterLanguage)
#include "filter_language_test.moc"
