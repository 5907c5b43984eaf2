// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/engine_world.h"

#include "engine/user_id.h"
#include "ui/common/command_tracker.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/lanes/lane_events_model.h"
#include "ui/lanes/lane_window.h"
#include "ui/search/go_to_dialog.h"
#include "ui/search/story_window.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lanes;
using namespace lanes::test;
using namespace lanes::ui;

namespace {

UserKey userKey(const char* text) {
    UserKey user;
    user.kind = UserKey::Kind::user;
    user.text = text;
    return user;
}

}  // namespace

/// One user looked up and dealt with, against a real engine: the lane with its events, a hold, the
/// lane once more from an event on, and the story of an event.
class LaneFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init();
    void cleanup();
    void theLaneShowsItsEventsInOrder();
    void aHeldUserWaitsUntilReleased();
    void theLaneIsDeliveredAgainFromAnEventOn();
    void anythingIsFoundByWhatItIsCalled();
    void theStoryTellsEachDestination();

private:
    LaneKey lane() const { return {m_crm, fingerprint(userKey("anna"), {})}; }
    std::unique_ptr<LaneWindow> openLane();
    bool send(const char* user, int from, int to);
    QString cell(const LaneWindow& window, int row, int column) const {
        auto* table = window.findChild<Table*>(QStringLiteral("laneEventsTable"));
        return table->model()->index(row, column).data().toString();
    }
    int rows(const LaneWindow& window) const {
        return window.findChild<Table*>(QStringLiteral("laneEventsTable"))->model()->rowCount();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<World> m_world;
    std::unique_ptr<MockControl> m_mocks;
    std::unique_ptr<CommandTracker> m_commands;
    std::unique_ptr<PageLoader> m_loader;
    std::unique_ptr<TimeDisplay> m_times;
    DestinationId m_crm;
};

void LaneFlowTest::init() {
    m_directory = std::make_unique<QTemporaryDir>();
    m_world = std::make_unique<World>(m_directory->filePath(QStringLiteral("data")));
    QVERIFY(m_world->start());
    m_mocks = makeMockControl();
    const auto url = m_mocks->addMock("crm", behaviour(), "", 1, 0);
    const auto set = m_world->command(SetDestination{destination("crm", url)});
    QVERIFY2(set.ok(), set.error.c_str());
    m_crm = set.destination;
    m_commands = std::make_unique<CommandTracker>(*m_world->engine);
    m_loader = std::make_unique<PageLoader>();
    m_loader->setReader(m_world->engine->openPageReader());
    m_times = std::make_unique<TimeDisplay>();
}

void LaneFlowTest::cleanup() {
    m_loader.reset();
    m_commands.reset();
    if (m_world) m_world->engine->stop();
    m_world.reset();
    m_mocks.reset();
}

bool LaneFlowTest::send(const char* user, int from, int to) {
    QByteArray body = "[";
    for (int i = from; i <= to; ++i)
        body += QByteArray(i > from ? "," : "") + "{\"id\":\"" + user + "-" +
                QByteArray::number(i) + "\",\"user\":\"" + user +
                "\",\"type\":\"order.updated\",\"payload\":{\"n\":" + QByteArray::number(i) + "}}";
    return m_world->post(body + "]") == 202;
}

std::unique_ptr<LaneWindow> LaneFlowTest::openLane() {
    auto window = std::make_unique<LaneWindow>(*m_world->engine, *m_commands, *m_loader, *m_times,
                                               lane(), userKey("anna"));
    window->setAttribute(Qt::WA_DeleteOnClose, false);
    auto* model = window->findChild<LaneEventsModel*>();
    new QAbstractItemModelTester(model, QAbstractItemModelTester::FailureReportingMode::QtTest,
                                 model);
    window->show();
    return window;
}

void LaneFlowTest::theLaneShowsItsEventsInOrder() {
    QVERIFY(send("anna", 1, 2));
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 2u, kPatience);
    m_mocks->setBehaviour(0, behaviour(503));
    QVERIFY(send("anna", 3, 5));
    auto window = openLane();
    QTRY_COMPARE_WITH_TIMEOUT(rows(*window), 5, kPatience);
    for (int row = 0; row < 5; ++row)
        QCOMPARE(cell(*window, row, LaneEventsModel::Event),
                 QStringLiteral("anna-%1").arg(row + 1));
    QCOMPARE(cell(*window, 0, LaneEventsModel::State), QStringLiteral("delivered"));
    QTRY_VERIFY_WITH_TIMEOUT(
        cell(*window, 2, LaneEventsModel::State).startsWith(QStringLiteral("head, ")), kPatience);
    QCOMPARE(cell(*window, 3, LaneEventsModel::State), QStringLiteral("waits for #3"));
    QTRY_VERIFY_WITH_TIMEOUT(
        !window->findChild<QLabel*>(QStringLiteral("laneWhy"))->text().isEmpty(), kPatience);
    // It goes on by itself while one looks.
    m_mocks->setBehaviour(0, behaviour());
    QTRY_COMPARE_WITH_TIMEOUT(cell(*window, 4, LaneEventsModel::State), QStringLiteral("delivered"),
                              2 * kPatience);
    QTRY_COMPARE(window->findChild<QLabel*>(QStringLiteral("laneWhy"))->text(),
                 QStringLiteral("Nothing waits in this lane."));
}

void LaneFlowTest::aHeldUserWaitsUntilReleased() {
    auto window = openLane();
    QSignalSpy succeeded(window.get(), &LaneWindow::succeeded);
    auto* hold = window->findChild<QPushButton*>(QStringLiteral("laneHold"));
    QTRY_VERIFY_WITH_TIMEOUT(hold->isEnabled(), kPatience);
    QTest::mouseClick(hold, Qt::LeftButton);
    auto* dialog = window->findChild<QDialog*>(QStringLiteral("holdDialog"));
    QVERIFY(dialog);
    dialog->findChild<QLineEdit*>(QStringLiteral("holdReason"))->setText(QStringLiteral("a call"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("holdAccept")),
                      Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(succeeded.count(), 1, kPatience);
    QVERIFY(send("anna", 1, 3));
    QVERIFY(send("bert", 1, 3));
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 3u, kPatience);  // bert's
    QCOMPARE(m_world->totals().waiting, 3u);
    QTRY_COMPARE_WITH_TIMEOUT(hold->text(), QStringLiteral("Release"), kPatience);
    QVERIFY(window->findChild<QLabel*>(QStringLiteral("laneWhy"))
                ->text()
                .contains(QStringLiteral("a call")));
    QTest::mouseClick(hold, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 6u, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(rows(*window), 3, kPatience);
}

void LaneFlowTest::theLaneIsDeliveredAgainFromAnEventOn() {
    QVERIFY(send("anna", 1, 5));
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 5u, kPatience);
    auto window = openLane();
    QTRY_COMPARE_WITH_TIMEOUT(rows(*window), 5, kPatience);
    QSignalSpy rewound(window.get(), &LaneWindow::rewound);
    auto* table = window->findChild<Table*>(QStringLiteral("laneEventsTable"));
    auto* rewind = window->findChild<QPushButton*>(QStringLiteral("laneRewind"));
    QVERIFY(!rewind->isEnabled());
    table->selectRow(2);
    QVERIFY(rewind->isEnabled());
    QTest::mouseClick(rewind, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        window->findChild<QDialog*>(QStringLiteral("laneRewindDialog")) != nullptr, kPatience);
    auto* dialog = window->findChild<QDialog*>(QStringLiteral("laneRewindDialog"));
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("lanePlan"))
                ->text()
                .startsWith(QStringLiteral("3 were delivered before")));
    auto* accept = dialog->findChild<QPushButton*>(QStringLiteral("laneRewindAccept"));
    QCOMPARE(accept->text(), QStringLiteral("Rewind 3 events"));
    // What was delivered goes out once more: Enter alone does not do that.
    QVERIFY(!accept->isDefault());
    QTest::mouseClick(accept, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(rewound.count(), 1, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(m_mocks->mocks().at(0).accepted, 8u, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().waiting, 0u, kPatience);
    QCOMPARE(m_mocks->mocks().at(0).orderViolations, 0u);
    QTRY_VERIFY_WITH_TIMEOUT(
        cell(*window, 4, LaneEventsModel::Attempts).contains(QStringLiteral("life 2")), kPatience);
    QCOMPARE(cell(*window, 1, LaneEventsModel::Attempts), QStringLiteral("1"));
}

void LaneFlowTest::anythingIsFoundByWhatItIsCalled() {
    QVERIFY(send("anna", 1, 3));
    QVERIFY(send("anna-1", 1, 1));
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 4u, kPatience);
    GoToDialog dialog(*m_world->engine, *m_loader, *m_times);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* typed = dialog.findChild<QLineEdit*>(QStringLiteral("goToTyped"));
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("goToList"));
    auto* note = dialog.findChild<QLabel*>(QStringLiteral("goToNote"));
    // The id of an event that is the name of a user as well.
    typed->setText(QStringLiteral("anna-1"));
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 2, kPatience);
    QVERIFY2(list->item(0)->text().startsWith(QStringLiteral("Event anna-1 · order.updated")),
             qPrintable(list->item(0)->text()));
    QCOMPARE(list->item(1)->text(), QStringLiteral("Lane of anna-1 to crm"));
    QSignalSpy events(&dialog, &GoToDialog::eventWanted);
    QSignalSpy lanes(&dialog, &GoToDialog::laneWanted);
    QTest::keyClick(typed, Qt::Key_Down);
    QTest::keyClick(typed, Qt::Key_Return);
    QCOMPARE(events.count(), 0);
    QCOMPARE(lanes.count(), 1);
    QCOMPARE(lanes[0][0].value<LaneKey>(), (LaneKey{m_crm, fingerprint(userKey("anna-1"), {})}));

    dialog.show();
    typed->setText(QStringLiteral("2"));  // a number of the log
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 1, kPatience);
    QTest::keyClick(typed, Qt::Key_Return);
    QCOMPARE(events.count(), 1);
    QCOMPARE(events[0][0].value<Sequence>(), Sequence(2));

    dialog.show();
    typed->setText(QStringLiteral("nobody"));
    QTRY_VERIFY_WITH_TIMEOUT(note->text().startsWith(QStringLiteral("Nothing in the log has")),
                             kPatience);
    QCOMPARE(list->count(), 0);
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
}

void LaneFlowTest::theStoryTellsEachDestination() {
    DeliveryPolicy atOnce;
    atOnce.deadLetterStatuses = {422};
    auto erp = destination("erp", m_mocks->addMock("erp", behaviour(422), "", 1, 0));
    erp.policy = atOnce;
    QVERIFY(m_world->command(SetDestination{erp}).ok());
    QVERIFY(send("anna", 1, 1));
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().delivered, 1u, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(m_world->totals().dead, 1u, kPatience);
    StoryWindow window(*m_world->engine, *m_loader, *m_times, Sequence(1));
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    window.show();
    auto* places = window.findChild<QListWidget*>(QStringLiteral("storyPlaces"));
    QTRY_COMPARE_WITH_TIMEOUT(places->count(), 2, kPatience);
    QCOMPARE(places->item(0)->text(), QStringLiteral("crm: delivered, one attempt"));
    QCOMPARE(places->item(1)->text(), QStringLiteral("erp: dead letter, one attempt"));
    const auto facts = window.findChild<QLabel*>(QStringLiteral("storyFacts"))->text();
    QVERIFY2(facts.startsWith(QStringLiteral("order.updated of anna, accepted ")),
             qPrintable(facts));
    QSignalSpy lanes(&window, &StoryWindow::laneWanted);
    places->setCurrentRow(1);
    QTest::mouseClick(window.findChild<QPushButton*>(QStringLiteral("storyLane")), Qt::LeftButton);
    QCOMPARE(lanes.count(), 1);
    QVERIFY(lanes[0][0].value<LaneKey>().destination != m_crm);
}

QTEST_MAIN(LaneFlowTest)
#include "lane_flow_test.moc"
