// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/alert_watch.h"

#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// What asks for an operator, and how often it is told.
class AlertWatchTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void nothingAsksWhileAllIsWell();
    void anOutageIsToldOnceItLasts();
    void aFlappingDestinationIsToldOnce();
    void anOutageThatIsLongOverIsAnotherOne();
    void deadLettersAreToldAgainOnlyWhenThereAreMore();
    void lanesNearDeathAreToldAgainWhenTheyDouble();
    void whatPressesMostComesFirst();
    void whatWasThereBeforeIsNoNews();
    void acknowledgedThingsLeaveWhenTheyAreOver();
    void storageFaultsStandUntilTheyAreMended();
    void aRemovedDestinationTakesItsAlertsAlong();
    void theListHasALimit();

private:
    std::size_t tell(Micros after = kSecond);
    DestinationSnapshot& destination(std::size_t at) { return m_snapshot.destinations[at]; }
    const Alert& first() const { return m_watch->alerts().front(); }

    EngineSnapshot m_snapshot;
    Micros m_now = 0;
    std::unique_ptr<AlertWatch> m_watch;
};

void AlertWatchTest::init() {
    m_snapshot = {};
    m_snapshot.lifecycle = Lifecycle::running;
    m_snapshot.at = 1'800'000'000LL * kSecond;
    m_snapshot.destinations.resize(2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        destination(i).id = DestinationId(i + 1);
        destination(i).name = i == 0 ? "crm" : "billing";
        destination(i).nearDeath = 4 * kHour;
    }
    m_watch = std::make_unique<AlertWatch>();
    m_now = 0;
    tell();
}

/// The state as it is now, so much later; returns how many alerts were told.
std::size_t AlertWatchTest::tell(Micros after) {
    m_now += after;
    m_snapshot.at += after;
    return m_watch->add(m_snapshot, m_now).size();
}

void AlertWatchTest::nothingAsksWhileAllIsWell() {
    QCOMPARE(tell(kHour), 0u);
    destination(0).health = HealthState::recovering;
    destination(1).health = HealthState::throttled;
    QCOMPARE(tell(kHour), 0u);
    destination(0).health = HealthState::paused;  // by an operator, who knows
    QCOMPARE(tell(kHour), 0u);
    QVERIFY(m_watch->alerts().empty());
}

void AlertWatchTest::anOutageIsToldOnceItLasts() {
    destination(0).health = HealthState::degraded;
    destination(0).lanes = 7;
    destination(0).lastError = "Connection refused";
    QCOMPARE(tell(), 0u);
    const auto began = m_snapshot.at;
    QCOMPARE(tell(9 * kSecond), 0u);
    QVERIFY(m_watch->alerts().empty());
    QCOMPARE(tell(kSecond), 1u);
    QCOMPARE(first().kind, AlertKind::degraded);
    QCOMPARE(first().destination, DestinationId(1));
    QCOMPARE(first().name, std::string("crm"));
    QCOMPARE(first().reason, std::string("Connection refused"));
    QCOMPARE(first().count, 7u);
    QCOMPARE(first().since, began);
    QCOMPARE(m_watch->pressing(), 1u);
    QCOMPARE(tell(kHour), 0u);  // once
    destination(0).health = HealthState::healthy;
    QCOMPARE(tell(), 0u);
    QVERIFY(first().active());
    QCOMPARE(tell(10 * kSecond), 0u);
    QVERIFY(!first().active());
    QCOMPARE(first().endedAt, m_snapshot.at);
    QCOMPARE(m_watch->pressing(), 0u);
}

void AlertWatchTest::aFlappingDestinationIsToldOnce() {
    std::size_t told = 0;
    for (int i = 0; i < 20; ++i) {
        destination(0).health = HealthState::degraded;
        for (int s = 0; s < 15; ++s) told += tell();
        destination(0).health = HealthState::recovering;
        for (int s = 0; s < 15; ++s) told += tell();
    }
    QCOMPARE(told, 1u);
    QCOMPARE(m_watch->alerts().size(), 1u);
}

void AlertWatchTest::anOutageThatIsLongOverIsAnotherOne() {
    destination(0).health = HealthState::degraded;
    tell();
    QCOMPARE(tell(10 * kSecond), 1u);
    destination(0).health = HealthState::healthy;
    tell();
    tell(10 * kSecond);
    tell(10 * kMinute);
    destination(0).health = HealthState::degraded;
    QCOMPARE(tell(), 0u);
    QCOMPARE(tell(10 * kSecond), 1u);
    QCOMPARE(m_watch->alerts().size(), 2u);
    QVERIFY(m_watch->alerts()[0].active());
    QVERIFY(!m_watch->alerts()[1].active());
}

void AlertWatchTest::deadLettersAreToldAgainOnlyWhenThereAreMore() {
    destination(0).counters.dead = 3;
    QCOMPARE(tell(), 1u);
    destination(0).counters.dead = 5;
    QCOMPARE(tell(), 0u);
    QCOMPARE(first().count, 5u);
    m_watch->acknowledge(first().number);
    QVERIFY(m_watch->alerts().empty());
    QCOMPARE(tell(kHour), 0u);
    QVERIFY(m_watch->alerts().empty());
    destination(0).counters.dead = 6;
    QCOMPARE(tell(), 1u);
    m_watch->acknowledge(first().number);
    destination(0).counters.dead = 2;  // some were rewound
    QCOMPARE(tell(), 0u);
    destination(0).counters.dead = 3;
    QCOMPARE(tell(), 1u);
}

void AlertWatchTest::lanesNearDeathAreToldAgainWhenTheyDouble() {
    destination(0).lanesNearDeath = 10;
    QCOMPARE(tell(), 1u);
    QCOMPARE(first().span, 4 * kHour);
    m_watch->acknowledge(first().number);
    QCOMPARE(m_watch->pressing(), 0u);
    destination(0).lanesNearDeath = 12;
    QCOMPARE(tell(), 0u);
    QVERIFY(first().acknowledged);
    destination(0).lanesNearDeath = 25;
    QCOMPARE(tell(), 1u);
    QCOMPARE(m_watch->pressing(), 1u);
}

void AlertWatchTest::whatPressesMostComesFirst() {
    destination(0).counters.dead = 3;
    destination(1).health = HealthState::paused;
    destination(1).pausedBySystem = true;
    destination(1).pauseReason = "the destination answered 410 Gone";
    QCOMPARE(tell(), 2u);
    QCOMPARE(first().kind, AlertKind::autoPaused);
    QCOMPARE(first().reason, std::string("the destination answered 410 Gone"));
    m_watch->acknowledge(first().number);
    QCOMPARE(first().kind, AlertKind::deadLetters);
    m_snapshot.store.writable = false;
    m_snapshot.store.fault = "The disk is full.";
    QCOMPARE(tell(), 1u);
    QCOMPARE(first().kind, AlertKind::storeFault);
    QCOMPARE(first().destination, DestinationId());
}

void AlertWatchTest::whatWasThereBeforeIsNoNews() {
    m_watch = std::make_unique<AlertWatch>();
    destination(0).counters.dead = 3;
    QCOMPARE(tell(), 0u);
    QCOMPARE(m_watch->pressing(), 1u);  // but it is shown
}

void AlertWatchTest::acknowledgedThingsLeaveWhenTheyAreOver() {
    destination(0).health = HealthState::degraded;
    tell();
    tell(10 * kSecond);
    m_watch->acknowledgeAll();
    tell();
    QCOMPARE(m_watch->alerts().size(), 1u);
    QCOMPARE(m_watch->pressing(), 0u);
    destination(0).health = HealthState::healthy;
    tell();
    tell(10 * kSecond);
    QVERIFY(m_watch->alerts().empty());
}

void AlertWatchTest::storageFaultsStandUntilTheyAreMended() {
    m_snapshot.store.fault = "The log grows.";
    QCOMPARE(tell(), 1u);
    m_snapshot.intake.error = "port 7420 is in use";
    QCOMPARE(tell(), 1u);
    QCOMPARE(m_watch->alerts().size(), 2u);
    m_snapshot.store.fault.clear();
    QCOMPARE(tell(), 0u);
    QCOMPARE(first().kind, AlertKind::intakeClosed);
    QVERIFY(!m_watch->alerts()[1].active());
}

void AlertWatchTest::aRemovedDestinationTakesItsAlertsAlong() {
    destination(1).health = HealthState::degraded;
    tell();
    tell(10 * kSecond);
    m_snapshot.destinations.pop_back();
    tell();
    tell(10 * kSecond);
    QVERIFY(!first().active());
    m_watch->acknowledge(first().number);
    QVERIFY(m_watch->alerts().empty());
}

void AlertWatchTest::theListHasALimit() {
    for (int i = 0; i < 300; ++i) {
        destination(0).health = HealthState::degraded;
        tell();
        tell(10 * kSecond);
        destination(0).health = HealthState::healthy;
        tell();
        tell(10 * kMinute);
    }
    QCOMPARE(m_watch->alerts().size(), AlertWatch::kMost);
    QCOMPARE(first().number, 300u);  // the newest stay
}

QTEST_GUILESS_MAIN(AlertWatchTest)
#include "alert_watch_test.moc"
