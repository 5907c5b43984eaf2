// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/outage_story.h"
#include "tests/support/fake_engine.h"
#include "ui/common/page_loader.h"
#include "ui/common/elided_label.h"
#include "ui/health/health_dock.h"
#include "ui/health/state_strip.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialog>
#include <QElapsedTimer>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

#include <qcustomplot.h>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr WallMicros kNow = 1'790'000'000 * kSecond + kSecond / 2;

QString fullText(const HealthDock& dock, const char* name) {
    const auto* label = dock.findChild<QLabel*>(QLatin1String(name));
    const auto* elided = qobject_cast<const ElidedLabel*>(label);
    return elided != nullptr ? elided->fullText() : label->text();
}

/// A dock that has seen the outage, shown at a usual size.
struct Shown {
    test::FakeEngine engine;
    HealthDock dock{engine};

    Shown() {
        test::tellOutage(kNow, [this](const EngineSnapshot& s) {
            const auto number = engine.state.number;
            engine.state = s;
            engine.state.number = number;
            engine.publish();
        });
        dock.setDestination(DestinationId(1));
        dock.resize(1280, 240);
        dock.show();
    }
    QToolButton* button(const char* name) {
        return dock.findChild<QToolButton*>(QLatin1String(name));
    }
    QCustomPlot* plot(const char* name = "deliveriesGraphPlot") {
        return dock.findChild<QCustomPlot*>(QLatin1String(name));
    }
    QString text(const char* name) {
        return fullText(dock, name);
    }
    void drag(int from, int to) {
        const auto send = [this](QEvent::Type type, int x, Qt::MouseButton button) {
            const QPointF at(x, 60);
            QMouseEvent event(type, at, plot()->mapToGlobal(at), button, Qt::LeftButton, {});
            QCoreApplication::sendEvent(plot(), &event);
        };
        send(QEvent::MouseButtonPress, from, Qt::LeftButton);
        send(QEvent::MouseMove, to, Qt::NoButton);
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton);
    }
};

}  // namespace

class HealthDockTest : public QObject {
    Q_OBJECT

private slots:
    void numbersAreThoseOfTheLastWholeSecond() {
        Shown s;
        QTRY_COMPARE(s.text("healthName"), QStringLiteral("crm"));
        QCOMPARE(s.text("healthWord"), QStringLiteral("healthy"));
        QTRY_VERIFY(s.text("deliveriesGraphNumber1").startsWith(QStringLiteral("in ")));
        QVERIFY(s.text("deliveriesGraphNumber1").endsWith(QStringLiteral(" /s")));
        QCOMPARE(s.text("budgetGraphNumber1"), QStringLiteral("budget 64"));
        QCOMPARE(s.text("errorsGraphNumber0"), QStringLiteral("0.0 %"));
    }

    void theRangeIsChosen_data() {
        QTest::addColumn<int>("seconds");
        QTest::newRow("a minute") << 60;
        QTest::newRow("five minutes") << 300;
        QTest::newRow("a quarter of an hour") << 900;
        QTest::newRow("three hours") << 10800;
    }
    void theRangeIsChosen() {
        QFETCH(int, seconds);
        Shown s;
        s.dock.findChild<QToolButton*>(QStringLiteral("healthRange%1").arg(seconds))->click();
        for (const auto* plot : s.dock.findChildren<QCustomPlot*>()) {
            QCOMPARE(plot->xAxis->range().size(), double(seconds));
            // The present is the right edge, rounded to the second.
            QCOMPARE(plot->xAxis->range().upper, double(kNow / kSecond + 1));
            QCOMPARE(plot->yAxis->range().lower, 0.0);
        }
    }

    void theFirstMinuteIsShownLarge() {
        test::FakeEngine engine;
        HealthDock dock(engine);
        dock.show();
        const auto checked = [&dock](int seconds) {
            return dock.findChild<QToolButton*>(QStringLiteral("healthRange%1").arg(seconds))
                ->isChecked();
        };
        QVERIFY(checked(60));
        std::vector<EngineSnapshot> story;
        test::tellOutage(kNow, [&](const EngineSnapshot& s) { story.push_back(s); });
        const auto tell = [&engine, &story](int first, int last) {
            for (int step = first; step < last; ++step) {
                const auto number = engine.state.number;
                engine.state = story[static_cast<std::size_t>(step)];
                engine.state.number = number;
                engine.publish();
            }
        };
        tell(0, 4 * 55);
        QVERIFY(checked(60));
        tell(4 * 55, 4 * 65);
        QVERIFY(checked(300));
        // What was chosen stays.
        dock.findChild<QToolButton*>(QStringLiteral("healthRange60"))->click();
        tell(4 * 65, 4 * 80);
        QVERIFY(checked(60));
    }

    void theDestinationIsSwitched() {
        Shown s;
        s.dock.setDestination(DestinationId(3));
        QCOMPARE(s.text("healthName"), QStringLiteral("audit"));
        QCOMPARE(s.text("healthWord"), QStringLiteral("paused"));
        QCOMPARE(s.text("healthExplanation"), QStringLiteral("anna: maintenance"));
        s.dock.setDestination(DestinationId(0));
        QCOMPARE(s.text("healthName"), QStringLiteral("All destinations"));
        QCOMPARE(s.text("budgetGraphNumber1"), QStringLiteral("budget 192"));
    }

    void aDragZoomsAndLiveReturns() {
        Shown s;
        QToolButton* live = s.button("healthLive");
        QVERIFY(!live->isVisible());
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.drag(100, 200);
        QTRY_VERIFY(live->isVisible());
        const QCPRange zoomed = s.plot()->xAxis->range();
        QVERIFY(zoomed.size() < 300);
        QCOMPARE(s.plot("backlogGraphPlot")->xAxis->range(), zoomed);
        // It stands still while the engine goes on.
        s.engine.state.at += 5 * kSecond;
        s.engine.state.engineTime += 5 * kSecond;
        s.engine.publish();
        QTest::qWait(300);
        QCOMPARE(s.plot()->xAxis->range(), zoomed);
        live->click();
        QVERIFY(!live->isVisible());
        QCOMPARE(s.plot()->xAxis->range().upper, double(kNow / kSecond + 6));
    }

    void escapeReturnsToThePresent() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.drag(100, 200);
        QTRY_VERIFY(s.button("healthLive")->isVisible());
        QTest::keyClick(&s.dock, Qt::Key_Escape);
        QVERIFY(!s.button("healthLive")->isVisible());
    }

    void aClickDoesNotZoom() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.drag(100, 102);
        QVERIFY(!s.button("healthLive")->isVisible());
    }

    void aClickOffersTheAttemptsOfThatTime() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        QSignalSpy wanted(&s.dock, &HealthDock::attemptsWanted);
        auto* attempts = s.button("healthAttempts");
        QVERIFY(!attempts->isVisible());
        const auto at = WallMicros(s.plot()->xAxis->pixelToCoord(100) * kSecond);
        s.drag(100, 100);
        QVERIFY(attempts->isVisible());
        attempts->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<DestinationId>(), DestinationId(1));
        const auto from = wanted[0][1].value<WallMicros>();
        const auto until = wanted[0][2].value<WallMicros>();
        QVERIFY(from <= at && at < until);
        QVERIFY(until - from >= kSecond && until - from <= 20 * kSecond);
        // Escape takes the choice back.
        QTest::keyClick(&s.dock, Qt::Key_Escape);
        QVERIFY(!attempts->isVisible());
    }

    void aDragOffersTheAttemptsOfItsStretch() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.drag(60, 300);
        QTRY_VERIFY(s.button("healthLive")->isVisible());
        QSignalSpy wanted(&s.dock, &HealthDock::attemptsWanted);
        s.button("healthAttempts")->click();
        QCOMPARE(wanted.count(), 1);
        const QCPRange range = s.plot()->xAxis->range();
        QCOMPARE(wanted[0][1].value<WallMicros>(), WallMicros(range.lower) * kSecond);
        QCOMPARE(wanted[0][2].value<WallMicros>(), WallMicros(range.upper) * kSecond);
        s.button("healthLive")->click();
        QVERIFY(!s.button("healthAttempts")->isVisible());
    }

    void theMenuSpeaksOfThePlaceItWasOpenedAt() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        QSignalSpy wanted(&s.dock, &HealthDock::attemptsWanted);
        QSignalSpy lanes(&s.dock, &HealthDock::lanesWanted);
        const auto at = WallMicros(s.plot()->xAxis->pixelToCoord(150) * kSecond);
        QContextMenuEvent event(QContextMenuEvent::Mouse, {150, 60},
                                s.plot()->mapToGlobal(QPoint(150, 60)));
        QCoreApplication::sendEvent(s.plot(), &event);
        auto* action = s.dock.findChild<QAction*>(QStringLiteral("healthShowAttempts"));
        QVERIFY2(action->text().startsWith(QStringLiteral("&Attempts from ")),
                 qPrintable(action->text()));
        action->trigger();
        QVERIFY(wanted[0][1].value<WallMicros>() <= at);
        QVERIFY(wanted[0][2].value<WallMicros>() > at);
        auto* ofIt = s.dock.findChild<QAction*>(QStringLiteral("healthShowLanes"));
        QCOMPARE(ofIt->text(), QStringLiteral("&Lanes of crm"));
        ofIt->trigger();
        QCOMPARE(lanes[0][0].value<DestinationId>(), DestinationId(1));
        QCOMPARE(lanes[0][2].value<WallMicros>(), WallMicros(0));
        auto* ofTime = s.dock.findChild<QAction*>(QStringLiteral("healthShowLanesOfTime"));
        QVERIFY(ofTime->text().startsWith(QStringLiteral("Lanes whose &head came from ")));
        ofTime->trigger();
        QCOMPARE(lanes[1][1], wanted[0][1]);
        QCOMPARE(lanes[1][2], wanted[0][2]);
        QSignalSpy dead(&s.dock, &HealthDock::deadLettersWanted);
        s.dock.findChild<QAction*>(QStringLiteral("healthShowDeadLetters"))->trigger();
        QCOMPARE(dead[0], wanted[0]);
    }

    void whatWasDoneIsMarkedAndTold() {
        Shown s;
        PageLoader loader;
        s.dock.setLoader(&loader);
        OperationRow& pause = s.engine.addOperation(OperationKind::setting, "pause");
        pause.at = (kNow / kSecond - 100) * kSecond;
        pause.who = "anna";
        pause.scope = "crm";
        pause.reason = "<i>maintenance</i>";
        loader.setReader(s.engine.openPageReader());
        s.engine.state.at += kSecond / 4;
        s.engine.state.engineTime += kSecond / 4;
        s.engine.publish();
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        const auto marks = [&s] {
            int visible = 0;
            const auto* plot = s.plot();
            for (int i = 0; i < plot->itemCount(); ++i)
                if (const auto* mark = qobject_cast<QCPItemPixmap*>(plot->item(i)))
                    visible += mark->visible() ? 1 : 0;
            return visible;
        };
        QTRY_COMPARE(marks(), 1);
        const int x = int(s.plot()->xAxis->coordToPixel(double(kNow / kSecond) - 100));
        const QPointF at(x, 60);
        QMouseEvent move(QEvent::MouseMove, at, s.plot()->mapToGlobal(at), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(s.plot(), &move);
        QVERIFY2(QToolTip::text().contains(
                     QStringLiteral("Paused by anna: &lt;i&gt;maintenance")),
                 qPrintable(QToolTip::text()));
        // With the graphs of another destination it has nothing to do.
        s.dock.setDestination(DestinationId(2));
        QTRY_COMPARE(marks(), 0);
        loader.setReader(nullptr);
        s.dock.setLoader(nullptr);
    }

    void aMockThatChangedIsMarked() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.engine.state.destinations[0].url = "http://127.0.0.1:9/crm";
        s.engine.state.at += kSecond / 4;
        s.engine.state.engineTime += kSecond / 4;
        s.engine.publish();
        s.dock.noteMock(QStringLiteral("crm"), QStringLiteral("http://127.0.0.1:9/crm"),
                        QStringLiteral("Answers 503"));
        s.dock.findChild<QToolButton*>(QStringLiteral("healthRange60"))->click();
        s.dock.findChild<QAction*>(QStringLiteral("healthViewTable"))->trigger();
        auto* table = s.dock.findChild<QTableView*>(QStringLiteral("historyTable"));
        QVERIFY(table);
        bool told = false;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (int column = 0; column < table->model()->columnCount(); ++column)
                told = told || table->model()->index(row, column).data().toString().endsWith(
                                   QStringLiteral("Mock crm: Answers 503"));
        QVERIFY(told);
    }

    void thePointerTellsAllValuesAsPlainText() {
        Shown s;
        s.engine.state.destinations[0].lastChange = {
            s.engine.state.at - 100 * kSecond, 64, 32, "<b>9 of 52</b> answers were 503"};
        s.engine.state.at += kSecond / 4;
        s.engine.state.engineTime += kSecond / 4;
        s.engine.publish();
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        QTest::qWait(300);
        const double second = double(kNow / kSecond) - 100;
        const int x = int(s.plot()->xAxis->coordToPixel(second));
        const QPointF at(x, 60);
        QMouseEvent move(QEvent::MouseMove, at, s.plot()->mapToGlobal(at), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(s.plot(), &move);
        const QString tip = QToolTip::text();
        QVERIFY2(tip.contains(QStringLiteral("Backlog: waiting ")), qPrintable(tip));
        QVERIFY(tip.contains(QStringLiteral("in flight ")));
        QVERIFY(tip.contains(QStringLiteral("&lt;b&gt;9 of 52")));
        for (const auto* plot : s.dock.findChildren<QCustomPlot*>()) {
            bool crosshair = false;
            for (int i = 0; i < plot->itemCount(); ++i)
                if (const auto* line = qobject_cast<QCPItemLine*>(plot->item(i)))
                    crosshair = line->visible();
            QVERIFY(crosshair);
        }
    }

    void paintsAtMostFourTimesASecond() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        QTest::qWait(300);
        QSignalSpy painted(s.plot(), &QCustomPlot::afterReplot);
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 1000) {
            s.engine.state.at += 10 * kMillisecond;
            s.engine.state.engineTime += 10 * kMillisecond;
            s.engine.publish();
            QTest::qWait(10);
        }
        QVERIFY(painted.size() >= 2);
        QVERIFY2(painted.size() <= 5, qPrintable(QString::number(painted.size())));
    }

    void doesNothingWhileHiddenButRemembers() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        s.dock.hide();
        QTest::qWait(300);
        QSignalSpy painted(s.plot(), &QCustomPlot::afterReplot);
        for (int i = 0; i < 8; ++i) {
            s.engine.state.at += kSecond / 4;
            s.engine.state.engineTime += kSecond / 4;
            s.engine.state.destinations[0].counters.accepted += 25;
            s.engine.publish();
        }
        QTest::qWait(300);
        QCOMPARE(painted.size(), 0);
        s.dock.show();
        QTRY_COMPARE(s.text("deliveriesGraphNumber1"), QStringLiteral("in 100 /s"));
    }

    void theTableShowsTheBuckets() {
        Shown s;
        s.dock.findChild<QAction*>(QStringLiteral("healthViewTable"))->trigger();
        auto* dialog = s.dock.findChild<QDialog*>(QStringLiteral("historyTableDialog"));
        QVERIFY(dialog);
        auto* table = dialog->findChild<QTableView*>(QStringLiteral("historyTable"));
        QVERIFY(table->model()->rowCount() >= 300);
        dialog->close();
    }

    void thePictureIsCopied() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowExposed(&s.dock));
        QGuiApplication::clipboard()->clear();
        s.dock.findChild<QAction*>(QStringLiteral("healthCopyPicture"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->pixmap().size(), s.dock.size());
        QVERIFY(!s.text("healthExplanation").isEmpty());
    }

    void anEngineThatDoesNotRunIsSaid() {
        test::FakeEngine engine;
        engine.state.lifecycle = Lifecycle::starting;
        engine.publish();
        HealthDock dock(engine);
        dock.show();
        QTRY_COMPARE(fullText(dock, "healthExplanation"),
                     QStringLiteral("The engine is not running."));
        engine.state.lifecycle = Lifecycle::running;
        engine.publish();
        QTRY_COMPARE(fullText(dock, "healthExplanation"),
                     QStringLiteral("There is no destination yet."));
    }

    void theStripJoinsNeighboursAndKeepsGaps() {
        std::vector<Bucket> buckets(4);
        for (std::size_t i = 0; i < buckets.size(); ++i)
            buckets[i].start = static_cast<std::int64_t>(100 + i + (i == 3 ? 5 : 0));
        buckets[2].state = HealthState::degraded;
        buckets[3].state = HealthState::degraded;
        const auto segments = StateStrip::join(buckets, 1);
        const std::vector<StateStrip::Segment> wanted{{100, 102, HealthState::healthy},
                                                      {102, 103, HealthState::degraded},
                                                      {108, 109, HealthState::degraded}};
        QCOMPARE(segments, wanted);
    }
};

QTEST_MAIN(HealthDockTest)
#include "health_dock_test.moc"
