// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/real_console.h"
#include "ui/common/list_page.h"
#include "ui/common/message_bar.h"
#include "ui/common/row_source.h"
#include "ui/common/table.h"
#include "ui/dead_letters/dead_letters_model.h"
#include "ui/dead_letters/groups_model.h"
#include "ui/exports/export_bar.h"

#include <QAction>
#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <memory>

using namespace lanes;
using namespace lanes::ui;

/// What an operator does with dead letters one by one: notes, groups, an edited payload, whole
/// lists in files; and what the list shows when they leave. A real window, a real engine, a real
/// destination over HTTP.
class LettersFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_console.reset(); }
    void theListsAreExported();
    void aLaneIsFoundByWhenItsHeadCame();
    void aNoteIsKeptAndFound();
    void aGroupGetsANote();
    void anEditedEventArrivesAsEdited();
    void whatIsRewoundElsewhereLeavesAGhost();

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_console->find<Widget>(name);
    }
    Table& dead() const { return *find<Table>("deadLettersTable"); }
    QString cell(int row, int column) const {
        return dead().model()->index(row, column).data().toString();
    }
    QString message() const { return find<MessageBar>("messageBar")->text(); }
    DestinationSnapshot destination() const { return m_console->destination(); }
    void act(const char* name) const { find<QAction>(name)->trigger(); }
    /// Narrows the list in front.
    void filter(const QString& text) const {
        auto* edit = find<QLineEdit>("filterEdit");
        edit->setText(text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    /// The rows of a list as they are written.
    QList<QJsonObject> exported(const char* view) {
        const QString path = m_folder.filePath(QStringLiteral("rows.ndjson"));
        auto* bar = find<ExportBar>("exportBar");
        bar->start(find<ListPage>(view)->allRows(), path);
        if (!QTest::qWaitFor([bar] { return !bar->isBusy(); }, 20000)) return {};
        QFile file(path);
        QList<QJsonObject> rows;
        if (!file.open(QIODevice::ReadOnly)) return rows;
        while (!file.atEnd()) rows << QJsonDocument::fromJson(file.readLine()).object();
        return rows;
    }

    static constexpr int kUsers = 3;
    static constexpr int kEach = 120;  // so that there are several pages of attempts
    static constexpr std::uint64_t kEvents = kUsers * kEach;
    QTemporaryDir m_folder;
    std::unique_ptr<test::RealConsole> m_console;
    WallMicros m_sent = 0;
};

void LettersFlowTest::initTestCase() {
    m_console = std::make_unique<test::RealConsole>();
    QVERIFY(m_console->open());
    SetDestination add;
    add.config.name = "shop";
    add.config.url = m_console->url();
    add.config.policy.window = kMinute;
    add.config.policy.allowEdits = true;
    m_console->engine().submit(add);
    QTRY_COMPARE_WITH_TIMEOUT(m_console->engine().snapshot()->destinations.size(), std::size_t(1),
                              10000);
    MockBehaviour down = m_console->mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    QVERIFY(m_console->setMock(down));
    m_sent = m_console->engine().snapshot()->at;
    for (const char* user : {"anna", "bela", "chen"}) QVERIFY(m_console->send(user, 1, kEach));
    QTRY_COMPARE(destination().counters.waiting, kEvents);
}

void LettersFlowTest::theListsAreExported() {
    const auto lanes = exported("lanesView");
    QCOMPARE(lanes.size(), qsizetype(kUsers));
    for (const auto& lane : lanes) {
        QCOMPARE(lane.value(QStringLiteral("backlog")).toInt(), kEach);
        QCOMPARE(lane.value(QStringLiteral("destination")).toString(), QStringLiteral("shop"));
        QCOMPARE(lane.value(QStringLiteral("head_event")).toString(),
                 lane.value(QStringLiteral("user")).toString() + QStringLiteral("-1"));
        QVERIFY(!lane.value(QStringLiteral("head_accepted_at")).toString().isEmpty());
    }
}

void LettersFlowTest::aLaneIsFoundByWhenItsHeadCame() {
    auto* table = find<Table>("lanesTable");
    const auto iso = [](WallMicros at) {
        return QDateTime::fromMSecsSinceEpoch(at / kMillisecond, Qt::UTC)
            .toString(Qt::ISODateWithMs);
    };
    m_console->window().showLanes();
    filter(QStringLiteral("accepted<%1").arg(iso(m_sent - kMinute)));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 0, 10000);
    filter(QStringLiteral("accepted>=%1 user:bela").arg(iso(m_sent - kMinute)));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 10000);
    filter({});
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), kUsers, 10000);
}

void LettersFlowTest::aNoteIsKeptAndFound() {
    // The window of a minute is over in a second and a half.
    QVERIFY(m_console->setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, kEvents, 60000);
    QVERIFY(m_console->setScale(1));
    m_console->window().showDeadLetters();
    QTRY_VERIFY_WITH_TIMEOUT(dead().model()->rowCount() >= 256, 10000);
    const auto letters = exported("deadLettersView");
    QCOMPARE(letters.size(), qsizetype(kEvents));
    QSet<QString> events;
    for (const auto& letter : letters) {
        events.insert(letter.value(QStringLiteral("event")).toString());
        const bool tried = letter.value(QStringLiteral("attempts")).toInt() > 0;
        QCOMPARE(letter.value(QStringLiteral("last_outcome")).toString(),
                 tried ? QStringLiteral("unreachable") : QString());
    }
    QCOMPARE(events.size(), qsizetype(kEvents));
    QVERIFY(message().contains(QStringLiteral("360 rows")));
    const auto attempts = exported("attemptsView");
    QCOMPARE(static_cast<std::uint64_t>(attempts.size()), destination().attempts);

    act("actionApply");
    QTest::qWait(0);
    filter(QStringLiteral("event:anna-1"));
    QTRY_COMPARE_WITH_TIMEOUT(dead().model()->rowCount(), 1, 10000);
    dead().selectRow(0);
    act("actionNote");
    QDialog* box = m_console->dialog("noteDialog");
    QVERIFY(box);
    QTest::keyClicks(test::RealConsole::findIn<QPlainTextEdit>(box, "noteText"),
                     QStringLiteral("the shop knows"));
    test::RealConsole::click(test::RealConsole::findIn<QPushButton>(box, "noteAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, DeadLettersModel::Note), QStringLiteral("the shop knows"),
                              10000);
    filter(QStringLiteral("note:\"SHOP knows\""));
    QTRY_COMPARE_WITH_TIMEOUT(dead().model()->rowCount(), 1, 10000);
    QTRY_COMPARE(cell(0, DeadLettersModel::Event), QStringLiteral("anna-1"));
    const auto noted = exported("deadLettersView");
    QCOMPARE(noted.size(), qsizetype(1));
    QCOMPARE(noted[0].value(QStringLiteral("note")).toString(), QStringLiteral("the shop knows"));
}

void LettersFlowTest::aGroupGetsANote() {
    filter(QStringLiteral("user:bela"));
    auto* groups = find<Table>("groupsTable");
    const auto number = [groups](int row) {
        return groups->model()->index(row, GroupsModel::Count).data().toString().toInt();
    };
    // The first of them was tried, and what stood behind it never was.
    QTRY_COMPARE_WITH_TIMEOUT(number(0) + number(1), kEach, 20000);
    const QString count = QString::number(number(0));
    QTimer::singleShot(0, this, [this, count] {
        auto* menu = find<QMenu>("groupMenu");
        for (auto* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Note on %1").arg(count)))
                action->trigger();
        menu->close();
    });
    emit groups->customContextMenuRequested(
        groups->visualRect(groups->model()->index(0, 0)).center());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->dialog("noteDialog"), 10000);
    QDialog* box = m_console->dialog("noteDialog");
    QTest::keyClicks(test::RealConsole::findIn<QPlainTextEdit>(box, "noteText"),
                     QStringLiteral("all of bela"));
    test::RealConsole::click(test::RealConsole::findIn<QPushButton>(box, "noteAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(groups->model()->index(0, GroupsModel::Notes).data().toString(),
                              count, 20000);
}

void LettersFlowTest::anEditedEventArrivesAsEdited() {
    MockBehaviour up = m_console->mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    QVERIFY(m_console->setMock(up));
    filter(QStringLiteral("event:anna-1"));
    QTRY_COMPARE_WITH_TIMEOUT(dead().model()->rowCount(), 1, 10000);
    QTRY_COMPARE(cell(0, DeadLettersModel::Event), QStringLiteral("anna-1"));
    dead().selectRow(0);
    QTRY_VERIFY_WITH_TIMEOUT(find<QAction>("actionEditLetter")->isEnabled(), 10000);
    act("actionEditLetter");
    QTRY_VERIFY_WITH_TIMEOUT(m_console->dialog("editDialog"), 10000);
    QDialog* box = m_console->dialog("editDialog");
    auto* text = test::RealConsole::findIn<QPlainTextEdit>(box, "editText");
    text->setPlainText(text->toPlainText().replace(QStringLiteral("\"n\":1"),
                                                   QStringLiteral("\"n\":1001")));
    test::RealConsole::click(test::RealConsole::findIn<QPushButton>(box, "editAccept"));
    QTRY_VERIFY_WITH_TIMEOUT(!m_console->dialog("editDialog"), 10000);
    // The row stays and says what became of it.
    QTRY_VERIFY_WITH_TIMEOUT(
        cell(0, DeadLettersModel::DiedAt).startsWith(QLatin1String("rewound ")), 10000);
    QVERIFY(!find<QPushButton>("rewindButton")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(m_console->mock().accepted, std::uint64_t(1), 30000);
    const auto reader = m_console->engine().openPageReader();
    const auto log = m_console->mocks().log(0);
    const auto delivered = std::find_if(log.begin(), log.end(),
                                        [](const auto& line) { return line.status == 200; });
    QVERIFY(delivered != log.end());
    const Pointer pointer{destination().id, Sequence(delivered->sequence)};
    const auto edited = reader->editedPayload(pointer);
    QVERIFY(edited && edited->find("\"n\":1001") != std::string::npos);
    QVERIFY(reader->event(pointer.sequence)->payload.find("\"n\":1001") == std::string::npos);
    QTRY_COMPARE(destination().counters.delivered, std::uint64_t(1));
}

void LettersFlowTest::whatIsRewoundElsewhereLeavesAGhost() {
    m_console->engine().submit(PauseDestination{destination().id, "anna", "look first"});
    QTRY_COMPARE_WITH_TIMEOUT(destination().health, HealthState::paused, 10000);
    filter(QStringLiteral("user:chen"));
    QTRY_COMPARE_WITH_TIMEOUT(dead().model()->rowCount(), kEach, 10000);
    QTRY_COMPARE(cell(0, DeadLettersModel::User), QStringLiteral("chen"));
    const auto& model = *static_cast<DeadLettersModel*>(dead().model());
    const auto pointer = model.letter(2)->pointer;
    const auto other = model.letter(5)->pointer;
    dead().selectRow(2);
    dead().selectionModel()->select(model.index(5, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    const auto ghost = [&](Pointer of) {
        return model.departure(of) ? cell(model.rowOf(of), DeadLettersModel::DiedAt) : QString();
    };
    // As from the command line of somebody else.
    m_console->engine().submit(RewindDeadLetters{{pointer}, "bela", "", {}, ""});
    QTRY_VERIFY2_WITH_TIMEOUT(ghost(pointer).startsWith(QLatin1String("rewound ")),
                              qPrintable(ghost(pointer)), 10000);
    QCOMPARE(model.rowOf(pointer), 2);
    m_console->engine().submit(DiscardDeadLetters{{other}, "bela", "", ""});
    QTRY_VERIFY2_WITH_TIMEOUT(ghost(other).startsWith(QLatin1String("discarded ")),
                              qPrintable(ghost(other)), 10000);
    QCOMPARE(model.rowCount(), kEach);
    QCOMPARE(model.living(), kEach - 2);
    dead().clearSelection();
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), kEach - 2, 10000);
    QCOMPARE(model.rowOf(pointer), -1);
}

QTEST_MAIN(LettersFlowTest)
#include "letters_flow_test.moc"
