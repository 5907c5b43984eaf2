// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/common/kept_filters.h"
#include "ui/health/health_dock.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

using namespace lanes;
using namespace lanes::ui;

/// The filter in the whole window, against a scripted engine.
class WindowFilterTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() { start(); }
    void cleanup() { end(); }
    void aFilterNarrowsTheListThatIsShown();
    void whatIsLookedForTooLongIsCancelledAndStaysSo();
    void rewindMatchingTakesTheFilterAndLeavesNewcomers();
    void manyAreRewoundOnlyWhenTheirNumberIsTyped();
    void cellsAreFilters();
    void savedFiltersAreCountedByTheLists();
    void aTimeOnTheGraphsIsAFilterOfLanesAndDeadLetters();

private:
    void filterBy(const char* text);
};

void WindowFilterTest::filterBy(const char* text) {
    m_window->activateWindow();
    QTRY_VERIFY(m_window->isActiveWindow());
    auto* edit = find<QLineEdit>("filterEdit");
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QVERIFY(edit->hasFocus());
    edit->setText(QString::fromUtf8(text));
    QTest::keyClick(edit, Qt::Key_Return);
}

void WindowFilterTest::aFilterNarrowsTheListThatIsShown() {
    m_engine->lanes[1].attempts = 9;
    m_engine->lanes[2].state = LaneState::held;
    m_engine->publish();
    auto* lanes = find<Table>("lanesTable");
    filterBy("attempts>=9");
    QTRY_COMPARE(lanes->model()->rowCount(), 1);
    QVERIFY(m_engine->pageRequests.back().filter.asks(FilterField::attempts));
    QTest::keyClick(find<QLineEdit>("filterEdit"), Qt::Key_Escape);
    QVERIFY(lanes->hasFocus());
    QTRY_COMPARE(find("lanesView")->findChild<QLabel*>(QStringLiteral("listCount"))->text(),
                 QStringLiteral("one lane fits"));
    filterBy("attempts>=9 state:held");
    QTRY_COMPARE(lanes->model()->rowCount(), 0);
    auto* message = find<QLabel>("filterMessage");
    QTRY_COMPARE(message->accessibleName(),
                 QStringLiteral("Nothing fits; 1 would without attempts>=9."));
    QTest::mouseClick(find<QToolButton>("filterAct"), Qt::LeftButton);
    QTRY_COMPARE(lanes->model()->rowCount(), 1);
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("state:held"));
    // One destination alone is the engine's own order, whatever its length.
    filterBy("dest:crm");
    QTRY_COMPARE(lanes->model()->rowCount(), 3);
    QVERIFY(m_engine->pageRequests.back().filter.isEverything());
    QCOMPARE(m_engine->pageRequests.back().destination, DestinationId(1));
    // The other list has its own.
    m_window->showDeadLetters();
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("dest:crm"));
    filterBy("user:user-2");
    QTRY_COMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 1);
    m_window->showLanes();
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QString());
    filterBy("state:nonsense");
    QVERIFY(find<QLabel>("filterMessage")
                ->accessibleName()
                .startsWith(QLatin1String("\"nonsense\" is none of its words.")));
    QCOMPARE(lanes->model()->rowCount(), 3);
}

void WindowFilterTest::whatIsLookedForTooLongIsCancelledAndStaysSo() {
    m_engine->lanesLookedAt = 2;
    filterBy("attempts>=4");
    auto* message = find<QLabel>("filterMessage");
    auto* act = find<QToolButton>("filterAct");
    QTRY_COMPARE(message->accessibleName(),
                 QStringLiteral("Looks at each lane: 2 of 3 so far, 2 fit…"));
    QCOMPARE(act->text(), QStringLiteral("Cancel"));
    QTest::mouseClick(act, Qt::LeftButton);
    QTRY_VERIFY(!m_engine->pageRequests.back().look);
    QTRY_COMPARE(message->accessibleName(),
                 QStringLiteral("Ended after 2 of 3 lanes; 2 fit so far."));
    const auto asked = m_engine->pageRequests.size();
    QTRY_VERIFY(m_engine->pageRequests.size() > asked + 1);
    QVERIFY(!m_engine->pageRequests.back().look);
    QTest::mouseClick(act, Qt::LeftButton);
    QTRY_VERIFY(m_engine->pageRequests.back().look);

    // Dead letters are looked at by the reader, which is asked no more.
    m_window->showDeadLetters();
    for (std::uint64_t user = 10; user < 400; ++user)
        m_engine->addDeadLetter(DestinationId(1), user);
    m_engine->publish();
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->lookedAtOnce = 1;
    }
    filterBy("payload~nothing");
    QTRY_COMPARE(act->text(), QStringLiteral("Cancel"));
    QVERIFY(message->accessibleName().startsWith(QLatin1String("Looks at each dead letter")));
    QTest::mouseClick(act, Qt::LeftButton);
    QVERIFY(message->accessibleName().startsWith(QLatin1String("Ended at those that died")));
    m_engine->addDeadLetter(DestinationId(1), 500);
    for (int n = 0; n < 3; ++n) m_engine->publish();
    QTest::qWait(50);
    QVERIFY(message->accessibleName().startsWith(QLatin1String("Ended at those that died")));
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->lookedAtOnce = 0;
    }
    QTest::mouseClick(act, Qt::LeftButton);
    QTRY_COMPARE(message->accessibleName(),
                 QStringLiteral("Nothing fits; 395 would without payload~nothing."));
}

void WindowFilterTest::rewindMatchingTakesTheFilterAndLeavesNewcomers() {
    m_window->showDeadLetters();
    auto* button = find<QPushButton>("rewindMatchingButton");
    QTRY_COMPARE(button->text(), QStringLiteral("Rewind all matching (4)…"));
    filterBy("user:user-*  NOT user:user-3 dest:crm");
    QTRY_COMPARE(button->text(), QStringLiteral("Rewind all matching (2)…"));
    // What is selected is another command.
    find<Table>("deadLettersTable")->selectRow(0);
    QCOMPARE(find<QPushButton>("rewindButton")->text(), QStringLiteral("Rewind selected (1)"));
    const auto letters = m_engine->store->deadLetters;
    m_engine->state.at += kMinute;  // the youngest was of this moment
    m_engine->publish();
    QTest::keyClick(m_window.get(), Qt::Key_F8, Qt::ShiftModifier);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    QCOMPARE(box->findChild<QLabel*>(QStringLiteral("rewindFilter"))->text(),
             QStringLiteral("user:user-* NOT user:user-3 dest:crm"));
    auto* accept = box->findChild<QPushButton*>(QStringLiteral("rewindAccept"));
    QTRY_COMPARE(accept->text(), QStringLiteral("Rewind 2 events"));
    QVERIFY(accept->isEnabled());
    QVERIFY(!accept->isDefault());
    QCOMPARE(box->findChild<QLabel*>(QStringLiteral("rewindTitle"))->text(),
             QStringLiteral("2 events back into 2 lanes?"));
    // Two that match die while the dialog is open, one that does not.
    m_engine->state.at += kSecond;
    for (const std::uint64_t user : {7u, 8u}) {
        auto& row = m_engine->addDeadLetter(DestinationId(1), user);
        const std::scoped_lock lock(m_engine->store->mutex);
        row.diedAt = m_engine->state.at;
    }
    m_engine->addDeadLetter(DestinationId(2), 9);
    m_engine->publish();
    auto* newcomers = box->findChild<QLabel*>(QStringLiteral("rewindNewcomers"));
    QTRY_COMPARE(newcomers->text(), QStringLiteral("2 more that match have died since; they are "
                                                   "not included."));
    QVERIFY(newcomers->isVisible());
    QTest::mouseClick(accept, Qt::LeftButton);
    const auto* command = lastCommand<RewindDeadLetters>();
    QVERIFY(command);
    QCOMPARE(command->pointers, (std::vector{letters[0].pointer, letters[1].pointer}));
    // The number is the same before the two have gone and after the two newcomers were read.
    const auto gone = [&] {
        const std::scoped_lock lock(m_engine->store->mutex);
        const auto& left = m_engine->store->deadLetters;
        return std::none_of(left.begin(), left.end(), [&](const DeadLetterRow& row) {
            return row.pointer == letters[0].pointer || row.pointer == letters[1].pointer;
        });
    };
    QTRY_VERIFY(gone());
    QTRY_COMPARE(button->text(), QStringLiteral("Rewind all matching (2)…"));
    // Discarding is asked for in the same way.
    auto* discard = find<QPushButton>("discardMatchingButton");
    // While the list is read again there is nothing to ask about.
    QVERIFY(QTest::qWaitFor([&] {
        if (!dialog("rewindDialog")) QTest::mouseClick(discard, Qt::LeftButton);
        return dialog("rewindDialog") != nullptr;
    }));
    box = dialog("rewindDialog");
    accept = box->findChild<QPushButton*>(QStringLiteral("rewindAccept"));
    QTRY_COMPARE(accept->text(), QStringLiteral("Discard 2 events"));
    QTest::mouseClick(accept, Qt::LeftButton);
    QVERIFY(lastCommand<DiscardDeadLetters>());
    QTRY_VERIFY(!button->isEnabled());
    QVERIFY(!action("actionRewindMatching")->isEnabled());
}

void WindowFilterTest::manyAreRewoundOnlyWhenTheirNumberIsTyped() {
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        const auto row = m_engine->store->deadLetters.front();
        for (std::uint64_t n = 0; n < 10'000; ++n) {
            m_engine->store->deadLetters.push_back(row);
            m_engine->store->deadLetters.back().pointer.sequence = Sequence(100'000 + n);
        }
    }
    m_window->showDeadLetters();
    action("actionRewindMatching")->trigger();
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = box->findChild<QPushButton*>(QStringLiteral("rewindAccept"));
    QTRY_COMPARE(accept->text(), QStringLiteral("Rewind 10004 events"));
    QVERIFY(!accept->isEnabled());
    auto* typed = box->findChild<QLineEdit*>(QStringLiteral("rewindTyped"));
    QVERIFY(typed->isVisible());
    typed->setText(QStringLiteral("10003"));
    QVERIFY(!accept->isEnabled());
    typed->setText(QStringLiteral("10 004"));
    QVERIFY(accept->isEnabled());
    box->reject();
}

void WindowFilterTest::cellsAreFilters() {
    m_window->showDeadLetters();
    auto* table = find<Table>("deadLettersTable");
    const auto click = [&](int column, const char* name) {
        // The menu has an event loop of its own.
        QTimer::singleShot(0, this, [name] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            auto* chosen = menu->findChild<QAction*>(QLatin1String(name));
            if (chosen) chosen->trigger();
            menu->close();
            QVERIFY(chosen);
        });
        emit table->customContextMenuRequested(
            table->visualRect(table->model()->index(1, column)).center());
    };
    click(2, "filterOnly");
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("user:user-2"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    filterBy("");
    QTRY_COMPARE(table->model()->rowCount(), 4);
    click(2, "filterExclude");
    QTRY_COMPARE(table->model()->rowCount(), 3);
    click(1, "filterAnd");
    QCOMPARE(find<QLineEdit>("filterEdit")->text(),
             QStringLiteral("NOT user:user-2 dest:crm"));
    QCOMPARE(table->model()->rowCount(), 3);
    m_window->showLanes();
    table = find<Table>("lanesTable");
    click(0, "filterOnly");
    QCOMPARE(find<QLineEdit>("filterEdit")->text(), QStringLiteral("state:\"backing off\""));
}

void WindowFilterTest::savedFiltersAreCountedByTheLists() {
    const auto keep = [](FilterList list, const char* text) {
        KeptFilters::save(list, {QString::fromUtf8(text), QString::fromUtf8(text)});
    };
    keep(FilterList::lanes, "attempts>=9");
    keep(FilterList::lanes, "dest:crm");
    keep(FilterList::deadLetters, "user:user-2");
    keep(FilterList::attempts, "status:503");
    m_engine->lanes[1].attempts = 9;
    for (std::uint64_t user = 1; user <= 1200; ++user)
        m_engine->addAttempt(DestinationId(1), user, Outcome::overloaded).status = 503;
    m_window.reset();
    openWindow();
    const auto saved = [this] {
        QStringList texts;
        for (auto* button : m_window->findChildren<QToolButton*>(QStringLiteral("savedFilter")))
            if (button->isVisible()) texts << button->text();
        return texts;
    };
    QTRY_COMPARE(saved(), (QStringList{QStringLiteral("\u2605 attempts>=9 · 1"),
                                       QStringLiteral("\u2605 dest:crm · 3")}));
    // What is counted is not the list.
    QCOMPARE(find<Table>("lanesTable")->model()->rowCount(), 3);
    m_window->showDeadLetters();
    QTRY_COMPARE(saved(), QStringList{QStringLiteral("\u2605 user:user-2 · 1")});
    m_window->showAttempts();
    QTRY_COMPARE(saved(), QStringList{QStringLiteral("\u2605 status:503 · 999+")});
}

void WindowFilterTest::aTimeOnTheGraphsIsAFilterOfLanesAndDeadLetters() {
    const WallMicros noon = 1'800'014'400LL * kSecond;
    m_engine->lanes[1].acceptedAt = noon + 30 * kSecond;
    auto* health = find<HealthDock>("healthPane");
    emit health->lanesWanted(DestinationId(1), noon, noon + kMinute);
    QCOMPARE(find<QTabWidget>("tabs")->currentWidget(), find("lanesView"));
    auto* edit = find<QLineEdit>("filterEdit");
    QCOMPARE(edit->text(),
             QStringLiteral("dest:crm accepted:2027-01-15T12:00:00Z..2027-01-15T12:00:59.999999Z"));
    QTRY_COMPARE(find<Table>("lanesTable")->model()->rowCount(), 1);
    QCOMPARE(health->destination(), DestinationId(1));
    emit health->deadLettersWanted({}, noon, noon + kMinute);
    QCOMPARE(find<QTabWidget>("tabs")->currentWidget(), find("deadLettersView"));
    QCOMPARE(edit->text(),
             QStringLiteral("died:2027-01-15T12:00:00Z..2027-01-15T12:00:59.999999Z"));
    QTRY_COMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 0);
    QCOMPARE(health->destination(), DestinationId());
}

QTEST_MAIN(WindowFilterTest)
#include "window_filter_test.moc"
