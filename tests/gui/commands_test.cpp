// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcut_sheet.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

using namespace lanes::ui;

/// Whatever the menus can do is found by its letters and by its keys.
class CommandsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void theMenusAreTheList();
    void lettersHaveToComeInOrder_data();
    void lettersHaveToComeInOrder();
    void aFewLettersAndEnterDoIt();
    void whatCannotBeDoneIsShownAndNotDone();
    void arrowsGoOverWhatCanBeDone();
    void theSheetHasAllKeys();

private:
    CommandPalette* openPalette();

    std::unique_ptr<QMainWindow> m_window;
    QAction* m_freeze = nullptr;
    QAction* m_rewind = nullptr;
    int m_frozen = 0;
    int m_rewound = 0;
};

void CommandsTest::init() {
    m_window = std::make_unique<QMainWindow>();
    m_frozen = m_rewound = 0;
    auto* view = m_window->menuBar()->addMenu(QStringLiteral("&View"));
    m_freeze = view->addAction(QStringLiteral("&Freeze view"));
    m_freeze->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Space));
    connect(m_freeze, &QAction::triggered, this, [this] { ++m_frozen; });
    view->addSeparator();
    view->addAction(QStringLiteral("Secret"))->setVisible(false);
    auto* more = view->addMenu(QStringLiteral("More"));
    more->addAction(QStringLiteral("Reset && forget layout"));
    auto* delivery = m_window->menuBar()->addMenu(QStringLiteral("&Delivery"));
    m_rewind = delivery->addAction(QStringLiteral("&Rewind selected"));
    m_rewind->setShortcut(QKeySequence(Qt::Key_F8));
    connect(m_rewind, &QAction::triggered, this, [this] { ++m_rewound; });
    m_window->show();
}

CommandPalette* CommandsTest::openPalette() {
    auto* palette = new CommandPalette(listedCommands(*m_window->menuBar()), m_window.get());
    palette->open();
    return QTest::qWaitForWindowExposed(palette) ? palette : nullptr;
}

void CommandsTest::theMenusAreTheList() {
    const auto commands = listedCommands(*m_window->menuBar());
    QStringList lines;
    for (const auto& command : commands)
        lines << command.menu + u'/' + command.text + u'/' + command.keys;
    QCOMPARE(lines, (QStringList{QStringLiteral("View/Freeze view/Ctrl+Space"),
                                 QStringLiteral("View/Reset & forget layout/"),
                                 QStringLiteral("Delivery/Rewind selected/F8")}));
}

void CommandsTest::lettersHaveToComeInOrder_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::newRow("initials before letters inside")
        << QStringLiteral("rs") << QStringLiteral("Rewind selected")
        << QStringLiteral("Destinations here");
    QTest::newRow("letters in a row") << QStringLiteral("lane") << QStringLiteral("Lanes")
                                      << QStringLiteral("Reload another engine");
    QTest::newRow("any case") << QStringLiteral("REW") << QStringLiteral("Rewind selected")
                              << QStringLiteral("Pause");
    QTest::newRow("spaces do not count")
        << QStringLiteral("re se") << QStringLiteral("Rewind selected")
        << QStringLiteral("Next pane");
}

void CommandsTest::lettersHaveToComeInOrder() {
    QFETCH(QString, typed);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    QVERIFY(commandFit(typed, better) >= 0);
    QVERIFY(commandFit(typed, better) > commandFit(typed, worse));
    QCOMPARE(commandFit(QStringLiteral("xyz"), better), -1);
    QCOMPARE(commandFit(QString(), better), 0);
}

void CommandsTest::aFewLettersAndEnterDoIt() {
    auto* palette = openPalette();
    QVERIFY(palette);
    auto* typed = palette->findChild<QLineEdit*>(QStringLiteral("paletteTyped"));
    QTest::keyClicks(typed, QStringLiteral("rewi"));
    auto* list = palette->findChild<QListWidget*>(QStringLiteral("paletteList"));
    QCOMPARE(list->count(), 1);
    QTest::keyClick(typed, Qt::Key_Return);
    QTRY_COMPARE(m_rewound, 1);
    QCOMPARE(m_frozen, 0);
}

void CommandsTest::whatCannotBeDoneIsShownAndNotDone() {
    m_rewind->setEnabled(false);
    auto* palette = openPalette();
    QVERIFY(palette);
    auto* typed = palette->findChild<QLineEdit*>(QStringLiteral("paletteTyped"));
    QTest::keyClicks(typed, QStringLiteral("rewi"));
    auto* list = palette->findChild<QListWidget*>(QStringLiteral("paletteList"));
    QCOMPARE(list->count(), 1);
    QVERIFY(!list->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    QTest::keyClick(typed, Qt::Key_Return);
    QTest::qWait(50);
    QCOMPARE(m_rewound, 0);
    QVERIFY(palette->isVisible());
    palette->reject();
}

void CommandsTest::arrowsGoOverWhatCanBeDone() {
    auto* palette = openPalette();
    QVERIFY(palette);
    auto* typed = palette->findChild<QLineEdit*>(QStringLiteral("paletteTyped"));
    auto* list = palette->findChild<QListWidget*>(QStringLiteral("paletteList"));
    QCOMPARE(list->currentRow(), 0);
    QTest::keyClick(typed, Qt::Key_Down);
    QTest::keyClick(typed, Qt::Key_Down);
    QTest::keyClick(typed, Qt::Key_Down);
    QCOMPARE(list->currentRow(), 2);
    QTest::keyClick(typed, Qt::Key_Up);
    QCOMPARE(list->currentRow(), 1);
    palette->reject();
}

void CommandsTest::theSheetHasAllKeys() {
    auto* sheet = new ShortcutSheet(listedCommands(*m_window->menuBar()), m_window.get());
    sheet->open();
    QStringList texts;
    for (const auto* label : sheet->findChildren<QLabel*>()) texts << label->text();
    for (const char* wanted : {"Freeze view", "Ctrl+Space", "Rewind selected", "F8", "View",
                               "Delivery", "Copy the rows as JSON", "Ctrl+Shift+C"})
        QVERIFY2(texts.contains(QLatin1String(wanted)), wanted);
    QVERIFY(!texts.contains(QStringLiteral("Reset & forget layout")));  // it has none
    sheet->reject();
}

QTEST_MAIN(CommandsTest)
#include "commands_test.moc"
