// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter.h"
#include "engine/queries.h"

#include <QTest>

using namespace lanes;

namespace {

Filter number(FilterField field, FilterRelation relation, std::int64_t low,
              std::int64_t high = 0) {
    return Filter::Term{field, relation, low, high, {}};
}

Filter text(FilterField field, std::vector<std::string> parts) {
    return Filter::Term{field, FilterRelation::equal, 0, 0, std::move(parts)};
}

Filter all(const std::vector<Filter>& parts) { return Filter::allOf(parts).value(); }
Filter any(const std::vector<Filter>& parts) { return Filter::anyOf(parts).value(); }
Filter no(const Filter& part) { return Filter::negationOf(part).value(); }

}  // namespace

class TestFilter : public QObject {
    Q_OBJECT

private slots:
    void partsOfTheSameKindAreJoined() {
        const auto a = number(FilterField::attempts, FilterRelation::atLeast, 5);
        const auto b = number(FilterField::status, FilterRelation::equal, 503);
        const auto c = text(FilterField::type, {"ping"});
        QVERIFY(all({all({a, b}), c}) == all({a, b, c}));
        QVERIFY(any({a, any({b, c})}) == any({a, b, c}));
        QVERIFY(!(any({a, all({b, c})}) == any({a, b, c})));
        QVERIFY(all({Filter(), a, Filter()}) == a);
        QVERIFY(any({a, Filter()}).isEverything());
        QVERIFY(all({}).isEverything());
        QVERIFY(no(no(a)) == a);
        QVERIFY(!Filter::negationOf(Filter()).has_value());
        QCOMPARE(all({a, b}).conditions().size(), std::size_t{2});
        QCOMPARE(any({a, b}).conditions().size(), std::size_t{1});
        QVERIFY(Filter().conditions().empty());
    }

    void aFilterHasLimits() {
        const auto one = number(FilterField::attempts, FilterRelation::atLeast, 5);
        QVERIFY(Filter::allOf(std::vector<Filter>(limits::kFilterTerms, one)).has_value());
        QVERIFY(!Filter::allOf(std::vector<Filter>(limits::kFilterTerms + 1, one)).has_value());
        Filter deep = one;
        for (std::size_t depth = 1; depth < limits::kFilterDepth; ++depth) {
            const auto deeper =
                depth % 2 ? Filter::allOf({deep, one}) : Filter::anyOf({deep, one});
            QVERIFY(deeper.has_value());
            deep = *deeper;
        }
        QCOMPARE(deep.depth(), limits::kFilterDepth);
        QVERIFY(!Filter::negationOf(deep).has_value());
    }

    /// Parts stand between "|".
    void textsFitByTheirParts_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("parts");
        QTest::addColumn<bool>("within");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* name, const char* text, const char* parts, bool within,
                            bool fits) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(parts) << within << fits;
        };
        row("the same", "ping", "ping", false, true);
        row("case counts", "Ping", "ping", false, false);
        row("longer", "pings", "ping", false, false);
        row("begins", "order.made", "order.|", false, true);
        row("begins otherwise", "my.order.", "order.|", false, false);
        row("ends", "order.made", "|.made", false, true);
        row("begins and ends in the same letters", "aba", "ab|ba", false, false);
        row("begins and ends", "abba", "ab|ba", false, true);
        row("the last of several ends it", "a1b2b", "a|b", false, true);
        row("in the middle", "xxabyycdzz", "|ab|cd|", false, true);
        row("in the wrong order", "cdab", "|ab|cd|", false, false);
        row("anything", "x", "|", false, true);
        row("nothing", "", "", false, true);
        row("something is not nothing", "x", "", false, false);
        row("within, any case", "HTTP 503 from crm", "http 503", true, true);
        row("within, parts", "a Time-Out of 5 s", "time|5", true, true);
        row("within, not there", "HTTP 503", "504", true, false);
        row("longer than the text", "a", "abc", true, false);
    }
    void textsFitByTheirParts() {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, parts);
        QFETCH(const bool, within);
        QFETCH(const bool, fits);
        std::vector<std::string> wanted;
        for (const auto& part : parts.split('|')) wanted.push_back(part.toStdString());
        QCOMPARE(textFits(text.toStdString(), wanted,
                          within ? FilterRelation::contains : FilterRelation::equal),
                 fits);
    }

    void numbersAreCompared_data() {
        QTest::addColumn<int>("relation");
        QTest::addColumn<bool>("four");
        QTest::addColumn<bool>("five");
        QTest::addColumn<bool>("six");
        const auto row = [](const char* name, FilterRelation relation, bool a, bool b, bool c) {
            QTest::newRow(name) << static_cast<int>(relation) << a << b << c;
        };
        row("equal", FilterRelation::equal, false, true, false);
        row("less", FilterRelation::less, true, false, false);
        row("at most", FilterRelation::atMost, true, true, false);
        row("more", FilterRelation::more, false, false, true);
        row("at least", FilterRelation::atLeast, false, true, true);
        row("within", FilterRelation::within, false, true, true);
        row("contains", FilterRelation::contains, false, false, false);
    }
    void numbersAreCompared() {
        QFETCH(const int, relation);
        QFETCH(const bool, four);
        QFETCH(const bool, five);
        QFETCH(const bool, six);
        const auto filter =
            number(FilterField::attempts, static_cast<FilterRelation>(relation), 5, 6);
        const auto fits = [&filter](std::uint32_t attempts) {
            DeadLetterRow row;
            row.attempts = attempts;
            return match(filter, row, 0, nullptr) == Match::yes;
        };
        QCOMPARE(fits(4), four);
        QCOMPARE(fits(5), five);
        QCOMPARE(fits(6), six);
    }

    void whatIsNotThereFitsNoComparison() {
        LaneRow lane;  // neither tried nor in flight
        const auto fits = [&](const Filter& filter) { return match(filter, lane, true); };
        const auto soon = number(FilterField::next, FilterRelation::less, kHour);
        QCOMPARE(fits(soon), Match::no);
        QCOMPARE(fits(no(soon)), Match::yes);
        QCOMPARE(fits(number(FilterField::status, FilterRelation::less, 400)), Match::no);
        QCOMPARE(fits(number(FilterField::flight, FilterRelation::atLeast, 0)), Match::no);
        QCOMPARE(fits(number(FilterField::outcome, FilterRelation::equal, 0)), Match::no);
        QCOMPARE(fits(text(FilterField::held, {"", ""})), Match::no);
        QCOMPARE(fits(number(FilterField::died, FilterRelation::atLeast, 0)), Match::no);
        lane.nextAttemptIn = kMinute;
        QCOMPARE(fits(soon), Match::yes);
    }

    void whatIsNotReadYetDecidesOnlyWhereItMatters() {
        LaneRow lane;
        lane.attempts = 5;
        lane.type = "ping";
        const auto tried = number(FilterField::attempts, FilterRelation::atLeast, 5);
        const auto fresh = no(tried);
        const auto ping = text(FilterField::type, {"ping"});
        const auto before = [&](const Filter& filter) { return match(filter, lane, false); };
        QCOMPARE(before(ping), Match::open);
        QCOMPARE(before(no(ping)), Match::open);
        QCOMPARE(before(all({ping, tried})), Match::open);
        QCOMPARE(before(all({ping, fresh})), Match::no);
        QCOMPARE(before(any({ping, tried})), Match::yes);
        QCOMPARE(before(any({ping, fresh})), Match::open);
        QCOMPARE(match(all({ping, tried}), lane, true), Match::yes);
        DeadLetterRow letter;
        const auto body = Filter(
            Filter::Term{FilterField::payload, FilterRelation::contains, 0, 0, {"order_id"}});
        const std::string payload = R"({"ORDER_ID":7})";
        QCOMPARE(match(body, letter, 0, nullptr), Match::open);
        QCOMPARE(match(body, letter, 0, &payload), Match::yes);
    }

    void eachListSaysWhichFieldsItHas() {
        const auto state = number(FilterField::state, FilterRelation::equal, 1);
        QVERIFY(state.suits(FilterList::lanes));
        QVERIFY(!state.suits(FilterList::deadLetters));
        const auto mixed = all({text(FilterField::type, {"a"}), no(state)});
        QVERIFY(mixed.suits(FilterList::lanes));
        QVERIFY(!mixed.suits(FilterList::attempts));
        QVERIFY(mixed.asks(FilterField::state));
        QVERIFY(!mixed.asks(FilterField::user));
        for (std::size_t field = 0; field < kFilterFields; ++field) {
            bool somewhere = false;
            for (const auto list :
                 {FilterList::lanes, FilterList::deadLetters, FilterList::attempts})
                somewhere = somewhere || has(list, static_cast<FilterField>(field));
            QVERIFY2(somewhere, qPrintable(QString::number(field)));
        }
    }
};

QTEST_APPLESS_MAIN(TestFilter)
#include "filter_test.moc"
