// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/snapshot.h"

#include <QTest>

#include <cmath>
#include <cstdint>

using namespace lanes;

class DrainEstimateTest : public QObject {
    Q_OBJECT

private slots:
    void followsWhatBoundsADestination_data() {
        QTest::addColumn<int>("waiting");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("moreEvents");
        QTest::addColumn<int>("moreLanes");
        QTest::addColumn<double>("budget");
        QTest::addColumn<double>("rate");
        QTest::addColumn<double>("seconds");
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        // Answers take half a second at the median.
        row("nothing waits") << 0 << 0 << 0 << 0 << 8.0 << 0.0 << 0.0;
        row("eight slots") << 160 << 100 << 0 << 0 << 8.0 << 0.0 << 10.0;
        row("fewer lanes than slots") << 160 << 2 << 0 << 0 << 8.0 << 0.0 << 40.0;
        row("with what would be rewound") << 80 << 1 << 80 << 1 << 8.0 << 0.0 << 40.0;
        row("less than one slot counts as one") << 4 << 4 << 0 << 0 << 0.25 << 0.0 << 2.0;
        row("a rate limit below the slots") << 160 << 100 << 0 << 0 << 8.0 << 4.0 << 40.0;
        row("a rate limit above the slots") << 160 << 100 << 0 << 0 << 8.0 << 400.0 << 10.0;
    }
    void followsWhatBoundsADestination() {
        QFETCH(int, waiting);
        QFETCH(int, lanes);
        QFETCH(int, moreEvents);
        QFETCH(int, moreLanes);
        QFETCH(double, budget);
        QFETCH(double, rate);
        QFETCH(double, seconds);
        DestinationSnapshot destination;
        destination.counters.waiting = static_cast<std::uint64_t>(waiting);
        destination.lanes = static_cast<std::uint64_t>(lanes);
        destination.knownGood = budget;
        destination.maxInFlight = 64;
        for (int i = 0; i < 100; ++i) destination.latency.add(500 * kMillisecond);
        const auto answer = static_cast<double>(destination.latency.percentile(0.5)) / kSecond;
        // The histogram's buckets are coarse: the estimate is linear in what it says.
        const auto expected = rate > 0 && rate < budget / 0.5 ? seconds : seconds * answer / 0.5;
        const auto estimate =
            static_cast<double>(drainEstimate(destination, static_cast<std::uint64_t>(moreEvents),
                                              static_cast<std::uint64_t>(moreLanes), rate)) /
            kSecond;
        QVERIFY2(std::abs(estimate - expected) < 0.001, qPrintable(QString::number(estimate)));
    }

    void saysNothingWithoutAnAnswerTime() {
        DestinationSnapshot destination;
        destination.counters.waiting = 10;
        QCOMPARE(drainEstimate(destination), Micros(0));
    }
};

QTEST_GUILESS_MAIN(DrainEstimateTest)
#include "drain_estimate_test.moc"
