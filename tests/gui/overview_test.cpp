// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/overview/alerts_model.h"
#include "ui/overview/destination_table_model.h"
#include "ui/overview/figure_tile.h"
#include "ui/overview/overview_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// Is something broken that needs a hand?
class OverviewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init();
    void cleanup();
    void anEmptyProgramSaysWhatToDo();
    void allIsWellAndProvesIt();
    void theWorstIsSaidFirst();
    void figuresLeadToTheirLists();
    void anAlertLeadsToWhatItIsAbout();
    void theChosenAlertStaysChosen();
    void acknowledgedAlertsDoNotCount();
    void aFrozenViewStandsStillAndStillWatches();
    void drainIsForetoldOnlyWhereItCanBe_data();
    void drainIsForetoldOnlyWhereItCanBe();
    void textsFromOutsideArePlain();
    void atTheSmallestWindowTheRowsAreSeen();
    void belowThatItScrolls();
    void aDividerThatWasMovedStays();
    void theFirstRunOffersWhatCanBeDone();

private:
    void publish(Micros after = kSecond);
    QString text(const char* name) const {
        return m_view->findChild<QLabel*>(QLatin1String(name))->text();
    }
    FigureTile& tile(const char* name) const {
        return *m_view->findChild<FigureTile*>(QLatin1String(name));
    }
    QPushButton& button(const char* name) const {
        return *m_view->findChild<QPushButton*>(QLatin1String(name));
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<TimeDisplay> m_times;
    std::unique_ptr<RateTracker> m_rates;
    std::unique_ptr<OverviewView> m_view;
};

void OverviewTest::init() {
    m_engine = std::make_unique<test::FakeEngine>();
    m_engine->state.at = 1'800'000'000LL * kSecond;
    m_engine->state.lifecycle = Lifecycle::running;
    m_times = std::make_unique<TimeDisplay>();
    m_rates = std::make_unique<RateTracker>();
    m_engine->publish();
    m_view = std::make_unique<OverviewView>(*m_engine, *m_rates, *m_times);
    for (Table* table : {&m_view->alertsTable(), &m_view->destinationsTable()})
        new QAbstractItemModelTester(
            table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, table->model());
    m_view->resize(1000, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void OverviewTest::cleanup() {
    m_view.reset();
}

void OverviewTest::publish(Micros after) {
    m_engine->state.at += after;
    m_engine->state.engineTime += after;
    m_engine->updateTotals();
    m_engine->publish();
    m_rates->add(m_engine->snapshot());
    m_view->showSnapshot();
}

void OverviewTest::anEmptyProgramSaysWhatToDo() {
    QCOMPARE(text("verdict"), QStringLiteral("No destination yet"));
    QVERIFY(text("proofOfLife").contains(QStringLiteral("Add a destination")));
}

void OverviewTest::atTheSmallestWindowTheRowsAreSeen() {
    // What is left of 1280 x 720 beside both docks.
    m_view->resize(1015, 417);
    for (const char* name : {"crm", "billing", "audit", "partner", "warehouse"})
        m_engine->addDestination(name);
    for (std::size_t i = 0; i < 3; ++i) m_engine->state.destinations[i].counters.dead = 2;
    publish();
    QTest::qWait(20);
    QCOMPARE(m_view->alertsTable().model()->rowCount(), 3);
    QCOMPARE(m_view->alertsTable().visibleRows(), std::pair(0, 2));
    QCOMPARE(m_view->destinationsTable().visibleRows(), std::pair(0, 4));
    auto* scroll = m_view->findChild<QScrollArea*>(QStringLiteral("overviewScroll"));
    QVERIFY(!scroll->verticalScrollBar()->isVisible());
    QVERIFY(!scroll->horizontalScrollBar()->isVisible());
    const int compact = tile("figureDead").height();
    m_view->resize(1010, 900);
    QTest::qWait(20);
    QVERIFY(tile("figureDead").height() > compact);
}

void OverviewTest::belowThatItScrolls() {
    m_engine->addDestination("crm");
    publish();
    m_view->resize(1010, 220);
    QTest::qWait(20);
    auto* scroll = m_view->findChild<QScrollArea*>(QStringLiteral("overviewScroll"));
    QVERIFY(scroll->verticalScrollBar()->isVisible());
    QVERIFY(m_view->destinationsTable().viewport()->height() >=
            2 * m_view->destinationsTable().verticalHeader()->defaultSectionSize());
}

void OverviewTest::aDividerThatWasMovedStays() {
    m_engine->addDestination("crm").counters.dead = 2;
    m_view->resize(1010, 900);
    publish();
    auto* splitter = m_view->findChild<QSplitter*>(QStringLiteral("overviewSplitter"));
    auto* handle = splitter->handle(1);
    const QPoint middle = handle->rect().center();
    QTest::mousePress(handle, Qt::LeftButton, {}, middle);
    QTest::mouseMove(handle, middle + QPoint(0, 120));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, middle + QPoint(0, 120));
    const auto sizes = splitter->sizes();
    m_engine->addDestination("billing").counters.dead = 2;
    publish();
    QCOMPARE(splitter->sizes(), sizes);
}

void OverviewTest::theFirstRunOffersWhatCanBeDone() {
    m_engine->state.intake.listening = true;
    m_engine->state.intake.port = 7421;
    publish();
    auto* page = m_view->findChild<QWidget*>(QStringLiteral("firstRunPage"));
    QVERIFY(page->isVisible());
    QVERIFY(!m_view->alertsTable().isVisible());
    QVERIFY(!tile("figureDead").isVisible());
    QSignalSpy add(m_view.get(), &OverviewView::addWanted);
    QSignalSpy demo(m_view.get(), &OverviewView::demoWanted);
    button("firstRunAdd").click();
    button("firstRunDemo").click();
    QCOMPARE(add.count(), 1);
    QCOMPARE(demo.count(), 1);
    button("firstRunCopy").click();
    const QString command = QApplication::clipboard()->text();
    QVERIFY(command.contains(QStringLiteral("http://127.0.0.1:7421/v1/events")));
    QVERIFY(command.contains(QString::fromStdString(m_engine->writeKey())));
    m_view->setDemoOffered(false);
    QVERIFY(!button("firstRunDemo").isVisible());
    m_engine->state.intake.listening = false;
    publish();
    QVERIFY(!button("firstRunCopy").isEnabled());
    m_engine->addDestination("crm");
    publish();
    QVERIFY(!page->isVisible());
    QVERIFY(m_view->destinationsTable().isVisible());
}

void OverviewTest::allIsWellAndProvesIt() {
    auto& crm = m_engine->addDestination("crm");
    crm.lastDeliveredAt = m_engine->state.at;
    publish();
    QCOMPARE(text("verdict"), QStringLiteral("All is well"));
    QVERIFY2(text("proofOfLife").startsWith(QStringLiteral("Last event delivered at ")),
             qPrintable(text("proofOfLife")));
    QVERIFY(text("proofOfLife").endsWith(QStringLiteral("UTC.")));
    m_engine->state.destinations[0].health = HealthState::recovering;
    publish();
    QCOMPARE(text("verdict"),
             QStringLiteral("One destination is not healthy; nothing asks for you"));
}

void OverviewTest::theWorstIsSaidFirst() {
    m_engine->addDestination("crm").counters.dead = 2;
    auto& billing = m_engine->addDestination("billing");
    billing.lanesNearDeath = 312;
    billing.nearDeath = 4 * kHour;
    QSignalSpy pressing(m_view.get(), &OverviewView::pressingChanged);
    publish();
    QCOMPARE(text("verdict"), QStringLiteral("2 things ask for you"));
    QCOMPARE(text("proofOfLife"),
             QStringLiteral("billing: Dead letters soon. 312 lanes reach the end of their retry "
                            "window within 4 h 00 m, unless their events are delivered."));
    QCOMPARE(pressing.count(), 1);
    QCOMPARE(pressing[0][0].toULongLong(), 2u);
}

void OverviewTest::figuresLeadToTheirLists() {
    auto& crm = m_engine->addDestination("crm");
    crm.counters.waiting = 1204;
    crm.counters.accepted = 1204;
    crm.lanesBackingOff = 12;
    crm.oldestHeadAge = 3 * kHour;
    publish();
    publish(30 * kSecond);
    QCOMPARE(tile("figureBacklog").figure(), QStringLiteral("1204"));
    QCOMPARE(tile("figureRetrying").figure(), QStringLiteral("12"));
    QCOMPARE(tile("figureRetrying").remark(), QStringLiteral("oldest 3 h 00 m"));
    QCOMPARE(tile("figureErrors").remark(), QStringLiteral("no attempt"));
    QCOMPARE(tile("figureBacklog").accessibleName(), QStringLiteral("Backlog: 1204"));
    QSignalSpy lanes(m_view.get(), &OverviewView::lanesWanted);
    QSignalSpy dead(m_view.get(), &OverviewView::deadLettersWanted);
    QTest::mouseClick(&tile("figureBacklog"), Qt::LeftButton);
    QTest::keyClick(&tile("figureDead"), Qt::Key_Space);
    QCOMPARE(lanes.count(), 1);
    QCOMPARE(dead.count(), 1);
}

void OverviewTest::anAlertLeadsToWhatItIsAbout() {
    m_engine->addDestination("crm").counters.dead = 2;
    auto& billing = m_engine->addDestination("billing", HealthState::paused);
    billing.pausedBySystem = true;
    billing.pauseReason = "the destination answered 410 Gone";
    publish();
    auto& table = m_view->alertsTable();
    QCOMPARE(table.model()->rowCount(), 2);
    QVERIFY(!button("alertOpen").isEnabled());
    table.setCurrentIndex(table.model()->index(0, 0));
    QCOMPARE(button("alertOpen").text(), QStringLiteral("Settings…"));
    QSignalSpy settings(m_view.get(), &OverviewView::destinationWanted);
    QSignalSpy dead(m_view.get(), &OverviewView::deadLettersWanted);
    QTest::mouseClick(&button("alertOpen"), Qt::LeftButton);
    QCOMPARE(settings.count(), 1);
    table.setCurrentIndex(table.model()->index(1, 0));
    QCOMPARE(button("alertOpen").text(), QStringLiteral("Show its dead letters"));
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(dead.count(), 1);
    QCOMPARE(dead[0][0].value<DestinationId>(), DestinationId(1));
}

void OverviewTest::theChosenAlertStaysChosen() {
    m_engine->addDestination("crm").counters.dead = 2;
    m_engine->addDestination("billing");
    publish();
    auto& table = m_view->alertsTable();
    table.setCurrentIndex(table.model()->index(0, 0));
    m_engine->state.destinations[1].lanesNearDeath = 5;  // comes before it
    publish();
    QCOMPARE(table.model()->rowCount(), 2);
    QCOMPARE(table.currentIndex().row(), 1);
    QCOMPARE(button("alertOpen").text(), QStringLiteral("Show its dead letters"));
}

void OverviewTest::acknowledgedAlertsDoNotCount() {
    auto& crm = m_engine->addDestination("crm");
    crm.lanesNearDeath = 3;
    crm.nearDeath = 4 * kHour;
    publish();
    QCOMPARE(m_view->pressing(), 1u);
    auto& table = m_view->alertsTable();
    table.setCurrentIndex(table.model()->index(0, 0));
    QTest::mouseClick(&button("alertAcknowledge"), Qt::LeftButton);
    QCOMPARE(m_view->pressing(), 0u);
    QCOMPARE(text("verdict"), QStringLiteral("All is well"));
    QCOMPARE(table.model()->rowCount(), 1);  // it is still the case
    QVERIFY(table.model()
                ->index(0, AlertsModel::Details)
                .data()
                .toString()
                .startsWith(QStringLiteral("Acknowledged. ")));
    QVERIFY(!button("alertAcknowledge").isEnabled());
}

void OverviewTest::aFrozenViewStandsStillAndStillWatches() {
    m_engine->addDestination("crm");
    publish();
    m_view->setFrozen(true);
    QSignalSpy raised(m_view.get(), &OverviewView::alertRaised);
    m_engine->state.destinations[0].counters.dead = 4;
    publish();
    QCOMPARE(raised.count(), 1);
    QCOMPARE(text("verdict"), QStringLiteral("All is well"));
    QCOMPARE(m_view->alertsTable().model()->rowCount(), 0);
    m_view->setFrozen(false);
    QCOMPARE(text("verdict"), QStringLiteral("One thing asks for you"));
    QCOMPARE(m_view->alertsTable().model()->rowCount(), 1);
}

void OverviewTest::drainIsForetoldOnlyWhereItCanBe_data() {
    QTest::addColumn<HealthState>("health");
    QTest::addColumn<quint64>("waiting");
    QTest::addColumn<double>("in");
    QTest::addColumn<double>("out");
    QTest::addColumn<QString>("drain");
    QTest::newRow("nothing waits")
        << HealthState::healthy << quint64(0) << 100.0 << 100.0 << QString();
    QTest::newRow("paused") << HealthState::paused << quint64(50) << 0.0 << 0.0
                            << QStringLiteral("when resumed");
    QTest::newRow("degraded") << HealthState::degraded << quint64(50) << 0.0 << 0.0
                              << QStringLiteral("when it recovers");
    QTest::newRow("more goes than comes") << HealthState::recovering << quint64(1000) << 100.0
                                          << 200.0 << QStringLiteral("about 10 m 00 s");
    QTest::newRow("more comes than goes")
        << HealthState::throttled << quint64(1000) << 200.0 << 100.0 << QStringLiteral("grows");
    QTest::newRow("as much comes as goes") << HealthState::healthy << quint64(1000) << 200.0
                                           << 199.0 << QStringLiteral("does not shrink");
    QTest::newRow("nothing goes") << HealthState::healthy << quint64(1000) << 200.0 << 0.0
                                  << QStringLiteral("stands still");
    QTest::newRow("what comes is under way")
        << HealthState::healthy << quint64(2) << 600.0 << 600.0 << QStringLiteral("about 2 ms");
}

void OverviewTest::drainIsForetoldOnlyWhereItCanBe() {
    QFETCH(HealthState, health);
    QFETCH(quint64, waiting);
    QFETCH(double, in);
    QFETCH(double, out);
    QFETCH(QString, drain);
    DestinationSnapshot destination;
    destination.health = health;
    destination.counters.waiting = waiting;
    destination.lanes = 1;
    destination.budget = 1;
    destination.maxInFlight = 1;
    for (int i = 0; i < 100; ++i) destination.latency.add(kMillisecond);
    Rates rates;
    rates.known = true;
    rates.inPerMinute = in;
    rates.outPerMinute = out;
    const QString told = drainText(destination, rates);
    if (told.endsWith(QStringLiteral(" ms")))
        QVERIFY2(told.startsWith(QStringLiteral("about ")), qPrintable(told));
    else
        QCOMPARE(told, drain);
}

void OverviewTest::textsFromOutsideArePlain() {
    auto& crm = m_engine->addDestination("<b>crm</b>", HealthState::paused);
    crm.pausedBySystem = true;
    crm.pauseReason = "<img src=x>\n410";
    publish();
    QVERIFY(text("proofOfLife").contains(QStringLiteral("<b>crm</b>")));
    QCOMPARE(m_view->findChild<QLabel*>(QStringLiteral("proofOfLife"))->textFormat(),
             Qt::PlainText);
    const auto tip = m_view->destinationsTable()
                         .model()
                         ->index(0, DestinationTableModel::Note)
                         .data(Qt::ToolTipRole)
                         .toString();
    QVERIFY2(!tip.contains(QStringLiteral("<img")), qPrintable(tip));
}

QTEST_MAIN(OverviewTest)
#include "overview_test.moc"
