// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/table.h"
#include "ui/main_window.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSettings>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolButton>

#include <memory>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr WallMicros kNow = 1'800'000'000'000'000;
constexpr int kRows = 40;

/// Begins with a mark that is looked for; the port is ours and must stay silent.
std::string hostile(const std::string& kind, std::uint16_t port) {
    const auto url = "http://127.0.0.1:" + std::to_string(port) + "/";
    if (kind == "markup")
        return "<img src=\"" + url + "a.png\"><a href='" + url + "'>b</a><style>@import url(" +
               url + ")</style>";
    if (kind == "SQL") return "<b>'; DROP TABLE events; -- \" OR 1=1 /*%_";
    if (kind == "right to left") return "<b>\u202e\u2066gpj.exe\u2069\u061c\u200f";
    if (kind == "control characters") return std::string("<b>a\0b\x1b[31m\a\r\n\tc\x7f\u2028d", 20);
    if (kind == "no UTF-8") return "<b>\xff\xfe\xc3(\xed\xa0\x80";
    if (kind == "emoji") return "<b>\U0001F468\u200D\U0001F469\u200D\U0001F467 %1 %n %s &File";
    if (kind == "long") return "<b>" + std::string(10'000, 'w');
    return "<b>=cmd|' /C calc'!A0";
}

}  // namespace

/// Whatever stands in an event, an answer or a name: the window shows it as it is, everywhere.
class HostileTextTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("hostile-text-test"));
        QVERIFY(m_listener.listen(QHostAddress::LocalHost));
    }
    void init() { QSettings().clear(); }
    void nothingIsMoreThanText_data();
    void nothingIsMoreThanText();

private:
    void fill(test::FakeEngine& engine, const std::string& text) const;
    /// What is shown now, in all windows.
    void look(const char* where);
    void lookAt(const QAbstractItemView& view, const char* where);
    void openDialogs(MainWindow& window, const char* where);
    void visit(MainWindow& window, const char* table, const char* where);

    QTemporaryDir m_settings;
    QTcpServer m_listener;
    int m_seen = 0;  ///< places that showed the text
};

void HostileTextTest::nothingIsMoreThanText_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"markup", "SQL", "right to left", "control characters", "no UTF-8",
                             "emoji", "long", "formula"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

void HostileTextTest::fill(test::FakeEngine& engine, const std::string& text) const {
    test::fillPlausibly(engine, nullptr, kNow);
    auto& state = engine.state;
    for (auto& lane : engine.lanes) {
        lane.user.text = lane.eventId = lane.type = text;
        lane.heldBy = lane.holdReason = text;
        lane.heldAt = kNow;
    }
    for (auto& destination : state.destinations) {
        destination.url = "http://127.0.0.1/" + text;
        destination.lastError = destination.lastChange.reason = text;
        if (destination.pausedAt > 0) destination.pausedBy = destination.pauseReason = text;
    }
    for (auto& config : engine.configs) {
        config.url = "http://127.0.0.1/" + text;
        config.headers = {{"X-A", text}};
        config.policy.allowEdits = true;
    }
    {
        const std::scoped_lock lock(engine.store->mutex);
        auto& store = *engine.store;
        for (auto& row : store.deadLetters) {
            row.user.text = row.eventId = row.type = row.lastError = row.reason = text;
            row.note.text = row.note.by = text;
        }
        for (auto* rows : {&store.log}) {
            for (auto& row : *rows)
                row.user.text = row.eventId = row.type = row.error = row.response = text;
        }
        for (auto& [pointer, rows] : store.attempts)
            for (auto& row : rows) row.error = row.response = text;
        for (auto& [sequence, event] : store.events) {
            event.user.text = event.id = event.type = event.source = event.contentType = text;
            event.payload = text;
        }
        for (auto& row : store.operations)
            row.who = row.scope = row.reason = row.note = row.action = text;
        for (auto& [operation, rows] : store.operationEvents)
            for (auto& row : rows) row.user.text = row.eventId = row.type = text;
        for (std::uint64_t id = 3; id > 0; --id) {
            QuarantineRow row;
            row.id = QuarantineId(id);
            row.at = kNow;
            row.source = row.code = row.detail = row.eventId = row.body = text;
            row.bytes = text.size();
            store.quarantine.push_back(row);
        }
    }
    SourceSnapshot source;
    source.config.id = SourceId(1);
    source.config.name = source.config.addedBy = text;
    source.config.keys = {std::string(64, 'a')};
    state.sources = {source};
    state.intake.error = text;
    state.intake.quarantined = state.intake.rejectedEvents = 3;
    state.fileImport.number = 1;
    state.fileImport.state = ImportState::finished;
    state.fileImport.file = state.fileImport.report = state.fileImport.error = text;
    state.store.backup.file = state.store.backup.error = text;
    engine.publish();
}

void HostileTextTest::lookAt(const QAbstractItemView& view, const char* where) {
    const auto* model = view.model();
    if (model == nullptr) return;
    const int rows = std::min(model->rowCount(view.rootIndex()), kRows);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < model->columnCount(view.rootIndex()); ++column) {
            const auto index = model->index(row, column, view.rootIndex());
            const auto shown = index.data().toString();
            m_seen += shown.contains(QLatin1String("<")) ? 1 : 0;
            // One line, in which nothing turns the direction of what follows.
            for (const QChar c : shown)
                QVERIFY2(c.category() != QChar::Other_Control && c != QChar::LineSeparator &&
                             !(c >= QChar(0x202a) && c <= QChar(0x202e)) &&
                             !(c >= QChar(0x2066) && c <= QChar(0x2069)),
                         qPrintable(QStringLiteral("%1: %2 has U+%3")
                                        .arg(QLatin1String(where), view.objectName())
                                        .arg(c.unicode(), 4, 16, QLatin1Char('0'))));
            const auto tip = index.data(Qt::ToolTipRole).toString();
            QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains(QLatin1String("<img")),
                     qPrintable(tip.left(200)));
        }
    }
}

void HostileTextTest::look(const char* where) {
    const auto widgets = QApplication::allWidgets();
    for (const QWidget* widget : widgets) {
        const auto name = QStringLiteral("%1: %2 %3").arg(
            QLatin1String(where), QLatin1String(widget->metaObject()->className()),
            widget->objectName());
        for (const auto& tip : {widget->toolTip(), widget->statusTip(), widget->whatsThis()}) {
            // Where markup is meant, foreign text is escaped in it.
            for (const char* tag : {"<img", "<b>", "<a ", "<style"})
                QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains(QLatin1String(tag)),
                         qPrintable(name + QStringLiteral(" has the tip ") + tip.left(200)));
        }
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            if (!label->text().contains(QLatin1Char('<'))) continue;
            ++m_seen;
            QVERIFY2(label->textFormat() == Qt::PlainText,
                     qPrintable(name + QStringLiteral(" guesses at ") + label->text().left(200)));
        } else if (const auto* box = qobject_cast<const QMessageBox*>(widget)) {
            QVERIFY2(box->textFormat() == Qt::PlainText, qPrintable(name));
        } else if (const auto* edit = qobject_cast<const QTextEdit*>(widget)) {
            QVERIFY2(!edit->document()->toHtml().contains(QLatin1String("<img")),
                     qPrintable(name));
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
            if (widget->isVisible()) lookAt(*view, qPrintable(name));
        }
        if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(!m_listener.hasPendingConnections(), where);
}

void HostileTextTest::openDialogs(MainWindow& window, const char* where) {
    for (const char* name :
         {"actionRewind", "actionRewindMatching", "actionDiscard", "actionNote", "actionEditLetter",
          "actionPause", "actionEditDestination", "actionGoTo", "actionPalette", "actionSettings",
          "actionSources"}) {
        auto* action = window.findChild<QAction*>(QLatin1String(name));
        QVERIFY2(action != nullptr, name);
        if (!action->isEnabled()) continue;
        action->trigger();
        QTest::qWait(30);
        look((std::string(where) + ", " + name).c_str());
        if (QTest::currentTestFailed()) return;
        for (auto* dialog : window.findChildren<QDialog*>())
            if (dialog->isVisible()) {
                dialog->grab();
                dialog->reject();
            }
        QTest::qWait(10);
    }
}

void HostileTextTest::visit(MainWindow& window, const char* table, const char* where) {
    QTest::qWait(60);
    auto* rows = window.findChild<Table*>(QLatin1String(table));
    QVERIFY2(rows != nullptr, table);
    QTRY_VERIFY2(rows->model()->rowCount() > 0, table);
    rows->selectRow(1);
    rows->setCurrentIndex(rows->model()->index(1, 0));
    QTest::qWait(20);
    look(where);  // with the why-line below the list
    if (QTest::currentTestFailed()) return;
    rows->opened();
    QTest::qWait(100);
    look(where);
    if (QTest::currentTestFailed()) return;
    window.grab();
}

void HostileTextTest::nothingIsMoreThanText() {
    QFETCH(QString, kind);
    test::FakeEngine engine;
    fill(engine, hostile(kind.toStdString(), m_listener.serverPort()));
    MainWindow window(engine, nullptr);
    window.resize(1280, 720);
    window.show();
    QTest::qWait(200);
    m_seen = 0;
    const struct {
        const char* table;
        void (MainWindow::*show)();
        bool hasActs;
    } pages[] = {{"lanesTable", &MainWindow::showLanes, false},
                 {"deadLettersTable", &MainWindow::showDeadLetters, true},
                 {"attemptsTable", &MainWindow::showAttempts, false},
                 {"operationsTable", &MainWindow::showOperations, false},
                 {"quarantineTable", &MainWindow::showQuarantine, false}};
    window.setScope(DestinationId(5));
    window.showOverview();
    QTest::qWait(100);
    look("overview");
    if (QTest::currentTestFailed()) return;
    window.grab();
    openDialogs(window, "overview");
    window.setScope({});
    for (const auto& page : pages) {
        if (QTest::currentTestFailed()) return;
        (window.*page.show)();
        visit(window, page.table, page.table);
        if (page.hasActs && !QTest::currentTestFailed()) openDialogs(window, page.table);
    }
    if (QTest::currentTestFailed()) return;
    engine.state.failure = engine.state.store.fault =
        hostile(kind.toStdString(), m_listener.serverPort());
    engine.state.store.writable = false;
    engine.publish();
    QTest::qWait(100);
    look("a fault of the store");
    if (QTest::currentTestFailed()) return;
    engine.setLifecycle(Lifecycle::failed);
    QTest::qWait(100);
    look("a failed start");
    QVERIFY2(m_seen > 500, qPrintable(QString::number(m_seen)));
    QVERIFY(!m_listener.waitForNewConnection(200));
}

QTEST_MAIN(HostileTextTest)
#include "hostile_text_test.moc"
