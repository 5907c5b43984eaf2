// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/filter_menu.h"
#include "ui/common/time_display.h"
#include "ui/dead_letters/dead_letters_model.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// The keyset list of dead letters, fed by hand.
class DeadLettersModelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void pagesFollowEachOther();
    void aPageThatDoesNotContinueTheListIsDropped();
    void rowsAreTakenOutInRuns();
    void anotherScopeStartsAnew();
    void reloadingReplacesTheRows();
    void whoIsKeptStaysAsAGhost();
    void ghostsKeepTheirPlacesInAListThatIsReadAgain();
    void ghostsBehindTheFirstPageWaitForTheirs();
    void whoComesBackIsNoGhost();
    void timesFollowTheSwitch();

private:
    void fill(int count);
    void answer();

    TimeDisplay m_times;
    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<PageReader> m_reader;
    std::unique_ptr<DeadLettersModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::vector<DeadLetterQuery> m_asked;
};

void DeadLettersModelTest::init() {
    m_tester.reset();
    m_times.setZone(TimeDisplay::Zone::utc);
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->state.at = 1'800'000'000LL * kSecond;
    m_engine->addDestination("crm");
    m_engine->addDestination("billing");
    m_reader = m_engine->openPageReader();
    m_model = std::make_unique<DeadLettersModel>(m_times);
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_asked.clear();
    connect(m_model.get(), &DeadLettersModel::pageWanted, this,
            [this](const DeadLetterQuery& query) { m_asked.push_back(query); });
}

void DeadLettersModelTest::fill(int count) {
    for (int i = 0; i < count; ++i)
        m_engine->addDeadLetter(DestinationId(i % 3 == 0 ? 2 : 1), static_cast<std::uint64_t>(i));
}

void DeadLettersModelTest::answer() {
    const DeadLetterQuery query = m_asked.back();
    m_model->acceptPage(query, m_reader->deadLetters(query));
}

void DeadLettersModelTest::pagesFollowEachOther() {
    fill(600);
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    // The tester asks for more by itself, as a view does at its end.
    while (!m_model->isComplete()) {
        m_model->fetchMore({});
        QVERIFY2(!m_model->canFetchMore({}), "one question at a time");
        answer();
    }
    QCOMPARE(m_model->rowCount(), 600);
    for (int row = 0; row < 600; ++row)
        QCOMPARE(m_model->letter(row)->pointer,
                 m_engine->store->deadLetters[static_cast<std::size_t>(row)].pointer);
}

void DeadLettersModelTest::aPageThatDoesNotContinueTheListIsDropped() {
    fill(600);
    m_model->reload();
    answer();
    m_model->fetchMore({});
    const DeadLetterQuery late = m_asked.back();
    m_model->depart({m_model->letter(255)->pointer}, {});
    m_model->acceptPage(late, m_reader->deadLetters(late));
    QCOMPARE(m_model->rowCount(), 255);
    QVERIFY(m_model->canFetchMore({}));
}

void DeadLettersModelTest::rowsAreTakenOutInRuns() {
    fill(20);
    m_model->reload();
    answer();
    std::set<Pointer> gone;
    for (const int row : {0, 1, 2, 7, 18, 19}) gone.insert(m_model->letter(row)->pointer);
    QSignalSpy removed(m_model.get(), &QAbstractItemModel::rowsRemoved);
    m_model->depart(gone, {});
    QCOMPARE(removed.count(), 3);
    QCOMPARE(m_model->rowCount(), 14);
    for (const Pointer& pointer : gone) QCOMPARE(m_model->rowOf(pointer), -1);
}

void DeadLettersModelTest::anotherScopeStartsAnew() {
    fill(30);
    m_model->reload();
    answer();
    const DeadLetterQuery all = m_asked.back();
    m_model->setFilter(numberIs(FilterField::destination, 2));
    QCOMPARE(m_model->rowCount(), 0);
    m_model->acceptPage(all, m_reader->deadLetters(all));
    QCOMPARE(m_model->rowCount(), 0);
    answer();
    QCOMPARE(m_model->rowCount(), 10);
}

void DeadLettersModelTest::reloadingReplacesTheRows() {
    fill(3);
    m_model->reload();
    answer();
    m_engine->store->deadLetters.erase(m_engine->store->deadLetters.begin());
    m_model->reload();
    QCOMPARE(m_model->rowCount(), 3);
    answer();
    QCOMPARE(m_model->rowCount(), 2);
}

void DeadLettersModelTest::whoIsKeptStaysAsAGhost() {
    fill(5);
    m_model->reload();
    answer();
    const auto kept = m_model->letter(1)->pointer;
    const auto other = m_model->letter(3)->pointer;
    const auto says = m_model->index(1, DeadLettersModel::DiedAt);
    QVERIFY(!m_model->index(1, DeadLettersModel::User).data(Qt::FontRole).isValid());
    m_model->keep({kept});
    m_model->depart({kept, other}, {Departure::Fate::rewound, 1'799'971'411LL * kSecond});
    QCOMPARE(m_model->rowCount(), 4);
    QCOMPARE(m_model->living(), 3);
    QCOMPARE(m_model->rowOf(other), -1);
    QCOMPARE(says.data().toString(), QStringLiteral("rewound 2027-01-15 00:03"));
    QCOMPARE(says.data(Qt::AccessibleTextRole).toString(), says.data().toString());
    const auto font = m_model->index(1, DeadLettersModel::User).data(Qt::FontRole);
    QVERIFY(font.isValid() && font.value<QFont>().strikeOut());
    QVERIFY(!says.data(Qt::FontRole).value<QFont>().strikeOut());
    QVERIFY(!says.data(Qt::DecorationRole).isValid());
    // What is learned later does not change when.
    m_model->depart({kept}, {Departure::Fate::delivered, 1'799'999'999LL * kSecond, true});
    QCOMPARE(says.data().toString(), QStringLiteral("delivered 2027-01-15 00:03"));
    m_model->dismissGhosts();
    QCOMPARE(m_model->rowCount(), 4);
    m_model->keep({});
    m_model->dismissGhosts();
    QCOMPARE(m_model->rowCount(), 3);
    QCOMPARE(m_model->living(), 3);
}

void DeadLettersModelTest::ghostsKeepTheirPlacesInAListThatIsReadAgain() {
    fill(5);
    m_model->setSnapshot(m_engine->snapshot());
    m_model->reload();
    answer();
    auto& store = m_engine->store->deadLetters;
    const auto kept = m_model->letter(2)->pointer;
    m_model->keep({kept, m_model->letter(3)->pointer});
    store.erase(store.begin() + 2);
    m_engine->state.at += kSecond;
    m_engine->addDeadLetter(DestinationId(1), 9);
    for (int times = 0; times < 2; ++times) {
        m_model->reload();
        answer();
        QCOMPARE(m_model->rowCount(), 6);
        QCOMPARE(m_model->living(), 5);
        QCOMPARE(m_model->rowOf(kept), 2);
        QVERIFY(m_model->departure(kept));
        QCOMPARE(m_model->departure(kept)->fate, Departure::Fate::unknown);
        QVERIFY(!m_model->departure(m_model->letter(3)->pointer));
    }
}

void DeadLettersModelTest::ghostsBehindTheFirstPageWaitForTheirs() {
    fill(600);
    m_model->reload();
    answer();
    m_model->fetchMore({});
    answer();
    const auto far = m_model->letter(300)->pointer;
    const auto gone = m_model->letter(301)->pointer;
    m_model->keep({far, gone});
    m_model->depart({gone}, {Departure::Fate::discarded, kSecond});
    auto& store = m_engine->store->deadLetters;
    store.erase(store.begin() + 301);
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowOf(gone), -1);
    QCOMPARE(m_model->living(), m_model->rowCount());
    while (!m_model->isComplete()) {
        m_model->fetchMore({});
        answer();
    }
    QCOMPARE(m_model->rowOf(far), 300);
    QVERIFY(!m_model->departure(far));
    QCOMPARE(m_model->rowOf(gone), 301);
    QCOMPARE(m_model->rowCount(), 600);
    QCOMPARE(m_model->living(), 599);
}

void DeadLettersModelTest::whoComesBackIsNoGhost() {
    fill(3);
    m_model->reload();
    answer();
    const auto kept = m_model->letter(1)->pointer;
    m_model->keep({kept});
    m_model->depart({kept}, {Departure::Fate::rewound, kSecond});
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 3);
    QVERIFY(!m_model->departure(kept));
}

void DeadLettersModelTest::timesFollowTheSwitch() {
    fill(1);
    m_model->reload();
    answer();
    const auto index = m_model->index(0, DeadLettersModel::DiedAt);
    QCOMPARE(index.data().toString(), QStringLiteral("2027-01-15 08:00"));
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_times.setZone(TimeDisplay::Zone::local);
    QCOMPARE(changed.count(), 1);
}

QTEST_MAIN(DeadLettersModelTest)
#include "dead_letters_model_test.moc"
