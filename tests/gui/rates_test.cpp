// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/rates.h"

#include <QTest>

#include <algorithm>
#include <memory>

using namespace lanes;
using namespace lanes::ui;

/// Rates from the differences of snapshots.
class RatesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void oneSnapshotTellsNothing();
    void theLastMinuteIsDivided();
    void onlyTheLastMinuteCounts();
    void aFasterClockIsTakenOut();
    void aYoungDestinationIsMeasuredSinceItCame();
    void theTrendIsTheLastMinuteSecondBySecond();
    void theTrendPairsDestinationsThatComeAndGo();

private:
    void add(Micros engineTime, std::uint64_t accepted, std::uint64_t delivered,
             std::uint64_t failed);

    EngineSnapshot m_snapshot;
    RateTracker m_rates;
};

void RatesTest::init() {
    m_snapshot = {};
    m_snapshot.destinations.resize(1);
    m_snapshot.destinations[0].id = DestinationId(1);
    m_rates = {};
}

void RatesTest::add(Micros engineTime, std::uint64_t accepted, std::uint64_t delivered,
                    std::uint64_t failed) {
    auto& d = m_snapshot.destinations[0];
    m_snapshot.engineTime = engineTime;
    d.counters.accepted = accepted;
    d.counters.delivered = delivered;
    d.outcomes[static_cast<std::size_t>(Outcome::delivered)] = delivered;
    d.attempts = delivered + failed;
    m_rates.add(std::make_shared<const EngineSnapshot>(m_snapshot));
}

void RatesTest::theTrendIsTheLastMinuteSecondBySecond() {
    for (int second = 0; second <= 90; ++second)
        add(second * kSecond, 0, static_cast<std::uint64_t>(second <= 80 ? 2 * second : 160), 0);
    const auto trend = m_rates.trend(DestinationId(1));
    QVERIFY(trend.size() >= 59 && trend.size() <= 61);
    QCOMPARE(trend.front(), 2.0F);
    QCOMPARE(trend.back(), 0.0F);
    QCOMPARE(std::count(trend.begin(), trend.end(), 0.0F), 10);
    QCOMPARE(m_rates.trend({}), trend);
    QVERIFY(m_rates.trend(DestinationId(7)).size() == trend.size());
    QCOMPARE(m_rates.trend(DestinationId(7)).back(), 0.0F);
}

void RatesTest::theTrendPairsDestinationsThatComeAndGo() {
    // 1 goes and 3 comes, while 2 delivers five a second all the time.
    m_snapshot.destinations.resize(2);
    m_snapshot.destinations[1].id = DestinationId(2);
    const auto pass = [this](int second) {
        m_snapshot.engineTime = second * kSecond;
        for (auto& d : m_snapshot.destinations) d.counters.delivered += 5;
        m_rates.add(std::make_shared<const EngineSnapshot>(m_snapshot));
    };
    pass(0);
    pass(1);
    m_snapshot.destinations.erase(m_snapshot.destinations.begin());
    DestinationSnapshot third;
    third.id = DestinationId(3);
    m_snapshot.destinations.push_back(third);
    pass(2);
    pass(3);
    QCOMPARE(m_rates.trend(DestinationId(2)), (std::vector<float>{5, 5, 5}));
    // What was not there before has delivered nothing since.
    QCOMPARE(m_rates.trend(DestinationId(3)), (std::vector<float>{0, 0, 5}));
    QCOMPARE(m_rates.trend({}), (std::vector<float>{10, 5, 10}));
}

void RatesTest::oneSnapshotTellsNothing() {
    add(0, 10, 10, 0);
    QVERIFY(!m_rates.of(DestinationId(1)).known);
    QVERIFY(!m_rates.ofAll().known);
}

void RatesTest::theLastMinuteIsDivided() {
    add(0, 0, 0, 0);
    add(30 * kSecond, 60, 30, 10);
    const Rates rates = m_rates.of(DestinationId(1));
    QVERIFY(rates.known);
    QCOMPARE(rates.inPerMinute, 120.0);
    QCOMPARE(rates.outPerMinute, 60.0);
    QCOMPARE(rates.errorShare, 0.25);
    QCOMPARE(m_rates.ofAll().errorShare, 0.25);
}

void RatesTest::onlyTheLastMinuteCounts() {
    add(0, 0, 0, 0);
    for (int second = 1; second <= 60; ++second) add(second * kSecond, 600, 0, 0);
    for (int second = 61; second <= 125; ++second)
        add(second * kSecond, 600 + static_cast<std::uint64_t>(second - 60), 0, 0);
    QCOMPARE(m_rates.of(DestinationId(1)).inPerMinute, 60.0);
}

void RatesTest::aFasterClockIsTakenOut() {
    m_snapshot.clockScale = 60;
    add(0, 0, 0, 0);
    add(60 * 30 * kSecond, 60, 0, 0);
    QCOMPARE(m_rates.of(DestinationId(1)).inPerMinute, 120.0);
}

void RatesTest::aYoungDestinationIsMeasuredSinceItCame() {
    add(0, 0, 0, 0);
    m_snapshot.destinations.resize(2);
    m_snapshot.destinations[1].id = DestinationId(2);
    m_snapshot.destinations[1].counters.accepted = 5;
    add(30 * kSecond, 0, 0, 0);
    m_snapshot.destinations[1].counters.accepted = 15;
    add(40 * kSecond, 0, 0, 0);
    QCOMPARE(m_rates.of(DestinationId(2)).inPerMinute, 60.0);
}

QTEST_GUILESS_MAIN(RatesTest)
#include "rates_test.moc"
