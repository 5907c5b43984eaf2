// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/real_console.h"
#include "ui/common/message_bar.h"
#include "ui/common/table.h"
#include "ui/dead_letters/dead_letters_model.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace lanes;
using namespace lanes::ui;

/// The main job by mouse and keyboard: a real window, a real engine, a real destination over HTTP.
class ConsoleFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void aDestinationIsAddedInTheWindow();
    void eventsArrive();
    void pauseKeepsEventsBack();
    void resumeSendsThem();
    void eventsOfADestinationThatIsDownDie();
    void rewoundEventsArriveInOrder();
    void allThatMatchAreRewoundAndNewcomersStay();

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_console->find<Widget>(name);
    }
    template <typename Widget>
    Widget* findIn(QWidget* parent, const char* name) const {
        return m_console->findIn<Widget>(parent, name);
    }
    QDialog* dialog(const char* name) const { return m_console->dialog(name); }
    void click(QWidget* button) const { m_console->click(button); }
    MockReport mock() const { return m_console->mock(); }
    DestinationSnapshot destination() const { return m_console->destination(); }

    std::unique_ptr<test::RealConsole> m_console;
};

void ConsoleFlowTest::initTestCase() {
    m_console = std::make_unique<test::RealConsole>();
    QVERIFY(m_console->open());
}

void ConsoleFlowTest::cleanupTestCase() {
    m_console.reset();
}

void ConsoleFlowTest::aDestinationIsAddedInTheWindow() {
    QTRY_VERIFY(find<QToolButton>("addDestinationButton")->isEnabled());
    click(find<QToolButton>("addDestinationButton"));
    QDialog* box = dialog("destinationDialog");
    QVERIFY(box);
    findIn<QLineEdit>(box, "destinationName")->setText(QStringLiteral("shop"));
    findIn<QLineEdit>(box, "destinationUrl")->setText(QString::fromStdString(m_console->url()));
    findIn<QComboBox>(box, "destinationWindowUnit")->setCurrentIndex(0);
    findIn<QSpinBox>(box, "destinationWindow")->setValue(1);
    click(findIn<QPushButton>(box, "destinationAccept"));
    auto* list = find<QListView>("destinationsList");
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), 2, 10000);
    QTRY_VERIFY(!dialog("destinationDialog"));
    QCOMPARE(m_console->engine().snapshot()->destinations.at(0).window, kMinute);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(1, 0)).center());
}

void ConsoleFlowTest::eventsArrive() {
    for (const char* user : {"anna", "bela", "chen"}) QVERIFY(m_console->send(user, 1, 5));
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(15), 10000);
    QTRY_COMPARE(destination().counters.delivered, std::uint64_t(15));
}

void ConsoleFlowTest::pauseKeepsEventsBack() {
    QTRY_VERIFY(find<QPushButton>("pauseButton")->isEnabled());
    click(find<QPushButton>("pauseButton"));
    QDialog* box = dialog("pauseDialog");
    QVERIFY(box);
    click(findIn<QPushButton>(box, "pauseAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(destination().health, HealthState::paused, 10000);
    for (const char* user : {"anna", "bela", "chen"}) QVERIFY(m_console->send(user, 6, 2));
    QTRY_COMPARE_WITH_TIMEOUT(find<QToolButton>("statusBacklog")->text(),
                              QStringLiteral("backlog 6"), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("lanesTable")->model()->rowCount(), 3, 10000);
    QCOMPARE(mock().accepted, std::uint64_t(15));
}

void ConsoleFlowTest::resumeSendsThem() {
    QTRY_COMPARE(find<QPushButton>("pauseButton")->text(), QStringLiteral("Resume…"));
    click(find<QPushButton>("pauseButton"));
    QDialog* box = dialog("resumeDialog");
    QVERIFY(box);
    click(findIn<QPushButton>(box, "resumeAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(21), 20000);
    QTRY_COMPARE_WITH_TIMEOUT(find<QToolButton>("statusBacklog")->text(),
                              QStringLiteral("backlog 0"), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("lanesTable")->model()->rowCount(), 0, 10000);
}

void ConsoleFlowTest::eventsOfADestinationThatIsDownDie() {
    MockBehaviour down = mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    QVERIFY(m_console->setMock(down));
    QVERIFY(m_console->send("anna", 8, 4));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(4));
    // The window of a minute is over in a second and a half.
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(4), 30000);
    QVERIFY(m_console->setScale(1));
    click(find<QToolButton>("statusDead"));
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("deadLettersTable")->model()->rowCount(), 4, 10000);
}

void ConsoleFlowTest::rewoundEventsArriveInOrder() {
    MockBehaviour up = mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    QVERIFY(m_console->setMock(up));
    find<Table>("deadLettersTable")->selectAll();
    QCOMPARE(find<QPushButton>("rewindButton")->text(), QStringLiteral("Rewind selected (4)"));
    click(find<QPushButton>("rewindButton"));
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = findIn<QPushButton>(box, "rewindAccept");
    QCOMPARE(accept->text(), QStringLiteral("Rewind 4 events"));
    click(accept);
    QTRY_VERIFY_WITH_TIMEOUT(
        find<MessageBar>("messageBar")->text().contains(QLatin1String("4 moved")), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(25), 30000);
    // What was selected says what became of it until somebody has seen it.
    auto* table = find<Table>("deadLettersTable");
    QCOMPARE(table->model()->rowCount(), 4);
    QVERIFY(table->model()
                ->index(0, DeadLettersModel::DiedAt)
                .data()
                .toString()
                .startsWith(QLatin1String("rewound ")));
    find<QAction>("actionApply")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 0, 10000);
    QCOMPARE(mock().orderViolations, std::uint64_t(0));
    QCOMPARE(mock().duplicates, std::uint64_t(0));
    QCOMPARE(mock().overlaps, std::uint64_t(0));
    // Newest first: the last four accepted are the rewound ones, in their original order.
    std::vector<std::uint64_t> sequences;
    for (const auto& line : m_console->mocks().log(0))
        if (line.status == 200 && sequences.size() < 4) sequences.push_back(line.sequence);
    QCOMPARE(sequences.size(), std::size_t(4));
    QVERIFY(std::is_sorted(sequences.rbegin(), sequences.rend()));
    QTRY_VERIFY(m_console->engine().snapshot()->totals.balanced());
    QTRY_COMPARE(destination().counters.delivered, std::uint64_t(25));
}

void ConsoleFlowTest::allThatMatchAreRewoundAndNewcomersStay() {
    MockBehaviour down = mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    QVERIFY(m_console->setMock(down));
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::down);
    QVERIFY(m_console->send("bela", 8, 3));
    QVERIFY(m_console->send("chen", 8, 2));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(5));
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(5), 30000);
    QVERIFY(m_console->setScale(1));
    m_console->window().activateWindow();
    QTRY_VERIFY(m_console->window().isActiveWindow());
    QTest::keyClick(&m_console->window(), Qt::Key_Slash);
    auto* edit = find<QLineEdit>("filterEdit");
    QVERIFY(edit->hasFocus());
    QTest::keyClicks(edit, QStringLiteral("user:bela payload~\"n\" "));
    QTest::keyClick(edit, Qt::Key_Return);
    auto* matching = find<QPushButton>("rewindMatchingButton");
    QTRY_COMPARE_WITH_TIMEOUT(matching->text(), QStringLiteral("Rewind all matching (3)…"), 10000);
    click(matching);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = findIn<QPushButton>(box, "rewindAccept");
    QTRY_COMPARE(accept->text(), QStringLiteral("Rewind 3 events"));
    // One more that matches dies while somebody thinks.
    QVERIFY(m_console->send("bela", 11, 1));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(1));
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(6), 30000);
    QVERIFY(m_console->setScale(1));
    auto* newcomers = findIn<QLabel>(box, "rewindNewcomers");
    QTRY_COMPARE(newcomers->text(), QStringLiteral("1 more that matches has died since; it is "
                                                   "not included."));
    MockBehaviour up = mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    QVERIFY(m_console->setMock(up));
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::answer);
    click(accept);
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(28), 30000);
    QTRY_COMPARE(destination().counters.dead, std::uint64_t(3));
    QTRY_COMPARE_WITH_TIMEOUT(matching->text(), QStringLiteral("Rewind all matching (1)…"), 10000);
    QCOMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 1);
    QCOMPARE(mock().orderViolations, std::uint64_t(0));
}

QTEST_MAIN(ConsoleFlowTest)
#include "console_flow_test.moc"
