// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/common/list_page.h"
#include "ui/common/live_order.h"
#include "ui/common/preferences.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

/// Whether lists move by themselves, in the window with a scripted engine.
class LiveOrderTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() { start(); }
    void cleanup() { end(); }
    void newRowsComeByThemselvesWhileItIsOn();
    void withoutItTheyWaitBehindThePill();
    void eachListHasItsOwnSwitch();
    void itIsKept();
    void whateverIsUnderWayHoldsTheRows_data();
    void whateverIsUnderWayHoldsTheRows();

private:
    Table& dead() const { return *find<Table>("deadLettersTable"); }
    int rows() const { return dead().model()->rowCount(); }
    LiveOrder& live(const char* view) const { return find<ListPage>(view)->live(); }
    QString pill() const {
        auto* pill = find("deadLettersView")
                         ->findChild<QPushButton*>(QStringLiteral("pendingChanges"));
        return pill->isVisible() ? pill->text() : QString();
    }
    /// One more dies, and what is read again then has been read.
    void die(std::uint64_t user) {
        m_engine->addDeadLetter(DestinationId(1), user);
        m_engine->updateTotals();
        m_engine->publish();
    }
    void press(Qt::Key key) {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), key, Qt::ControlModifier);
    }
};

void LiveOrderTest::newRowsComeByThemselvesWhileItIsOn() {
    m_window->showDeadLetters();
    QVERIFY(action("actionLiveOrder")->isChecked());
    die(5);
    QTRY_COMPARE(rows(), 5);
    QCOMPARE(pill(), QString());
}

void LiveOrderTest::withoutItTheyWaitBehindThePill() {
    m_window->showDeadLetters();
    press(Qt::Key_L);
    QVERIFY(!action("actionLiveOrder")->isChecked());
    die(5);
    QTRY_COMPARE(pill(), QStringLiteral("1 new · F5"));
    // Longer than any list waits.
    QTest::qWait(1500);
    m_engine->publish();
    QCOMPARE(rows(), 4);
    press(Qt::Key_L);
    for (int i = 0; i < 8 && rows() == 4; ++i) {
        QTest::qWait(500);
        m_engine->publish();
    }
    QTRY_COMPARE(rows(), 5);
}

void LiveOrderTest::eachListHasItsOwnSwitch() {
    auto* toggle = find("lanesView")->findChild<QToolButton*>(QStringLiteral("liveOrderToggle"));
    QVERIFY(toggle->isChecked());
    QTest::mouseClick(toggle, Qt::LeftButton);
    QVERIFY(!live("lanesView").isOn());
    QVERIFY(!action("actionLiveOrder")->isChecked());
    m_window->showDeadLetters();
    QVERIFY(live("deadLettersView").isOn());
    QVERIFY(action("actionLiveOrder")->isChecked());
    m_window->showOverview();
    QVERIFY(!action("actionLiveOrder")->isEnabled());
}

void LiveOrderTest::itIsKept() {
    live("attemptsView").setOn(false);
    m_window.reset();
    openWindow();
    QVERIFY(!live("attemptsView").isOn());
    QVERIFY(live("operationsView").isOn());
}

void LiveOrderTest::whateverIsUnderWayHoldsTheRows_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"a selection", "a scrolled list", "a menu", "a dialog", "typing"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void LiveOrderTest::whateverIsUnderWayHoldsTheRows() {
    QFETCH(QString, what);
    m_window->showDeadLetters();
    for (std::uint64_t user = 5; user < 100; ++user)
        m_engine->addDeadLetter(DestinationId(1), user);
    m_engine->updateTotals();
    m_engine->publish();
    QTRY_COMPARE(rows(), 99);
    auto& order = live("deadLettersView");
    QTRY_VERIFY(order.mayMove());
    if (what == QLatin1String("a selection")) {
        dead().selectRow(0);
    } else if (what == QLatin1String("a scrolled list")) {
        dead().verticalScrollBar()->setValue(3);
    } else if (what == QLatin1String("a menu")) {
        auto* menu = new QMenu(m_window.get());
        menu->addAction(QStringLiteral("x"));
        menu->popup({0, 0});
    } else if (what == QLatin1String("a dialog")) {
        auto* box = new QDialog(m_window.get());
        box->open();
    } else {
        QTest::keyClicks(find<QLineEdit>("filterEdit"), QStringLiteral("u"));
    }
    QVERIFY(!order.mayMove());
}

QTEST_MAIN(LiveOrderTest)
#include "live_order_test.moc"
