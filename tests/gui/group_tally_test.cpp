// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_menu.h"
#include "ui/common/time_display.h"
#include "ui/dead_letters/groups_model.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QTest>

#include <random>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr WallMicros kNow = 1'800'000'000LL * kSecond;

DeadLetterRow letter(std::uint32_t destination, Outcome outcome, WallMicros diedAt) {
    DeadLetterRow row;
    row.pointer = {DestinationId(destination), Sequence(static_cast<std::uint64_t>(diedAt))};
    row.lastOutcome = outcome;
    row.attempts = 3;
    row.diedAt = diedAt;
    row.type = "order.updated";
    row.user = {UserKey::Kind::user, "anna"};
    return row;
}

GroupTally tallyOf(Grouping by, const std::vector<DeadLetterRow>& letters,
                   std::size_t held = kHeldGroups) {
    GroupTally tally(by, held);
    for (const auto& row : letters) tally.add(row);
    return tally;
}

}  // namespace

/// Dead letters counted by what they have in common, and the list of that.
class GroupTallyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void errorsAreToldApartByDestination();
    void theFilterOfAGroupFitsExactlyItsLetters_data();
    void theFilterOfAGroupFitsExactlyItsLetters();
    void tooManyGroupsAreCountedTogether();
    void theListShowsCountsTimesAndNotes();
};

void GroupTallyTest::errorsAreToldApartByDestination() {
    auto rewound = letter(1, Outcome::refused, kNow - kHour);
    rewound.rewoundAt = kNow - 2 * kHour;
    rewound.note.text = "asked";
    const auto tally = tallyOf(Grouping::errorClass, {letter(2, Outcome::refused, kNow),
                                                      letter(1, Outcome::refused, kNow - kMinute),
                                                      rewound,
                                                      letter(1, Outcome::overloaded, kNow)});
    const auto groups = tally.largest();
    QCOMPARE(tally.letters(), 4u);
    QCOMPARE(groups.size(), std::size_t{3});
    QCOMPARE(groups[0].count, 2u);
    QCOMPARE(groups[0].destination, DestinationId(1));
    QVERIFY(groups[0].outcome == Outcome::refused);
    QCOMPARE(groups[0].firstDiedAt, kNow - kHour);
    QCOMPARE(groups[0].lastDiedAt, kNow - kMinute);
    QCOMPARE(groups[0].rewoundAt, kNow - 2 * kHour);
    QCOMPARE(groups[0].noted, 1u);
    QCOMPARE(groups[1].count, 1u);
    QCOMPARE(groups[1].rewoundAt, WallMicros{0});
    QCOMPARE(tally.largest(1).size(), std::size_t{1});
}

void GroupTallyTest::theFilterOfAGroupFitsExactlyItsLetters_data() {
    QTest::addColumn<int>("by");
    QTest::newRow("error and destination") << static_cast<int>(Grouping::errorClass);
    QTest::newRow("type") << static_cast<int>(Grouping::type);
    QTest::newRow("user") << static_cast<int>(Grouping::user);
    QTest::newRow("hour") << static_cast<int>(Grouping::hour);
}

void GroupTallyTest::theFilterOfAGroupFitsExactlyItsLetters() {
    QFETCH(const int, by);
    std::mt19937 random(5);
    const auto below = [&random](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    std::vector<DeadLetterRow> letters;
    for (int n = 0; n < 500; ++n) {
        // Full hours among them, and letters that were never tried in a later life.
        auto row = letter(1 + below(3), static_cast<Outcome>(below(7)),
                          kNow - kNow % kHour - below(20) * 30 * kMinute);
        row.attempts = below(3);
        row.type = below(5) == 0 ? "" : "type-" + std::to_string(below(4));
        row.user.text = "user-" + std::to_string(below(9));
        letters.push_back(row);
    }
    const auto tally = tallyOf(static_cast<Grouping>(by), letters);
    std::uint64_t together = 0;
    const auto groups = tally.largest();
    QVERIFY(groups.size() > 4);
    for (const auto& group : groups) {
        const auto filter = Filter::allOf(tally.conditionsOf(group)).value();
        QVERIFY(filter.suits(FilterList::deadLetters));
        std::uint64_t fitting = 0;
        for (const auto& row : letters)
            if (match(filter, row, kNow, nullptr) == Match::yes) ++fitting;
        QCOMPARE(fitting, group.count);
        together += group.count;
    }
    QCOMPARE(together, std::uint64_t{500});
}

void GroupTallyTest::tooManyGroupsAreCountedTogether() {
    std::vector<DeadLetterRow> letters;
    for (int n = 0; n < 10; ++n) {
        letters.push_back(letter(1, Outcome::failed, kNow + n));
        letters.back().user.text = "user-" + std::to_string(n % 5);
    }
    const auto tally = tallyOf(Grouping::user, letters, 3);
    QCOMPARE(tally.groups(), std::size_t{3});
    QCOMPARE(tally.letters(), 10u);
    QCOMPARE(tally.apart(), 4u);
}

void GroupTallyTest::theListShowsCountsTimesAndNotes() {
    TimeDisplay times;
    times.setZone(TimeDisplay::Zone::utc);
    GroupsModel model(times);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto snapshot = std::make_shared<EngineSnapshot>();
    snapshot->destinations.resize(1);
    snapshot->destinations[0].id = DestinationId(1);
    snapshot->destinations[0].name = "crm";
    model.setSnapshot(snapshot);
    auto noted = letter(1, Outcome::refused, kNow);
    noted.note.text = "asked";
    noted.rewoundAt = kNow - kHour;
    auto untried = letter(1, Outcome::delivered, kNow);
    untried.attempts = 0;
    const auto tally = tallyOf(Grouping::errorClass,
                               {noted, letter(1, Outcome::refused, kNow), untried});
    model.setGroups(tally.largest());
    const auto cell = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(cell(0, GroupsModel::Group), QStringLiteral("refused · crm"));
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("2"));
    QCOMPARE(cell(0, GroupsModel::LastRewind), times.text(kNow - kHour));
    QCOMPARE(cell(0, GroupsModel::Notes), QStringLiteral("1"));
    QCOMPARE(model.index(0, GroupsModel::Notes).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("1 with a note"));
    QCOMPARE(cell(1, GroupsModel::Group), QStringLiteral("never tried · crm"));
    for (const int row : {0, 1})  // or their names would not begin at the same place
        QVERIFY(!model.index(row, GroupsModel::Group).data(Qt::DecorationRole).isNull());
    QCOMPARE(cell(1, GroupsModel::LastRewind), QStringLiteral("never"));
    QCOMPARE(cell(1, GroupsModel::Notes), QString());
    QCOMPARE(model.rowOf(*model.group(1)), 1);
    model.setGroups({});
    QCOMPARE(model.rowCount(), 0);
}

QTEST_MAIN(GroupTallyTest)
#include "group_tally_test.moc"
