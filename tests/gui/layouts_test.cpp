// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/common/list_page.h"
#include "ui/common/message_bar.h"
#include "ui/common/named_layouts.h"
#include "ui/common/window_state.h"
#include "ui/lanes/lanes_model.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QInputDialog>
#include <QMenu>
#include <QScreen>

using namespace lanes;
using namespace lanes::ui;

/// Layouts with names, in the window with a scripted engine.
class LayoutsTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() { start(); }
    void cleanup() { end(); }
    void aLayoutIsSavedAndShownAgain();
    void theArrowOfTheOrderIsThatOfTheList();
    void theSameNameIsReplaced();
    void aDeletedOneIsGone();
    void anOlderVersionIsNotShown();
    void thereAreNotManyOfThem();
    void whatStoodOnAnotherScreenComesBack();
    void theDemonstrationHasItsOwn();

private:
    QStringList listed() const {
        QStringList names;
        for (const auto* action : find<QMenu>("layoutMenu")->actions())
            if (action->objectName() == QLatin1String("layoutShow")) names << action->text();
        return names;
    }
    QAction* entry(const QString& text) const {
        for (auto* action : find<QMenu>("layoutMenu")->findChildren<QAction*>())
            if (action->text() == text) return action;
        return nullptr;
    }
    QHeaderView& columns() const { return *find<Table>("attemptsTable")->horizontalHeader(); }
    QString message() const { return find<MessageBar>("messageBar")->text(); }
};

void LayoutsTest::aLayoutIsSavedAndShownAgain() {
    QVERIFY(listed().isEmpty());
    const int width = columns().sectionSize(2);
    find("healthDock")->hide();
    columns().resizeSection(2, 222);
    find<ListPage>("lanesView")->setDetailsOpen(true);
    m_window->resize(1280, 700);  // the screen of the test is no larger
    action("actionSaveLayout")->trigger();
    auto* box = qobject_cast<QInputDialog*>(dialog("layoutName"));
    QVERIFY(box);
    box->setTextValue(QStringLiteral(" Inci&dent "));
    box->accept();
    QTRY_COMPARE(listed(), QStringList{QStringLiteral("Layout: Inci&&dent")});
    QVERIFY(message().contains(QLatin1String("\"Inci&dent\" is kept")));
    action("actionResetLayout")->trigger();
    QCOMPARE(columns().sectionSize(2), width);
    QVERIFY(find("healthDock")->isVisible());
    m_window->resize(1280, 720);
    // Also after a restart.
    m_window->close();
    openWindow();
    QVERIFY(find("healthDock")->isVisible());
    QVERIFY(entry(QStringLiteral("Layout: Inci&&dent")));
    entry(QStringLiteral("Layout: Inci&&dent"))->trigger();
    QVERIFY(!find("healthDock")->isVisible());
    QCOMPARE(columns().sectionSize(2), 222);
    QVERIFY(find<ListPage>("lanesView")->isDetailsOpen());
    QCOMPARE(m_window->height(), 700);
}

void LayoutsTest::theArrowOfTheOrderIsThatOfTheList() {
    auto* header = find<Table>("lanesTable")->horizontalHeader();
    QCOMPARE(header->sortIndicatorSection(), int(LanesModel::HeadAge));
    emit header->sectionClicked(LanesModel::Backlog);
    QCOMPARE(header->sortIndicatorSection(), int(LanesModel::Backlog));
    action("actionResetLayout")->trigger();
    QCOMPARE(header->sortIndicatorSection(), int(LanesModel::Backlog));
    // Nor does the one of yesterday tell how the list is sorted today.
    m_window->close();
    openWindow();
    header = find<Table>("lanesTable")->horizontalHeader();
    QCOMPARE(header->sortIndicatorSection(), int(LanesModel::HeadAge));
}

void LayoutsTest::theSameNameIsReplaced() {
    m_window->saveLayout(QStringLiteral("Watch"));
    find("healthDock")->hide();
    m_window->saveLayout(QStringLiteral("Watch"));
    QTRY_COMPARE(listed().size(), 1);
    action("actionResetLayout")->trigger();
    m_window->showLayout(QStringLiteral("Watch"));
    QVERIFY(!find("healthDock")->isVisible());
}

void LayoutsTest::aDeletedOneIsGone() {
    m_window->saveLayout(QStringLiteral("Watch"));
    m_window->saveLayout(QStringLiteral("alarm"));
    QTRY_COMPARE(listed(), (QStringList{QStringLiteral("Layout: alarm"),
                                        QStringLiteral("Layout: Watch")}));
    entry(QStringLiteral("Delete layout: Watch"))->trigger();
    QTRY_COMPARE(listed(), QStringList{QStringLiteral("Layout: alarm")});
    m_window->showLayout(QStringLiteral("Watch"));
    QVERIFY(message().contains(QLatin1String("cannot be shown")));
}

void LayoutsTest::anOlderVersionIsNotShown() {
    const QString name = QStringLiteral("Watch");
    m_window->saveLayout(name);
    QSettings().setValue(QStringLiteral("layouts/%1/layout/version")
                             .arg(QString::fromLatin1(name.toUtf8().toHex())),
                         kLayoutVersion - 1);
    m_window.reset();
    openWindow();
    QVERIFY(listed().isEmpty());
}

void LayoutsTest::thereAreNotManyOfThem() {
    for (int i = 0; i < NamedLayouts::kMost; ++i)
        m_window->saveLayout(QStringLiteral("layout %1").arg(i));
    m_window->saveLayout(QStringLiteral("one more"));
    QVERIFY(message().contains(QLatin1String("Delete one first")));
    QTRY_COMPARE(listed().size(), NamedLayouts::kMost);
    m_window->saveLayout(QStringLiteral("layout 3"));
    QVERIFY(message().contains(QLatin1String("is kept")));
}

void LayoutsTest::whatStoodOnAnotherScreenComesBack() {
    m_window->move(20000, 20000);
    m_window->saveLayout(QStringLiteral("far"));
    m_window->move(0, 0);
    m_window->showLayout(QStringLiteral("far"));
    QVERIFY(m_window->screen()->availableGeometry().contains(m_window->geometry().center()));
}

void LayoutsTest::theDemonstrationHasItsOwn() {
    m_window->saveLayout(QStringLiteral("Watch"));
    find("healthDock")->hide();
    m_window->close();
    test::FakeMockControl mocks;
    m_window = std::make_unique<MainWindow>(*m_engine, &mocks);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QVERIFY(find("healthDock")->isVisible());
    QVERIFY(listed().isEmpty());
    m_window.reset();
}

QTEST_MAIN(LayoutsTest)
#include "layouts_test.moc"
