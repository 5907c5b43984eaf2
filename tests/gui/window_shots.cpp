// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the console with a plausible afternoon into pictures, to be looked at:
//   window_shots FOLDER [light|dark [1280|2560]]
#include "tests/support/fake_engine.h"
#include "ui/attempts/attempts_view.h"
#include "ui/common/kept_filters.h"
#include "ui/common/row_source.h"
#include "ui/common/table.h"
#include "ui/common/theme.h"
#include "ui/dead_letters/dead_letters_view.h"
#include "ui/exports/export_bar.h"
#include "ui/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cstdio>
#include <memory>
#include <mutex>
#include <tuple>

using namespace lanes;

namespace {

WallMicros wallNow() {
    return QDateTime::currentMSecsSinceEpoch() * kMillisecond;
}

void take(QWidget& widget, const QString& folder, const QString& name) {
    QTest::qWait(150);
    const QString file = QDir(folder).filePath(name + QStringLiteral(".png"));
    if (!widget.grab().save(file)) std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
}

void takeDialog(ui::MainWindow& window, const char* action, const QString& folder,
                const QString& name) {
    window.findChild<QAction*>(QLatin1String(action))->trigger();
    QTest::qWait(100);
    for (auto* dialog : window.findChildren<QDialog*>())
        if (dialog->isVisible()) {
            take(*dialog, folder, name);
            dialog->reject();
        }
    QTest::qWait(50);
}

/// The editor of a payload as it is opened, with a change and with a fault.
void takeEdit(test::FakeEngine& engine, ui::MainWindow& window, const QString& folder,
              const QString& tag) {
    for (auto& config : engine.configs) config.policy.allowEdits = true;
    engine.publish();
    window.findChild<QAction*>(QStringLiteral("actionEditLetter"))->trigger();
    QTest::qWait(300);
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("editDialog"));
    auto* text = dialog ? dialog->findChild<QPlainTextEdit*>(QStringLiteral("editText")) : nullptr;
    if (text == nullptr) {
        std::fprintf(stderr, "no editor of payloads\n");
        return;
    }
    take(*dialog, folder, QStringLiteral("edit-letter-") + tag);
    const QString payload = text->toPlainText();
    text->setPlainText(QString(payload).replace(QStringLiteral("\"129.90\""),
                                                QStringLiteral("129.90")));
    take(*dialog, folder, QStringLiteral("edit-letter-changed-") + tag);
    text->setPlainText(QString(payload).replace(QStringLiteral("\"129.90\""),
                                                QStringLiteral("129,90 EUR")));
    take(*dialog, folder, QStringLiteral("edit-letter-fault-") + tag);
    dialog->reject();
    QTest::qWait(50);
}

/// The bar as it is typed in, and with what it says.
void takeFilter(ui::MainWindow& window, const QString& folder, const QString& tag) {
    auto* edit = window.findChild<QLineEdit*>(QStringLiteral("filterEdit"));
    const auto type = [edit](const char* text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromUtf8(text));
    };
    const auto words = []() -> QWidget* {
        for (auto* widget : QApplication::topLevelWidgets())
            if (widget->objectName() == QLatin1String("filterWords") && widget->isVisible())
                return widget;
        return nullptr;
    };
    const auto hide = [words] {
        if (auto* popup = words()) popup->hide();
    };
    window.activateWindow();
    window.showLanes();
    type("dest:crm state:\"backing off\" attempts>=2");
    hide();
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::qWait(700);
    take(window, folder, QStringLiteral("filter-valid-") + tag);
    type("dest:crm sate:waiting age>2h ");
    hide();
    take(window, folder, QStringLiteral("filter-error-") + tag);
    type("dest:crm st");
    QTest::qWait(100);
    if (auto* popup = words()) {
        // The popup is a window of its own: it is painted where it would be.
        QPixmap picture = window.grab();
        QPainter painter(&picture);
        painter.drawPixmap(window.mapFromGlobal(popup->pos()), popup->grab());
        painter.end();
        if (!picture.save(QDir(folder).filePath(QStringLiteral("filter-words-%1.png").arg(tag))))
            std::fprintf(stderr, "cannot write the words\n");
        popup->hide();
    }
    ui::KeptFilters::save(FilterList::lanes,
                          {QStringLiteral("stuck"), QStringLiteral("attempts>=10 age>24h")});
    ui::KeptFilters::save(FilterList::lanes,
                          {QStringLiteral("held by hand"), QStringLiteral("held:*")});
    type("");
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    window.showDeadLetters();
    window.showLanes();
    QTest::qWait(1500);
    take(window, folder, QStringLiteral("filter-saved-") + tag);
    type("dest:crm attempts>=2 status:404 age>1s");
    hide();
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::qWait(1200);
    take(window, folder, QStringLiteral("filter-nothing-") + tag);
    window.showDeadLetters();
    type("status:5xx NOT type:ping attempts>=2 (type:order.* OR user:42)");
    hide();
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::qWait(500);
    take(window, folder, QStringLiteral("filter-dead-") + tag);
    takeDialog(window, "actionRewindMatching", folder, QStringLiteral("rewind-matching-") + tag);
    type("");
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    window.setScope({});
    window.showLanes();
    type("");
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    window.findChild<ui::Table*>(QStringLiteral("lanesTable"))->setFocus();
    QSettings().clear();
    QTest::qWait(300);
}

/// The pages of the editor, a refused field and an answered test.
void takeEditor(test::FakeEngine& engine, ui::MainWindow& window, const QString& folder,
                const QString& tag) {
    window.findChild<QAction*>(QStringLiteral("actionEditDestination"))->trigger();
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("destinationDialog"));
    auto* pages = dialog->findChild<QTabWidget*>(QStringLiteral("destinationPages"));
    const auto page = [&](int index, const char* name) {
        pages->setCurrentIndex(index);
        take(*dialog, folder, QStringLiteral("edit-%1-%2").arg(QLatin1String(name), tag));
    };
    page(1, "delivery");
    page(2, "failures");
    page(3, "headers");
    dialog->findChild<QComboBox*>(QStringLiteral("destinationScheme"))->setCurrentIndex(1);
    dialog->findChild<QLineEdit*>(QStringLiteral("destinationUser"))
        ->setText(QStringLiteral("lanes"));
    dialog->findChild<QLineEdit*>(QStringLiteral("destinationProxy"))
        ->setText(QStringLiteral("socks5://proxy.example:1080"));
    page(4, "access");
    dialog->findChild<QLineEdit*>(QStringLiteral("destinationStatuses"))
        ->setText(QStringLiteral("404, gone"));
    dialog->findChild<QPushButton*>(QStringLiteral("destinationAccept"))->click();
    take(*dialog, folder, QStringLiteral("edit-refused-") + tag);
    dialog->findChild<QLineEdit*>(QStringLiteral("destinationStatuses"))->clear();
    pages->setCurrentIndex(0);
    auto* send = dialog->findChild<QPushButton*>(QStringLiteral("testSend"));
    send->click();
    take(*dialog, folder, QStringLiteral("edit-testing-") + tag);
    TestResult result;
    result.status = 401;
    result.latency = 187 * kMillisecond;
    result.error = "The destination answered 401.";
    result.request =
        "POST /hook HTTP/1.1\nHost: warehouse.example\nContent-Type: application/json\n"
        "Authorization: (hidden)\nrivora-test: 1\nContent-Length: 22\n\n{\"type\":\"rivora.test\"}";
    result.answer =
        "HTTP 401\nContent-Type: application/json\nContent-Length: 62\n\n"
        "{\"error\":\"unauthorized\",\n \"detail\":\"The API key is missing.\"}";
    // The number of a test is that of a command, which nobody tells here.
    for (std::uint64_t number = 1; number < 200; ++number)
        emit engine.testFinished(CommandId(number), result);
    take(*dialog, folder, QStringLiteral("edit-tested-") + tag);
    dialog->reject();
    QTest::qWait(50);
}

/// Rejected events, and senders with keys of their own.
void takeSenders(test::FakeEngine& engine, ui::MainWindow& window, const QString& folder,
                 const QString& tag) {
    window.showQuarantine();
    QTest::qWait(300);
    take(window, folder, QStringLiteral("quarantine-empty-") + tag);
    const auto reject = [&engine](const char* source, EventForm form, const char* event,
                                  const char* detail, const char* body) {
        const std::scoped_lock lock(engine.store->mutex);
        QuarantineRow row;
        auto& rows = engine.store->quarantine;
        row.id = QuarantineId(rows.size() + 41);
        row.at = engine.state.at - static_cast<WallMicros>(200 - rows.size() * 17) * kSecond;
        row.source = source;
        row.form = form;
        row.eventId = event;
        row.detail = detail;
        row.body = body;
        row.bytes = row.body.size();
        rows.insert(rows.begin(), row);
        ++engine.state.intake.rejectedEvents;
        engine.state.intake.quarantined = rows.size();
    };
    reject("native", EventForm::native, "", "\"type\" is missing", R"({"user":"u-17"})");
    reject("shop", EventForm::segment, "ajs-7f1c", "\"userId\" is an empty text",
           R"({"messageId":"ajs-7f1c","type":"track","event":"Order Completed","userId":""})");
    reject("native", EventForm::native, "evt-2041",
           "there is no destination \"biling\"; the known ones are in GET /v1/status",
           R"({"id":"evt-2041","user":"u-204","type":"order.created","destinations":["biling"],)"
           R"("payload":{"total":12.50}})");
    reject("cloudevents", EventForm::cloudEvent, "c-3",
           "\"specversion\" is \"0.3\"; this takes 1.0",
           R"({"specversion":"0.3","id":"c-3","source":"/shop","type":"order.paid"})");
    engine.publish();
    QTest::qWait(600);
    auto* table = window.findChild<ui::Table*>(QStringLiteral("quarantineTable"));
    take(window, folder, QStringLiteral("quarantine-") + tag);
    table->selectRow(1);
    table->opened();
    QTest::qWait(500);
    take(window, folder, QStringLiteral("quarantine-details-") + tag);
    for (const auto& [name, keys, accepted] :
         {std::tuple("shop", 1, 120'344), std::tuple("warehouse", 2, 8'120)}) {
        SourceSnapshot source;
        source.config.id = SourceId(static_cast<std::uint32_t>(engine.state.sources.size()) + 1);
        source.config.name = name;
        source.config.keys.assign(static_cast<std::size_t>(keys), std::string(64, 'a'));
        source.config.addedAt = engine.state.at - 40 * 24 * kHour;
        source.config.addedBy = "anna";
        source.accepted = static_cast<std::uint64_t>(accepted);
        source.rejected = 1;
        source.lastRequestAt = engine.state.at - 3 * kSecond;
        engine.state.sources.push_back(source);
    }
    engine.publish();
    window.showSources();
    QTest::qWait(200);
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("sourcesDialog"));
    dialog->findChild<ui::Table*>(QStringLiteral("sourcesTable"))->selectRow(1);
    take(*dialog, folder, QStringLiteral("sources-") + tag);
    dialog->findChild<QPushButton*>(QStringLiteral("sourceAdd"))->click();
    QTest::qWait(100);
    auto* name = dialog->findChild<QDialog*>(QStringLiteral("sourceNameDialog"));
    take(*name, folder, QStringLiteral("source-add-") + tag);
    name->reject();
    dialog->reject();
    QTest::qWait(50);
}

/// What waits behind the pill and what has left, an export under way and a menu of layouts.
void takeLists(test::FakeEngine& engine, ui::MainWindow& window, const QString& folder,
               const QString& tag) {
    window.setScope({});
    window.showDeadLetters();
    window.findChild<QAction*>(QStringLiteral("actionApply"))->trigger();
    QTest::qWait(600);
    auto* dead = window.findChild<ui::Table*>(QStringLiteral("deadLettersTable"));
    for (auto* toggle : window.findChildren<QToolButton*>(QStringLiteral("detailsToggle")))
        toggle->setChecked(false);
    dead->selectRow(2);
    for (const int row : {3, 5})
        dead->selectionModel()->select(dead->model()->index(row, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
    window.findChild<QAction*>(QStringLiteral("actionDiscard"))->trigger();
    QTest::qWait(100);
    for (auto* dialog : window.findChildren<QDialog*>())
        if (dialog->isVisible())
            dialog->findChild<QPushButton*>(QStringLiteral("rewindAccept"))->click();
    QTest::qWait(400);
    for (std::uint64_t user = 1; user < 900; ++user) engine.addDeadLetter(DestinationId(4), user);
    engine.updateTotals();
    engine.publish();
    QTest::qWait(400);
    take(window, folder, QStringLiteral("dead-ghosts-") + tag);
    window.findChild<QAction*>(QStringLiteral("actionApply"))->trigger();
    QTest::qWait(600);
    auto gate = std::make_shared<QSemaphore>(2);
    {
        const std::scoped_lock lock(engine.store->mutex);
        engine.store->beforePage = [gate] { gate->acquire(); };
    }
    auto* bar = window.findChild<ui::ExportBar*>();
    bar->start(window.findChild<ui::DeadLettersView*>()->allRows(),
               QDir(folder).filePath(QStringLiteral("dead-letters-20261130T141203Z.csv")));
    QTest::qWait(400);
    take(window, folder, QStringLiteral("export-") + tag);
    window.close();
    auto* question = window.findChild<QDialog*>(QStringLiteral("exportQuestion"));
    take(*question, folder, QStringLiteral("export-question-") + tag);
    question->reject();
    bar->cancel();
    {
        const std::scoped_lock lock(engine.store->mutex);
        engine.store->beforePage = {};
    }
    gate->release(1000);
    for (const char* name : {"Watch", "Incident"}) window.saveLayout(QString::fromLatin1(name));
    QTest::qWait(100);
    auto* menu = window.findChild<QMenu*>(QStringLiteral("layoutMenu"));
    menu->popup(window.mapToGlobal(QPoint(40, 40)));
    take(*menu, folder, QStringLiteral("layouts-") + tag);
    menu->close();
    QSettings().clear();
    dead->clearSelection();
    QTest::qWait(200);
}

/// A moment that was chosen on the graphs, and what was done as a table.
void takeGraphs(test::FakeEngine& engine, ui::MainWindow& window, const QString& folder,
                const QString& tag) {
    window.setScope({});
    window.showOverview();
    const auto add = [&engine](const char* action, const char* who, const char* reason,
                               Micros before) {
        OperationRow& row = engine.addOperation(OperationKind::setting, action);
        row.who = who;
        row.scope = "crm";
        row.reason = reason;
        row.at = engine.state.at - before;
    };
    add("pause", "anna", "maintenance", 250 * kSecond);
    add("resume", "anna", "", 190 * kSecond);
    add("pause", "Rivora Lanes", "the destination answered 410 Gone: it wants no more deliveries",
        90 * kSecond);
    engine.publish();
    window.findChild<QToolButton*>(QStringLiteral("healthRange300"))->click();
    QTest::qWait(2500);
    auto* plot = window.findChild<QWidget*>(QStringLiteral("deliveriesGraphPlot"));
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->rect().center());
    take(window, folder, QStringLiteral("graphs-chosen-") + tag);
    window.findChild<QAction*>(QStringLiteral("healthViewTable"))->trigger();
    auto* table = window.findChild<QDialog*>(QStringLiteral("historyTableDialog"));
    take(*table, folder, QStringLiteral("graphs-table-") + tag);
    table->close();
}

/// A console that was never used.
void takeFirstRun(const QString& folder, const QString& theme, QSize size) {
    test::FakeEngine engine;
    engine.state.lifecycle = Lifecycle::running;
    engine.state.at = wallNow();
    engine.state.intake.listening = true;
    engine.state.intake.port = 7420;
    engine.publish();
    ui::MainWindow window(engine, nullptr);
    window.resize(size);
    window.show();
    QTest::qWait(300);
    take(window, folder, QStringLiteral("first-run-%1-%2").arg(theme).arg(size.width()));
}

void takeAll(const QString& folder, const QString& theme, QSize size) {
    test::FakeEngine engine;
    test::FakeMockControl mocks;
    // The afternoon before now, so that the graphs have something to show.
    constexpr int kSeconds = 420;
    const WallMicros start = wallNow() - kSeconds * kSecond;
    test::fillPlausibly(engine, &mocks, start);
    engine.publish();
    ui::MainWindow window(engine, &mocks);
    window.setDataDirectory(QStringLiteral("/home/anna/.local/share/rivora-lanes"));
    window.resize(size);
    window.show();
    for (int second = 1; second <= kSeconds; ++second) {
        test::advancePlausibly(engine, start + second * kSecond);
        engine.publish();
    }
    engine.publish();
    const QString tag = QStringLiteral("%1-%2").arg(theme).arg(size.width());
    QTest::qWait(1200);
    take(window, folder, QStringLiteral("overview-") + tag);
    window.showLanes();
    QTest::qWait(600);
    takeFilter(window, folder, tag);
    takeDialog(window, "actionPalette", folder, QStringLiteral("palette-") + tag);
    takeDialog(window, "actionShortcuts", folder, QStringLiteral("shortcuts-") + tag);
    takeDialog(window, "actionGoTo", folder, QStringLiteral("go-to-") + tag);
    auto* lanesTable = window.findChild<ui::Table*>(QStringLiteral("lanesTable"));
    take(window, folder, QStringLiteral("lanes-") + tag);
    lanesTable->setCurrentIndex(lanesTable->model()->index(4, 0));
    take(window, folder, QStringLiteral("lanes-why-") + tag);
    for (auto* toggle : window.findChildren<QToolButton*>(QStringLiteral("detailsToggle")))
        toggle->setChecked(true);
    QTest::qWait(300);
    window.setScope(DestinationId(1));
    window.setFrozen(true);
    take(window, folder, QStringLiteral("lanes-details-") + tag);
    window.setFrozen(false);
    window.setScope({});
    window.showDeadLetters();
    QTest::qWait(600);
    auto* dead = window.findChild<ui::Table*>(QStringLiteral("deadLettersTable"));
    dead->setCurrentIndex(dead->model()->index(2, 0));
    dead->selectRow(2);
    QTest::qWait(300);
    take(window, folder, QStringLiteral("dead-") + tag);
    takeDialog(window, "actionRewind", folder, QStringLiteral("rewind-") + tag);
    takeDialog(window, "actionNote", folder, QStringLiteral("note-") + tag);
    takeEdit(engine, window, folder, tag);
    dead->selectAll();
    takeDialog(window, "actionRewind", folder, QStringLiteral("rewind-all-") + tag);
    window.setScope(DestinationId(1));
    takeDialog(window, "actionPause", folder, QStringLiteral("pause-") + tag);
    window.setScope(DestinationId(5));
    takeDialog(window, "actionPause", folder, QStringLiteral("resume-") + tag);
    takeDialog(window, "actionEditDestination", folder, QStringLiteral("edit-") + tag);
    takeEditor(engine, window, folder, tag);
    takeDialog(window, "actionSettings", folder, QStringLiteral("settings-") + tag);
    takeGraphs(engine, window, folder, tag);
    takeLists(engine, window, folder, tag);
    takeSenders(engine, window, folder, tag);
    window.showLanes();
    auto& import = engine.state.fileImport;
    import.number = 1;
    import.state = ImportState::running;
    import.file = "/home/anna/exports/subscriptions-2026-11.ndjson";
    import.bytesRead = 1'340'000'000;
    import.bytesTotal = 2'147'000'000;
    import.lines = 4'120'331;
    import.accepted = 4'118'020;
    import.duplicates = 2'204;
    import.rejected = 107;
    import.linesPerSecond = 20'400;
    engine.publish();
    take(window, folder, QStringLiteral("import-") + tag);
    import = {};
    engine.lanes.clear();
    engine.state.store.writable = false;
    engine.state.store.fault =
        "The disk of /home/anna/.local/share/rivora-lanes is almost full (12 MiB free, 64 MiB "
        "needed, so that the results of requests under way find room); free some space. New events "
        "are refused and nothing is sent until then; what was accepted is kept, lists still work, "
        "and all goes on by itself.";
    engine.publish();
    QTest::qWait(800);
    take(window, folder, QStringLiteral("empty-fault-") + tag);
    engine.state.failure =
        "The data directory /home/anna/.local/share/rivora-lanes is in use by "
        "process 4711. Close that program or choose another --data-dir.";
    engine.setLifecycle(Lifecycle::failed);
    take(window, folder, QStringLiteral("failed-") + tag);
    engine.state.damaged = true;
    engine.state.failure =
        "the data file /home/anna/.local/share/rivora-lanes/lanes.db is damaged (database disk "
        "image is malformed); nothing was changed. Put a backup in its place with: rivora-lanes "
        "restore FILE, or keep what is readable with: rivora-lanes salvage";
    engine.setLifecycle(Lifecycle::failed);
    take(window, folder, QStringLiteral("damaged-") + tag);
}

/// The tabs with what was done: empty, and with an afternoon in them.
void takeRecords(const QString& folder, const QString& theme, QSize size) {
    const QString tag = QStringLiteral("%1-%2").arg(theme).arg(size.width());
    const auto show = [&](test::FakeEngine& engine, const QString& state) {
        ui::MainWindow window(engine, nullptr);
        window.resize(size);
        window.show();
        QTest::qWait(600);
        window.showAttempts();
        QTest::qWait(600);
        take(window, folder, QStringLiteral("attempts-%1-%2").arg(state, tag));
        auto* attempts = window.findChild<ui::Table*>(QStringLiteral("attemptsTable"));
        const bool filled = attempts->model()->rowCount() > 0;
        if (filled) {
            attempts->selectRow(3);
            attempts->opened();
            window.setScope(DestinationId(1));
            QTest::qWait(600);
            attempts->selectRow(1);
            window.findChild<ui::AttemptsView*>()->setTimeRange(engine.state.at - 4 * kMinute,
                                                                engine.state.at + kMinute);
            engine.addAttempt(DestinationId(1), 4);
            engine.publish();
            QTest::qWait(600);
            take(window, folder, QStringLiteral("attempts-details-") + tag);
            window.setScope({});
        }
        window.showOperations();
        QTest::qWait(600);
        take(window, folder, QStringLiteral("operations-%1-%2").arg(state, tag));
        if (!filled) return;
        auto* operations = window.findChild<ui::Table*>(QStringLiteral("operationsTable"));
        operations->selectRow(0);
        operations->opened();
        QTest::qWait(600);
        take(window, folder, QStringLiteral("operations-running-") + tag);
        operations->selectRow(2);
        QTest::qWait(400);
        take(window, folder, QStringLiteral("operations-stopped-") + tag);
        operations->selectRow(5);
        QTest::qWait(300);
        take(window, folder, QStringLiteral("operations-setting-") + tag);
    };
    test::FakeEngine empty;
    empty.state.lifecycle = Lifecycle::running;
    empty.state.at = wallNow();
    empty.state.intake.listening = true;
    empty.state.intake.port = 7420;
    empty.addDestination("crm");
    empty.publish();
    show(empty, QStringLiteral("empty"));
    test::FakeEngine busy;
    test::fillPlausibly(busy, nullptr, wallNow());
    busy.publish();
    show(busy, QStringLiteral("filled"));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "usage: window_shots FOLDER [light|dark [1280|2560]]\n");
        return 2;
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("window-shots"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom));
    const QString folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    ui::applyTheme(application, ui::Theme::light);
    const QStringList only = application.arguments().mid(2);
    const auto takeTheme = [&folder, &only](const QString& theme) {
        if (!only.isEmpty() && only[0] != theme) return;
        for (const QSize size : {QSize(1280, 720), QSize(2560, 1440)}) {
            if (only.size() > 1 && only[1] != QString::number(size.width())) continue;
            takeFirstRun(folder, theme, size);
            takeAll(folder, theme, size);
            takeRecords(folder, theme, size);
        }
    };
    takeTheme(QStringLiteral("light"));
    ui::applyTheme(application, ui::Theme::dark);
    takeTheme(QStringLiteral("dark"));
    return 0;
}
