// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/dead_letters/groups_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QTimer>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

/// The groups at the left of the dead letters, in the whole window against a scripted engine: three
/// dead letters of crm and one of billing.
class DeadLetterGroupsTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init();
    void cleanup() { end(); }
    void groupsAreCountedByErrorAndDestination();
    void aClickShowsTheGroupByChips();
    void theKeyboardDoesTheSame();
    void otherGroupsAreChosenAbove();
    void newDeathsWaitUntilTheyAreAskedFor();
    void aFrozenViewSaysNothingOfNewDeaths();
    void manySlicesMakeOneCount();
    void aCountIsStopped();
    void hiddenStaysHiddenAndCountsNothing();

private:
    void openGroups(int rows);
    QString cell(int row, GroupsModel::Column column) const {
        return m_groups->model()->index(row, column).data().toString();
    }
    QString words() const { return find<QLabel>("groupsState")->text(); }
    int listed() const { return find<Table>("deadLettersTable")->model()->rowCount(); }

    QSemaphore m_pages;  ///< outlives whoever waits for it
    Table* m_groups = nullptr;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void DeadLetterGroupsTest::init() {
    start();
    m_engine->store->deadLetters[1].lastOutcome = Outcome::refused;
    m_engine->store->deadLetters[1].type = "order.created";
    openGroups(3);
}

void DeadLetterGroupsTest::openGroups(int rows) {
    m_window->showDeadLetters();
    m_groups = find<Table>("groupsTable");
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_groups->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_COMPARE(m_groups->model()->rowCount(), rows);
}

void DeadLetterGroupsTest::groupsAreCountedByErrorAndDestination() {
    QCOMPARE(cell(0, GroupsModel::Group), QStringLiteral("failed · crm"));
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("2"));
    QVERIFY2(words().contains(QStringLiteral(" UTC: 4 dead letters in 3 groups")),
             qPrintable(words()));
}

void DeadLetterGroupsTest::aClickShowsTheGroupByChips() {
    const auto place = m_groups->visualRect(m_groups->model()->index(0, GroupsModel::Group));
    QTest::mouseClick(m_groups->viewport(), Qt::LeftButton, {}, place.center());
    QTRY_COMPARE(listed(), 2);
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("dest:crm outcome:failed"));
    QCOMPARE(m_window->findChildren<QWidget*>(QStringLiteral("filterChip")).size(), 2);
    // The groups are those of what is left.
    QTRY_COMPARE(m_groups->model()->rowCount(), 1);
    // Once more adds nothing.
    QTest::mouseClick(m_groups->viewport(), Qt::LeftButton, {}, place.center());
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("dest:crm outcome:failed"));
    find("filterStrip")->findChild<QToolButton*>(QStringLiteral("filterRemove"))->click();
    QTRY_COMPARE(m_groups->model()->rowCount(), 2);
}

void DeadLetterGroupsTest::theKeyboardDoesTheSame() {
    m_groups->setFocus();
    m_groups->setCurrentIndex(m_groups->model()->index(0, 0));
    QTest::keyClick(m_groups, Qt::Key_Down);
    QCOMPARE(listed(), 4);
    const QString group = cell(1, GroupsModel::Group);
    QTest::keyClick(m_groups, Qt::Key_Return);
    QTRY_COMPARE(listed(), 1);
    QTRY_COMPARE(m_groups->model()->rowCount(), 1);
    QCOMPARE(cell(0, GroupsModel::Group), group);
}

void DeadLetterGroupsTest::otherGroupsAreChosenAbove() {
    auto* by = find<QComboBox>("groupsBy");
    by->setCurrentIndex(1);
    QTRY_COMPARE(m_groups->model()->rowCount(), 2);
    QCOMPARE(cell(0, GroupsModel::Group), QStringLiteral("order.updated"));
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("3"));
    by->setCurrentIndex(2);
    QTRY_COMPARE(m_groups->model()->rowCount(), 4);
    // They are kept like the rest of the layout.
    m_tester.reset();
    m_window->close();
    m_window.reset();
    openWindow();
    openGroups(4);
    QCOMPARE(find<QComboBox>("groupsBy")->currentIndex(), 2);
}

void DeadLetterGroupsTest::newDeathsWaitUntilTheyAreAskedFor() {
    auto* act = find<QPushButton>("groupsAct");
    QTRY_VERIFY(!act->isVisible());
    m_engine->addDeadLetter(DestinationId(1), 9);
    m_engine->publish();
    QTRY_VERIFY(act->isVisible());
    QTest::qWait(300);
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("2"));
    action("actionApply")->trigger();
    QTRY_COMPARE(cell(0, GroupsModel::Count), QStringLiteral("3"));
    QTRY_VERIFY(!act->isVisible());
}

void DeadLetterGroupsTest::aFrozenViewSaysNothingOfNewDeaths() {
    m_window->setFrozen(true);
    m_engine->addDeadLetter(DestinationId(1), 9);
    m_engine->publish();
    m_engine->publish();
    QTest::qWait(300);
    QVERIFY(!find<QPushButton>("groupsAct")->isVisible());
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("2"));
    m_window->setFrozen(false);
    QTRY_VERIFY(find<QPushButton>("groupsAct")->isVisible());
    QCOMPARE(cell(0, GroupsModel::Count), QStringLiteral("2"));
}

void DeadLetterGroupsTest::manySlicesMakeOneCount() {
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->lookedAtOnce = 3;
    }
    for (std::uint64_t user = 10; user < 210; ++user)
        m_engine->addDeadLetter(DestinationId(2), user);
    m_engine->publish();
    action("actionApply")->trigger();
    QTRY_COMPARE(cell(0, GroupsModel::Count), QStringLiteral("201"));
    QVERIFY(words().contains(QStringLiteral("204 dead letters in 3 groups")));
}

void DeadLetterGroupsTest::aCountIsStopped() {
    auto& pages = m_pages;
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->lookedAtOnce = 1;
        m_engine->store->beforePage = [&pages] { pages.acquire(); };
    }
    QTimer pace;
    connect(&pace, &QTimer::timeout, this, [&pages] { pages.release(); });
    pace.start(4);
    for (std::uint64_t user = 10; user < 60; ++user)
        m_engine->addDeadLetter(DestinationId(2), user);
    m_engine->publish();
    action("actionApply")->trigger();
    QTRY_VERIFY(words().startsWith(QStringLiteral("Counting: ")));
    QTRY_VERIFY(!words().startsWith(QStringLiteral("Counting: 0 ")));
    auto* act = find<QPushButton>("groupsAct");
    QCOMPARE(act->text(), QStringLiteral("Stop"));
    act->click();
    QTRY_VERIFY(words().contains(QStringLiteral("Stopped: ")));
    QVERIFY(!words().contains(QStringLiteral("54 dead letters")));
    const std::scoped_lock lock(m_engine->store->mutex);
    m_engine->store->beforePage = {};
    pages.release(1000);  // for who waits
}

void DeadLetterGroupsTest::hiddenStaysHiddenAndCountsNothing() {
    auto* toggle = find("deadLettersView")->findChild<QToolButton*>(QStringLiteral("sideToggle"));
    QVERIFY(toggle->isChecked());
    toggle->click();
    QVERIFY(!find("groupsPanel")->isVisible());
    m_tester.reset();
    m_window->close();
    m_window.reset();
    openWindow();
    m_window->showDeadLetters();
    QVERIFY(!find("groupsPanel")->isVisible());
    QTest::qWait(300);
    QCOMPARE(find<Table>("groupsTable")->model()->rowCount(), 0);
    find("deadLettersView")->findChild<QToolButton*>(QStringLiteral("sideToggle"))->click();
    QTRY_COMPARE(find<Table>("groupsTable")->model()->rowCount(), 3);
    action("actionResetLayout")->trigger();
    QVERIFY(find("groupsPanel")->isVisible());
}

QTEST_MAIN(DeadLetterGroupsTest)
#include "dead_letter_groups_test.moc"
