// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulation.h"

#include <QTest>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using lanes::runSimulation;
using lanes::SimulationCounts;
using lanes::SimulationOptions;
using lanes::SimulationReport;

namespace {

/// Seeds of a plain run; LANES_SIM_SEEDS=n asks for more, LANES_SIM_FIRST says where to begin. The
/// command `simulate` plays longer ones on all cores.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSeeds = 50;
#else
constexpr std::uint64_t kSeeds = 200;
#endif

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    bool good = false;
    const auto value = qEnvironmentVariable(variable).toULongLong(&good);
    return good ? value : otherwise;
}

SimulationReport run(std::uint64_t seed) {
    SimulationOptions options;
    options.seed = seed;
    options.length = 3 * lanes::kMinute;
    options.destinations = 3;
    options.users = 60;
    options.events = 1'800;
    return runSimulation(options);
}

}  // namespace

class SimulatorTest : public QObject {
    Q_OBJECT

private slots:
    void keepsItsPromisesUnderManySeeds() {
        const std::uint64_t first = number("LANES_SIM_FIRST", 1);
        const std::uint64_t count = number("LANES_SIM_SEEDS", kSeeds);
        SimulationCounts sum;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const SimulationReport report = run(seed);
            QVERIFY2(report.ok(), report.failure().c_str());
            sum += report.counts;
        }
        // A run in which nothing goes wrong proves nothing.
        QVERIFY(sum.crashes > count);
        QVERIFY(sum.stops > count);
        QVERIFY(sum.sleeps > count / 4);
        QVERIFY(sum.freezes > count / 4);
        QVERIFY(sum.wallJumps > count);
        QVERIFY(sum.pauses > count);
        QVERIFY(sum.storeFaults > count);
        QVERIFY(sum.outages > count);
        QVERIFY(sum.unread > 10 * count);
        QVERIFY(sum.added > count / 4);
        QVERIFY(sum.removed > count / 4);
        QVERIFY(sum.rewound > 20 * count);
        QVERIFY(sum.discarded > count);
        QVERIFY(sum.duplicates > count);
        QVERIFY(sum.requests > 1000 * count);
        QVERIFY(sum.accepted > 2 * 1'800 * count);
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
        QVERIFY(other.counts == one.counts);
        QVERIFY(run(4).counts.steps != one.counts.steps);
    }

    void saysHowToPlayAFailureAgain() {
        SimulationOptions options;
        options.seed = 7;
        // Nothing can drain in less than no time.
        options.length = lanes::kMinute;
        options.events = 6'000;
        options.drainSlack = -lanes::kHour;
        const SimulationReport report = runSimulation(options);
        QVERIFY(!report.ok());
        QCOMPARE(report.violations.front().promise, std::string("drain"));
        const std::string text = report.failure();
        QVERIFY2(text.find("rivora-lanes simulate --seeds 7..7 --minutes 1 --events 6000\n") !=
                     std::string::npos,
                 text.c_str());
        QVERIFY(text.find("drain") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(SimulatorTest)
#include "simulator_test.moc"
