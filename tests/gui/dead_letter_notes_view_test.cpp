// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/dead_letters/dead_letters_model.h"
#include "ui/dead_letters/groups_model.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

using namespace lanes;
using namespace lanes::ui;

/// Notes on dead letters in the whole window, against a scripted engine.
class DeadLetterNotesViewTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init();
    void cleanup() { end(); }
    void aNoteIsWrittenSeenAndTakenAway();
    void manyGetOneNote();
    void aGroupGetsANote();
    void tooLongIsSaidAndNotSent();
    void aFilterFindsItByItsWords();

private:
    QString message() const {
        return find("messageBar")->findChild<QLabel*>(QStringLiteral("messageText"))->text();
    }
    QString cell(int row, int column) const {
        return m_table->model()->index(row, column).data().toString();
    }
    /// What the dialog has.
    template <typename Widget>
    Widget* in(const char* name) const {
        return dialog("noteDialog")->findChild<Widget*>(QLatin1String(name));
    }

    Table* m_table = nullptr;
};

void DeadLetterNotesViewTest::init() {
    start();
    m_window->showDeadLetters();
    m_table = find<Table>("deadLettersTable");
}

void DeadLetterNotesViewTest::aNoteIsWrittenSeenAndTakenAway() {
    QVERIFY(!action("actionNote")->isEnabled());
    m_table->selectRow(0);
    QTRY_VERIFY(action("actionNote")->isEnabled());
    action("actionNote")->trigger();
    QVERIFY(dialog("noteDialog"));
    auto* accept = in<QPushButton>("noteAccept");
    QVERIFY(!accept->isEnabled());
    QTest::keyClicks(in<QPlainTextEdit>("noteText"), QStringLiteral(" <b>asked</b> the partner "));
    QVERIFY(accept->isEnabled());
    QCOMPARE(accept->text(), QStringLiteral("Keep note"));
    dialog("noteDialog")->activateWindow();
    QTRY_VERIFY(dialog("noteDialog")->isActiveWindow());
    QTest::keyClick(in<QPlainTextEdit>("noteText"), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(lastCommand<NoteDeadLetters>());
    const auto command = *lastCommand<NoteDeadLetters>();
    QCOMPARE(command.text, std::string("<b>asked</b> the partner"));
    QCOMPARE(command.pointers, std::vector{m_engine->store->deadLetters[0].pointer});
    QVERIFY(!command.by.empty());
    QTRY_COMPARE(cell(0, DeadLettersModel::Note), QStringLiteral("<b>asked</b> the partner"));
    QTRY_VERIFY(message().startsWith(
        QStringLiteral("The note is kept on 1 dead letter")));

    m_table->opened();
    auto* shown = find("deadLettersView")->findChild<QLabel*>(QStringLiteral("detailsNote"));
    QTRY_VERIFY(shown->text().endsWith(QStringLiteral(": <b>asked</b> the partner")));
    QCOMPARE(shown->textFormat(), Qt::PlainText);

    find<QPushButton>("noteButton")->click();
    QCOMPARE(in<QPlainTextEdit>("noteText")->toPlainText(),
             QStringLiteral("<b>asked</b> the partner"));
    QVERIFY(!in<QPushButton>("noteAccept")->isEnabled());
    in<QPlainTextEdit>("noteText")->clear();
    QCOMPARE(in<QPushButton>("noteAccept")->text(), QStringLiteral("Remove note"));
    in<QPushButton>("noteAccept")->click();
    QTRY_COMPARE(cell(0, DeadLettersModel::Note), QString());
    QVERIFY(!shown->isVisible());
}

void DeadLetterNotesViewTest::manyGetOneNote() {
    m_engine->store->deadLetters[1].note = {"old", "bela", m_engine->state.at};
    action("actionApply")->trigger();
    QTRY_COMPARE(cell(1, DeadLettersModel::Note), QStringLiteral("old"));
    m_table->selectAll();
    action("actionNote")->trigger();
    QVERIFY(in<QLabel>("noteRules")->text().contains(QStringLiteral("1 of them have a note")));
    QTest::keyClicks(in<QPlainTextEdit>("noteText"), QStringLiteral("hotfix is out"));
    QCOMPARE(in<QPushButton>("noteAccept")->text(), QStringLiteral("Keep note on 4 dead letters"));
    in<QPushButton>("noteAccept")->click();
    for (int row = 0; row < 4; ++row)
        QTRY_COMPARE(cell(row, DeadLettersModel::Note), QStringLiteral("hotfix is out"));
}

void DeadLetterNotesViewTest::aGroupGetsANote() {
    auto* groups = find<Table>("groupsTable");
    QTRY_COMPARE(groups->model()->rowCount(), 2);
    QTimer::singleShot(0, this, [this] {
        auto* menu = find<QMenu>("groupMenu");
        for (auto* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Note on 3"))) action->trigger();
        menu->close();
    });
    const auto place = groups->visualRect(groups->model()->index(0, 0)).center();
    emit groups->customContextMenuRequested(place);
    QTRY_VERIFY(dialog("noteDialog"));
    QTest::keyClicks(in<QPlainTextEdit>("noteText"), QStringLiteral("crm knows"));
    in<QPushButton>("noteAccept")->click();
    QTRY_VERIFY(lastCommand<NoteDeadLetters>());
    QCOMPARE(lastCommand<NoteDeadLetters>()->pointers.size(), std::size_t{3});
    for (const auto& pointer : lastCommand<NoteDeadLetters>()->pointers)
        QCOMPARE(pointer.destination, DestinationId(1));
    // The groups say so, and the list is not narrowed by it.
    QTRY_COMPARE(groups->model()->index(0, GroupsModel::Notes).data().toString(),
                 QStringLiteral("3"));
    QCOMPARE(m_table->model()->rowCount(), 4);
}

void DeadLetterNotesViewTest::tooLongIsSaidAndNotSent() {
    m_table->selectRow(0);
    action("actionNote")->trigger();
    // Bytes count, not characters.
    in<QPlainTextEdit>("noteText")
        ->setPlainText(QString(static_cast<int>(limits::kNoteBytes) / 2, QChar(0xe4)));
    QVERIFY(in<QPushButton>("noteAccept")->isEnabled());
    in<QPlainTextEdit>("noteText")->appendPlainText(QStringLiteral("x"));
    QVERIFY(!in<QPushButton>("noteAccept")->isEnabled());
    QCOMPARE(in<QLabel>("noteRoom")->text(), QStringLiteral("2 bytes too long"));
    QVERIFY(m_engine->submitted.empty());
}

void DeadLetterNotesViewTest::aFilterFindsItByItsWords() {
    m_engine->store->deadLetters[2].note = {"Ticket 4711", "bela", m_engine->state.at};
    auto* edit = find<QLineEdit>("filterEdit");
    m_window->activateWindow();
    edit->setFocus();
    edit->setText(QStringLiteral("note:ticket"));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(m_table->model()->rowCount(), 1);
    QCOMPARE(cell(0, DeadLettersModel::Note), QStringLiteral("Ticket 4711"));
}

QTEST_MAIN(DeadLetterNotesViewTest)
#include "dead_letter_notes_view_test.moc"
