// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/simulator.h"

#include <QTest>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using lanes::sim::runSimulation;
using lanes::sim::SimulationOptions;
using lanes::sim::SimulationReport;

namespace {

/// Seeds of a plain run; LANES_SIM_SEEDS=n asks for more, LANES_SIM_FIRST says where to begin.
constexpr std::uint64_t kSeeds = 50;

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    bool good = false;
    const auto value = qEnvironmentVariable(variable).toULongLong(&good);
    return good ? value : otherwise;
}

SimulationReport run(std::uint64_t seed) {
    SimulationOptions options;
    options.seed = seed;
    return runSimulation(options);
}

}  // namespace

class SimulatorTest : public QObject {
    Q_OBJECT

private slots:
    void keepsItsPromisesUnderManySeeds() {
        const std::uint64_t first = number("LANES_SIM_FIRST", 1);
        const std::uint64_t count = number("LANES_SIM_SEEDS", kSeeds);
        SimulationReport sum;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const SimulationReport report = run(seed);
            QVERIFY2(report.ok(), report.failure().c_str());
            sum.crashes += report.crashes;
            sum.stops += report.stops;
            sum.pauses += report.pauses;
            sum.rewound += report.rewound;
            sum.discarded += report.discarded;
            sum.storeFaults += report.storeFaults;
            sum.outages += report.outages;
            sum.duplicates += report.duplicates;
            sum.requests += report.requests;
        }
        // A run in which nothing goes wrong proves nothing.
        QVERIFY(sum.crashes > count);
        QVERIFY(sum.stops > count);
        QVERIFY(sum.pauses > count);
        QVERIFY(sum.storeFaults > count);
        QVERIFY(sum.outages > count);
        QVERIFY(sum.rewound > 20 * count);
        QVERIFY(sum.discarded > count);
        QVERIFY(sum.duplicates > count);
        QVERIFY(sum.requests > 1000 * count);
    }

    void keepsItsPromisesUnderSeedsThatOnceFailed() {
        std::ifstream file(LANES_SEEDS_FILE);
        QVERIFY(file.is_open());
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line[0] == '#') continue;
            const SimulationReport report = run(std::stoull(line));
            QVERIFY2(report.ok(), report.failure().c_str());
        }
    }

    void doesTheSameWithTheSameSeed() {
        const SimulationReport one = run(3);
        const SimulationReport other = run(3);
        QCOMPARE(other.steps, one.steps);
        QCOMPARE(other.virtualTime, one.virtualTime);
        QCOMPARE(other.counters, one.counters);
        QCOMPARE(other.requests, one.requests);
        QVERIFY(run(4).steps != one.steps);
    }

    void saysHowToPlayAFailureAgain() {
        SimulationOptions options;
        options.seed = 7;
        // Nothing can drain in no time.
        options.length = 20 * lanes::kSecond;
        options.faultEvery = options.length;
        options.eventsPerSecond = 100;
        options.drainLimit = 0;
        const SimulationReport report = runSimulation(options);
        QVERIFY(!report.ok());
        QCOMPARE(report.violations.front().promise, std::string("drain"));
        const std::string text = report.failure();
        QVERIFY2(text.find("rivora-lanes simulate --seeds 7..7") != std::string::npos,
                 text.c_str());
        QVERIFY(text.find("drain") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(SimulatorTest)
#include "simulator_test.moc"
