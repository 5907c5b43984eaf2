// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab.h"

#include "engine/sim/lab_destination.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include <array>
#include <cmath>

using namespace lanes;
using lanes::sim::LabAnswer;
using lanes::sim::LabDestination;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

LabResult play(const char* name, double scale, std::vector<LabSenderKind> senders,
               std::uint64_t seed = 1) {
    LabOptions options;
    options.scale = scale;
    options.seed = seed;
    options.senders = std::move(senders);
    return runLab(*findLabScenario(name), options);
}

/// A destination that is well from the start.
LabScenario well() {
    LabScenario scenario;
    scenario.warmUp = kHour;
    return scenario;
}

/// Requests at an even pace over ten seconds: how many got each outcome.
std::array<int, 7> pace(LabDestination& destination, double perSecond, Micros from = 0) {
    std::array<int, 7> counts{};
    const int requests = static_cast<int>(10 * perSecond);
    for (int i = 0; i < requests; ++i) {
        const auto at = from + static_cast<Micros>(i / perSecond * double{kSecond});
        ++counts[static_cast<std::size_t>(destination.request(at, 0).outcome)];
    }
    return counts;
}

int count(const std::array<int, 7>& counts, Outcome outcome) {
    return counts[static_cast<std::size_t>(outcome)];
}

}  // namespace

class LabTest : public QObject {
    Q_OBJECT

private slots:
    void scenariosHaveNamesOfTheirOwn() {
        QSet<QString> names;
        for (const LabScenario& scenario : labScenarios()) {
            names.insert(QString::fromStdString(scenario.name));
            QVERIFY(!scenario.about.empty());
            QVERIFY(scenario.arrivals() < scenario.capacity());
            QCOMPARE(findLabScenario(scenario.name), &scenario);
        }
        QCOMPARE(names.size(), 26);
        QCOMPARE(findLabScenario("no such"), nullptr);
    }

    void aDestinationServesItsCapacity() {
        LabDestination calm(well(), 1);
        const auto half = pace(calm, 200);
        QCOMPARE(count(half, Outcome::delivered), 2000);

        LabDestination crowded(well(), 1);
        const auto twice = pace(crowded, 800);
        // 20 workers of 50 ms, and a queue that is full at the end.
        QVERIFY(std::abs(count(twice, Outcome::delivered) - 4040) < 150);
        QCOMPARE(count(twice, Outcome::overloaded), 8000 - count(twice, Outcome::delivered));
    }

    void refusingCostsAServerThatBurns() {
        LabScenario scenario = well();
        scenario.burn = 0.3;
        LabDestination destination(scenario, 1);
        const auto counts = pace(destination, 4000);
        QVERIFY2(count(counts, Outcome::delivered) < 1000,
                 qPrintable(QString::number(count(counts, Outcome::delivered))));
        // Left alone, it is well again.
        const auto later = pace(destination, 200, 60 * kSecond);
        QCOMPARE(count(later, Outcome::delivered), 2000);
    }

    void aRateLimitIsABucket() {
        LabScenario scenario = well();
        scenario.bucketRate = scenario.bucketSize = 200;
        scenario.retryAfterSeconds = 1;
        LabDestination destination(scenario, 1);
        const auto counts = pace(destination, 300);
        QVERIFY(std::abs(count(counts, Outcome::delivered) - 2200) <= 1);
        QCOMPARE(count(counts, Outcome::throttled), 3000 - count(counts, Outcome::delivered));
    }

    void noiseIsOfItsKind_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("outcome");
        QTest::newRow("500") << int(LabNoise::error) << int(Outcome::failed);
        QTest::newRow("503") << int(LabNoise::overload) << int(Outcome::overloaded);
        QTest::newRow("a reset") << int(LabNoise::reset) << int(Outcome::unknown);
    }

    void noiseIsOfItsKind() {
        QFETCH(int, kind);
        QFETCH(int, outcome);
        LabScenario scenario = well();
        scenario.noise = 0.1;
        scenario.noiseKind = static_cast<LabNoise>(kind);
        LabDestination destination(scenario, 1);
        const auto counts = pace(destination, 200);
        const int noisy = count(counts, static_cast<Outcome>(outcome));
        QVERIFY2(std::abs(noisy - 200) < 45, qPrintable(QString::number(noisy)));
        QCOMPARE(count(counts, Outcome::delivered), 2000 - noisy);
    }

    void outagesAreOfTheirKind_data() {
        QTest::addColumn<int>("outage");
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("status");
        QTest::addColumn<qint64>("takes");
        const auto row = [](const char* name, LabOutage outage, Outcome outcome, int status,
                            Micros takes) {
            QTest::newRow(name) << static_cast<int>(outage) << static_cast<int>(outcome) << status
                                << qint64{takes};
        };
        row("refusing", LabOutage::refuse, Outcome::unreachable, 0, LabDestination::kRoundTrip);
        row("hanging until the client gives up", LabOutage::hang, Outcome::overloaded, 0,
            LabDestination::kTimeOut);
        row("answering 500", LabOutage::error, Outcome::failed, 500, LabDestination::kRoundTrip);
        row("down after 20 s up", LabOutage::flap, Outcome::unreachable, 0,
            LabDestination::kRoundTrip);
    }

    void outagesAreOfTheirKind() {
        QFETCH(int, outage);
        QFETCH(int, outcome);
        QFETCH(int, status);
        QFETCH(qint64, takes);
        LabScenario scenario;
        scenario.outage = static_cast<LabOutage>(outage);
        LabDestination destination(scenario, 1);
        QVERIFY(destination.request(destination.outageBegins() - kSecond, 0).delivered());
        const LabAnswer answer =
            destination.request(destination.outageBegins() + 30 * kSecond, 0);
        QCOMPARE(static_cast<int>(answer.outcome), outcome);
        QCOMPARE(static_cast<int>(answer.status), status);
        QCOMPARE(qint64{answer.takes}, takes);
        QVERIFY(destination.request(destination.recovery(), 0).delivered());
    }

    void lanesDrainNearlyLikeTheIdeal_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("peak");
        QTest::addColumn<double>("refused");
        // An outage that is twenty times shorter weighs the first second twenty times more.
        QTest::newRow("refuse") << 0.05 << 1.05 << 1.25 << 0.01;
        QTest::newRow("meta") << 0.05 << 1.05 << 1.25 << 0.01;
        QTest::newRow("hang") << 0.10 << 1.08 << 1.25 << 0.01;
        QTest::newRow("e500") << 0.05 << 1.05 << 1.25 << 0.01;
        QTest::newRow("ramp") << 0.05 << 1.10 << 1.25 << 0.01;
        QTest::newRow("ramp5") << 0.1 << 1.15 << 1.10 << 0.008;
        QTest::newRow("noqueue") << 0.05 << 1.40 << 1.25 << 0.01;
        QTest::newRow("flap") << 0.1 << 1.15 << 1.25 << 0.01;
        QTest::newRow("limiter") << 0.05 << 1.05 << 2.00 << 0.01;
        QTest::newRow("tiny") << 1.0 << 1.02 << 12.0 << 0.06;
        QTest::newRow("tiny503") << 1.0 << 1.10 << 12.0 << 0.12;
        QTest::newRow("poison") << 0.1 << 1.15 << 1.25 << 0.11;
        QTest::newRow("freshpoison") << 0.5 << 1.25 << 1.25 << 0.17;
        QTest::newRow("noise") << 0.05 << 1.06 << 1.25 << 0.03;
        // In so short a story most of the time goes by until the noise is known.
        QTest::newRow("noise503") << 0.1 << 1.25 << 1.25 << 0.03;
        QTest::newRow("noisy503") << 0.1 << 1.50 << 1.25 << 0.12;
        QTest::newRow("resets") << 0.1 << 1.25 << 1.25 << 0.03;
        QTest::newRow("blip") << 1.0 << 1.06 << 1.25 << 0.01;
        QTest::newRow("few") << 0.1 << 1.05 << 1.25 << 0.01;
        QTest::newRow("million") << 0.02 << 1.06 << 1.25 << 0.01;
        QTest::newRow("slow") << 1.0 << 1.15 << 3.00 << 0.01;
        QTest::newRow("half") << 0.05 << 1.05 << 1.25 << 0.01;
    }

    void lanesDrainNearlyLikeTheIdeal() {
        QFETCH(double, scale);
        QFETCH(double, ratio);
        QFETCH(double, peak);
        QFETCH(double, refused);
        const QByteArray name = QTest::currentDataTag();
        if (kSanitized && name != "flap" && name != "limiter" && name != "noise503")
            QSKIP("The figures are those of a plain run; a sanitizer sees all it can in three.");
        const LabResult result =
            play(QTest::currentDataTag(), scale, {LabSenderKind::lanes});
        const LabSenderResult& lanes = result.senders.front();
        QCOMPARE(lanes.outOfOrder, std::uint64_t{0});
        QCOMPARE(lanes.dead, std::uint64_t{0});
        QVERIFY(lanes.waiting > 0);
        QVERIFY(lanes.drainMax.has_value());
        QVERIFY2(*lanes.drainP99Ratio <= ratio, qPrintable(QString::number(*lanes.drainP99Ratio)));
        // Faster than the ideal would be a fault of the measurement.
        QVERIFY2(*lanes.drainP99Ratio >= 0.97, qPrintable(QString::number(*lanes.drainP99Ratio)));
        QVERIFY2(lanes.peak1s <= peak, qPrintable(QString::number(lanes.peak1s)));
        QVERIFY2(lanes.refusedShare <= refused, qPrintable(QString::number(lanes.refusedShare)));
        QVERIFY2(*lanes.detect <= 4, qPrintable(QString::number(*lanes.detect)));
    }

    void probesAreAllThatAnOutageCosts() {
        const LabResult result = play("refuse", 0.05, {LabSenderKind::lanes});
        // Three minutes of one probe a second, and what was tried before it was noticed.
        QVERIFY2(result.senders.front().wasted < 180 + 60,
                 qPrintable(QString::number(result.senders.front().wasted)));
    }

    void onlyTheQueueLosesTheOrder() {
        const LabResult result =
            play("refuse", 0.05,
                 {LabSenderKind::queue, LabSenderKind::strict, LabSenderKind::lanesBackoff,
                  LabSenderKind::lanes});
        QCOMPARE(result.senders.size(), std::size_t{4});
        QVERIFY(result.senders[0].outOfOrder > result.senders[0].waiting / 4);
        for (std::size_t i = 1; i < 4; ++i) QCOMPARE(result.senders[i].outOfOrder, 0u);
        // All of them had the same events to deliver.
        for (const LabSenderResult& sender : result.senders)
            QCOMPARE(sender.waiting, result.senders[0].waiting);
        QVERIFY(!result.reductionIsLowerBound);
        QVERIFY2(*result.p99DrainReduction >= 0.61,
                 qPrintable(QString::number(*result.p99DrainReduction)));
    }

    void aQueueKeepsAServerDownThatBurns() {
        const LabResult result =
            play("meta", 0.02, {LabSenderKind::queue, LabSenderKind::lanes});
        QVERIFY(!result.senders[0].drainP99);
        QVERIFY(result.reductionIsLowerBound);
        QVERIFY(*result.p99DrainReduction >= 0.61);
    }

    void aPoisonedUserStopsTheStrictQueueOnly() {
        const LabResult result =
            play("poison", 0.05, {LabSenderKind::strict, LabSenderKind::lanes});
        QVERIFY(!result.senders[0].drainP99);
        QVERIFY(result.senders[1].drainP99.has_value());
    }

    void theSameSeedGivesTheSameFigures() {
        const std::vector<LabSenderKind> all = LabOptions().senders;
        const auto once = labJson({play("refuse", 0.01, all, 7)});
        QCOMPARE(labJson({play("refuse", 0.01, all, 7)}), once);
        QVERIFY(labJson({play("refuse", 0.01, all, 8)}) != once);
    }

    void jsonHasTheKeysThatScriptsRelyOn() {
        const auto text = labJson({play("blip", 1, {LabSenderKind::queue, LabSenderKind::lanes}),
                                   play("tiny", 0.1, {LabSenderKind::strict})});
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).array();
        QCOMPARE(json.size(), 2);
        const auto blip = json[0].toObject();
        QCOMPARE(blip[u"scenario"].toString(), QStringLiteral("blip"));
        QCOMPARE(blip[u"seed"].toInt(), 1);
        QVERIFY(blip[u"ideal_s"].toDouble() > 25);
        QVERIFY(blip[u"p99_drain_reduction"].toDouble() > 0.61);
        QVERIFY(json[1].toObject()[u"p99_drain_reduction"].isNull());
        const auto queue = blip[u"senders"].toArray()[0].toObject();
        QCOMPARE(queue[u"name"].toString(), QStringLiteral("queue"));
        QVERIFY(queue[u"drain_p99_s"].isNull());  // its server never comes up again
        const auto lanes = blip[u"senders"].toArray()[1].toObject();
        QCOMPARE(lanes[u"name"].toString(), QStringLiteral("lanes"));
        for (const auto key : {u"out_of_order", u"drain_p50_s", u"drain_p99_s", u"drain_max_s",
                               u"drain_p99_ratio", u"peak_1s", u"peak_10s", u"refused_share",
                               u"wasted", u"detect_s"})
            QVERIFY2(lanes[key].isDouble(), qPrintable(QString::fromUtf16(key)));
    }

    void itTellsHowFarItIsAndCanBeStopped() {
        LabOptions options;
        options.senders = {LabSenderKind::strict, LabSenderKind::lanes};
        double last = 0;
        bool rising = true;
        options.progress = [&](double done) {
            rising = rising && done >= last;
            last = done;
        };
        QVERIFY(!runLab(*findLabScenario("blip"), options).cancelled);
        QVERIFY(rising);
        QCOMPARE(last, 1.0);

        options.cancelled = [] { return true; };
        const LabResult stopped = runLab(*findLabScenario("blip"), options);
        QVERIFY(stopped.cancelled);
        QVERIFY(stopped.senders.empty());
    }
};

QTEST_GUILESS_MAIN(LabTest)
#include "lab_test.moc"
