// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"
#include "engine/mock_control.h"
#include "ui/common/message_bar.h"
#include "ui/common/table.h"
#include "ui/main_window.h"

#include <QComboBox>
#include <QDialog>
#include <QHostAddress>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>

using namespace lanes;
using namespace lanes::ui;

/// The main job by mouse and keyboard: a real window, a real engine, a real destination over HTTP.
class ConsoleFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void aDestinationIsAddedInTheWindow();
    void eventsArrive();
    void pauseKeepsEventsBack();
    void resumeSendsThem();
    void eventsOfADestinationThatIsDownDie();
    void rewoundEventsArriveInOrder();
    void allThatMatchAreRewoundAndNewcomersStay();

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* widget = m_window->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    template <typename Widget>
    Widget* findIn(QWidget* parent, const char* name) const {
        auto* widget = parent->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    QDialog* dialog(const char* name) const;
    void click(QWidget* button) const { QTest::mouseClick(button, Qt::LeftButton); }
    /// Sends events of one user and waits until they are acknowledged.
    bool send(const QByteArray& user, int from, int count);
    MockReport mock() const { return m_mocks->mocks().at(0); }
    DestinationSnapshot destination() const { return m_engine->snapshot()->destinations.at(0); }
    bool setScale(double scale);

    QTemporaryDir m_folder;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<MockControl> m_mocks;
    std::unique_ptr<MainWindow> m_window;
    std::string m_url;
};

void ConsoleFlowTest::initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
    QLocale::setDefault(QLocale::c());
    m_mocks = makeMockControl();
    MockBehaviour quick;
    quick.latencyMs = 2;
    quick.latencySigma = 0;
    m_url = m_mocks->addMock("shop", quick, {}, 1, 0);
    EngineOptions options;
    options.dataDirectory = m_folder.filePath(QStringLiteral("data")).toStdString();
    options.intakePort = 0;
    options.seed = 1;
    options.demonstration = true;
    m_engine = makeEngine(options);
    m_window = std::make_unique<MainWindow>(*m_engine, m_mocks.get());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_engine->start();
    QTRY_COMPARE_WITH_TIMEOUT(m_engine->snapshot()->lifecycle, Lifecycle::running, 10000);
    QTRY_VERIFY(m_engine->snapshot()->intake.listening);
    QTRY_VERIFY(find<QTabWidget>("tabs")->isVisible());
}

void ConsoleFlowTest::cleanupTestCase() {
    m_window.reset();
    if (m_engine) m_engine->stop();
    m_engine.reset();
    m_mocks.reset();
}

QDialog* ConsoleFlowTest::dialog(const char* name) const {
    const auto dialogs = m_window->findChildren<QDialog*>(QLatin1String(name));
    const auto it = std::find_if(dialogs.begin(), dialogs.end(),
                                 [](const QDialog* found) { return found->isVisible(); });
    return it == dialogs.end() ? nullptr : *it;
}

bool ConsoleFlowTest::send(const QByteArray& user, int from, int count) {
    QByteArray body = "[";
    for (int i = 0; i < count; ++i)
        body += (i ? "," : "") + QByteArray("{\"id\":\"") + user + "-" +
                QByteArray::number(from + i) + "\",\"user\":\"" + user +
                "\",\"type\":\"order.updated\",\"payload\":{\"n\":" + QByteArray::number(from + i) +
                "}}";
    body += "]";
    QTcpSocket socket;
    const quint16 port = m_engine->snapshot()->intake.port;
    socket.connectToHost(QHostAddress::LocalHost, port);
    socket.write("POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port) +
                 "\r\nAuthorization: Bearer " + QByteArray::fromStdString(m_engine->writeKey()) +
                 "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
                 QByteArray::number(body.size()) + "\r\n\r\n" + body);
    QByteArray answer;
    const bool answered = QTest::qWaitFor(
        [&] {
            answer += socket.readAll();
            return answer.startsWith("HTTP/1.1 2") ||
                   (!answer.isEmpty() && socket.state() == QAbstractSocket::UnconnectedState);
        },
        10000);
    if (!answered || !answer.startsWith("HTTP/1.1 2")) qWarning() << answer;
    return answered && answer.startsWith("HTTP/1.1 2");
}

bool ConsoleFlowTest::setScale(double scale) {
    m_engine->submit(SetClockScale{scale});
    return QTest::qWaitFor([&] { return m_engine->snapshot()->clockScale == scale; }, 5000);
}

void ConsoleFlowTest::aDestinationIsAddedInTheWindow() {
    QTRY_VERIFY(find<QToolButton>("addDestinationButton")->isEnabled());
    click(find<QToolButton>("addDestinationButton"));
    QDialog* box = dialog("destinationDialog");
    QVERIFY(box);
    findIn<QLineEdit>(box, "destinationName")->setText(QStringLiteral("shop"));
    findIn<QLineEdit>(box, "destinationUrl")->setText(QString::fromStdString(m_url));
    findIn<QComboBox>(box, "destinationWindowUnit")->setCurrentIndex(0);
    findIn<QSpinBox>(box, "destinationWindow")->setValue(1);
    click(findIn<QPushButton>(box, "destinationAccept"));
    auto* list = find<QListView>("destinationsList");
    QTRY_COMPARE_WITH_TIMEOUT(list->model()->rowCount(), 2, 10000);
    QTRY_VERIFY(!dialog("destinationDialog"));
    QCOMPARE(m_engine->snapshot()->destinations.at(0).window, kMinute);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(1, 0)).center());
}

void ConsoleFlowTest::eventsArrive() {
    for (const char* user : {"anna", "bela", "chen"}) QVERIFY(send(user, 1, 5));
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(15), 10000);
    QTRY_COMPARE(destination().counters.delivered, std::uint64_t(15));
}

void ConsoleFlowTest::pauseKeepsEventsBack() {
    QTRY_VERIFY(find<QPushButton>("pauseButton")->isEnabled());
    click(find<QPushButton>("pauseButton"));
    QDialog* box = dialog("pauseDialog");
    QVERIFY(box);
    click(findIn<QPushButton>(box, "pauseAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(destination().health, HealthState::paused, 10000);
    for (const char* user : {"anna", "bela", "chen"}) QVERIFY(send(user, 6, 2));
    QTRY_COMPARE_WITH_TIMEOUT(find<QToolButton>("statusBacklog")->text(),
                              QStringLiteral("backlog 6"), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("lanesTable")->model()->rowCount(), 3, 10000);
    QCOMPARE(mock().accepted, std::uint64_t(15));
}

void ConsoleFlowTest::resumeSendsThem() {
    QTRY_COMPARE(find<QPushButton>("pauseButton")->text(), QStringLiteral("Resume…"));
    click(find<QPushButton>("pauseButton"));
    QDialog* box = dialog("resumeDialog");
    QVERIFY(box);
    click(findIn<QPushButton>(box, "resumeAccept"));
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(21), 20000);
    QTRY_COMPARE_WITH_TIMEOUT(find<QToolButton>("statusBacklog")->text(),
                              QStringLiteral("backlog 0"), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("lanesTable")->model()->rowCount(), 0, 10000);
}

void ConsoleFlowTest::eventsOfADestinationThatIsDownDie() {
    MockBehaviour down = mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    m_mocks->setBehaviour(0, down);
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::down);
    QVERIFY(send("anna", 8, 4));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(4));
    // The window of a minute is over in a second and a half.
    QVERIFY(setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(4), 30000);
    QVERIFY(setScale(1));
    click(find<QToolButton>("statusDead"));
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("deadLettersTable")->model()->rowCount(), 4, 10000);
}

void ConsoleFlowTest::rewoundEventsArriveInOrder() {
    MockBehaviour up = mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    m_mocks->setBehaviour(0, up);
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::answer);
    find<Table>("deadLettersTable")->selectAll();
    QCOMPARE(find<QPushButton>("rewindButton")->text(), QStringLiteral("Rewind selected (4)"));
    click(find<QPushButton>("rewindButton"));
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = findIn<QPushButton>(box, "rewindAccept");
    QCOMPARE(accept->text(), QStringLiteral("Rewind 4 events"));
    click(accept);
    QTRY_VERIFY_WITH_TIMEOUT(
        find<MessageBar>("messageBar")->text().contains(QLatin1String("4 moved")), 10000);
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(25), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(find<Table>("deadLettersTable")->model()->rowCount(), 0, 10000);
    QCOMPARE(mock().orderViolations, std::uint64_t(0));
    QCOMPARE(mock().duplicates, std::uint64_t(0));
    QCOMPARE(mock().overlaps, std::uint64_t(0));
    // Newest first: the last four accepted are the rewound ones, in their original order.
    std::vector<std::uint64_t> sequences;
    for (const auto& line : m_mocks->log(0))
        if (line.status == 200 && sequences.size() < 4) sequences.push_back(line.sequence);
    QCOMPARE(sequences.size(), std::size_t(4));
    QVERIFY(std::is_sorted(sequences.rbegin(), sequences.rend()));
    QTRY_VERIFY(m_engine->snapshot()->totals.balanced());
    QTRY_COMPARE(destination().counters.delivered, std::uint64_t(25));
}

void ConsoleFlowTest::allThatMatchAreRewoundAndNewcomersStay() {
    MockBehaviour down = mock().behaviour;
    down.mode = MockBehaviour::Mode::down;
    m_mocks->setBehaviour(0, down);
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::down);
    QVERIFY(send("bela", 8, 3));
    QVERIFY(send("chen", 8, 2));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(5));
    QVERIFY(setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(5), 30000);
    QVERIFY(setScale(1));
    m_window->activateWindow();
    QTRY_VERIFY(m_window->isActiveWindow());
    QTest::keyClick(m_window.get(), Qt::Key_Slash);
    auto* edit = find<QLineEdit>("filterEdit");
    QVERIFY(edit->hasFocus());
    QTest::keyClicks(edit, QStringLiteral("user:bela payload~\"n\" "));
    QTest::keyClick(edit, Qt::Key_Return);
    auto* matching = find<QPushButton>("rewindMatchingButton");
    QTRY_COMPARE_WITH_TIMEOUT(matching->text(), QStringLiteral("Rewind all matching (3)…"), 10000);
    click(matching);
    QDialog* box = dialog("rewindDialog");
    QVERIFY(box);
    auto* accept = findIn<QPushButton>(box, "rewindAccept");
    QTRY_COMPARE(accept->text(), QStringLiteral("Rewind 3 events"));
    // One more that matches dies while somebody thinks.
    QVERIFY(send("bela", 11, 1));
    QTRY_COMPARE(destination().counters.waiting, std::uint64_t(1));
    QVERIFY(setScale(40));
    QTRY_COMPARE_WITH_TIMEOUT(destination().counters.dead, std::uint64_t(6), 30000);
    QVERIFY(setScale(1));
    auto* newcomers = findIn<QLabel>(box, "rewindNewcomers");
    QTRY_COMPARE(newcomers->text(), QStringLiteral("1 more that matches has died since; it is "
                                                   "not included."));
    MockBehaviour up = mock().behaviour;
    up.mode = MockBehaviour::Mode::answer;
    m_mocks->setBehaviour(0, up);
    QTRY_COMPARE(mock().behaviour.mode, MockBehaviour::Mode::answer);
    click(accept);
    QTRY_COMPARE_WITH_TIMEOUT(mock().accepted, std::uint64_t(28), 30000);
    QTRY_COMPARE(destination().counters.dead, std::uint64_t(3));
    QTRY_COMPARE_WITH_TIMEOUT(matching->text(), QStringLiteral("Rewind all matching (1)…"), 10000);
    QCOMPARE(find<Table>("deadLettersTable")->model()->rowCount(), 1);
    QCOMPARE(mock().orderViolations, std::uint64_t(0));
}

QTEST_MAIN(ConsoleFlowTest)
#include "console_flow_test.moc"
