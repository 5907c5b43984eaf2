// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/scripted_window.h"
#include "ui/common/list_page.h"
#include "ui/common/message_bar.h"
#include "ui/common/row_source.h"
#include "ui/exports/export_bar.h"

#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSemaphore>
#include <QSet>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <mutex>

using namespace lanes;
using namespace lanes::ui;

/// Whole lists in files, from the window with a scripted engine.
class ExportTest : public test::ScriptedWindow {
    Q_OBJECT

private slots:
    void initTestCase() { isolate(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        start();
    }
    void cleanup() { end(); }
    void ctrlEAsksForAFileAndWritesTheList();
    void theOverviewIsNoList();
    void allPagesAreWrittenAndNotOnlyThoseAtHand();
    void onlyWhatFitsTheFilterIsWritten();
    void lanesAreHeldAgainstTheFilter();
    void lanesThatMoveAreNotWrittenTwice();
    void attemptsAndOperationsHaveTheirColumns();
    void aCancelledExportLeavesNothing();
    void closingTheWindowAsksFirst();
    void anExportEndsWithTheEngine();
    void aFailedExportSaysWhyAndLeavesNothing();

private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    /// Writes the list of a view and waits for the end.
    bool write(const char* view, const QString& file) {
        bar()->start(find<ListPage>(view)->allRows(), file);
        return QTest::qWaitFor([this] { return !bar()->isBusy(); }, 20000);
    }
    QList<QByteArray> lines(const QString& file) const {
        QFile read(file);
        if (!read.open(QIODevice::ReadOnly)) return {};
        auto lines = read.readAll().split('\n');
        lines.removeLast();
        return lines;
    }
    ExportBar* bar() const { return find<ExportBar>("exportBar"); }
    QString message() const { return find<MessageBar>("messageBar")->text(); }
    void addDeadLetters(std::uint64_t from, std::uint64_t until) {
        for (std::uint64_t user = from; user <= until; ++user)
            m_engine->addDeadLetter(DestinationId(1), user);
        m_engine->updateTotals();
        m_engine->publish();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void ExportTest::ctrlEAsksForAFileAndWritesTheList() {
    m_window->showDeadLetters();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    auto* box = qobject_cast<QFileDialog*>(dialog("exportDialog"));
    QVERIFY(box);
    QCOMPARE(box->acceptMode(), QFileDialog::AcceptSave);
    box->setDirectory(m_folder->path());
    find<QLineEdit>("fileNameEdit")->setText(QStringLiteral("dead"));
    static_cast<QDialog*>(box)->accept();
    QTRY_COMPARE(lines(path("dead.csv")).size(), qsizetype(5));
    QVERIFY(lines(path("dead.csv"))[0].startsWith("died_at,destination,user,user_kind,event,"));
    QTRY_VERIFY(message().contains(QStringLiteral("4 rows of the list of dead letters are in")));
    QVERIFY(!bar()->isVisible());
}

void ExportTest::theOverviewIsNoList() {
    QVERIFY(action("actionExport")->isEnabled());
    m_window->showOverview();
    QVERIFY(!action("actionExport")->isEnabled());
    QVERIFY(action("actionExport")->toolTip().contains(QLatin1String("Show a list first")));
    m_window->showOperations();
    QVERIFY(action("actionExport")->isEnabled());
}

void ExportTest::allPagesAreWrittenAndNotOnlyThoseAtHand() {
    addDeadLetters(5, 700);
    QVERIFY(write("deadLettersView", path("all.ndjson")));
    const auto rows = lines(path("all.ndjson"));
    QCOMPARE(rows.size(), qsizetype(700));
    QSet<qint64> sequences;
    for (const auto& row : rows) {
        const auto object = QJsonDocument::fromJson(row).object();
        QVERIFY(object.value(QStringLiteral("died_at")).toString().endsWith(QLatin1Char('Z')));
        sequences.insert(object.value(QStringLiteral("sequence")).toInteger());
    }
    QCOMPARE(sequences.size(), qsizetype(700));
    QVERIFY(find<Table>("deadLettersTable")->model()->rowCount() < 700);
}

void ExportTest::onlyWhatFitsTheFilterIsWritten() {
    m_window->setScope(DestinationId(2));
    QVERIFY(write("deadLettersView", path("one.csv")));
    const auto rows = lines(path("one.csv"));
    QCOMPARE(rows.size(), qsizetype(2));
    QVERIFY(rows[1].contains(",billing,"));
}

void ExportTest::lanesAreHeldAgainstTheFilter() {
    for (std::uint64_t user = 4; user <= 700; ++user) m_engine->addLane(DestinationId(1), user);
    m_engine->lanes[650].attempts = 77;
    m_engine->publish();
    QVERIFY(write("lanesView", path("lanes.csv")));
    QCOMPARE(lines(path("lanes.csv")).size(), qsizetype(701));
    QVERIFY(message().contains(QLatin1String("moved meanwhile may be missing")));
    auto* edit = find<QLineEdit>("filterEdit");
    edit->setText(QStringLiteral("attempts:77"));
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(write("lanesView", path("few.csv")));
    QCOMPARE(lines(path("few.csv")).size(), qsizetype(2));
}

void ExportTest::lanesThatMoveAreNotWrittenTwice() {
    for (std::uint64_t user = 4; user <= 600; ++user) m_engine->addLane(DestinationId(1), user);
    m_engine->publish();
    m_engine->holdPages = true;
    bar()->start(find<ListPage>("lanesView")->allRows(), path("moving.csv"));
    int answered = 0;
    while (bar()->isBusy() && answered < 20) {
        const auto asked = m_engine->pageRequests.size();
        QTRY_VERIFY(m_engine->pageRequests.size() > asked || !bar()->isBusy());
        // The first two lanes drain and two from the front go to the end.
        auto& all = m_engine->lanes;
        if (answered++ > 0) {
            all.erase(all.begin(), all.begin() + 2);
            std::rotate(all.begin(), all.begin() + 2, all.end());
        }
        m_engine->answerPages();
    }
    QTRY_VERIFY(!bar()->isBusy());
    const auto rows = lines(path("moving.csv"));
    QSet<QByteArray> users;
    for (const auto& row : rows) users.insert(row.split(',').value(3));
    QCOMPARE(users.size(), rows.size());
    QVERIFY(rows.size() > 590);
}

void ExportTest::attemptsAndOperationsHaveTheirColumns() {
    for (std::uint64_t user = 1; user <= 300; ++user)
        m_engine->addAttempt(DestinationId(1), user, Outcome::overloaded);
    m_engine->store->log.front().response = "=cmd|'/c calc'!A1";
    m_engine->addOperation(OperationKind::rewind, "rewind").asked = 4;
    m_engine->publish();
    QVERIFY(write("attemptsView", path("attempts.csv")));
    const auto attempts = lines(path("attempts.csv"));
    QCOMPARE(attempts.size(), qsizetype(301));
    QVERIFY(attempts[0].contains("started_at,ended_at,seconds,destination"));
    QVERIFY(attempts[1].contains(",overloaded,"));
    QVERIFY(attempts[1].contains(",'=cmd|"));
    QVERIFY(write("operationsView", path("operations.ndjson")));
    const auto operations = lines(path("operations.ndjson"));
    QCOMPARE(operations.size(), qsizetype(1));
    const auto object = QJsonDocument::fromJson(operations[0]).object();
    QCOMPARE(object.value(QStringLiteral("action")).toString(), QStringLiteral("rewind"));
    QCOMPARE(object.value(QStringLiteral("asked")).toInt(), 4);
}

void ExportTest::aCancelledExportLeavesNothing() {
    addDeadLetters(5, 700);
    auto gate = std::make_shared<QSemaphore>();
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->beforePage = [gate] { gate->acquire(); };
    }
    bar()->start(find<ListPage>("deadLettersView")->allRows(), path("half.csv"));
    gate->release();
    auto* text = find<QLabel>("exportText");
    QTRY_COMPARE(text->text(),
                 QStringLiteral("Exporting dead letters to half.csv: 256 rows so far"));
    QVERIFY(find<QProgressBar>("exportProgress")->value() > 300);
    QVERIFY(!action("actionExport")->isEnabled());
    QTest::mouseClick(find<QToolButton>("exportCancel"), Qt::LeftButton);
    QVERIFY(!bar()->isVisible());
    QVERIFY(message().contains(QLatin1String("cancelled after 256 rows")));
    gate->release(1000);
    // The next one writes after the file of the first is gone.
    QVERIFY(write("operationsView", path("operations.csv")));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files),
             QStringList{QStringLiteral("operations.csv")});
}

void ExportTest::closingTheWindowAsksFirst() {
    addDeadLetters(5, 700);
    auto gate = std::make_shared<QSemaphore>();
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->beforePage = [gate] { gate->acquire(); };
    }
    const auto begin = [this] {
        bar()->start(find<ListPage>("deadLettersView")->allRows(), path("half.csv"));
        m_window->close();
        QVERIFY(m_window->isVisible());
        m_window->close();  // asks once
        QCOMPARE(m_window->findChildren<QDialog*>(QStringLiteral("exportQuestion")).size(), 1);
    };
    begin();
    find<QDialog>("exportQuestion")->reject();
    QVERIFY(m_window->isVisible() && bar()->isBusy());
    QTRY_VERIFY(!m_window->findChild<QDialog*>(QStringLiteral("exportQuestion")));
    // One that ends by itself takes the question with it, and nothing else.
    m_window->close();
    gate->release(1000);
    QTRY_VERIFY(!bar()->isBusy());
    QTRY_VERIFY(!m_window->findChild<QDialog*>(QStringLiteral("exportQuestion")));
    QVERIFY(m_window->isVisible());
    QCOMPARE(lines(path("half.csv")).size(), 701);
    QVERIFY(QFile::remove(path("half.csv")));

    gate->acquire(gate->available());
    begin();
    QTest::mouseClick(find<QPushButton>("exportQuestionAccept"), Qt::LeftButton);
    QTRY_VERIFY(!m_window->isVisible());
    gate->release(1000);
    m_window.reset();
    QVERIFY(QDir(m_folder->path()).entryList(QDir::Files).isEmpty());
}

void ExportTest::anExportEndsWithTheEngine() {
    addDeadLetters(5, 700);
    auto gate = std::make_shared<QSemaphore>();
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->beforePage = [gate] { gate->acquire(); };
    }
    bar()->start(find<ListPage>("deadLettersView")->allRows(), path("half.csv"));
    gate->release();
    QTRY_VERIFY(find<QLabel>("exportText")->text().contains(QLatin1String("256 rows")));
    gate->release(1000);
    m_engine->setLifecycle(Lifecycle::draining);
    QTRY_VERIFY(!bar()->isBusy());
    QVERIFY(message().contains(QLatin1String("nothing was kept of it")));
    m_window.reset();
    QVERIFY(QDir(m_folder->path()).entryList(QDir::Files).isEmpty());
}

void ExportTest::aFailedExportSaysWhyAndLeavesNothing() {
    m_engine->addAttempt(DestinationId(1), 1);
    {
        const std::scoped_lock lock(m_engine->store->mutex);
        m_engine->store->fault = "The disk does not answer.";
    }
    QVERIFY(write("attemptsView", path("failed.csv")));
    QVERIFY(message().contains(QLatin1String("The disk does not answer.")));
    QVERIFY(!QFile::exists(path("failed.csv")));
    QVERIFY(write("deadLettersView", QStringLiteral("/nowhere/rows.csv")));
    QVERIFY(message().contains(QLatin1String("nothing was kept of it")));
}

QTEST_MAIN(ExportTest)
#include "export_test.moc"
