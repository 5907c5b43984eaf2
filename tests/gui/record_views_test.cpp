// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/attempts/attempts_view.h"
#include "ui/common/command_tracker.h"
#include "ui/common/filter_chip.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/operations/operations_view.h"

#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

namespace {
/// Longer than a list waits before it is read once more.
constexpr int kSettle = 800;  // ms
}  // namespace

/// The tabs with what was done, by the engine and by people, against a scripted engine.
class RecordViewsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init();
    void cleanup();

    void anEmptyListOfAttemptsProvesLife();
    void attemptsComeInWhileNobodyLooksCloser();
    void attemptsWaitUnderAReader();
    void theFirstVisibleAttemptKeepsItsPlace();
    void frozenAttemptsStand();
    void aTimeRangeIsAVisibleChip();
    void aRangeInThePastTakesNothingNew();
    void scopeChangesWhileAPageIsUnderWay();
    void anAttemptShowsWhatWasAnswered();
    void hostileAnswersArePlainText();
    void unreadableAttemptsSayWhatToDo();

    void anEmptyListOfOperationsExplainsItself();
    void aRunningOperationIsFollowed();
    void newOperationsWaitUnderAReader();
    void anEndedOperationIsReadFromTheStore();
    void stopSaysWhatStaysWhere();
    void undoIsOfferedWithItsNumber();
    void exactlyThoseThatFailedAgainAreHandedOn();
    void settingsHaveNoEvents();
    void anOperationFarDownIsFound();
    void unreadableOperationsSayWhatToDo();

private:
    void openAttempts();
    void openOperations();
    void attempt(int count = 1, DestinationId destination = DestinationId(1));
    OperationRow& runningRewind(std::uint64_t asked, std::uint64_t done);
    /// Makes the snapshot tell what the store has of unfinished operations.
    void publishRunning();
    template <typename Widget>
    Widget* find(const char* name) const {
        QWidget* page = m_attempts ? static_cast<QWidget*>(m_attempts.get()) : m_operations.get();
        auto* widget = page->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    [[nodiscard]] Table& table() const {
        return m_attempts ? m_attempts->table() : m_operations->table();
    }
    [[nodiscard]] int rows() const { return table().model()->rowCount(); }
    [[nodiscard]] QString cell(int row, int column) const {
        return table().model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString pill() const {
        auto* pill = find<QPushButton>("pendingChanges");
        return pill->isVisible() ? pill->text() : QString();
    }
    template <typename Wanted>
    const Wanted* lastCommand() const {
        return m_engine->submitted.empty() ? nullptr
                                           : std::get_if<Wanted>(&m_engine->submitted.back());
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<QTimer> m_beat;
    std::unique_ptr<TimeDisplay> m_times;
    std::unique_ptr<PageLoader> m_loader;
    std::unique_ptr<CommandTracker> m_commands;
    std::unique_ptr<AttemptsView> m_attempts;
    std::unique_ptr<OperationsView> m_operations;
};

void RecordViewsTest::init() {
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->state.at = 1'800'000'000LL * kSecond;
    m_engine->state.lifecycle = Lifecycle::running;
    m_engine->state.intake.listening = true;
    m_engine->state.intake.port = 7420;
    m_engine->addDestination("crm");
    m_engine->addDestination("billing");
    m_engine->publish();
    m_times = std::make_unique<TimeDisplay>();
    m_loader = std::make_unique<PageLoader>();
    m_commands = std::make_unique<CommandTracker>(*m_engine);
    m_loader->setReader(m_engine->openPageReader());
    // As an engine does, a few times a second.
    m_beat = std::make_unique<QTimer>();
    connect(m_beat.get(), &QTimer::timeout, m_engine.get(), &test::FakeEngine::publish);
    m_beat->start(100);
}

void RecordViewsTest::cleanup() {
    m_beat.reset();
    m_attempts.reset();
    m_operations.reset();
    m_loader.reset();
}

void RecordViewsTest::openAttempts() {
    m_attempts = std::make_unique<AttemptsView>(*m_engine, *m_loader, *m_times);
    connect(m_engine.get(), &Engine::snapshotPublished, m_attempts.get(),
            &AttemptsView::showSnapshot);
    m_attempts->resize(1000, 300);
    m_attempts->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_attempts.get()));
}

void RecordViewsTest::openOperations() {
    m_operations =
        std::make_unique<OperationsView>(*m_engine, *m_commands, *m_loader, *m_times);
    connect(m_engine.get(), &Engine::snapshotPublished, m_operations.get(),
            &OperationsView::showSnapshot);
    m_operations->resize(1000, 400);
    m_operations->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_operations.get()));
}

void RecordViewsTest::attempt(int count, DestinationId destination) {
    for (int i = 0; i < count; ++i) {
        m_engine->state.at += kSecond;
        m_engine->addAttempt(destination, static_cast<std::uint64_t>(i));
    }
    m_engine->publish();
}

OperationRow& RecordViewsTest::runningRewind(std::uint64_t asked, std::uint64_t done) {
    OperationRow& row = m_engine->addOperation(OperationKind::rewind, "rewind");
    row.state = OperationState::moving;
    row.asked = asked;
    row.done = done;
    return row;
}

void RecordViewsTest::publishRunning() {
    m_engine->state.operations.clear();
    for (const auto& row : m_engine->store->operations)
        if (row.state != OperationState::finished) m_engine->state.operations.push_back(row);
    m_engine->publish();
}

// --- Attempts

void RecordViewsTest::anEmptyListOfAttemptsProvesLife() {
    openAttempts();
    const auto says = [this](const char* text) {
        return table().accessibleDescription().contains(QLatin1String(text));
    };
    QTRY_VERIFY(says("No attempts yet"));
    m_attempts->setTimeRange(1, 2);
    QTRY_VERIFY(says("No attempts in this time"));
    m_loader->setReader(nullptr);
    m_engine->publish();
    QVERIFY(says("The store is not open"));
}

void RecordViewsTest::attemptsComeInWhileNobodyLooksCloser() {
    openAttempts();
    attempt(3);
    QTRY_COMPARE(rows(), 3);
    attempt(2);
    QTRY_COMPARE(rows(), 5);
    QTRY_COMPARE(pill(), QString());
    QCOMPARE(find<QLabel>("listCount")->text(), QStringLiteral("5 attempts"));
    // A counter may be a commit ahead of the log: the list is read once more by itself.
    m_engine->state.destinations[0].attempts += 1;
    m_engine->publish();
    QTRY_VERIFY(m_loader->isBusy(PageLoader::Channel::attempts));
    QTRY_VERIFY(!m_loader->isBusy(PageLoader::Channel::attempts));
    QCOMPARE(rows(), 5);
    m_engine->addAttempt(DestinationId(1), 1);
    m_engine->state.destinations[0].attempts -= 1;
    QTRY_COMPARE(rows(), 6);
}

void RecordViewsTest::attemptsWaitUnderAReader() {
    openAttempts();
    attempt(5);
    QTRY_COMPARE(rows(), 5);
    QTest::qWait(kSettle);
    table().selectRow(1);
    const QString mine = cell(1, AttemptListModel::Event);
    attempt(4);
    QTRY_COMPARE(pill(), QStringLiteral("4 new · F5"));
    QTest::qWait(kSettle);
    QCOMPARE(rows(), 5);
    QTest::mouseClick(find<QPushButton>("pendingChanges"), Qt::LeftButton);
    QTRY_COMPARE(rows(), 9);
    QTRY_COMPARE(pill(), QString());
    const auto selected = table().selectionModel()->selectedRows();
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0].row(), 5);
    QCOMPARE(cell(5, AttemptListModel::Event), mine);
    QCOMPARE(table().currentIndex().row(), 5);
}

void RecordViewsTest::theFirstVisibleAttemptKeepsItsPlace() {
    attempt(6000);
    openAttempts();
    QTRY_VERIFY(rows() >= 256);
    const auto top = [this] {
        return cell(table().visibleRows().first, AttemptListModel::Event);
    };
    const auto shows = [this](int row, const char* event) {
        return cell(row, AttemptListModel::Event) == QLatin1String(event);
    };
    auto* bar = table().verticalScrollBar();
    // Down to where the window has let go of the newest ones: whatever comes below and goes above,
    // the rows that are seen stay where they are.
    QSignalSpy moved(table().model(), SIGNAL(rowsMoved()));
    for (int moves = 0; !shows(rows() - 1, "evt_10001");) {
        bar->setValue(bar->maximum());
        const QString seen = top();
        QTRY_VERIFY_WITH_TIMEOUT(moved.count() > moves || shows(rows() - 1, "evt_10001"), 10000);
        moves = static_cast<int>(moved.count());
        QCOMPARE(top(), seen);
    }
    QCOMPARE(rows(), static_cast<int>(AttemptListModel::kMostRows));
    // ... and up again, to the newest.
    QTRY_VERIFY_WITH_TIMEOUT((bar->setValue(0), shows(0, "evt_16000")), 20000);
    QVERIFY(find<QLabel>("listCount")->text().contains(QLatin1String("scroll for older")));
}

void RecordViewsTest::frozenAttemptsStand() {
    openAttempts();
    attempt(5);
    QTRY_COMPARE(rows(), 5);
    m_attempts->setFrozen(true);
    attempt(3);
    m_attempts->applyPending();
    QTest::qWait(kSettle);
    QCOMPARE(rows(), 5);
    QCOMPARE(pill(), QString());
    m_attempts->setFrozen(false);
    QTRY_COMPARE(rows(), 8);
}

void RecordViewsTest::aTimeRangeIsAVisibleChip() {
    attempt(100);
    openAttempts();
    QTRY_COMPARE(rows(), 100);
    auto* chip = find<FilterChip>("rangeChip");
    QVERIFY(!chip->isVisible());
    const WallMicros until = m_engine->state.at - 10 * kSecond;
    table().selectRow(15);
    const QString mine = cell(15, AttemptListModel::Event);
    m_attempts->setTimeRange(until - 20 * kSecond, until);
    QTRY_COMPARE(rows(), 20);
    QCOMPARE(cell(table().currentIndex().row(), AttemptListModel::Event), mine);
    QCOMPARE(table().selectionModel()->selectedRows().size(), 1);
    QVERIFY(chip->isVisible());
    QCOMPARE(chip->findChild<QLabel*>(QStringLiteral("filterText"))->text(),
             QStringLiteral("Ended: 2027-01-15 08:01:10 to 2027-01-15 08:01:30 UTC"));
    QTest::mouseClick(chip->findChild<QToolButton*>(QStringLiteral("filterRemove")),
                      Qt::LeftButton);
    QTRY_COMPARE(rows(), 100);
    QVERIFY(!chip->isVisible());
    // What the range does not have is chosen no longer.
    table().selectRow(0);
    m_attempts->setTimeRange(until - 20 * kSecond, until);
    QTRY_COMPARE(rows(), 20);
    QVERIFY(!table().selectionModel()->hasSelection());
}

void RecordViewsTest::aRangeInThePastTakesNothingNew() {
    attempt(10);
    openAttempts();
    m_attempts->setTimeRange(0, m_engine->state.at);
    QTRY_COMPARE(rows(), 9);  // the last one ended at the end, which is not in the range
    QTest::qWait(kSettle);
    table().selectRow(0);
    attempt(3);
    QTest::qWait(kSettle);
    QCOMPARE(rows(), 9);
    QCOMPARE(pill(), QString());
    // One that is open at its end does.
    m_attempts->setTimeRange(m_engine->state.at, 0);
    QTRY_COMPARE(rows(), 1);
    QTest::qWait(kSettle);
    table().selectRow(0);
    attempt(3);
    QTRY_COMPARE(pill(), QStringLiteral("3 new · F5"));
}

void RecordViewsTest::scopeChangesWhileAPageIsUnderWay() {
    attempt(30, DestinationId(1));
    attempt(20, DestinationId(2));
    openAttempts();
    // The page of all attempts is asked for and not answered yet.
    m_attempts->setScope(DestinationId(2));
    m_attempts->setScope(DestinationId(1));
    QTRY_COMPARE(rows(), 30);
    QTest::qWait(50);
    QCOMPARE(rows(), 30);
    QSignalSpy wanted(m_attempts.get(), &AttemptsView::scopeWanted);
    auto* chip = find<FilterChip>("filterChip");
    QVERIFY(chip->isVisible());
    QTest::mouseClick(chip->findChild<QToolButton*>(QStringLiteral("filterRemove")),
                      Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
}

void RecordViewsTest::anAttemptShowsWhatWasAnswered() {
    attempt(3);
    AttemptRow& row = m_engine->store->log[1];
    row.outcome = Outcome::overloaded;
    row.status = 503;
    row.response = "come back later";
    EventRow event;
    event.sequence = row.pointer.sequence;
    event.id = row.eventId;
    event.payload = "{\"n\":1}";
    m_engine->store->events[row.pointer.sequence] = event;
    AttemptRow newer = row;
    newer.position = row.position + 100;
    newer.number = 2;
    newer.response = "not yet";
    m_engine->store->attempts[row.pointer] = {newer, row};
    openAttempts();
    QTRY_COMPARE(rows(), 3);
    table().selectRow(1);
    QTest::keyClick(&table(), Qt::Key_Return);
    QVERIFY(m_attempts->isDetailsOpen());
    auto* response = find<QPlainTextEdit>("detailsResponse");
    QCOMPARE(response->toPlainText(), QStringLiteral("come back later"));
    QVERIFY(response->isVisible());
    QTRY_COMPARE(find<QPlainTextEdit>("detailsBody")->toPlainText(), QStringLiteral("{\"n\":1}"));
    // The attempt is found among those of its event, and another one can be chosen there.
    auto* attempts = find<Table>("detailsAttempts");
    QTRY_COMPARE(attempts->currentIndex().row(), 1);
    attempts->setCurrentIndex(attempts->model()->index(0, 0));
    QCOMPARE(response->toPlainText(), QStringLiteral("not yet"));
    auto* tabs = find<QTabBar>("detailsTabs");
    QCOMPARE(tabs->tabText(1), QStringLiteral("Response to #2 · 7 bytes"));
    tabs->setCurrentIndex(0);
    QVERIFY(find<QPlainTextEdit>("detailsBody")->isVisible());
    // One without an answer says why.
    row.response.clear();
    m_engine->store->log[0].outcome = Outcome::unreachable;
    m_engine->store->log[0].status = 0;
    m_engine->store->log[0].error = "connection refused";
    m_attempts->setTimeRange(1, 0);
    QTRY_COMPARE(rows(), 3);
    table().selectRow(0);
    QTRY_COMPARE(response->placeholderText(),
                 QStringLiteral("No answer came: connection refused"));
    QCOMPARE(response->toPlainText(), QString());
}

void RecordViewsTest::hostileAnswersArePlainText() {
    const std::string hostile = "<img src=\"http://127.0.0.1:9/x\">\n<b>bold</b>";
    attempt(1);
    AttemptRow& row = m_engine->store->log[0];
    row.outcome = Outcome::failed;
    row.status = 500;
    row.response = hostile;
    row.error = hostile;
    row.eventId = hostile;
    row.user.text = hostile;
    openAttempts();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    m_attempts->setDetailsOpen(true);
    QCOMPARE(find<QPlainTextEdit>("detailsResponse")->toPlainText(),
             QString::fromStdString(hostile));
    const auto labels = m_attempts->findChildren<QLabel*>();
    for (const QLabel* label : labels) QCOMPARE(label->textFormat(), Qt::PlainText);
    for (int column = 0; column < AttemptListModel::ColumnCount; ++column) {
        const auto index = table().model()->index(0, column);
        QVERIFY(!index.data(Qt::ToolTipRole).toString().contains(QLatin1String("<img")));
        QVERIFY(!index.data().toString().contains(QLatin1Char('\n')));
    }
}

void RecordViewsTest::unreadableAttemptsSayWhatToDo() {
    m_engine->store->fault = "the disk does not answer";
    openAttempts();
    QTRY_VERIFY(table().accessibleDescription().contains(QLatin1String("could not be read")));
    m_engine->store->fault.clear();
    attempt(3);
    m_attempts->applyPending();
    QTRY_COMPARE(rows(), 3);
    m_engine->store->fault = "the disk does not answer";
    m_attempts->applyPending();
    QTRY_COMPARE(pill(), QStringLiteral("Some could not be read · F5 tries again"));
    QCOMPARE(rows(), 3);
}

// --- Operations

void RecordViewsTest::anEmptyListOfOperationsExplainsItself() {
    openOperations();
    QTRY_VERIFY(table().accessibleDescription().contains(QLatin1String("Nobody has done")));
    m_engine->addOperation(OperationKind::setting, "pause");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, 10000);
}

void RecordViewsTest::aRunningOperationIsFollowed() {
    runningRewind(100, 10);
    publishRunning();
    openOperations();
    QTRY_COMPARE(rows(), 1);
    QTRY_COMPARE(cell(0, OperationsModel::Progress), QStringLiteral("10 %"));
    table().selectRow(0);
    m_operations->setDetailsOpen(true);
    QCOMPARE(find<QLabel>("operationSentence")->text(),
             QStringLiteral("Moving 10 of 100: 0 delivered, 10 wait in their lanes."));
    m_engine->state.operations[0].done = 60;
    m_engine->state.operations[0].delivered = 55;
    m_engine->publish();
    QTRY_COMPARE(cell(0, OperationsModel::Progress), QStringLiteral("60 %"));
    QCOMPARE(find<QLabel>("operationSentence")->text(),
             QStringLiteral("Moving 60 of 100: 55 delivered, 5 wait in their lanes."));
    m_operations->setFrozen(true);
    m_engine->state.operations[0].done = 80;
    m_engine->publish();
    QTest::qWait(kSettle);
    QCOMPARE(cell(0, OperationsModel::Progress), QStringLiteral("60 %"));
    m_operations->setFrozen(false);
    QTRY_COMPARE(cell(0, OperationsModel::Progress), QStringLiteral("80 %"));
}

void RecordViewsTest::newOperationsWaitUnderAReader() {
    runningRewind(100, 10).state = OperationState::finished;
    openOperations();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    m_engine->addOperation(OperationKind::setting, "pause");
    m_engine->addOperation(OperationKind::setting, "resume");
    QTRY_COMPARE_WITH_TIMEOUT(pill(), QStringLiteral("2 new · F5"), 10000);
    QCOMPARE(rows(), 1);
    m_operations->applyPending();
    QTRY_COMPARE(rows(), 3);
    QCOMPARE(table().selectionModel()->selectedRows().at(0).row(), 2);
    QTRY_COMPARE(pill(), QString());
    table().clearSelection();
    m_engine->addOperation(OperationKind::setting, "pause");
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 4, 10000);
}

void RecordViewsTest::anEndedOperationIsReadFromTheStore() {
    OperationRow& row = runningRewind(100, 99);
    publishRunning();
    openOperations();
    QTRY_COMPARE(rows(), 1);
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        row.state = OperationState::finished;
        row.done = 100;
        row.delivered = 100;
    }
    publishRunning();
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, OperationsModel::State), QStringLiteral("finished"), 10000);
    QCOMPARE(cell(0, OperationsModel::Delivered), QStringLiteral("100"));
    QCOMPARE(cell(0, OperationsModel::Progress), QString());
}

void RecordViewsTest::stopSaysWhatStaysWhere() {
    runningRewind(1284, 412);
    publishRunning();
    openOperations();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    QTest::keyClick(&table(), Qt::Key_Return);
    QVERIFY(m_operations->isDetailsOpen());
    QCOMPARE(find<QLabel>("operationStopSays")->text(),
             QStringLiteral("872 stay dead letters; 412 that were moved stay in their lanes."));
    QSignalSpy succeeded(m_operations.get(), &OperationsView::succeeded);
    QSignalSpy failed(m_operations.get(), &OperationsView::failed);
    m_engine->answer = [](const Command&) {
        CommandResult result;
        result.asked = 1284;
        result.done = 420;
        result.skipped = 864;
        return result;
    };
    QTest::mouseClick(find<QPushButton>("operationStop"), Qt::LeftButton);
    const auto* stop = lastCommand<StopOperation>();
    QVERIFY(stop && stop->operation == OperationId(1));
    QTRY_COMPARE(succeeded.count(), 1);
    QCOMPARE(succeeded[0][0].toString(),
             QStringLiteral("Operation 1 was stopped. 864 stay dead letters; 420 that were moved "
                            "stay in their lanes."));
    m_engine->answer = [](const Command&) {
        CommandResult result;
        result.error = "Operation 1 moves nothing any more.";
        return result;
    };
    QTest::mouseClick(find<QPushButton>("operationStop"), Qt::LeftButton);
    QTRY_COMPARE(failed.count(), 1);
}

void RecordViewsTest::undoIsOfferedWithItsNumber() {
    OperationRow& row = runningRewind(100, 100);
    row.state = OperationState::delivering;
    row.delivered = 58;
    row.untried = 42;
    publishRunning();
    openOperations();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    m_operations->setDetailsOpen(true);
    auto* undo = find<QPushButton>("operationUndo");
    QTRY_COMPARE(undo->text(), QStringLiteral("Return 42 untried to the dead letters"));
    QVERIFY(!find<QPushButton>("operationStop")->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    const auto* command = lastCommand<UndoRewind>();
    QVERIFY(command && command->operation == OperationId(1));
    m_engine->state.operations[0].untried = 0;
    m_engine->publish();
    QTRY_VERIFY(!undo->isEnabled());
    QVERIFY(undo->isVisible());
    QCOMPARE(undo->toolTip(), QStringLiteral("Every event that was moved was tried already."));
}

void RecordViewsTest::exactlyThoseThatFailedAgainAreHandedOn() {
    OperationRow& row = runningRewind(600, 600);
    row.state = OperationState::finished;
    row.delivered = 597;
    row.deadAgain = 3;
    for (std::uint64_t i = 0; i < 600; ++i) {
        OperationEventRow event;
        event.position = i;
        event.pointer = {DestinationId(1), Sequence(1000 + i)};
        event.fate = i == 7 || i == 300 || i == 599 ? OperationFate::deadAgain
                                                    : OperationFate::delivered;
        m_engine->store->operationEvents[row.id].push_back(event);
    }
    openOperations();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    m_operations->setDetailsOpen(true);
    auto* again = find<QPushButton>("operationRewindFailed");
    QCOMPARE(again->text(), QStringLiteral("Rewind the 3 that failed again…"));
    std::vector<Pointer> pointers;
    std::string scope;
    connect(m_operations.get(), &OperationsView::rewindWanted, this,
            [&](const std::vector<Pointer>& wanted, const std::string& what) {
                pointers = wanted;
                scope = what;
            });
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(!again->isEnabled());
    const DestinationId crm(1);
    QTRY_COMPARE(pointers, (std::vector<Pointer>{{crm, Sequence(1007)},
                                                 {crm, Sequence(1300)},
                                                 {crm, Sequence(1599)}}));
    QCOMPARE(scope, std::string("3 that failed again after operation 1"));
    QVERIFY(again->isEnabled());
    // A part of them is not what the button says.
    QSignalSpy failed(m_operations.get(), &OperationsView::failed);
    pointers.clear();
    m_engine->store->fault = "the disk does not answer";
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(pointers.empty() && again->isEnabled());
}

void RecordViewsTest::settingsHaveNoEvents() {
    OperationRow& row = m_engine->addOperation(OperationKind::setting, "pause");
    row.scope = "crm";
    row.reason = "<b>maintenance</b>";
    openOperations();
    QTRY_COMPARE(rows(), 1);
    table().selectRow(0);
    m_operations->setDetailsOpen(true);
    QVERIFY(!find<Table>("operationEvents")->isVisible());
    QVERIFY(!find<QPushButton>("operationUndo")->isVisible());
    QVERIFY(!find<QPushButton>("operationRewindFailed")->isVisible());
    QCOMPARE(find<QLabel>("operationReason")->text(),
             QStringLiteral("Reason: <b>maintenance</b>"));
    const auto labels = m_operations->findChildren<QLabel*>();
    for (const QLabel* label : labels) QCOMPARE(label->textFormat(), Qt::PlainText);
}

void RecordViewsTest::anOperationFarDownIsFound() {
    runningRewind(10, 4);
    for (int i = 0; i < 700; ++i) m_engine->addOperation(OperationKind::setting, "pause");
    publishRunning();
    openOperations();
    QTRY_VERIFY(rows() >= 256);
    m_operations->showOperation(OperationId(1));
    QTRY_COMPARE(table().currentIndex().row(), 700);
    QVERIFY(m_operations->isDetailsOpen());
    QVERIFY(find<QPushButton>("operationStop")->isVisible());
}

void RecordViewsTest::unreadableOperationsSayWhatToDo() {
    m_engine->store->fault = "the disk does not answer";
    openOperations();
    QTRY_VERIFY(table().accessibleDescription().contains(QLatin1String("could not be read")));
    m_engine->store->fault.clear();
    m_engine->addOperation(OperationKind::setting, "pause");
    m_operations->applyPending();
    QTRY_COMPARE(rows(), 1);
}

QTEST_MAIN(RecordViewsTest)
#include "record_views_test.moc"
