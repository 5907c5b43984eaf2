// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/lanes/lanes_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// The windowed lane list, fed by hand.
class LanesModelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readingCellsAsksForNothing();
    void onlyVisiblePagesAreAskedForOneAtATime();
    void answersOfAnOlderOrderAreDropped();
    void valuesChangeInPlaceWhileTheOrderIsHeld();
    void rowsMoveOnceTheOrderIsReleased();
    void anEmptyListTakesNewcomersAlthoughItIsHeld();
    void aWatchedLaneThatIsGoneIsMarkedAsDrained();
    void frozenRowsStandStill();
    void countdownsGoOnBetweenSnapshots();
    void aShrinkingListForgetsItsEnd();
    void farJumpsKeepMemoryBounded();
    void onlyKeptOrdersAreSortable_data();
    void onlyKeptOrdersAreSortable();
    void hostileTextIsShownAsItIs();

private:
    void fill(int lanes);
    void load();
    QString cell(int row, int column) const;

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<LanesModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    Micros m_now = kSecond;
};

void LanesModelTest::init() {
    m_tester.reset();
    m_model.reset();
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->holdPages = true;
    m_now = kSecond;
    m_model = std::make_unique<LanesModel>(nullptr, [this] { return m_now; });
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(m_model.get(), &LanesModel::pageWanted, m_engine.get(),
            [this](const LanePageRequest& request) { m_engine->readLanes(request); });
    connect(m_engine.get(), &Engine::lanesRead, m_model.get(), &LanesModel::acceptPage);
}

void LanesModelTest::fill(int lanes) {
    const DestinationId crm = m_engine->addDestination("crm").id;
    for (int i = 1; i <= lanes; ++i) {
        LaneRow& lane = m_engine->addLane(crm, static_cast<std::uint64_t>(i));
        lane.backlog = static_cast<std::uint64_t>(i);
    }
    m_engine->publish();
    m_model->acceptSnapshot(m_engine->snapshot());
}

void LanesModelTest::load() {
    m_model->refresh();
    m_engine->answerPages();
    m_model->setVisibleRows(0, 20);
    m_engine->answerPages();
}

QString LanesModelTest::cell(int row, int column) const {
    return m_model->index(row, column).data(Qt::DisplayRole).toString();
}

void LanesModelTest::readingCellsAsksForNothing() {
    fill(2000);
    load();
    const auto before = m_engine->pageRequests.size();
    QCOMPARE(cell(1500, LanesModel::User), QString());
    QVERIFY(!cell(10, LanesModel::User).isEmpty());
    QCOMPARE(m_engine->pageRequests.size(), before);
}

void LanesModelTest::onlyVisiblePagesAreAskedForOneAtATime() {
    fill(2000);
    load();
    QCOMPARE(m_model->rowCount(), 2000);
    m_engine->pageRequests.clear();
    m_model->setVisibleRows(500, 530);
    m_model->setVisibleRows(1000, 1030);
    QCOMPARE(m_engine->pageRequests.size(), std::size_t(1));
    QCOMPARE(m_engine->pageRequests[0].offset, std::uint64_t(256));
    m_engine->answerPages();
    // The place that was passed through meanwhile is skipped for the one in view.
    QCOMPARE(m_engine->pageRequests.back().offset, std::uint64_t(768));
    m_engine->answerPages();
    m_engine->answerPages();
    QCOMPARE(cell(1029, LanesModel::User), QStringLiteral("user-1030"));
}

void LanesModelTest::answersOfAnOlderOrderAreDropped() {
    fill(300);
    load();
    m_model->refresh();
    m_model->setOrder(LaneOrder::backlog, true);
    m_engine->answerPages();
    m_engine->answerPages();
    QCOMPARE(cell(0, LanesModel::User), QStringLiteral("user-300"));
}

void LanesModelTest::valuesChangeInPlaceWhileTheOrderIsHeld() {
    fill(10);
    load();
    m_model->setOrderHeld(true);
    std::swap(m_engine->lanes[0], m_engine->lanes[5]);
    m_engine->lanes[5].attempts = 9;  // user-1 now stands sixth
    QSignalSpy moved(m_model.get(), &LanesModel::rowsMoved);
    m_model->refresh();
    m_engine->answerPages();
    QCOMPARE(cell(0, LanesModel::User), QStringLiteral("user-1"));
    QCOMPARE(cell(0, LanesModel::Attempts), QStringLiteral("9"));
    QCOMPARE(m_model->pendingChanges(), 2);
    QCOMPARE(moved.count(), 0);
}

void LanesModelTest::rowsMoveOnceTheOrderIsReleased() {
    valuesChangeInPlaceWhileTheOrderIsHeld();
    m_model->setOrderHeld(false);
    m_engine->answerPages();
    QCOMPARE(cell(0, LanesModel::User), QStringLiteral("user-6"));
    QCOMPARE(m_model->rowOf({DestinationId(1), UserId(1)}), 5);
    QCOMPARE(m_model->pendingChanges(), 0);
}

void LanesModelTest::anEmptyListTakesNewcomersAlthoughItIsHeld() {
    fill(0);
    load();
    m_model->setOrderHeld(true);
    m_engine->addLane(DestinationId(1), 1);
    m_model->refresh();
    m_engine->answerPages();
    QCOMPARE(m_model->rowCount(), 1);
    QCOMPARE(m_model->pendingChanges(), 0);
}

void LanesModelTest::aWatchedLaneThatIsGoneIsMarkedAsDrained() {
    fill(5);
    load();
    m_model->setOrderHeld(true);
    const auto keys = m_model->visibleKeys();
    QCOMPARE(keys.size(), std::size_t(5));
    m_model->setWatched(keys);
    m_engine->watchLanes(keys);
    m_engine->lanes.erase(m_engine->lanes.begin() + 1);
    m_engine->state.at = 1'800'000'000LL * kSecond;
    for (int i = 0; i < 2; ++i) {
        m_engine->publish();
        m_model->acceptSnapshot(m_engine->snapshot());
    }
    QCOMPARE(m_model->drainedAt(1), m_engine->snapshot()->at);
    QCOMPARE(m_model->drainedAt(0), WallMicros(0));
    QCOMPARE(cell(1, LanesModel::User), QStringLiteral("user-2"));
    QCOMPARE(cell(1, LanesModel::Backlog), QString());
}

void LanesModelTest::frozenRowsStandStill() {
    fill(5);
    m_engine->lanes[0].nextAttemptIn = 30 * kSecond;
    m_engine->lanes[0].state = LaneState::backingOff;
    load();
    m_model->setFrozen(true);
    m_engine->lanes[0].attempts = 7;
    m_now += 10 * kSecond;
    m_model->refresh();
    m_engine->answerPages();
    QCOMPARE(cell(0, LanesModel::Attempts), QStringLiteral("0"));
    QCOMPARE(cell(0, LanesModel::NextAttempt), QStringLiteral("30 s"));
    m_model->setFrozen(false);
    m_engine->answerPages();
    QCOMPARE(cell(0, LanesModel::Attempts), QStringLiteral("7"));
}

void LanesModelTest::countdownsGoOnBetweenSnapshots() {
    fill(2);
    m_engine->lanes[0].nextAttemptIn = 30 * kSecond;
    load();
    QCOMPARE(cell(0, LanesModel::NextAttempt), QStringLiteral("30 s"));
    m_now += 4 * kSecond;
    QCOMPARE(cell(0, LanesModel::NextAttempt), QStringLiteral("26 s"));
    m_engine->state.destinations[0].health = HealthState::paused;
    m_engine->publish();
    m_model->acceptSnapshot(m_engine->snapshot());
    QCOMPARE(cell(0, LanesModel::NextAttempt), QStringLiteral("30 s"));
}

void LanesModelTest::aShrinkingListForgetsItsEnd() {
    fill(600);
    load();
    m_model->setVisibleRows(560, 590);
    m_engine->answerPages();
    QVERIFY(m_model->lane(570));
    m_engine->lanes.resize(100);
    m_model->setVisibleRows(0, 20);
    m_model->refresh();
    m_engine->answerPages();
    QCOMPARE(m_model->rowCount(), 100);
    m_engine->lanes.clear();
    m_model->refresh();
    m_engine->answerPages();
    QCOMPARE(m_model->rowCount(), 0);
}

void LanesModelTest::farJumpsKeepMemoryBounded() {
    // The tester looks at every row of every change: too slow for so many.
    m_tester.reset();
    fill(256 * 80);
    load();
    for (int page = 0; page < 80; ++page) {
        m_model->setVisibleRows(page * 256, page * 256 + 20);
        m_engine->answerPages();
    }
    QVERIFY(m_model->lane(79 * 256));
    QVERIFY2(!m_model->lane(256), "the page used longest ago is forgotten");
}

void LanesModelTest::onlyKeptOrdersAreSortable_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("sortable");
    QTest::newRow("head age is kept") << int(LanesModel::HeadAge) << true;
    QTest::newRow("backlog is kept") << int(LanesModel::Backlog) << true;
    QTest::newRow("attempts are kept") << int(LanesModel::Attempts) << true;
    QTest::newRow("next attempt is kept") << int(LanesModel::NextAttempt) << true;
    QTest::newRow("dead-letters in is kept") << int(LanesModel::DeadLettersIn) << true;
    QTest::newRow("user is not kept") << int(LanesModel::User) << false;
    QTest::newRow("last result is not kept") << int(LanesModel::LastResult) << false;
}

void LanesModelTest::onlyKeptOrdersAreSortable() {
    QFETCH(int, column);
    QFETCH(bool, sortable);
    QCOMPARE(LanesModel::orderOf(column).has_value(), sortable);
}

void LanesModelTest::hostileTextIsShownAsItIs() {
    fill(1);
    m_engine->lanes[0].user.text = "<img src=\"http://127.0.0.1:1/x\">\nsecond";
    load();
    QCOMPARE(cell(0, LanesModel::User),
             QStringLiteral("<img src=\"http://127.0.0.1:1/x\"> second"));
    const QString tip = m_model->index(0, LanesModel::HeadEvent).data(Qt::ToolTipRole).toString();
    QVERIFY(!tip.contains(QLatin1String("<img")));
}

QTEST_MAIN(LanesModelTest)
#include "lanes_model_test.moc"
