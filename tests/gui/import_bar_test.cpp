// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/command_tracker.h"
#include "ui/imports/import_bar.h"
#include "ui/main_window.h"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QLocale>
#include <QMenuBar>
#include <QProgressBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

/// Importing a file from the window, against an engine whose import the test plays.
class ImportBarTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_settings;
    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;

    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = m_window->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    ImportBar* bar() const { return find<ImportBar>("importBar"); }
    QString barText() const { return find<QLabel>("importText")->text(); }
    QString message() const { return find<MessageBar>("messageBar")->text(); }
    ImportSnapshot& shown() const { return m_engine->state.fileImport; }
    /// The import as the engine publishes it.
    void show(ImportState state, std::uint64_t accepted) const {
        shown().number = 1;
        shown().state = state;
        shown().file = "/home/anna/<b>events.ndjson";
        shown().bytesRead = 512;
        shown().bytesTotal = 1024;
        shown().accepted = accepted;
        shown().lines = accepted + shown().rejected;
        m_engine->publish();
    }

private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
        QLocale::setDefault(QLocale::c());
    }
    void init() {
        m_engine = std::make_unique<test::FakeEngine>();
        m_engine->state.lifecycle = Lifecycle::running;
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.importNumber = 1;
            return result;
        };
        m_engine->publish();
        m_window = std::make_unique<MainWindow>(*m_engine, nullptr);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() {
        m_window.reset();
        m_engine.reset();
    }

    void aChosenFileIsImported() {
        const QString file = m_settings.filePath(QStringLiteral("events.ndjson"));
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.close();
        QTest::keyClick(m_window.get(), Qt::Key_I, Qt::ControlModifier);
        auto* dialog = find<QFileDialog>("importDialog");
        QTRY_VERIFY(dialog->isVisible());
        dialog->selectFile(file);
        // As the button does.
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_COMPARE(m_engine->submitted.size(), 1u);
        const auto& start = std::get<StartImport>(m_engine->submitted[0]);
        QCOMPARE(start.path, file.toStdString());
        QCOMPARE(start.format, ImportFormat::automatic);
        QVERIFY(!start.fromBeginning);
        QVERIFY(!m_window->findChild<QFileDialog*>() || !dialog->isVisible());
    }

    void progressIsShownWhileItRuns() {
        QVERIFY(!bar()->isVisible());
        shown().linesPerSecond = 2000;
        shown().rejected = 3;
        show(ImportState::running, 1204);
        QVERIFY(bar()->isVisible());
        QCOMPARE(find<QProgressBar>("importProgress")->value(), 500);
        QCOMPARE(barText(), QStringLiteral("Importing <b>events.ndjson: line 1207, 1204 "
                                           "accepted, 0 known already, 3 rejected; 120 k a "
                                           "minute"));
        QCOMPARE(find<QLabel>("importText")->textFormat(), Qt::PlainText);
        QCOMPARE(bar()->accessibleName(), barText());
        QVERIFY(!find<QAction>("actionImport")->isEnabled());
        shown().error = "The disk is full.";
        show(ImportState::waiting, 1204);
        QVERIFY(
            barText().contains(QStringLiteral("waits and goes on by itself: The disk is full.")));
    }

    void itIsCancelledByKeyboard() {
        show(ImportState::running, 10);
        auto* cancel = find<QToolButton>("importCancel");
        cancel->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(cancel->hasFocus());
        QTest::keyClick(cancel, Qt::Key_Space);
        QTRY_COMPARE(m_engine->submitted.size(), 1u);
        QVERIFY(std::holds_alternative<CancelImport>(m_engine->submitted[0]));
        QVERIFY(!cancel->isEnabled());  // once is enough
        show(ImportState::cancelled, 20);
        QVERIFY(!bar()->isVisible());
        QVERIFY(
            message().startsWith(QStringLiteral("The import of <b>events.ndjson was "
                                                "cancelled after line 20:")));
        QVERIFY(message().contains(QStringLiteral("goes on there")));
        show(ImportState::running, 30);
        QVERIFY(cancel->isEnabled());
    }

    void theEndIsToldOnceWithCountsAndReport() {
        show(ImportState::running, 10);
        shown().rejected = 2;
        shown().duplicates = 5;
        shown().report = "/home/anna/r.ndjson";
        show(ImportState::finished, 90);
        QVERIFY(!bar()->isVisible());
        QCOMPARE(message(), QStringLiteral("<b>events.ndjson was imported: 90 accepted, 5 known "
                                           "already, 2 rejected. Why lines were rejected is in "
                                           "/home/anna/r.ndjson."));
        QVERIFY(find<QAction>("actionImport")->isEnabled());
        find<MessageBar>("messageBar")->clear();
        m_engine->publish();
        QCOMPARE(message(), QString());
    }

    void aFailureSaysWhyAndHowToGoOn() {
        show(ImportState::running, 10);
        shown().error = "it was cut to 3 bytes while it was read.";
        show(ImportState::failed, 10);
        QCOMPARE(
            message(),
            QStringLiteral("The import of <b>events.ndjson ended after line 10: 10 "
                           "accepted, 0 known already, 0 rejected. it was cut to 3 bytes while "
                           "it was read. Importing the file again goes on there."));
    }

    void anImportOfTheCommandLineThatWasOverBeforeIsNotTold() {
        show(ImportState::finished, 90);
        QCOMPARE(message(), QString());
        QVERIFY(!bar()->isVisible());
    }

    void aFileThatCannotBeImportedIsToldAtOnce() {
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.error = "there is no file <i>x</i>.";
            return result;
        };
        bar()->start(QStringLiteral("/x"));
        QTRY_COMPARE(message(), QStringLiteral("Nothing was imported: there is no file <i>x</i>."));
        QVERIFY(!bar()->isVisible());
    }
};

QTEST_MAIN(ImportBarTest)
#include "import_bar_test.moc"
