// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/dead_letters/edit_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>

using namespace lanes;
using namespace lanes::ui;

namespace {

const std::string kPayload = "{\n  \"total\": 90071992547409931,\n  \"currency\": \"EUR\"\n}\n";

}  // namespace

/// Another payload for a dead letter, in the whole window against a scripted engine.
class EditDialogTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init();
    void cleanup() { end(); }
    void nothingIsSentUntilSomethingIsChanged();
    void brokenJsonSaysWhere();
    void whatIsTypedIsSentAsItIs();
    void aRefusalKeepsWhatWasTyped();
    void whereEditsAreNotAllowedTheReasonIsSaid();
    void onlyOneIsEditedAtOnce();
    void anEarlierEditIsGoneOnFrom();
    void theDetailsShowWhatGoesThere();
    void laterEventsAreToldBefore();
    void whatAnEditorWouldChangeIsRefused_data();
    void whatAnEditorWouldChangeIsRefused();
    void theSettingIsInTheDestination();

private:
    QString message() const {
        return find("messageBar")->findChild<QLabel*>(QStringLiteral("messageText"))->text();
    }
    void open();
    template <typename Widget>
    Widget* in(const char* name) const {
        return dialog("editDialog")->findChild<Widget*>(QLatin1String(name));
    }
    QPlainTextEdit* text() const { return in<QPlainTextEdit>("editText"); }
    QPushButton* accept() const { return in<QPushButton>("editAccept"); }
    QString state() const { return in<QLabel>("editState")->text(); }
    void replace(const QString& before, const QString& after) {
        text()->setPlainText(text()->toPlainText().replace(before, after));
    }

    Pointer m_pointer;
};

void EditDialogTest::init() {
    start();
    m_window->showDeadLetters();
    m_engine->configs[0].policy.allowEdits = true;
    m_pointer = m_engine->store->deadLetters[0].pointer;
    EventRow event;
    event.sequence = m_pointer.sequence;
    event.contentType = "application/json";
    event.payload = kPayload;
    m_engine->store->events[m_pointer.sequence] = event;
}

void EditDialogTest::open() {
    find<Table>("deadLettersTable")->selectRow(0);
    m_engine->publish();
    QTRY_VERIFY(action("actionEditLetter")->isEnabled());
    action("actionEditLetter")->trigger();
    QTRY_VERIFY(dialog("editDialog"));
}

void EditDialogTest::nothingIsSentUntilSomethingIsChanged() {
    open();
    QCOMPARE(text()->toPlainText().toStdString(), kPayload);
    QCOMPARE(in<QPlainTextEdit>("editOriginal")->toPlainText().toStdString(), kPayload);
    QVERIFY(in<QPlainTextEdit>("editOriginal")->isReadOnly());
    QVERIFY(!accept()->isEnabled());
    QVERIFY2(state().startsWith(QStringLiteral("Nothing was changed yet")), qPrintable(state()));
    QTest::keyClicks(text(), QStringLiteral(" "));
    QVERIFY(accept()->isEnabled());
    QCOMPARE(accept()->text(), QStringLiteral("Edit and rewind 1 event"));
    QTest::keyClick(text(), Qt::Key_Backspace);
    QVERIFY(!accept()->isEnabled());
    QVERIFY(m_engine->submitted.empty());
}

void EditDialogTest::brokenJsonSaysWhere() {
    open();
    replace(QStringLiteral("\"EUR\""), QStringLiteral("EUR"));
    QVERIFY(!accept()->isEnabled());
    QVERIFY2(state().startsWith(QStringLiteral("No JSON at line 3, column 15")),
             qPrintable(state()));
    QVERIFY(accept()->toolTip().contains(QStringLiteral("line 3")));
    QCOMPARE(in<QPlainTextEdit>("editOriginal")->toPlainText().toStdString(), kPayload);
}

void EditDialogTest::whatIsTypedIsSentAsItIs() {
    open();
    // A space that does not break, and a number that no double holds.
    replace(QStringLiteral("EUR"), QString(QChar(0xa0)) + QStringLiteral("USD"));
    in<QLineEdit>("editReason")->setText(QStringLiteral("wrong currency"));
    accept()->click();
    QTRY_VERIFY(lastCommand<EditAndRewind>());
    const auto command = *lastCommand<EditAndRewind>();
    QCOMPARE(command.pointer, m_pointer);
    QCOMPARE(command.payload,
             std::string("{\n  \"total\": 90071992547409931,\n  \"currency\": \"\u00a0USD\"\n}\n"));
    QCOMPARE(command.reason, std::string("wrong currency"));
    QTRY_VERIFY(!dialog("editDialog"));
    action("actionApply")->trigger();
    QTRY_COMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 3);
    QTRY_VERIFY(message().contains(QStringLiteral("Ctrl+Z")));
    // It is undone like any other rewind.
    OperationRow row;
    row.id = OperationId(17);
    row.kind = OperationKind::rewind;
    row.untried = 1;
    m_engine->state.operations.push_back(row);
    m_engine->publish();
    QTRY_VERIFY(action("actionUndoRewind")->isEnabled());
    action("actionUndoRewind")->trigger();
    QTRY_VERIFY(lastCommand<UndoRewind>());
    QCOMPARE(lastCommand<UndoRewind>()->operation, OperationId(17));
}

void EditDialogTest::aRefusalKeepsWhatWasTyped() {
    m_engine->answer = [](const Command&) {
        CommandResult result;
        result.error = "This event is no dead letter any more.";
        return result;
    };
    open();
    replace(QStringLiteral("EUR"), QStringLiteral("USD"));
    accept()->click();
    QVERIFY(!accept()->isEnabled());
    QTRY_COMPARE(state(), QStringLiteral("This event is no dead letter any more."));
    QVERIFY(dialog("editDialog"));
    QVERIFY(text()->toPlainText().contains(QStringLiteral("USD")));
    QVERIFY(accept()->isEnabled());
    QCOMPARE(m_engine->submitted.size(), std::size_t{1});
}

void EditDialogTest::whereEditsAreNotAllowedTheReasonIsSaid() {
    m_engine->configs[0].policy.allowEdits = false;
    find<Table>("deadLettersTable")->selectRow(0);
    m_engine->publish();
    QVERIFY(!action("actionEditLetter")->isEnabled());
    QVERIFY(action("actionEditLetter")->toolTip().contains(QStringLiteral("crm does not allow")));
    QVERIFY(!find<QPushButton>("editButton")->isEnabled());
    m_engine->configs[0].policy.allowEdits = true;
    m_engine->publish();
    QTRY_VERIFY(action("actionEditLetter")->isEnabled());
    QVERIFY(find<QPushButton>("editButton")->isEnabled());
}

void EditDialogTest::onlyOneIsEditedAtOnce() {
    find<Table>("deadLettersTable")->selectAll();
    m_engine->publish();
    QVERIFY(!action("actionEditLetter")->isEnabled());
}

void EditDialogTest::anEarlierEditIsGoneOnFrom() {
    m_engine->store->edited[m_pointer] = "{\"edited\": 1}";
    open();
    QCOMPARE(text()->toPlainText(), QStringLiteral("{\"edited\": 1}"));
    QCOMPARE(in<QPlainTextEdit>("editOriginal")->toPlainText().toStdString(), kPayload);
    QVERIFY(!accept()->isEnabled());
    // Back to what was accepted is a change, too.
    text()->setPlainText(QString::fromStdString(kPayload));
    QVERIFY(accept()->isEnabled());
}

void EditDialogTest::theDetailsShowWhatGoesThere() {
    m_engine->store->edited[m_pointer] = "{\"edited\": 1}";
    auto* table = find<Table>("deadLettersTable");
    table->selectRow(0);
    table->opened();
    auto* body = find("deadLettersView")->findChild<QPlainTextEdit*>(QStringLiteral("detailsBody"));
    QTRY_COMPARE(body->toPlainText(), QStringLiteral("{\"edited\": 1}"));
    auto* tabs = find("deadLettersView")->findChild<QTabBar*>(QStringLiteral("detailsTabs"));
    QVERIFY(tabs->tabText(0).startsWith(QStringLiteral("Body, edited")));
}

void EditDialogTest::laterEventsAreToldBefore() {
    m_engine->store->later[{m_pointer.destination, UserId(1)}] = 7;
    open();
    QTRY_VERIFY2(in<QLabel>("editPlan")->text().contains(
                     QStringLiteral("lane delivered 7 later events already")),
                 qPrintable(in<QLabel>("editPlan")->text()));
    QVERIFY(in<QLabel>("editRules")->text().contains(QStringLiteral("Only crm gets that")));
}

void EditDialogTest::whatAnEditorWouldChangeIsRefused_data() {
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<bool>("editable");
    QTest::newRow("an object") << QByteArray("{}") << true;
    QTest::newRow("nothing") << QByteArray() << true;
    QTest::newRow("a space that does not break") << QByteArray("\"\xc2\xa0\"") << true;
    QTest::newRow("other line ends") << QByteArray("{\r\n}") << false;
    QTest::newRow("bytes that are no text") << QByteArray("\xff") << false;
    QTest::newRow("a zero") << QByteArray("a\0b", 3) << false;
    QTest::newRow("a line separator") << QByteArray("\"\xe2\x80\xa8\"") << false;
    QTest::newRow("an endless line") << QByteArray(30'000, 'x') << false;
    QTest::newRow("long, in lines") << QByteArray("12345678\n").repeated(10'000) << true;
    QTest::newRow("too long") << QByteArray("12345678\n").repeated(40'000) << false;
}

void EditDialogTest::whatAnEditorWouldChangeIsRefused() {
    QFETCH(const QByteArray, payload);
    QFETCH(const bool, editable);
    QCOMPARE(whyNotEditable(payload.toStdString()).isEmpty(), editable);
    m_engine->store->events[m_pointer.sequence].payload = payload.toStdString();
    m_engine->store->events[m_pointer.sequence].contentType = "text/plain";
    find<Table>("deadLettersTable")->selectRow(0);
    m_engine->publish();
    action("actionEditLetter")->trigger();
    if (!editable) {
        QTRY_VERIFY(message().contains(
            QStringLiteral("rivora-lanes dead-letters edit")));
        QVERIFY(!dialog("editDialog"));
        return;
    }
    QTRY_VERIFY(dialog("editDialog"));
    QCOMPARE(static_cast<EditDialog*>(dialog("editDialog"))->payload(), payload.toStdString());
}

void EditDialogTest::theSettingIsInTheDestination() {
    m_window->setScope(DestinationId(1));
    action("actionEditDestination")->trigger();
    auto* settings = dialog("destinationDialog");
    QVERIFY(settings);
    auto* allow = settings->findChild<QAbstractButton*>(QStringLiteral("destinationEdits"));
    QVERIFY(allow->isChecked());
    allow->click();
    settings->findChild<QPushButton*>(QStringLiteral("destinationAccept"))->click();
    QTRY_VERIFY(lastCommand<SetDestination>());
    QVERIFY(!lastCommand<SetDestination>()->config.policy.allowEdits);
}

QTEST_MAIN(EditDialogTest)
#include "edit_dialog_test.moc"
