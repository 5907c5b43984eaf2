// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/real_console.h"
#include "ui/attempts/attempt_list_model.h"
#include "ui/common/table.h"
#include "ui/operations/operations_model.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace lanes;
using namespace lanes::ui;

/// After an outage: what was tried, a rewind that is watched, stopped, taken back and repeated for
/// what failed again. A real window, a real engine, a real destination over HTTP.
class RewindFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_console.reset(); }
    void anOutageLeavesDeadLetters();
    void theAttemptsTellOfIt();
    void aPacedRewindIsWatchedAndStopped();
    void whatWasNotTriedIsTakenBack();
    void whatFailedAgainIsRewoundAlone();
    void everythingArrivedInOrder();

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_console->find<Widget>(name);
    }
    static void click(QWidget* button) { test::RealConsole::click(button); }
    DestinationSnapshot destination() const { return m_console->destination(); }
    Table& operations() const { return *find<Table>("operationsTable"); }
    /// What the list of operations says about the newest one.
    QString newest(int column) const {
        return operations().model()->index(0, column).data().toString();
    }
    bool press(Qt::Key key) const;
    /// Rewinds all dead letters that are listed.
    void rewindAll(double pace = 0);
    /// Opens the details of a rewind that is newer than the one before, once it is listed.
    void chooseNewest();

    static constexpr int kUsers = 4;
    static constexpr int kEach = 5;
    static constexpr std::uint64_t kEvents = kUsers * kEach;
    std::unique_ptr<test::RealConsole> m_console;
    int m_chosen = 0;  ///< number of the last rewind that was looked at
};

void RewindFlowTest::initTestCase() {
    m_console = std::make_unique<test::RealConsole>();
    QVERIFY(m_console->open());
    SetDestination add;
    add.config.name = "shop";
    add.config.url = m_console->url();
    add.config.policy.window = kMinute;
    m_console->engine().submit(add);
    QTRY_COMPARE_WITH_TIMEOUT(m_console->engine().snapshot()->destinations.size(), std::size_t(1),
                              10000);
}

bool RewindFlowTest::press(Qt::Key key) const {
    // Keys go to the active window, and a dialog that closed leaves none on this platform.
    m_console->window().activateWindow();
    if (!QTest::qWaitForWindowActive(&m_console->window())) return false;
    auto* tabs = find<QTabWidget>("tabs");
    const int before = tabs->currentIndex();
    QTest::keyClick(&m_console->window(), key, Qt::ControlModifier);
    return tabs->currentIndex() != before;
}

void RewindFlowTest::rewindAll(double pace) {
    QVERIFY(press(Qt::Key_3));
    auto* dead = find<Table>("deadLettersTable");
    // What was selected before keeps the list as it is until somebody asks.
    QTest::keyClick(&m_console->window(), Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<std::uint64_t>(dead->model()->rowCount()),
                              destination().counters.dead, 20000);
    dead->selectAll();
    click(find<QPushButton>("rewindButton"));
    QTRY_VERIFY(m_console->dialog("rewindDialog"));
    QDialog* box = m_console->dialog("rewindDialog");
    test::RealConsole::findIn<QDoubleSpinBox>(box, "rewindPace")->setValue(pace);
    click(test::RealConsole::findIn<QPushButton>(box, "rewindAccept"));
    QTRY_VERIFY(!m_console->dialog("rewindDialog"));
}

void RewindFlowTest::chooseNewest() {
    operations().clearSelection();
    m_console->window().showOperations();
    QTRY_VERIFY_WITH_TIMEOUT(newest(OperationsModel::Action) == QLatin1String("rewind") &&
                                 newest(OperationsModel::Id).toInt() > m_chosen,
                             20000);
    m_chosen = newest(OperationsModel::Id).toInt();
    operations().selectRow(0);
    QTest::keyClick(&operations(), Qt::Key_Return);
}

void RewindFlowTest::anOutageLeavesDeadLetters() {
    MockBehaviour down = m_console->mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    QVERIFY(m_console->setMock(down));
    for (const char* user : {"anna", "bela", "chen", "gift"})
        QVERIFY(m_console->send(user, 1, kEach));
    QTRY_COMPARE(destination().counters.waiting, kEvents);
    // The window of a minute is over in a second and a half.
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, kEvents, 60000);
    QVERIFY(m_console->setScale(1));
}

void RewindFlowTest::theAttemptsTellOfIt() {
    QVERIFY(press(Qt::Key_4));
    auto* table = find<Table>("attemptsTable");
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<std::uint64_t>(table->model()->rowCount()),
                              destination().attempts, 20000);
    QSet<QString> users;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const auto text = [&](int column) {
            return table->model()->index(row, column).data().toString();
        };
        QCOMPARE(text(AttemptListModel::OutcomeColumn), QStringLiteral("unreachable"));
        QCOMPARE(text(AttemptListModel::Destination), QStringLiteral("shop"));
        QVERIFY(text(AttemptListModel::Event).startsWith(text(AttemptListModel::User)));
        users.insert(text(AttemptListModel::User));
    }
    QVERIFY(!users.isEmpty());
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    auto* view = find<QWidget>("attemptsView");
    auto* response = test::RealConsole::findIn<QPlainTextEdit>(view, "detailsResponse");
    QTRY_VERIFY(response->placeholderText().startsWith(QLatin1String("No answer came: ")));
    QTRY_VERIFY(test::RealConsole::findIn<QPlainTextEdit>(view, "detailsBody")
                    ->toPlainText()
                    .contains(QLatin1String("\"n\"")));
}

void RewindFlowTest::aPacedRewindIsWatchedAndStopped() {
    MockBehaviour up = m_console->mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    up.poisonUser = "gift";
    QVERIFY(m_console->setMock(up));
    rewindAll(2);
    auto* bar = find<QToolButton>("statusOperation");
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 10000);
    QVERIFY(bar->text().startsWith(QLatin1String("Rewind: ")));
    QTRY_COMPARE(find<QTabWidget>("tabs")->tabText(4), QStringLiteral("Operations (1 running)"));
    // The bar leads to the row, which moves by itself.
    click(bar);
    QCOMPARE(find<QTabWidget>("tabs")->currentIndex(), 4);
    QTRY_COMPARE_WITH_TIMEOUT(operations().currentIndex().row(), 0, 10000);
    QCOMPARE(newest(OperationsModel::State), QStringLiteral("moving"));
    m_chosen = newest(OperationsModel::Id).toInt();
    const int moved = newest(OperationsModel::Moved).toInt();
    QTRY_VERIFY_WITH_TIMEOUT(newest(OperationsModel::Moved).toInt() > moved + 1, 20000);
    auto* stop = find<QPushButton>("operationStop");
    QVERIFY(find<QLabel>("operationStopSays")->text().contains(QLatin1String("stay dead letters")));
    click(stop);
    QTRY_COMPARE_WITH_TIMEOUT(newest(OperationsModel::State), QStringLiteral("stopped"), 10000);
    QTRY_VERIFY(!stop->isVisible());
    const auto row = operations().model()->index(0, OperationsModel::Moved).data().toULongLong();
    QVERIFY(row > 0 && row < kEvents);
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, kEvents - row, 10000);
}

void RewindFlowTest::whatWasNotTriedIsTakenBack() {
    m_console->engine().submit(PauseDestination{destination().id, "anna", "look first"});
    QTRY_COMPARE_WITH_TIMEOUT(destination().health, HealthState::paused, 10000);
    const std::uint64_t dead = destination().counters.dead;
    rewindAll();
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(0), 10000);
    chooseNewest();
    auto* undo = find<QPushButton>("operationUndo");
    QTRY_COMPARE_WITH_TIMEOUT(
        undo->text(), QStringLiteral("Return %1 untried to the dead letters").arg(dead), 10000);
    click(undo);
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, dead, 10000);
    QTRY_COMPARE_WITH_TIMEOUT(operations()
                                  .model()
                                  ->index(operations().currentIndex().row(), OperationsModel::State)
                                  .data()
                                  .toString(),
                              QStringLiteral("finished"), 10000);
    QVERIFY(find<QLabel>("operationSentence")
                ->text()
                .contains(QStringLiteral("%1 returned to where they came from").arg(dead)));
}

void RewindFlowTest::whatFailedAgainIsRewoundAlone() {
    m_console->engine().submit(ResumeDestination{destination().id, "anna"});
    rewindAll();
    chooseNewest();
    // The poisoned user's events fail for as long as their window; the others are delivered.
    QTRY_VERIFY_WITH_TIMEOUT(newest(OperationsModel::Delivered).toInt() > 0, 30000);
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(newest(OperationsModel::State), QStringLiteral("finished"), 60000);
    QVERIFY(m_console->setScale(1));
    QTRY_VERIFY_WITH_TIMEOUT(newest(OperationsModel::FailedAgain).toInt() > 0, 10000);
    const QString again = newest(OperationsModel::FailedAgain);
    MockBehaviour well = m_console->mock().behaviour;
    well.poisonUser.clear();
    QVERIFY(m_console->setMock(well));
    auto* button = find<QPushButton>("operationRewindFailed");
    QTRY_COMPARE(button->text(), QStringLiteral("Rewind the %1 that failed again…").arg(again));
    click(button);
    QTRY_VERIFY_WITH_TIMEOUT(m_console->dialog("rewindDialog"), 10000);
    auto* accept =
        test::RealConsole::findIn<QPushButton>(m_console->dialog("rewindDialog"), "rewindAccept");
    QCOMPARE(accept->text(), QStringLiteral("Rewind %1 events").arg(again));
    const std::uint64_t delivered = destination().counters.delivered;
    click(accept);
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.delivered, delivered + again.toULongLong(),
                              60000);
    chooseNewest();
    QCOMPARE(
        newest(OperationsModel::Scope),
        QStringLiteral("%1 that failed again after operation %2")
            .arg(again, operations().model()->index(1, OperationsModel::Id).data().toString()));
    QTRY_COMPARE_WITH_TIMEOUT(newest(OperationsModel::State), QStringLiteral("finished"), 10000);
}

void RewindFlowTest::everythingArrivedInOrder() {
    if (destination().counters.dead > 0) rewindAll();
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.delivered, kEvents, 60000);
    QCOMPARE(m_console->mock().accepted, kEvents);
    QCOMPARE(m_console->mock().orderViolations, std::uint64_t(0));
    QCOMPARE(m_console->mock().duplicates, std::uint64_t(0));
    QCOMPARE(m_console->mock().overlaps, std::uint64_t(0));
    QVERIFY(m_console->engine().snapshot()->totals.balanced());
    QTRY_VERIFY_WITH_TIMEOUT(!find<QToolButton>("statusOperation")->isVisible(), 10000);
}

QTEST_MAIN(RewindFlowTest)
#include "rewind_flow_test.moc"
