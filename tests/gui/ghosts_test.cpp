// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/dead_letters/dead_letters_model.h"
#include "ui/lanes/lanes_model.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>

using namespace lanes;
using namespace lanes::ui;

/// Selected rows that leave their list, in the window with a scripted engine.
class GhostsTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() {
        start();
        m_window->showDeadLetters();
    }
    void cleanup() { end(); }
    void whatWasDiscardedSaysSoInItsPlace();
    void aGhostIsNotActedOnAgain();
    void ghostsGoWithTheSelection();
    void f5LetsThemGo();
    void aSelectedLaneStaysWhereItWas();

private:
    Table& dead() const { return *find<Table>("deadLettersTable"); }
    QString says(int row) const {
        return dead().model()->index(row, DeadLettersModel::DiedAt).data().toString();
    }
    void discardSecond() {
        dead().selectRow(1);
        QTest::mouseClick(find<QPushButton>("discardButton"), Qt::LeftButton);
        QTest::mouseClick(dialog("rewindDialog")
                              ->findChild<QPushButton*>(QStringLiteral("rewindAccept")),
                          Qt::LeftButton);
        QTRY_VERIFY(says(1).startsWith(QLatin1String("discarded ")));
    }
};

void GhostsTest::whatWasDiscardedSaysSoInItsPlace() {
    const QString above = dead().model()->index(0, DeadLettersModel::Event).data().toString();
    discardSecond();
    QCOMPARE(dead().model()->rowCount(), 4);
    QCOMPARE(dead().model()->index(0, DeadLettersModel::Event).data().toString(), above);
    QCOMPARE(dead().selectionModel()->selectedRows().size(), 1);
    auto* why = find("deadLettersView")->findChild<QLabel*>(QStringLiteral("whyStrip"));
    QVERIFY2(why->text().startsWith(QLatin1String("No dead letter any more: discarded ")),
             qPrintable(why->text()));
    QCOMPARE(find("deadLettersView")
                 ->findChild<QLabel*>(QStringLiteral("listCount"))
                 ->text(),
             QStringLiteral("3 dead letters"));
}

void GhostsTest::aGhostIsNotActedOnAgain() {
    discardSecond();
    QVERIFY(!find<QPushButton>("rewindButton")->isEnabled());
    QVERIFY(!action("actionDiscard")->isEnabled());
    QVERIFY(!find<QPushButton>("noteButton")->isEnabled());
    dead().selectionModel()->select(dead().model()->index(0, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(find<QPushButton>("rewindButton")->text(), QStringLiteral("Rewind selected (1)"));
    const auto commands = m_engine->submitted.size();
    QTest::mouseClick(find<QPushButton>("rewindButton"), Qt::LeftButton);
    QTest::mouseClick(
        dialog("rewindDialog")->findChild<QPushButton*>(QStringLiteral("rewindAccept")),
        Qt::LeftButton);
    QCOMPARE(m_engine->submitted.size(), commands + 1);
    QCOMPARE(lastCommand<RewindDeadLetters>()->pointers.size(), std::size_t(1));
}

void GhostsTest::ghostsGoWithTheSelection() {
    discardSecond();
    QTest::qWait(50);
    QCOMPARE(dead().model()->rowCount(), 4);
    QTest::mouseClick(dead().viewport(), Qt::LeftButton, {},
                      dead().visualRect(dead().model()->index(3, 2)).center());
    QTRY_COMPARE(dead().model()->rowCount(), 3);
    // The one that was clicked is the one that is chosen.
    QCOMPARE(dead().currentIndex().row(), 2);
    QCOMPARE(find<QPushButton>("rewindButton")->text(), QStringLiteral("Rewind selected (1)"));
}

void GhostsTest::f5LetsThemGo() {
    discardSecond();
    action("actionApply")->trigger();
    QTRY_COMPARE(dead().model()->rowCount(), 3);
    QVERIFY(dead().selectionModel()->selectedRows().isEmpty());
}

void GhostsTest::aSelectedLaneStaysWhereItWas() {
    m_window->showLanes();
    auto* lanes = find<Table>("lanesTable");
    lanes->selectRow(1);
    const QString user = lanes->model()->index(1, LanesModel::User).data().toString();
    m_engine->lanes.erase(m_engine->lanes.begin() + 1);
    const auto head = [lanes] {
        return lanes->model()->index(1, LanesModel::HeadEvent).data().toString();
    };
    for (int i = 0; i < 20 && !head().startsWith(QLatin1String("drained ")); ++i) {
        m_engine->publish();
        QTest::qWait(200);
    }
    QVERIFY2(head().startsWith(QLatin1String("drained ")), qPrintable(head()));
    QCOMPARE(lanes->model()->index(1, LanesModel::User).data().toString(), user);
    QCOMPARE(lanes->model()->rowCount(), 3);
    action("actionApply")->trigger();
    QTRY_COMPARE(lanes->model()->rowCount(), 2);
}

QTEST_MAIN(GhostsTest)
#include "ghosts_test.moc"
