// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/attempts/attempt_list_model.h"
#include "ui/common/filter_menu.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

using Part = AttemptListModel::Part;

/// The window onto the log of attempts, fed by hand.
class AttemptListModelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void beforeTheFirstPageItKnowsNothing();
    void anEmptyLogIsWhole();
    void pagesFollowEachOther();
    void theWindowIsBoundedAndGoesBothWays();
    void newAttemptsWaitForAReload();
    void aReloadLetsNewOnesInAboveTheOthers();
    void tooManyNewOnesStartTheListAnew();
    void scrollingUpBringsNothingNewerThanTheReload();
    void anotherScopeStartsAnew();
    void anAnswerToAnOldQuestionIsDropped();
    void aStretchWithoutAttemptsIsWalkedOver();
    void anErrorLeavesTheRowsAndIsTold();
    void cellsSayWhatHappened();
    void copiedCellsAreExact();
    void timesFollowTheSwitch();

private:
    void fill(int count);
    /// Answers the question that was asked last.
    void answer();
    [[nodiscard]] bool isContiguous() const;

    TimeDisplay m_times;
    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<PageReader> m_reader;
    std::unique_ptr<AttemptListModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::vector<AttemptListModel::Request> m_asked;
};

void AttemptListModelTest::init() {
    m_tester.reset();
    m_times.setZone(TimeDisplay::Zone::utc);
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->state.at = 1'800'000'000LL * kSecond;
    m_engine->addDestination("crm");
    m_engine->addDestination("billing");
    m_engine->publish();
    m_reader = m_engine->openPageReader();
    m_model = std::make_unique<AttemptListModel>(m_times);
    m_model->setSnapshot(m_engine->snapshot());
    m_asked.clear();
    connect(m_model.get(), &AttemptListModel::pageWanted, this,
            [this](const AttemptListModel::Request& request) { m_asked.push_back(request); });
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    // It would ask for older rows while a test goes up.
    m_tester->setUseFetchMore(false);
}

void AttemptListModelTest::fill(int count) {
    for (int i = 0; i < count; ++i) {
        m_engine->state.at += kSecond;
        m_engine->addAttempt(DestinationId(i % 3 == 0 ? 2 : 1), static_cast<std::uint64_t>(i));
    }
}

void AttemptListModelTest::answer() {
    const auto request = m_asked.back();
    m_model->acceptPage(request, m_reader->attempts(request.query));
}

bool AttemptListModelTest::isContiguous() const {
    for (int row = 1; row < m_model->rowCount(); ++row)
        if (m_model->attempt(row)->position + 1 != m_model->attempt(row - 1)->position)
            return false;
    return true;
}

void AttemptListModelTest::beforeTheFirstPageItKnowsNothing() {
    QVERIFY(!m_model->isLoaded());
    QVERIFY(!m_model->canFetchMore({}));
    m_model->reload();
    QVERIFY(m_model->isAsking());
    QVERIFY(!m_model->isLoaded());
    QCOMPARE(m_model->rowCount(), 0);
    QCOMPARE(m_asked.back().query.limit, std::uint32_t(limits::kPageRows));
}

void AttemptListModelTest::anEmptyLogIsWhole() {
    m_model->reload();
    answer();
    QVERIFY(m_model->isLoaded() && m_model->startsAtNewest() && m_model->endsAtOldest());
    QVERIFY(!m_model->canFetchMore({}));
    QCOMPARE(m_asked.size(), std::size_t(1));
    fill(3);
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 3);
}

void AttemptListModelTest::pagesFollowEachOther() {
    fill(600);
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    while (!m_model->endsAtOldest()) {
        m_model->fetchMore({});
        QVERIFY2(!m_model->canFetchMore({}), "one question at a time");
        answer();
    }
    QCOMPARE(m_model->rowCount(), 600);
    QVERIFY(isContiguous() && m_model->startsAtNewest());
    for (const int row : {0, 255, 256, 599}) {
        const auto position = m_engine->store->log[static_cast<std::size_t>(row)].position;
        QCOMPARE(m_model->attempt(row)->position, position);
        QCOMPARE(m_model->rowOf(position), row);
    }
    QCOMPARE(m_model->rowOf(10'000), -1);
}

void AttemptListModelTest::theWindowIsBoundedAndGoesBothWays() {
    fill(6000);
    m_model->reload();
    answer();
    const auto most = static_cast<int>(AttemptListModel::kMostRows);
    while (!m_model->endsAtOldest()) {
        m_model->fetchMore({});
        answer();
        QVERIFY(m_model->rowCount() <= most);
    }
    QCOMPARE(m_model->rowCount(), most);
    QCOMPARE(m_model->attempt(most - 1)->position, std::uint64_t(1));
    QVERIFY(isContiguous() && !m_model->startsAtNewest());
    while (!m_model->startsAtNewest()) {
        m_model->fetchNewer();
        QCOMPARE(m_asked.back().part, Part::newer);
        answer();
        QVERIFY(m_model->rowCount() <= most);
    }
    QCOMPARE(m_model->attempt(0)->position, std::uint64_t(6000));
    QVERIFY(isContiguous() && !m_model->endsAtOldest());
    m_model->fetchNewer();
    QVERIFY2(!m_model->isAsking(), "there is nothing newer to ask for");
    m_model->fetchMore({});
    answer();
    QVERIFY(isContiguous());
}

void AttemptListModelTest::newAttemptsWaitForAReload() {
    fill(10);
    m_model->reload();
    answer();
    fill(5);
    m_model->fetchMore({});
    m_model->fetchNewer();
    QCOMPARE(m_model->rowCount(), 10);
    QVERIFY(!m_model->isAsking());
}

void AttemptListModelTest::aReloadLetsNewOnesInAboveTheOthers() {
    fill(300);
    m_model->reload();
    answer();
    m_model->fetchMore({});
    answer();
    const QPersistentModelIndex mine = m_model->index(4, 0);
    const auto position = m_model->attempt(4)->position;
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);
    QSignalSpy moved(m_model.get(), &AttemptListModel::rowsMoved);
    fill(7);
    m_model->reload();
    answer();
    QCOMPARE(reset.count(), 0);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(m_model->rowCount(), 307);
    QCOMPARE(m_model->attempt(mine.row())->position, position);
    QCOMPARE(mine.row(), 11);
    QVERIFY(isContiguous() && m_model->startsAtNewest());
    // Nothing new: nothing moves at all.
    m_model->reload();
    answer();
    QCOMPARE(moved.count(), 1);
}

void AttemptListModelTest::tooManyNewOnesStartTheListAnew() {
    fill(300);
    m_model->reload();
    answer();
    fill(1000);
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    QCOMPARE(m_model->attempt(0)->position, std::uint64_t(1300));
    QVERIFY2(isContiguous(), "no hole between what was read before and now");
    m_model->fetchMore({});
    answer();
    QVERIFY(isContiguous());
}

void AttemptListModelTest::scrollingUpBringsNothingNewerThanTheReload() {
    fill(5000);
    m_model->reload();
    answer();
    while (!m_model->endsAtOldest()) {
        m_model->fetchMore({});
        answer();
    }
    fill(100);
    while (!m_model->startsAtNewest()) {
        m_model->fetchNewer();
        answer();
    }
    QCOMPARE(m_model->attempt(0)->position, std::uint64_t(5000));
}

void AttemptListModelTest::anotherScopeStartsAnew() {
    fill(30);
    m_model->reload();
    answer();
    const auto all = m_asked.back();
    m_model->setScope({numberIs(FilterField::destination, 2), 0, 0});
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(!m_model->isLoaded());
    // The page of the old scope was under way.
    m_model->acceptPage(all, m_reader->attempts(all.query));
    QCOMPARE(m_model->rowCount(), 0);
    answer();
    QCOMPARE(m_model->rowCount(), 10);
    const WallMicros until = m_engine->state.at - 5 * kSecond;
    m_model->setScope({numberIs(FilterField::destination, 2), until - 9 * kSecond, until});
    QCOMPARE(m_asked.back().query.endedFrom, until - 9 * kSecond);
    QCOMPARE(m_asked.back().query.endedBefore, until);
    answer();
    QCOMPARE(m_model->rowCount(), 3);
    const auto asked = m_asked.size();
    m_model->setScope(m_model->scope());
    QCOMPARE(m_asked.size(), asked);
}

void AttemptListModelTest::anAnswerToAnOldQuestionIsDropped() {
    fill(600);
    m_model->reload();
    answer();
    m_model->fetchMore({});
    const auto late = m_asked.back();
    m_model->reload();
    m_model->acceptPage(late, m_reader->attempts(late.query));
    QCOMPARE(m_model->rowCount(), 256);
    answer();
    m_model->acceptPage(late, m_reader->attempts(late.query));
    QCOMPARE(m_model->rowCount(), 256);
    m_model->fetchMore({});
    QVERIFY(m_model->isAsking());
    m_model->forgetQuestion();
    QVERIFY(m_model->canFetchMore({}));
}

void AttemptListModelTest::aStretchWithoutAttemptsIsWalkedOver() {
    m_model->reload();
    AttemptPage nothing;
    nothing.resume = 800;
    m_model->acceptPage(m_asked.back(), nothing);
    QCOMPARE(m_asked.back().query.before, std::uint64_t(800));
    nothing.resume = 500;
    m_model->acceptPage(m_asked.back(), nothing);
    QCOMPARE(m_asked.back().query.before, std::uint64_t(500));
    AttemptPage last;
    last.rows.resize(2);
    last.rows[0].position = 9;
    last.rows[1].position = 4;
    last.complete = true;
    m_model->acceptPage(m_asked.back(), last);
    QCOMPARE(m_model->rowCount(), 2);
    QVERIFY(m_model->startsAtNewest() && m_model->endsAtOldest() && !m_model->isAsking());
}

void AttemptListModelTest::anErrorLeavesTheRowsAndIsTold() {
    m_engine->store->fault = "the disk does not answer";
    m_model->reload();
    answer();
    QVERIFY(!m_model->isLoaded());
    QCOMPARE(m_model->error(), QStringLiteral("the disk does not answer"));
    QCOMPARE(m_asked.size(), std::size_t(1));
    m_engine->store->fault.clear();
    fill(300);
    m_model->reload();
    QVERIFY(m_model->error().isEmpty());
    answer();
    m_engine->store->fault = "the disk does not answer";
    m_model->fetchMore({});
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    QVERIFY(!m_model->canFetchMore({}));
    m_engine->store->fault.clear();
    m_model->reload();
    answer();
    QVERIFY(m_model->canFetchMore({}));
}

void AttemptListModelTest::cellsSayWhatHappened() {
    AttemptRow& row = m_engine->addAttempt(DestinationId(2), 7, Outcome::overloaded);
    row.number = 3;
    row.life = 2;
    row.cause = Cause::rewind;
    row.operation = OperationId(12);
    row.response = "<b>busy</b>";
    m_engine->addAttempt(DestinationId(1), 8, Outcome::unreachable).eventId.clear();
    m_model->reload();
    answer();
    const auto text = [this](int at, AttemptListModel::Column column) {
        return m_model->index(at, column).data().toString();
    };
    QCOMPARE(text(1, AttemptListModel::Destination), QStringLiteral("billing"));
    QCOMPARE(text(1, AttemptListModel::User), QStringLiteral("user-7"));
    QCOMPARE(text(1, AttemptListModel::Number), QStringLiteral("3 · life 2"));
    QCOMPARE(text(1, AttemptListModel::OutcomeColumn), QStringLiteral("overloaded"));
    QCOMPARE(text(1, AttemptListModel::Status), QStringLiteral("503"));
    QCOMPARE(text(1, AttemptListModel::Latency), QStringLiteral("40 ms"));
    QCOMPARE(text(1, AttemptListModel::CauseColumn), QStringLiteral("rewind #12"));
    QCOMPARE(text(1, AttemptListModel::Error), QStringLiteral("<b>busy</b>"));
    QCOMPARE(text(0, AttemptListModel::Status), QString());
    QCOMPARE(text(0, AttemptListModel::CauseColumn), QStringLiteral("automatic"));
    QCOMPARE(text(0, AttemptListModel::Event), QStringLiteral("sequence 10002"));
    const auto outcome = m_model->index(1, AttemptListModel::OutcomeColumn);
    QVERIFY(!outcome.data(Qt::DecorationRole).value<QIcon>().isNull());
    QVERIFY(outcome.data(Qt::ForegroundRole).isValid());
    QCOMPARE(m_model->index(1, AttemptListModel::Number).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("attempt 3 of life 2"));
}

void AttemptListModelTest::copiedCellsAreExact() {
    m_engine->addAttempt(DestinationId(1), 1).duration = 61'234 * kMillisecond;
    m_model->reload();
    answer();
    const auto copied = [this](AttemptListModel::Column column) {
        return m_model->index(0, column).data(kCopyRole).toString();
    };
    QCOMPARE(copied(AttemptListModel::Ended), QStringLiteral("2027-01-15T08:01:01.194Z"));
    QCOMPARE(copied(AttemptListModel::Latency), QStringLiteral("61234 ms"));
    QCOMPARE(copied(AttemptListModel::Number), QStringLiteral("1/1"));
}

void AttemptListModelTest::timesFollowTheSwitch() {
    fill(2);
    m_model->reload();
    answer();
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_times.setZone(TimeDisplay::Zone::local);
    QCOMPARE(changed.count(), 1);
}

QTEST_MAIN(AttemptListModelTest)
#include "attempt_list_model_test.moc"
