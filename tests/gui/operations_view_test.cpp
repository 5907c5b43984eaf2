// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fake_desk.h"
#include "ui/operations/operations_view.h"

#include <QLabel>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// The tab with the operations, against a scripted engine.
class OperationsViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() { m_desk = std::make_unique<test::FakeDesk<OperationsView>>(); }
    void cleanup() { m_desk.reset(); }
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
    void openOperations();
    OperationRow& runningRewind(std::uint64_t asked, std::uint64_t done);
    /// Makes the snapshot tell what the store has of unfinished operations.
    void publishRunning();
    template <typename Wanted>
    const Wanted* lastCommand() const {
        const auto& submitted = m_desk->engine.submitted;
        return submitted.empty() ? nullptr : std::get_if<Wanted>(&submitted.back());
    }

    std::unique_ptr<test::FakeDesk<OperationsView>> m_desk;
};

void OperationsViewTest::openOperations() {
    QVERIFY(m_desk->open(std::make_unique<OperationsView>(m_desk->engine, m_desk->commands,
                                                          m_desk->loader, m_desk->times)));
}

OperationRow& OperationsViewTest::runningRewind(std::uint64_t asked, std::uint64_t done) {
    OperationRow& row = m_desk->engine.addOperation(OperationKind::rewind, "rewind");
    row.state = OperationState::moving;
    row.asked = asked;
    row.done = done;
    return row;
}

void OperationsViewTest::publishRunning() {
    m_desk->engine.state.operations.clear();
    for (const auto& row : m_desk->engine.store->operations)
        if (row.state != OperationState::finished) m_desk->engine.state.operations.push_back(row);
    m_desk->engine.publish();
}

void OperationsViewTest::anEmptyListOfOperationsExplainsItself() {
    openOperations();
    QTRY_VERIFY(m_desk->says("Nobody has done"));
    m_desk->engine.addOperation(OperationKind::setting, "pause");
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->rows(), 1, 10000);
}

void OperationsViewTest::aRunningOperationIsFollowed() {
    runningRewind(100, 10);
    publishRunning();
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    QTRY_COMPARE(m_desk->cell(0, OperationsModel::Progress), QStringLiteral("10 %"));
    m_desk->table().selectRow(0);
    m_desk->page->setDetailsOpen(true);
    QCOMPARE(m_desk->find<QLabel>("operationSentence")->text(),
             QStringLiteral("Moving 10 of 100: 0 delivered, 10 wait in their lanes."));
    m_desk->engine.state.operations[0].done = 60;
    m_desk->engine.state.operations[0].delivered = 55;
    m_desk->engine.publish();
    QTRY_COMPARE(m_desk->cell(0, OperationsModel::Progress), QStringLiteral("60 %"));
    QCOMPARE(m_desk->find<QLabel>("operationSentence")->text(),
             QStringLiteral("Moving 60 of 100: 55 delivered, 5 wait in their lanes."));
    m_desk->page->setFrozen(true);
    m_desk->engine.state.operations[0].done = 80;
    m_desk->engine.publish();
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->cell(0, OperationsModel::Progress), QStringLiteral("60 %"));
    m_desk->page->setFrozen(false);
    QTRY_COMPARE(m_desk->cell(0, OperationsModel::Progress), QStringLiteral("80 %"));
}

void OperationsViewTest::newOperationsWaitUnderAReader() {
    runningRewind(100, 10).state = OperationState::finished;
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    m_desk->engine.addOperation(OperationKind::setting, "pause");
    m_desk->engine.addOperation(OperationKind::setting, "resume");
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->pill(), QStringLiteral("2 new · F5"), 10000);
    QCOMPARE(m_desk->rows(), 1);
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->rows(), 3);
    QCOMPARE(m_desk->table().selectionModel()->selectedRows().at(0).row(), 2);
    QTRY_COMPARE(m_desk->pill(), QString());
    m_desk->table().clearSelection();
    m_desk->engine.addOperation(OperationKind::setting, "pause");
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->rows(), 4, 10000);
}

void OperationsViewTest::anEndedOperationIsReadFromTheStore() {
    OperationRow& row = runningRewind(100, 99);
    publishRunning();
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    {
        const std::scoped_lock lock(m_desk->engine.store->mutex);
        row.state = OperationState::finished;
        row.done = 100;
        row.delivered = 100;
    }
    publishRunning();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->cell(0, OperationsModel::State), QStringLiteral("finished"),
                              10000);
    QCOMPARE(m_desk->cell(0, OperationsModel::Delivered), QStringLiteral("100"));
    QCOMPARE(m_desk->cell(0, OperationsModel::Progress), QString());
}

void OperationsViewTest::stopSaysWhatStaysWhere() {
    runningRewind(1284, 412);
    publishRunning();
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    QTest::keyClick(&m_desk->table(), Qt::Key_Return);
    QVERIFY(m_desk->page->isDetailsOpen());
    QCOMPARE(m_desk->find<QLabel>("operationStopSays")->text(),
             QStringLiteral("872 stay dead letters; 412 that were moved stay in their lanes."));
    QSignalSpy succeeded(m_desk->page.get(), &OperationsView::succeeded);
    QSignalSpy failed(m_desk->page.get(), &OperationsView::failed);
    m_desk->engine.answer = [](const Command&) {
        CommandResult result;
        result.asked = 1284;
        result.done = 420;
        result.skipped = 864;
        return result;
    };
    QTest::mouseClick(m_desk->find<QPushButton>("operationStop"), Qt::LeftButton);
    const auto* stop = lastCommand<StopOperation>();
    QVERIFY(stop && stop->operation == OperationId(1));
    QTRY_COMPARE(succeeded.count(), 1);
    QCOMPARE(succeeded[0][0].toString(),
             QStringLiteral("Operation 1 was stopped. 864 stay dead letters; 420 that were moved "
                            "stay in their lanes."));
    m_desk->engine.answer = [](const Command&) {
        CommandResult result;
        result.error = "Operation 1 moves nothing any more.";
        return result;
    };
    QTest::mouseClick(m_desk->find<QPushButton>("operationStop"), Qt::LeftButton);
    QTRY_COMPARE(failed.count(), 1);
}

void OperationsViewTest::undoIsOfferedWithItsNumber() {
    OperationRow& row = runningRewind(100, 100);
    row.state = OperationState::delivering;
    row.delivered = 58;
    row.untried = 42;
    publishRunning();
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    m_desk->page->setDetailsOpen(true);
    auto* undo = m_desk->find<QPushButton>("operationUndo");
    QTRY_COMPARE(undo->text(), QStringLiteral("Return 42 untried to the dead letters"));
    QVERIFY(!m_desk->find<QPushButton>("operationStop")->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    const auto* command = lastCommand<UndoRewind>();
    QVERIFY(command && command->operation == OperationId(1));
    m_desk->engine.state.operations[0].untried = 0;
    m_desk->engine.publish();
    QTRY_VERIFY(!undo->isEnabled());
    QVERIFY(undo->isVisible());
    QCOMPARE(undo->toolTip(), QStringLiteral("Every event that was moved was tried already."));
}

void OperationsViewTest::exactlyThoseThatFailedAgainAreHandedOn() {
    OperationRow& row = runningRewind(600, 600);
    row.state = OperationState::finished;
    row.delivered = 597;
    row.deadAgain = 3;
    for (std::uint64_t i = 0; i < 600; ++i) {
        OperationEventRow event;
        event.position = i;
        event.pointer = {DestinationId(1), Sequence(1000 + i)};
        event.fate =
            i == 7 || i == 300 || i == 599 ? OperationFate::deadAgain : OperationFate::delivered;
        m_desk->engine.store->operationEvents[row.id].push_back(event);
    }
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    m_desk->page->setDetailsOpen(true);
    auto* again = m_desk->find<QPushButton>("operationRewindFailed");
    QCOMPARE(again->text(), QStringLiteral("Rewind the 3 that failed again…"));
    std::vector<Pointer> pointers;
    std::string scope;
    connect(m_desk->page.get(), &OperationsView::rewindWanted, this,
            [&](const std::vector<Pointer>& wanted, const std::string& what) {
                pointers = wanted;
                scope = what;
            });
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(!again->isEnabled());
    const DestinationId crm(1);
    QTRY_COMPARE(pointers,
                 (std::vector<Pointer>{
                     {crm, Sequence(1007)}, {crm, Sequence(1300)}, {crm, Sequence(1599)}}));
    QCOMPARE(scope, std::string("3 that failed again after operation 1"));
    QVERIFY(again->isEnabled());
    // A part of them is not what the button says.
    QSignalSpy failed(m_desk->page.get(), &OperationsView::failed);
    pointers.clear();
    m_desk->engine.store->fault = "the disk does not answer";
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(pointers.empty() && again->isEnabled());
}

void OperationsViewTest::settingsHaveNoEvents() {
    OperationRow& row = m_desk->engine.addOperation(OperationKind::setting, "pause");
    row.scope = "crm";
    row.reason = "<b>maintenance</b>";
    openOperations();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    m_desk->page->setDetailsOpen(true);
    QVERIFY(!m_desk->find<Table>("operationEvents")->isVisible());
    QVERIFY(!m_desk->find<QPushButton>("operationUndo")->isVisible());
    QVERIFY(!m_desk->find<QPushButton>("operationRewindFailed")->isVisible());
    QCOMPARE(m_desk->find<QLabel>("operationReason")->text(),
             QStringLiteral("Reason: <b>maintenance</b>"));
    const auto labels = m_desk->page->findChildren<QLabel*>();
    for (const QLabel* label : labels) QCOMPARE(label->textFormat(), Qt::PlainText);
}

void OperationsViewTest::anOperationFarDownIsFound() {
    runningRewind(10, 4);
    for (int i = 0; i < 700; ++i) m_desk->engine.addOperation(OperationKind::setting, "pause");
    publishRunning();
    openOperations();
    QTRY_VERIFY(m_desk->rows() >= 256);
    m_desk->page->showOperation(OperationId(1));
    QTRY_COMPARE(m_desk->table().currentIndex().row(), 700);
    QVERIFY(m_desk->page->isDetailsOpen());
    QVERIFY(m_desk->find<QPushButton>("operationStop")->isVisible());
}

void OperationsViewTest::unreadableOperationsSayWhatToDo() {
    m_desk->engine.store->fault = "the disk does not answer";
    openOperations();
    QTRY_VERIFY(m_desk->says("The operations could not be read"));
    m_desk->engine.store->fault.clear();
    m_desk->engine.addOperation(OperationKind::setting, "pause");
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->rows(), 1);
}

QTEST_MAIN(OperationsViewTest)
#include "operations_view_test.moc"
