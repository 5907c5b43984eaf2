// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/demo/demo_dock.h"
#include "ui/demo/mock_watch.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// Mocks that may be slow to obey, and remember what they were asked.
class Mocks : public test::FakeMockControl {
public:
    void setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) override {
        asked.emplace_back(mock, behaviour);
        if (obeys) FakeMockControl::setBehaviour(mock, behaviour);
    }
    void setTraffic(const TrafficShape& shape, std::uint16_t port,
                    const std::string& key) override {
        ports.push_back(port);
        keys.push_back(key);
        FakeMockControl::setTraffic(shape, port, key);
    }
    bool obeys = true;
    std::vector<std::pair<std::uint32_t, MockBehaviour>> asked;
    std::vector<std::uint16_t> ports;
    std::vector<std::string> keys;
};

struct Shown {
    test::FakeEngine engine;
    Mocks mocks;
    std::unique_ptr<DemoDock> dock;

    Shown() {
        mocks.addMock("crm", {}, {}, 1, 0);
        MockBehaviour slow;
        slow.latencyMs = 333;
        mocks.addMock("billing", slow, {}, 1, 0);
        engine.state.lifecycle = Lifecycle::running;
        engine.state.intake.listening = true;
        engine.state.intake.port = 7421;
        engine.publish();
        dock = std::make_unique<DemoDock>(engine, mocks);
        dock->resize(340, 700);
        dock->show();
    }
    template <typename W>
    W* find(const char* name) {
        return dock->findChild<W*>(QLatin1String(name));
    }
    QString text(const char* name) { return find<QLabel>(name)->text(); }
};

}  // namespace

class DemoDockTest : public QObject {
    Q_OBJECT

private slots:
    void aChangedMockIsToldOnce() {
        Shown s;
        MockWatch watch(s.mocks);
        QSignalSpy changed(&watch, &MockWatch::changed);
        emit s.mocks.reported();
        QCOMPARE(changed.count(), 0);  // how it begins is no change
        MockBehaviour down;
        down.mode = MockBehaviour::Mode::down;
        s.mocks.setBehaviour(1, down);
        emit s.mocks.reported();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toString(), QStringLiteral("billing"));
        QCOMPARE(changed[0][1].toString(), QString::fromStdString(s.mocks.mocks().at(1).url));
        QVERIFY(!changed[0][2].toString().isEmpty());
    }

    void takeDownAndBringUpGoBackToWhatWas() {
        Shown s;
        auto* names = s.find<QComboBox>("mockNames");
        names->setCurrentIndex(1);
        emit names->activated(1);
        auto* power = s.find<QPushButton>("mockPower");
        QCOMPARE(power->text(), QStringLiteral("&Take down"));
        power->click();
        QCOMPARE(s.mocks.asked.back().first, 1U);
        QCOMPARE(s.mocks.reports[1].behaviour.mode, MockBehaviour::Mode::down);
        QTRY_COMPARE(power->text(), QStringLiteral("&Bring up"));
        power->click();
        QCOMPARE(s.mocks.reports[1].behaviour.mode, MockBehaviour::Mode::answer);
        QCOMPARE(s.mocks.reports[1].behaviour.latencyMs, 333.0);
        QTRY_COMPARE(power->text(), QStringLiteral("&Take down"));
    }

    void bringUpOfAMockThatWasBornDownIsHealthy() {
        Shown s;
        s.mocks.reports[0].behaviour.mode = MockBehaviour::Mode::down;
        emit s.mocks.reported();
        auto* power = s.find<QPushButton>("mockPower");
        QTRY_COMPARE(power->text(), QStringLiteral("&Bring up"));
        power->click();
        QCOMPARE(s.mocks.reports[0].behaviour, MockBehaviour());
    }

    void presetsShowWhatTheMockDoesNotWhatWasAsked() {
        Shown s;
        s.mocks.obeys = false;
        auto* healthy = s.find<QPushButton>("mockPreset0");
        auto* flaky = s.find<QPushButton>("mockPreset2");
        QVERIFY(healthy->isChecked());
        flaky->click();
        QCOMPARE(s.mocks.asked.back().second.errorShare, 0.2);
        QVERIFY(healthy->isChecked());
        QVERIFY(!flaky->isChecked());
        s.mocks.reports[0].behaviour = s.mocks.asked.back().second;
        emit s.mocks.reported();
        QTRY_VERIFY(flaky->isChecked());
        QVERIFY(!healthy->isChecked());
        QVERIFY(s.text("mockState").startsWith(QStringLiteral("Flaky 20 %")));
    }

    void poisonAndCapacityOutliveAPreset() {
        Shown s;
        auto* poison = s.find<QLineEdit>("mockPoison");
        poison->setText(QStringLiteral("user-7"));
        emit poison->editingFinished();
        QTRY_COMPARE(s.mocks.reports[0].behaviour.poisonUser, std::string("user-7"));
        s.find<QDoubleSpinBox>("mockCapacity")->setValue(40);
        QCOMPARE(s.mocks.reports[0].behaviour.capacityPerSecond, 40.0);
        s.find<QPushButton>("mockPreset1")->click();
        QCOMPARE(s.mocks.reports[0].behaviour.poisonUser, std::string("user-7"));
        QCOMPARE(s.mocks.reports[0].behaviour.capacityPerSecond, 40.0);
    }

    void typingIsNotTouchedByReports() {
        Shown s;
        QVERIFY(QTest::qWaitForWindowActive(s.dock.get()));
        auto* poison = s.find<QLineEdit>("mockPoison");
        poison->setFocus();
        QTest::keyClicks(poison, QStringLiteral("use"));
        emit s.mocks.reported();
        QTest::qWait(300);
        QCOMPARE(poison->text(), QStringLiteral("use"));
    }

    void theLedgerIsInPlainWords() {
        Shown s;
        s.mocks.reports[0].accepted = 408;
        s.mocks.reports[0].duplicates = 3;
        emit s.mocks.reported();
        QTRY_COMPARE(s.text("mockOrder").replace(QChar::Nbsp, u' '),
                     QStringLiteral("408 accepted · 0 out of order · 3 duplicates · "
                                    "0 bad signatures"));
    }

    void trafficIsStartedShapedAndStopped() {
        Shown s;
        auto* power = s.find<QPushButton>("trafficSwitch");
        QCOMPARE(power->text(), QStringLiteral("Start traffic"));
        power->click();
        QVERIFY(s.mocks.trafficReport.shape.running);
        QCOMPARE(s.mocks.ports.back(), std::uint16_t(7421));
        QCOMPARE(s.mocks.keys.back(), s.engine.writeKey());
        QTRY_COMPARE(power->text(), QStringLiteral("Stop traffic"));
        s.find<QDoubleSpinBox>("trafficRate")->setValue(55);
        s.find<QSpinBox>("trafficUsers")->setValue(1234);
        s.find<QSpinBox>("trafficSeed")->setValue(9);
        const TrafficShape shape = s.mocks.trafficReport.shape;
        QCOMPARE(shape.eventsPerSecond, 55.0);
        QCOMPARE(shape.users, 1234U);
        QCOMPARE(shape.seed, std::uint64_t(9));
        QVERIFY(shape.running);
        power->click();
        QVERIFY(!s.mocks.trafficReport.shape.running);
    }

    void withoutAnIntakeTrafficSaysWhy() {
        Shown s;
        s.engine.state.intake.listening = false;
        s.engine.state.intake.error = "Port 7420 is in use.";
        s.engine.publish();
        QTRY_VERIFY(!s.find<QPushButton>("trafficSwitch")->isEnabled());
        QVERIFY(s.text("trafficCounts").contains(QStringLiteral("Port 7420 is in use.")));
    }

    void theClockIsSetByCommandAndTheBadgeStays() {
        Shown s;
        s.engine.answer = [&s](const Command& command) {
            s.engine.state.clockScale = std::get<SetClockScale>(command).scale;
            return CommandResult();
        };
        auto* badge = s.find<QLabel>("demoDockBadge");
        QVERIFY(!badge->isVisible());
        s.find<QPushButton>("clock60")->click();
        QCOMPARE(std::get<SetClockScale>(s.engine.submitted.back()).scale, 60.0);
        QTRY_VERIFY(s.find<QPushButton>("clock60")->isChecked());
        QVERIFY(!s.find<QPushButton>("clock1")->isChecked());
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("DEMO ×60"));
        s.find<QPushButton>("clock1")->click();
        QTRY_VERIFY(!badge->isVisible());
    }

    void aRefusedClockIsSaid() {
        Shown s;
        s.engine.answer = [](const Command&) {
            CommandResult result;
            result.error = "The clock can only be scaled in a demonstration.";
            return result;
        };
        s.find<QPushButton>("clock2160")->click();
        QTRY_COMPARE(s.text("clockNote"),
                     QStringLiteral("The clock can only be scaled in a demonstration."));
        QVERIFY(s.find<QPushButton>("clock1")->isChecked());
    }

    void everythingIsReachedByKeyboardAndNamed() {
        Shown s;
        for (const char* name : {"mockPower", "mockPreset0", "mockPreset8", "trafficSwitch",
                                 "clock1", "clock2160"}) {
            const auto* button = s.find<QPushButton>(name);
            QVERIFY2(button->focusPolicy() & Qt::TabFocus, name);
            QVERIFY2(!button->text().isEmpty(), name);
        }
        QVERIFY(!s.find<QComboBox>("mockNames")->accessibleName().isEmpty());
        QVERIFY(!s.find<QTableView>("requestLog")->accessibleName().isEmpty());
    }

    void isNeverWiderThanItsRoom_data() {
        QTest::addColumn<int>("width");
        QTest::newRow("a narrow dock") << 300;
        QTest::newRow("two columns") << 600;
        QTest::newRow("a bottom dock") << 1280;
    }
    void isNeverWiderThanItsRoom() {
        QFETCH(int, width);
        Shown s;
        s.dock->resize(width, 240);
        QTest::qWait(50);
        QCOMPARE(s.dock->width(), width);
        const auto* log = s.find<QTableView>("requestLog");
        QVERIFY(log->mapTo(s.dock.get(), QPoint(log->width(), 0)).x() <= width);
        const auto* power = s.find<QPushButton>("mockPower");
        QVERIFY(power->mapTo(s.dock.get(), QPoint(power->width(), 0)).x() <= width);
    }
};

QTEST_MAIN(DemoDockTest)
#include "demo_dock_test.moc"
