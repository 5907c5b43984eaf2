// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/operations/operation_events_model.h"
#include "ui/operations/operation_words.h"
#include "ui/operations/operations_model.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// The list of operations and the events of one, fed by hand.
class OperationsModelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init();
    void pagesFollowEachOther();
    void newOperationsAreCountedAndWait();
    void theFirstOperationComesIn();
    void runningOnesChangeInPlace();
    void whatHasEndedIsReadFromTheStore();
    void anAnswerToAnOldQuestionIsDropped();
    void anErrorLeavesTheRowsAndIsTold();
    void cellsSayWhatHappened();
    void wordsSayHowFarItIs();
    void eventsComeInPages();
    void eventsAreReadAgainInPlace();
    void eventsOfAnotherOperationStartAnew();

private:
    OperationRow& rewind(std::uint64_t asked, OperationState state);
    void answer();
    void answerEvents();

    TimeDisplay m_times;
    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<PageReader> m_reader;
    std::unique_ptr<OperationsModel> m_model;
    std::unique_ptr<OperationEventsModel> m_events;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::unique_ptr<QAbstractItemModelTester> m_eventsTester;
    std::vector<OperationsModel::Request> m_asked;
    std::vector<OperationEventsModel::Request> m_askedEvents;
};

void OperationsModelTest::init() {
    m_tester.reset();
    m_eventsTester.reset();
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->state.at = 1'800'000'000LL * kSecond;
    m_engine->addDestination("crm");
    m_engine->publish();
    m_reader = m_engine->openPageReader();
    m_model = std::make_unique<OperationsModel>(m_times);
    m_events = std::make_unique<OperationEventsModel>();
    m_events->setSnapshot(m_engine->snapshot());
    m_asked.clear();
    m_askedEvents.clear();
    connect(m_model.get(), &OperationsModel::pageWanted, this,
            [this](const OperationsModel::Request& request) { m_asked.push_back(request); });
    connect(
        m_events.get(), &OperationEventsModel::pageWanted, this,
        [this](const OperationEventsModel::Request& request) { m_askedEvents.push_back(request); });
    using Tester = QAbstractItemModelTester;
    constexpr auto mode = Tester::FailureReportingMode::QtTest;
    m_tester = std::make_unique<Tester>(m_model.get(), mode);
    m_eventsTester = std::make_unique<Tester>(m_events.get(), mode);
}

OperationRow& OperationsModelTest::rewind(std::uint64_t asked, OperationState state) {
    OperationRow& row = m_engine->addOperation(OperationKind::rewind, "rewind");
    row.asked = asked;
    row.state = state;
    return row;
}

void OperationsModelTest::answer() {
    const auto request = m_asked.back();
    m_model->acceptPage(request, m_reader->operations(request.query));
}

void OperationsModelTest::answerEvents() {
    const auto request = m_askedEvents.back();
    m_events->acceptPage(request, m_reader->operationEvents(request.query));
}

void OperationsModelTest::pagesFollowEachOther() {
    for (int i = 0; i < 600; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    QVERIFY(!m_model->isLoaded() && !m_model->canFetchMore({}));
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    while (!m_model->endsAtOldest()) {
        m_model->fetchMore({});
        QVERIFY2(!m_model->canFetchMore({}), "one question at a time");
        answer();
    }
    QCOMPARE(m_model->rowCount(), 600);
    for (int row = 0; row < 600; ++row)
        QCOMPARE(m_model->operation(row)->id, OperationId(static_cast<std::uint64_t>(600 - row)));
    QCOMPARE(m_model->rowOf(OperationId(345)), 255);
    QCOMPARE(m_model->rowOf(OperationId(601)), -1);
}

void OperationsModelTest::newOperationsAreCountedAndWait() {
    rewind(5, OperationState::finished);
    m_model->reload();
    answer();
    const QPersistentModelIndex mine = m_model->index(0, 0);
    for (int i = 0; i < 3; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    m_model->lookForNewcomers();
    answer();
    QCOMPARE(m_model->rowCount(), 1);
    QCOMPARE(m_model->newcomers(), std::uint64_t(3));
    QVERIFY(!m_model->hasMoreNewcomers());
    m_model->reload();
    answer();
    QCOMPARE(m_model->rowCount(), 4);
    QCOMPARE(m_model->newcomers(), std::uint64_t(0));
    QCOMPARE(mine.row(), 3);
    for (int i = 0; i < 300; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    m_model->lookForNewcomers();
    answer();
    QVERIFY(m_model->hasMoreNewcomers());
    // More than a page: what is listed cannot be joined, so the list starts anew.
    QSignalSpy reloaded(m_model.get(), &OperationsModel::reloaded);
    m_model->reload();
    answer();
    QCOMPARE(reloaded.count(), 1);
    QCOMPARE(m_model->operation(0)->id, OperationId(304));
}

void OperationsModelTest::theFirstOperationComesIn() {
    m_model->reload();
    answer();
    QVERIFY(m_model->isLoaded() && m_model->endsAtOldest());
    rewind(5, OperationState::finished);
    m_model->lookForNewcomers();
    answer();
    QCOMPARE(m_model->rowCount(), 1);
}

void OperationsModelTest::runningOnesChangeInPlace() {
    rewind(100, OperationState::moving);
    rewind(7, OperationState::finished);
    m_model->reload();
    answer();
    OperationRow live = *m_model->operation(1);
    live.done = 40;
    live.delivered = 30;
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->showRunning({live});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 1);
    const auto progress = m_model->index(1, OperationsModel::Progress);
    QCOMPARE(progress.data().toString(), QStringLiteral("40 %"));
    QCOMPARE(progress.data(OperationsModel::MovedShareRole).toDouble(), 0.4);
    QCOMPARE(progress.data(OperationsModel::SettledShareRole).toDouble(), 0.3);
    QVERIFY(!m_model->index(0, OperationsModel::Progress)
                 .data(OperationsModel::MovedShareRole)
                 .isValid());
    // The same again, and one that is not listed: nothing is drawn.
    OperationRow other = live;
    other.id = OperationId(99);
    m_model->showRunning({other, live});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_model->rowCount(), 2);
}

void OperationsModelTest::whatHasEndedIsReadFromTheStore() {
    rewind(100, OperationState::moving);
    OperationRow& stopped = rewind(100, OperationState::stopped);
    stopped.done = 10;
    stopped.delivered = 4;
    rewind(100, OperationState::finished);
    m_model->reload();
    answer();
    OperationRow first = *m_model->operation(2);
    m_model->showRunning({first});
    QCOMPARE(m_model->left(), std::vector<OperationId>{OperationId(2)});
    m_model->showRunning({});
    QCOMPARE(m_model->left(), (std::vector<OperationId>{OperationId(2), OperationId(1)}));
    first.state = OperationState::finished;
    first.done = first.delivered = 100;
    OperationRow second = *m_model->operation(1);
    second.delivered = 10;
    m_model->acceptRows({first, second});
    QVERIFY(m_model->left().empty());
    QCOMPARE(m_model->index(2, OperationsModel::Delivered).data().toString(),
             QStringLiteral("100"));
    // What a snapshot tells is newer than what was stored.
    m_model->showRunning({first});
    OperationRow old = first;
    old.delivered = 50;
    m_model->acceptRows({old});
    QCOMPARE(m_model->operation(2)->delivered, std::uint64_t(100));
}

void OperationsModelTest::anAnswerToAnOldQuestionIsDropped() {
    for (int i = 0; i < 600; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    m_model->reload();
    answer();
    m_model->fetchMore({});
    const auto late = m_asked.back();
    m_model->reload();
    m_model->acceptPage(late, m_reader->operations(late.query));
    QCOMPARE(m_model->rowCount(), 256);
    m_model->forgetQuestion();
    QVERIFY(m_model->canFetchMore({}));
}

void OperationsModelTest::anErrorLeavesTheRowsAndIsTold() {
    for (int i = 0; i < 300; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    m_model->reload();
    answer();
    m_engine->store->fault = "the disk does not answer";
    m_model->fetchMore({});
    answer();
    QCOMPARE(m_model->rowCount(), 256);
    QCOMPARE(m_model->error(), QStringLiteral("the disk does not answer"));
    QVERIFY(!m_model->canFetchMore({}));
    m_engine->store->fault.clear();
    m_model->reload();
    QVERIFY(m_model->error().isEmpty());
}

void OperationsModelTest::cellsSayWhatHappened() {
    OperationRow& pause = m_engine->addOperation(OperationKind::setting, "pause");
    pause.scope = "crm";
    pause.reason = "maintenance";
    OperationRow& moved = rewind(1284, OperationState::finished);
    moved.done = 1280;
    moved.skipped = 4;
    moved.delivered = 1279;
    moved.deadAgain = 1;
    OperationRow& discard = m_engine->addOperation(OperationKind::discard, "discard");
    discard.asked = discard.done = 5;
    m_model->reload();
    answer();
    const auto text = [this](int row, int column) {
        return m_model->index(row, column).data().toString();
    };
    QCOMPARE(text(2, OperationsModel::State), QStringLiteral("done"));
    QCOMPARE(text(2, OperationsModel::Asked), QString());
    QCOMPARE(text(2, OperationsModel::Reason), QStringLiteral("maintenance"));
    QCOMPARE(text(1, OperationsModel::Skipped), QStringLiteral("4"));
    QCOMPARE(text(1, OperationsModel::FailedAgain), QStringLiteral("1"));
    QVERIFY(m_model->index(1, OperationsModel::FailedAgain).data(Qt::ForegroundRole).isValid());
    QCOMPARE(text(1, OperationsModel::Progress), QString());
    QCOMPARE(text(0, OperationsModel::Moved), QStringLiteral("5"));
    QCOMPARE(text(0, OperationsModel::Delivered), QString());
    QCOMPARE(m_model->index(1, OperationsModel::Asked).data(kCopyRole).toString(),
             QStringLiteral("1284"));
    QVERIFY(!m_model->index(1, OperationsModel::State)
                 .data(Qt::DecorationRole)
                 .value<QIcon>()
                 .isNull());
}

void OperationsModelTest::wordsSayHowFarItIs() {
    OperationRow row;
    row.kind = OperationKind::rewind;
    row.action = "rewind";
    row.state = OperationState::moving;
    row.asked = 1284;
    row.done = 412;
    row.delivered = 371;
    row.deadAgain = 1;
    row.eventsPerSecond = 5;
    QCOMPARE(progressSentence(row),
             QStringLiteral("Moving 412 of 1284: 371 delivered, 1 failed again, 40 wait in their "
                            "lanes. At most 5 events a second."));
    QCOMPARE(stopSentence(row), QStringLiteral("872 stay dead letters; 412 that were moved stay "
                                               "in their lanes."));
    QCOMPARE(shortProgress(row), QStringLiteral("Rewind: 412 of 1284 moved"));
    row.state = OperationState::tracing;
    row.tracer = 10;
    row.done = 10;
    row.delivered = 9;
    row.deadAgain = 0;
    QCOMPARE(progressSentence(row).section(QStringLiteral(". "), 1),
             QStringLiteral("Tracer of 10: 9 delivered; the rest follows once 90 % are. At most "
                            "5 events a second."));
    row.state = OperationState::stopped;
    QVERIFY(isOpen(row) && !isUnderWay(row));
    row.delivered = 10;
    QVERIFY(!isOpen(row));
    row.action = "<b>new</b>";
    QCOMPARE(actionWord(row), QStringLiteral("<b>new</b>"));
    row.kind = OperationKind::setting;
    QCOMPARE(progressSentence(row), QString());
}

void OperationsModelTest::eventsComeInPages() {
    const OperationId id = rewind(600, OperationState::finished).id;
    auto& events = m_engine->store->operationEvents[id];
    for (std::uint64_t i = 0; i < 600; ++i) {
        OperationEventRow event;
        event.position = i;
        event.pointer = {DestinationId(1), Sequence(1000 + i)};
        event.fate = i == 3 ? OperationFate::skipped : OperationFate::delivered;
        if (i == 3) event.reason = SkipReason::notDead;
        event.attempts = i == 3 ? 0 : 2;
        event.lastStatus = 200;
        events.push_back(event);
    }
    m_events->setOperation(id);
    QVERIFY(!m_events->isLoaded());
    answerEvents();
    QCOMPARE(m_events->rowCount(), 256);
    while (m_events->canFetchMore({})) {
        m_events->fetchMore({});
        QVERIFY2(!m_events->canFetchMore({}), "one question at a time");
        answerEvents();
    }
    QCOMPARE(m_events->rowCount(), 600);
    QCOMPARE(m_events->event(599)->position, std::uint64_t(599));
    const auto text = [this](int row, int column) {
        return m_events->index(row, column).data().toString();
    };
    QCOMPARE(text(3, OperationEventsModel::Fate),
             QStringLiteral("skipped: it is no dead letter any more"));
    QCOMPARE(text(3, OperationEventsModel::Result), QString());
    QCOMPARE(text(4, OperationEventsModel::Result), QStringLiteral("200 delivered"));
    QCOMPARE(text(4, OperationEventsModel::Destination), QStringLiteral("crm"));
    QCOMPARE(text(4, OperationEventsModel::Position), QStringLiteral("5"));
}

void OperationsModelTest::eventsAreReadAgainInPlace() {
    eventsComeInPages();
    auto& events = m_engine->store->operationEvents[m_events->operation()];
    events[300].fate = OperationFate::deadAgain;
    QSignalSpy changed(m_events.get(), &QAbstractItemModel::dataChanged);
    m_events->refresh(300);
    QCOMPARE(m_askedEvents.back().query.from, std::uint64_t(256));
    answerEvents();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_events->rowCount(), 600);
    QCOMPARE(m_events->event(300)->fate, OperationFate::deadAgain);
    QVERIFY2(!m_events->canFetchMore({}), "a page in the middle is not the end of the list");
    m_engine->store->fault = "the disk does not answer";
    m_events->refresh(0);
    answerEvents();
    QCOMPARE(m_events->rowCount(), 600);
    QVERIFY(!m_events->error().isEmpty());
}

void OperationsModelTest::eventsOfAnotherOperationStartAnew() {
    eventsComeInPages();
    m_events->refresh(0);
    const auto late = m_askedEvents.back();
    m_events->setOperation(OperationId(77));
    QCOMPARE(m_events->rowCount(), 0);
    m_events->acceptPage(late, m_reader->operationEvents(late.query));
    QCOMPARE(m_events->rowCount(), 0);
    answerEvents();
    QVERIFY(m_events->isLoaded() && m_events->rowCount() == 0);
    m_events->setOperation({});
    QCOMPARE(m_askedEvents.back().query.operation, OperationId(77));
}

QTEST_MAIN(OperationsModelTest)
#include "operations_model_test.moc"
