// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/attempts/attempts_view.h"
#include "ui/common/filter_chip.h"
#include "ui/common/message_bar.h"
#include "ui/common/preferences.h"
#include "ui/health/health_dock.h"
#include "ui/tray_notes.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QSpinBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

/// The whole window against a scripted engine.
class MainWindowTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() { start(); }
    void cleanup() { end(); }
    void numbersOfTheStatusBarLeadToTheirViews();
    void aClickOnADestinationIsAVisibleFilter();
    void pauseTellsWhatItDoesAndAsks();
    void resumeTellsWhatWaits();
    void rewindNamesTheExactNumberAndMovesExactlyThat();
    void rewindSaysWhatThePlanFound();
    void theLastRewindIsUndoneWithItsNumber();
    void discardDoesNothingWhenCancelled();
    void aRunningOperationStandsInTheStatusBar();
    void thoseThatFailedAgainAreRewoundAsADialogSays();
    void aRefusedCommandSaysWhy();
    void freezeStopsTheViewAndCountsChanges();
    void aDrainedLaneStaysAsANote();
    void staleDataIsMarked();
    void failureHasAPageOfItsOwn();
    void storeAndIntakeFaultsAreBanners();
    void fieldErrorsStandUnderTheField();
    void theLayoutIsKeptAndReset();
    void theOverviewHasRoomAtTheFirstStart();
    void theGraphsGrowWithTheWindowUntilTheyAreMoved();
    void aTimeOnTheGraphsIsAVisibleFilterOfAttempts();
    void settingsAreReachedByTheirKeys();
    void notesThatAreNotWantedAreNotTold();
    void everyModelKeepsItsContract();
    void copiedRowsAreExactAndHarmless();
    void aPictureCanBeWritten();
    void hostileTextIsNeverMarkup();
};

void MainWindowTest::numbersOfTheStatusBarLeadToTheirViews() {
    QCOMPARE(find<QToolButton>("statusInFlight")->text(), QStringLiteral("3 in flight"));
    QCOMPARE(find<QToolButton>("statusBacklog")->text(), QStringLiteral("backlog 1204"));
    QCOMPARE(find<QToolButton>("statusDead")->text(), QStringLiteral("dead 4"));
    auto* tabs = find<QTabWidget>("tabs");
    QTest::mouseClick(find<QToolButton>("statusDead"), Qt::LeftButton);
    QCOMPARE(tabs->currentWidget(), find("deadLettersView"));
    QTest::mouseClick(find<QToolButton>("statusBacklog"), Qt::LeftButton);
    QCOMPARE(tabs->currentWidget(), find("lanesView"));
    QCOMPARE(tabs->tabText(tabs->indexOf(find("deadLettersView"))),
             QStringLiteral("Dead letters (4)"));
}

void MainWindowTest::aClickOnADestinationIsAVisibleFilter() {
    auto* list = find<QListView>("destinationsList");
    QCOMPARE(list->model()->rowCount(), 3);
    // By name: all, billing, crm.
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(1, 0)).center());
    auto* chip = find("filterChip");
    QVERIFY(chip->isVisible());
    QCOMPARE(chip->findChild<QLabel*>(QStringLiteral("filterText"))->text(),
             QStringLiteral("dest:billing"));
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("dest:billing"));
    QTRY_COMPARE(find<Table>("lanesTable")->model()->rowCount(), 0);
    m_window->showDeadLetters();
    QTRY_COMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 1);
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("dest:billing"));
    for (auto* one : m_window->findChildren<QToolButton*>(QStringLiteral("filterRemove")))
        if (one->isVisible()) QTest::mouseClick(one, Qt::LeftButton);
    QTRY_COMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 4);
    QCOMPARE(list->currentIndex().row(), 0);
}

void MainWindowTest::pauseTellsWhatItDoesAndAsks() {
    QVERIFY(!action("actionPause")->isEnabled());
    m_window->setScope(DestinationId(1));
    QVERIFY(action("actionPause")->isEnabled());
    QTest::mouseClick(find<QPushButton>("pauseButton"), Qt::LeftButton);
    QDialog* box = dialog("pauseDialog");
    QVERIFY(box);
    QVERIFY(box->findChild<QLabel*>(QStringLiteral("pauseInFlight"))
                ->text()
                .contains(QLatin1String("3, they will finish")));
    QVERIFY(m_engine->submitted.empty());
    box->findChild<QLineEdit*>(QStringLiteral("pauseReason"))->setText(QStringLiteral("upgrade"));
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("pauseAccept")), Qt::LeftButton);
    const auto* command = lastCommand<PauseDestination>();
    QVERIFY(command);
    QCOMPARE(command->destination, DestinationId(1));
    QCOMPARE(command->reason, std::string("upgrade"));
    QTRY_COMPARE(find<QPushButton>("pauseButton")->text(), QStringLiteral("Resume…"));
    QCOMPARE(find<QToolButton>("statusPaused")->text(), QStringLiteral("1 paused"));
}

void MainWindowTest::resumeTellsWhatWaits() {
    m_engine->state.destinations[0].health = HealthState::paused;
    m_engine->publish();
    m_window->setScope(DestinationId(1));
    QTest::keyClick(m_window.get(), Qt::Key_F9);
    QDialog* box = dialog("resumeDialog");
    QVERIFY(box);
    QVERIFY(box->findChild<QLabel*>(QStringLiteral("resumeBacklog"))
                ->text()
                .contains(QLatin1String("1204")));
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("resumeAccept")), Qt::LeftButton);
    QVERIFY(lastCommand<ResumeDestination>());
    QTRY_COMPARE(find<QPushButton>("pauseButton")->text(), QStringLiteral("Pause…"));
}

void MainWindowTest::rewindNamesTheExactNumberAndMovesExactlyThat() {
    m_window->showDeadLetters();
    auto* table = find<Table>("deadLettersTable");
    auto* button = find<QPushButton>("rewindButton");
    QVERIFY(!button->isEnabled());
    table->selectRow(0);
    table->selectionModel()->select(table->model()->index(3, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(button->text(), QStringLiteral("Rewind selected (2)"));
    const auto letters = m_engine->store->deadLetters;
    QTest::keyClick(m_window.get(), Qt::Key_F8);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = box->findChild<QPushButton*>(QStringLiteral("rewindAccept"));
    QCOMPARE(accept->text(), QStringLiteral("Rewind 2 events"));
    // What dies while the dialog is open is not part of it.
    m_engine->addDeadLetter(DestinationId(1), 9);
    m_engine->publish();
    QTest::mouseClick(accept, Qt::LeftButton);
    const auto* command = lastCommand<RewindDeadLetters>();
    QVERIFY(command);
    QCOMPARE(command->pointers, (std::vector{letters[0].pointer, letters[3].pointer}));
    auto* bar = find<MessageBar>("messageBar");
    QTRY_VERIFY(bar->text().contains(QLatin1String("2 moved")));
    QVERIFY(bar->text().contains(QLatin1String("none skipped")));
    QVERIFY(!button->isEnabled());
    // They stand where they stood until somebody has seen it.
    QTRY_COMPARE(table->model()->rowCount(), 5);
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QTRY_COMPARE(table->model()->rowCount(), 3);
}

void MainWindowTest::rewindSaysWhatThePlanFound() {
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        auto& first = m_engine->store->deadLetters[0];
        first.lastOutcome = Outcome::unknown;
        m_engine->store->later[{first.pointer.destination, first.userId}] = 211;
    }
    m_window->showDeadLetters();
    find<Table>("deadLettersTable")->selectRow(0);
    QTest::keyClick(m_window.get(), Qt::Key_F8);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* plan = box->findChild<QLabel*>(QStringLiteral("rewindPlan"));
    QTRY_VERIFY2(plan->text().contains(QLatin1String("1 of 1 lanes delivered 211 later events")),
                 qPrintable(plan->text()));
    QVERIFY(plan->text().contains(QLatin1String("1 may have been received already")));
    box->findChild<QSpinBox*>(QStringLiteral("rewindTracer"))->setValue(20);
    box->findChild<QDoubleSpinBox*>(QStringLiteral("rewindPace"))->setValue(2.5);
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("rewindAccept")), Qt::LeftButton);
    const auto* command = lastCommand<RewindDeadLetters>();
    QVERIFY(command);
    QCOMPARE(command->pace.tracer, 20u);
    QCOMPARE(command->pace.eventsPerSecond, 2.5);
}

void MainWindowTest::theLastRewindIsUndoneWithItsNumber() {
    auto* undo = action("actionUndoRewind");
    QVERIFY(!undo->isEnabled());
    m_engine->answer = [this](const Command& command) {
        CommandResult result;
        result.operation = OperationId(12);
        result.asked = 872;
        result.done = std::holds_alternative<UndoRewind>(command) ? 640 : 872;
        result.skipped = result.asked - result.done;
        OperationRow row;
        row.id = result.operation;
        row.state = OperationState::delivering;
        row.untried = 640;
        m_engine->state.operations = {row};
        return result;
    };
    m_window->showDeadLetters();
    find<Table>("deadLettersTable")->selectRow(0);
    action("actionRewind")->trigger();
    QTest::mouseClick(
        dialog("rewindDialog")->findChild<QPushButton*>(QStringLiteral("rewindAccept")),
        Qt::LeftButton);
    QTRY_COMPARE(undo->text(), QStringLiteral("Ret&urn 640 untried events to the dead letters"));
    QVERIFY(undo->isEnabled());
    // The dialog had the focus; without a window manager nobody gives it back.
    m_window->activateWindow();
    QTRY_VERIFY(m_window->isActiveWindow());
    QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
    const auto* command = lastCommand<UndoRewind>();
    QVERIFY(command);
    QCOMPARE(command->operation, OperationId(12));
    QTRY_VERIFY(find<MessageBar>("messageBar")
                    ->text()
                    .contains(QLatin1String("640 of 872 events returned to the dead letters; 232 "
                                            "were tried already")));
    m_engine->state.operations.clear();
    m_engine->publish();
    QTRY_VERIFY(!undo->isEnabled());
}

void MainWindowTest::discardDoesNothingWhenCancelled() {
    m_window->showDeadLetters();
    find<Table>("deadLettersTable")->selectRow(1);
    QTest::mouseClick(find<QPushButton>("discardButton"), Qt::LeftButton);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    QCOMPARE(box->findChild<QPushButton*>(QStringLiteral("rewindAccept"))->text(),
             QStringLiteral("Discard 1 event"));
    QTest::keyClick(box, Qt::Key_Escape);
    QVERIFY(m_engine->submitted.empty());
    QCOMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 4);
}

void MainWindowTest::aRunningOperationStandsInTheStatusBar() {
    auto* bar = find<QToolButton>("statusOperation");
    auto* tabs = find<QTabWidget>("tabs");
    QVERIFY(!bar->isVisible());
    QCOMPARE(tabs->tabText(4), QStringLiteral("Operations"));
    for (int i = 0; i < 3; ++i) {
        OperationRow& row = m_engine->addOperation(OperationKind::rewind, "rewind");
        row.asked = 1284;
        row.done = 412;
        row.state = i == 0 ? OperationState::stopped : OperationState::moving;
    }
    m_engine->state.operations = m_engine->store->operations;
    m_engine->publish();
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->text(), QStringLiteral("Rewind: 412 of 1284 moved · and 1 more"));
    QCOMPARE(tabs->tabText(4), QStringLiteral("Operations (2 running)"));
    QTest::mouseClick(bar, Qt::LeftButton);
    QCOMPARE(tabs->currentIndex(), 4);
    auto* table = find<Table>("operationsTable");
    QTRY_COMPARE(table->currentIndex().row(), 0);
    QTest::keyClick(m_window.get(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(tabs->currentIndex(), 3);
    QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(tabs->currentIndex(), 4);
    m_engine->state.operations.clear();
    m_engine->publish();
    QVERIFY(!bar->isVisible());
}

void MainWindowTest::thoseThatFailedAgainAreRewoundAsADialogSays() {
    OperationRow& row = m_engine->addOperation(OperationKind::rewind, "rewind");
    row.asked = row.done = 3;
    row.delivered = 1;
    row.deadAgain = 2;
    std::vector<Pointer> again;
    for (std::uint64_t i = 0; i < 3; ++i) {
        OperationEventRow event;
        event.position = i;
        event.pointer = m_engine->store->deadLetters[i + 1].pointer;
        event.fate = i == 0 ? OperationFate::delivered : OperationFate::deadAgain;
        if (i > 0) again.push_back(event.pointer);
        m_engine->store->operationEvents[row.id].push_back(event);
    }
    m_window->showOperations();
    auto* table = find<Table>("operationsTable");
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 10000);
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QTest::mouseClick(find<QPushButton>("operationRewindFailed"), Qt::LeftButton);
    QTRY_VERIFY(dialog("rewindDialog"));
    QDialog* box = dialog("rewindDialog");
    QCOMPARE(box->findChild<QLabel*>(QStringLiteral("rewindTitle"))->text(),
             QStringLiteral("2 events back into 2 lanes?"));
    auto* accept = box->findChild<QPushButton*>(QStringLiteral("rewindAccept"));
    QCOMPARE(accept->text(), QStringLiteral("Rewind 2 events"));
    QTest::mouseClick(accept, Qt::LeftButton);
    const auto* command = lastCommand<RewindDeadLetters>();
    QVERIFY(command);
    std::sort(again.begin(), again.end());
    auto rewound = command->pointers;
    std::sort(rewound.begin(), rewound.end());
    QCOMPARE(rewound, again);
    QCOMPARE(command->scope, std::string("2 that failed again after operation 1"));
    // Now they wait in their lanes: there is nothing left to be rewound.
    QTRY_COMPARE(m_engine->store->deadLetters.size(), std::size_t(2));
    QTest::mouseClick(find<QPushButton>("operationRewindFailed"), Qt::LeftButton);
    QTRY_COMPARE(find<MessageBar>("messageBar")->text(),
                 QStringLiteral("None of them is a dead letter any more."));
    QVERIFY(!dialog("rewindDialog"));
}

void MainWindowTest::aRefusedCommandSaysWhy() {
    m_engine->answer = [](const Command&) {
        CommandResult result;
        result.error = "the store is read-only";
        return result;
    };
    m_window->showDeadLetters();
    find<Table>("deadLettersTable")->selectRow(0);
    action("actionRewind")->trigger();
    QTest::mouseClick(
        dialog("rewindDialog")->findChild<QPushButton*>(QStringLiteral("rewindAccept")),
        Qt::LeftButton);
    auto* bar = find<MessageBar>("messageBar");
    QTRY_VERIFY(bar->text().contains(QLatin1String("the store is read-only")));
    QCOMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 4);
}

void MainWindowTest::freezeStopsTheViewAndCountsChanges() {
    auto* list = find<QListView>("destinationsList");
    const QString before = list->model()->index(2, 0).data(Qt::AccessibleTextRole).toString();
    QTest::keyClick(m_window.get(), Qt::Key_Space, Qt::ControlModifier);
    auto* bar = find<MessageBar>("freezeBar");
    QVERIFY(bar->isVisible());
    m_engine->state.destinations[0].counters.delivered += 12;
    m_engine->state.destinations[0].counters.waiting -= 12;
    m_engine->updateTotals();
    m_engine->publish();
    QVERIFY2(bar->text().contains(QLatin1String("12 changes since")), qPrintable(bar->text()));
    QCOMPARE(list->model()->index(2, 0).data(Qt::AccessibleTextRole).toString(), before);
    QTest::mouseClick(bar->findChild<QToolButton*>(QStringLiteral("messageAction")),
                      Qt::LeftButton);
    QVERIFY(!bar->isVisible());
    QVERIFY(list->model()->index(2, 0).data(Qt::AccessibleTextRole).toString() != before);
}

void MainWindowTest::aDrainedLaneStaysAsANote() {
    auto* table = find<Table>("lanesTable");
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Return);
    auto* why = find("lanesView")->findChild<QLabel*>(QStringLiteral("whyLine"));
    QVERIFY(why->isVisible());
    QVERIFY2(why->text().contains(QLatin1String("for retry 4 (503 overloaded)")),
             qPrintable(why->text()));
    QVERIFY(why->text().contains(QLatin1String("Blocks 211")));
    m_engine->lanes.erase(m_engine->lanes.begin());
    for (int i = 0; i < 3; ++i) m_engine->publish();
    QTRY_VERIFY2(why->text().contains(QLatin1String("has drained")), qPrintable(why->text()));
}

void MainWindowTest::staleDataIsMarked() {
    QVERIFY(find<QToolButton>("statusAge")->text().startsWith(QLatin1String("data ")));
    QTRY_VERIFY_WITH_TIMEOUT(
        find<QToolButton>("statusAge")->text().startsWith(QLatin1String("stale ")), 4000);
}

void MainWindowTest::failureHasAPageOfItsOwn() {
    m_engine->state.failure = "The data directory is in use.";
    m_engine->setLifecycle(Lifecycle::failed);
    QVERIFY(find("lifePage")->isVisible());
    QVERIFY(
        find<QLabel>("lifeText")->text().contains(QLatin1String("The data directory is in use.")));
    QVERIFY(!action("actionPause")->isEnabled());
}

void MainWindowTest::storeAndIntakeFaultsAreBanners() {
    QVERIFY(!find("storeBar")->isVisible());
    m_engine->state.store.writable = false;
    m_engine->state.store.fault = "The disk is full.";
    m_engine->state.intake.error = "port 7420 is in use.";
    m_engine->publish();
    QVERIFY(find("storeBar")->isVisible());
    QCOMPARE(find<MessageBar>("storeBar")->text(), QStringLiteral("The disk is full."));
    QCOMPARE(find<MessageBar>("storeBar")->kind(), MessageBar::Kind::error);
    QVERIFY(find<MessageBar>("intakeBar")->text().contains(QLatin1String("port 7420")));
    // A fault that stops nothing yet.
    m_engine->state.store.writable = true;
    m_engine->state.store.fault = "The write-ahead log is large.";
    m_engine->publish();
    QCOMPARE(find<MessageBar>("storeBar")->text(),
             QStringLiteral("The write-ahead log is large."));
    QCOMPARE(find<MessageBar>("storeBar")->kind(), MessageBar::Kind::warning);
    m_engine->state.store = {};
    m_engine->state.intake.error.clear();
    m_engine->publish();
    QVERIFY(!find("storeBar")->isVisible());
    QVERIFY(!find("intakeBar")->isVisible());
}

void MainWindowTest::fieldErrorsStandUnderTheField() {
    action("actionAddDestination")->trigger();
    QDialog* box = dialog("destinationDialog");
    QVERIFY(box);
    auto* accept = box->findChild<QPushButton*>(QStringLiteral("destinationAccept"));
    box->findChild<QLineEdit*>(QStringLiteral("destinationName"))->setText(QStringLiteral("new"));
    box->findChild<QLineEdit*>(QStringLiteral("destinationUrl"))
        ->setText(QStringLiteral("ftp://x"));
    QTest::mouseClick(accept, Qt::LeftButton);
    auto* error = box->findChild<QLabel*>(QStringLiteral("destinationUrlError"));
    QVERIFY(error->isVisible());
    QVERIFY(error->text().contains(QLatin1String("http://")));
    QVERIFY(m_engine->submitted.empty());
    box->findChild<QLineEdit*>(QStringLiteral("destinationUrl"))
        ->setText(QStringLiteral("http://127.0.0.1:9/hook"));
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("destinationGenerate")),
                      Qt::LeftButton);
    QTest::mouseClick(accept, Qt::LeftButton);
    const auto* command = lastCommand<SetDestination>();
    QVERIFY(command);
    QCOMPARE(command->config.name, std::string("new"));
    QCOMPARE(command->config.policy.window, 72 * kHour);
    QCOMPARE(command->config.secrets.size(), std::size_t(1));
    QTRY_COMPARE(find<QListView>("destinationsList")->model()->rowCount(), 4);
    QTRY_VERIFY(!dialog("destinationDialog"));
}

void MainWindowTest::theLayoutIsKeptAndReset() {
    auto* dock = find("healthDock");
    dock->setVisible(false);
    m_window->close();
    openWindow();
    QVERIFY(!find("healthDock")->isVisible());
    action("actionResetLayout")->trigger();
    QVERIFY(find("healthDock")->isVisible());
    QSettings().setValue(QStringLiteral("layout/version"), 999);
    QSettings().setValue(QStringLiteral("layout/docks"), QByteArray("nonsense"));
    openWindow();
    QVERIFY(find("healthDock")->isVisible());
}

void MainWindowTest::theOverviewHasRoomAtTheFirstStart() {
    m_window->showOverview();
    QTest::qWait(50);
    QCOMPARE(m_window->size(), QSize(1280, 720));
    QVERIFY(find("healthDock")->isVisible() && find("destinationsDock")->isVisible());
    const int height = find("overviewView")->height();
    QVERIFY2(height >= 380, qPrintable(QString::number(height)));
    QVERIFY(find<Table>("destinationsTable")->visibleRows().second >= 1);
}

void MainWindowTest::theGraphsGrowWithTheWindowUntilTheyAreMoved() {
    auto* dock = find<QDockWidget>("healthDock");
    const int first = dock->height();
    m_window->resize(1600, 1200);
    QTRY_VERIFY(dock->height() > first + 80);
    m_window->resizeDocks({dock}, {250}, Qt::Vertical);
    QTRY_COMPARE(dock->height(), 250);
    m_window->resize(1600, 1300);
    QTest::qWait(50);
    QCOMPARE(dock->height(), 250);
}

void MainWindowTest::aTimeOnTheGraphsIsAVisibleFilterOfAttempts() {
    emit find<HealthDock>("healthPane")
        ->attemptsWanted(DestinationId(1), m_engine->state.at - kMinute, m_engine->state.at);
    QCOMPARE(find<QTabWidget>("tabs")->currentWidget(), find("attemptsView"));
    const auto* attempts = find<AttemptsView>("attemptsView");
    QVERIFY(attempts->findChild<FilterChip*>(QStringLiteral("rangeChip"))->isVisible());
    QCOMPARE(find<HealthDock>("healthPane")->destination(), DestinationId(1));
    emit find<HealthDock>("healthPane")->lanesWanted(DestinationId(2));
    QCOMPARE(find<QTabWidget>("tabs")->currentWidget(), find("lanesView"));
    QCOMPARE(find<HealthDock>("healthPane")->destination(), DestinationId(2));
}

void MainWindowTest::settingsAreReachedByTheirKeys() {
    QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
    QDialog* settings = dialog("settingsDialog");
    QVERIFY(settings);
    QVERIFY(settings->findChild<QWidget*>(QStringLiteral("settingsNote-store-fault")));
    settings->findChild<QPushButton*>(QStringLiteral("settingsCopyCurl"))->click();
    QVERIFY(find<MessageBar>("messageBar")->text().contains(QStringLiteral("copied")));
    find("healthDock")->hide();
    settings->findChild<QPushButton*>(QStringLiteral("settingsResetLayout"))->click();
    QVERIFY(find("healthDock")->isVisible());
    settings->reject();
    // The zone is one for everything, and kept.
    action("actionZone")->trigger();
    QCOMPARE(Preferences::zone(), TimeDisplay::Zone::local);
    openWindow();
    QVERIFY(action("actionZone")->isChecked());
}

void MainWindowTest::notesThatAreNotWantedAreNotTold() {
    auto* notes = find<TrayNotes>("trayNotes");
    QSignalSpy told(notes, &TrayNotes::told);
    QWidget other;
    other.show();
    other.activateWindow();
    QTRY_VERIFY(!m_window->isActiveWindow());
    Preferences::setWantsNote(QStringLiteral("store-fault"), false);
    m_engine->state.store.fault = "the disk is full";
    m_engine->publish();
    QCOMPARE(told.count(), 0);
    m_engine->state.intake.error = "the port is taken.";
    m_engine->publish();
    QCOMPARE(told.count(), 1);
}

void MainWindowTest::everyModelKeepsItsContract() {
    const auto models = m_window->findChildren<QAbstractItemModel*>();
    QVERIFY(models.size() >= 4);
    for (auto* model : models)
        new QAbstractItemModelTester(model, QAbstractItemModelTester::FailureReportingMode::QtTest,
                                     model);
    m_window->showDeadLetters();
    find<Table>("deadLettersTable")->selectRow(0);
    m_window->setScope(DestinationId(1));
    m_engine->addDestination("zeta");
    m_engine->lanes.pop_back();
    m_engine->publish();
    m_window->showLanes();
    QTRY_COMPARE(find<Table>("lanesTable")->model()->rowCount(), 2);
}

void MainWindowTest::copiedRowsAreExactAndHarmless() {
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->deadLetters[0].eventId = "=cmd()";
    }
    m_window->showDeadLetters();
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    auto* table = find<Table>("deadLettersTable");
    QTRY_COMPARE(table->model()->index(0, 4).data().toString(), QStringLiteral("=cmd()"));
    table->selectRow(0);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    const QStringList cells = lines[1].split(QLatin1Char('\t'));
    QCOMPARE(cells[0], QStringLiteral("2027-01-15T08:00:00.000Z"));
    QCOMPARE(cells[4], QStringLiteral("'=cmd()"));
}

void MainWindowTest::aPictureCanBeWritten() {
    const QString file = m_settings.filePath(QStringLiteral("window.png"));
    QVERIFY(m_window->grabTo(file));
    QCOMPARE(QImage(file).size(), m_window->size() * m_window->devicePixelRatio());
    QVERIFY(!m_window->grabTo(QStringLiteral("/nowhere/window.png")));
}

void MainWindowTest::hostileTextIsNeverMarkup() {
    const std::string hostile = "<img src=\"http://127.0.0.1:1/x\"><b>&amp;";
    auto& crm = m_engine->state.destinations[0];
    crm.pauseReason = hostile;
    crm.pausedBy = hostile;
    crm.lastError = hostile;
    crm.health = HealthState::paused;
    m_engine->state.store.fault = hostile;
    m_engine->lanes[0].user.text = hostile;
    m_engine->lanes[0].eventId = hostile;
    m_engine->publish();
    m_window->setScope(DestinationId(1));
    auto* table = find<Table>("lanesTable");
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QTest::keyClick(m_window.get(), Qt::Key_F9);
    QVERIFY(dialog("resumeDialog"));
    // A label that shows external text must not be left to guess whether it is markup.
    const auto labels = m_window->findChildren<QLabel*>();
    for (const QLabel* label : labels)
        if (label->text().contains(QLatin1String("<img")))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    const auto widgets = m_window->findChildren<QWidget*>();
    for (const QWidget* widget : widgets)
        QVERIFY2(!widget->toolTip().contains(QLatin1String("<img")),
                 qPrintable(widget->objectName()));
}

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
