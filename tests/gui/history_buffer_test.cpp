// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/outage_story.h"
#include "ui/health/history_buffer.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr std::int64_t kStart = 1'790'000'000;  // a whole number of ten seconds

/// A running engine with one destination, whose snapshots a test lays down one by one.
class Watched {
public:
    explicit Watched(HistoryBuffer& history) : m_history(history) {
        state.lifecycle = Lifecycle::running;
        state.at = kStart * kSecond;
        state.engineTime = kSecond;
        DestinationSnapshot d;
        d.id = DestinationId(1);
        d.name = "crm";
        d.budget = 64;
        state.destinations.push_back(d);
        publish();
    }
    void publish() {
        ++state.number;
        m_history.add(state);
    }
    /// Lets time pass, during which events came in, were delivered and failed.
    void pass(Micros time, std::uint64_t in, std::uint64_t out, std::uint64_t failed = 0) {
        state.at += time;
        state.engineTime += time;
        auto& d = crm();
        d.counters.accepted += in;
        d.counters.delivered += out;
        d.counters.waiting = d.counters.accepted - d.counters.delivered;
        d.attempts += out + failed;
        d.outcomes[0] += out;
        publish();
    }
    DestinationSnapshot& crm() { return state.destinations.front(); }

    EngineSnapshot state;

private:
    HistoryBuffer& m_history;
};

std::vector<Bucket> fine(const HistoryBuffer& history, std::uint32_t destination = 1) {
    return history.range(DestinationId(destination), Resolution::second, 0, kStart * 2);
}

std::vector<Bucket> coarse(const HistoryBuffer& history, std::uint32_t destination = 1) {
    return history.range(DestinationId(destination), Resolution::tenSeconds, 0, kStart * 2);
}

double sum(const std::vector<Bucket>& buckets, double Bucket::* member) {
    double total = 0;
    for (const auto& bucket : buckets) total += bucket.*member;
    return total;
}

}  // namespace

class HistoryBufferTest : public QObject {
    Q_OBJECT

private slots:
    void ratesComeFromCumulativeCounters() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 8; ++i) engine.pass(kSecond / 4, 5, 4, 1);
        const auto buckets = fine(history);
        QCOMPARE(buckets.size(), std::size_t(3));
        QCOMPARE(buckets[0].inPerSecond(), 20.0);
        QCOMPARE(buckets[1].outPerSecond(), 16.0);
        QCOMPARE(*buckets[1].errorShare(), 0.2);
        // What is seen on the stroke of a second belongs to the next one.
        QCOMPARE(buckets[1].backlog.max, 7.0F);
        QCOMPARE(buckets[2].backlog.max, 8.0F);
        QCOMPARE(buckets[1].budget.mean(), 64.0);
    }

    void whatWasCountedBeforeTheFirstSnapshotIsNoRate() {
        HistoryBuffer history;
        Watched engine(history);
        engine.crm().counters.accepted = 1'000'000;
        HistoryBuffer late;
        late.add(engine.state);
        QCOMPARE(sum(fine(late), &Bucket::accepted), 0.0);
    }

    void missedSnapshotsLoseNothing() {
        HistoryBuffer history;
        Watched engine(history);
        engine.pass(kSecond / 2, 10, 10);
        engine.state.number += 40;
        engine.pass(10 * kSecond, 200, 100);
        const auto buckets = fine(history);
        QCOMPARE(buckets.size(), std::size_t(11));
        QCOMPARE(sum(buckets, &Bucket::accepted), 210.0);
        QCOMPARE(sum(buckets, &Bucket::delivered), 110.0);
        QCOMPARE(buckets[5].inPerSecond(), 20.0);
    }

    void anOldSnapshotIsIgnored() {
        HistoryBuffer history;
        Watched engine(history);
        const EngineSnapshot old = engine.state;
        engine.pass(kSecond, 10, 10);
        history.add(old);
        engine.pass(kSecond, 10, 10);
        QCOMPARE(sum(fine(history), &Bucket::accepted), 20.0);
    }

    void aStoppedEngineLeavesAGap() {
        HistoryBuffer history;
        Watched engine(history);
        engine.pass(kSecond, 10, 10);
        engine.state.lifecycle = Lifecycle::stopped;
        engine.pass(kSecond, 0, 0);
        engine.pass(kSecond, 0, 0);
        QVERIFY(!history.lastClosed(DestinationId(1)));
        engine.state.lifecycle = Lifecycle::running;
        engine.pass(kSecond, 500, 500);
        engine.pass(kSecond, 10, 10);
        const auto buckets = fine(history);
        QCOMPARE(buckets[1].start, kStart + 1);
        QCOMPARE(buckets[2].start, kStart + 4);
        QCOMPARE(sum(buckets, &Bucket::accepted), 20.0);
    }

    void sleepOfTheMachineLeavesAGap() {
        HistoryBuffer history;
        Watched engine(history);
        engine.pass(kSecond, 10, 10);
        engine.state.at += 40 * kSecond;  // the engine's own clock stands still meanwhile
        engine.pass(kSecond / 4, 3, 3);
        engine.pass(kSecond / 4, 3, 3);
        const auto buckets = fine(history);
        QCOMPARE(buckets.size(), std::size_t(3));
        QCOMPARE(buckets[2].start, kStart + 41);
        QCOMPARE(buckets[2].accepted, 3.0);
    }

    void aScaledClockLeavesNoGap() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 12; ++i) {
            engine.state.engineTime += 2160 * kSecond / 4;
            engine.pass(kSecond / 4, 5, 5);
        }
        QCOMPARE(fine(history).size(), std::size_t(4));
        QCOMPARE(sum(fine(history), &Bucket::accepted), 60.0);
    }

    void aRestartDoesNotSubtract() {
        HistoryBuffer history;
        Watched engine(history);
        engine.pass(kSecond, 100, 100, 20);
        engine.state.number = 0;
        engine.state.engineTime = 0;
        engine.crm().attempts = 0;
        engine.crm().outcomes = {};
        engine.pass(kSecond, 7, 7);
        engine.pass(kSecond, 10, 10, 10);
        const auto buckets = fine(history);
        QCOMPARE(sum(buckets, &Bucket::accepted), 110.0);
        QCOMPARE(sum(buckets, &Bucket::errors), 30.0);
    }

    void aCounterThatGoesBackAddsNothing() {
        HistoryBuffer history;
        Watched engine(history);
        engine.pass(kSecond, 100, 100);
        engine.crm().attempts = 0;
        engine.crm().outcomes = {};
        engine.pass(kSecond, 10, 0);
        QCOMPARE(sum(fine(history), &Bucket::attempts), 100.0);
        QCOMPARE(sum(fine(history), &Bucket::accepted), 110.0);
    }

    void theClockSetBackForgetsTheFuture() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 20; ++i) engine.pass(kSecond, 10, 10);
        engine.state.at -= 15 * kSecond;
        engine.pass(kSecond, 10, 10);
        engine.pass(kSecond, 10, 10);
        const auto buckets = fine(history);
        for (std::size_t i = 1; i < buckets.size(); ++i)
            QVERIFY(buckets[i].start > buckets[i - 1].start);
        QCOMPARE(buckets.back().start, kStart + 7);
        for (const auto& bucket : buckets) QVERIFY(bucket.inPerSecond() <= 20.0);
    }

    void allTogetherIsTheSumAndTheWorst() {
        HistoryBuffer history;
        Watched engine(history);
        auto second = engine.crm();
        second.id = DestinationId(2);
        second.health = HealthState::degraded;
        engine.state.destinations.push_back(second);
        engine.pass(kSecond, 10, 10);
        engine.state.destinations[1].counters.accepted += 5;
        engine.pass(kSecond, 10, 10);
        // A removed destination takes its counters with it: no rate goes below zero.
        engine.state.destinations.pop_back();
        engine.pass(kSecond, 10, 10);
        const auto all = fine(history, 0);
        QCOMPARE(sum(all, &Bucket::accepted), 35.0);
        QCOMPARE(all[1].state, HealthState::degraded);
        QCOMPARE(all[1].budget.max, 128.0F);
        QCOMPARE(all.back().state, HealthState::healthy);
        QVERIFY(fine(history, 2).empty());
    }

    void memoryIsBounded() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 4 * 60 * 60; ++i) engine.pass(kSecond, 1, 1);
        QCOMPARE(fine(history).size(), kHistory[0].capacity());
        QCOMPARE(coarse(history).size(), kHistory[1].capacity());
        QCOMPARE(coarse(history)[500].accepted, 10.0);
    }

    void eachLevelIsTheSumOfTheFinerOne() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 2 * 3600; ++i)
            engine.pass(kSecond, 10, i == 4000 ? 900 : 10, i % 10 == 0 ? 1 : 0);
        const auto minutes = history.range(DestinationId(1), Resolution::minute, 0, kStart * 2);
        const auto tens = history.range(DestinationId(1), Resolution::tenMinutes, 0, kStart * 2);
        QCOMPARE(minutes[5].accepted, 600.0);
        QCOMPARE(minutes[5].errors, 6.0);
        QVERIFY(std::abs(minutes[5].covered - 60.0F) < 0.01F);
        QCOMPARE(minutes[5].seconds, 60u);
        QCOMPARE(tens[3].accepted, 6000.0);
        QCOMPARE(tens[3].seconds, 600u);
        const auto highest = [](const std::vector<Bucket>& buckets) {
            float high = 0;
            for (const auto& bucket : buckets) high = std::max(high, bucket.outHigh);
            return high;
        };
        QCOMPARE(highest(minutes), 900.0F);  // the spike of a second is still there
        QCOMPARE(highest(tens), 900.0F);
        // What is not over yet is left out, nothing is twice.
        QVERIFY(sum(minutes, &Bucket::accepted) <= 72'000.0);
        QVERIFY(sum(minutes, &Bucket::accepted) >= 72'000.0 - 2 * 600.0);
    }

    void theFinestLevelThatHasItIsShown() {
        const double now = 2'000'000;
        QCOMPARE(resolutionFor(now - 300, now, now), Resolution::second);
        QCOMPARE(resolutionFor(now - 901, now, now), Resolution::tenSeconds);
        QCOMPARE(resolutionFor(now - 24 * 3600, now, now), Resolution::minute);
        QCOMPARE(resolutionFor(now - 14 * 24 * 3600, now, now), Resolution::tenMinutes);
        // A quarter of an hour of yesterday: only minutes are left of it.
        QCOMPARE(resolutionFor(now - 20 * 3600, now - 20 * 3600 + 900, now), Resolution::minute);
    }

    void aClockSetBackLosesNothingOfLongBuckets() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 40 * 60; ++i) engine.pass(kSecond, 10, 10);
        engine.state.at -= 5 * kSecond;
        for (int i = 0; i < 20 * 60; ++i) engine.pass(kSecond, 10, 10);
        const auto minutes = history.range(DestinationId(1), Resolution::minute, 0, kStart * 2);
        for (std::size_t i = 1; i + 1 < minutes.size(); ++i) {
            QVERIFY2(minutes[i].accepted >= 540 && minutes[i].accepted <= 620,
                     qPrintable(QString::number(minutes[i].accepted)));
            QCOMPARE(minutes[i].start, minutes[i - 1].start + 60);
        }
    }

    void itGoesOnAfterARestart() {
        HistoryBuffer before;
        Watched first(before);
        for (int i = 0; i < 30 * 60 + 17; ++i) first.pass(kSecond, 10, 10);
        HistoryBuffer after;
        after.restore(before.kept());
        Watched second(after);
        second.state.at = first.state.at + 5 * kSecond;
        second.publish();
        for (int i = 0; i < 30 * 60; ++i) second.pass(kSecond, 10, 10);
        const auto minutes = after.range(DestinationId(1), Resolution::minute, 0, kStart * 2);
        QCOMPARE(minutes.front().start, kStart / 60 * 60);
        for (std::size_t i = 1; i + 1 < minutes.size(); ++i)
            QVERIFY(minutes[i].accepted <= 610);  // nothing is counted twice
        const auto total = sum(minutes, &Bucket::accepted);
        QVERIFY2(total >= 36'000 - 800, qPrintable(QString::number(total)));
        const auto tens = after.range(DestinationId(1), Resolution::tenMinutes, 0, kStart * 2);
        for (const auto& bucket : tens) QVERIFY(bucket.accepted <= 6'010);
        QVERIFY(sum(tens, &Bucket::accepted) >= 36'000 - 7'000);
    }

    void aDestinationThatWentIsForgottenAfterARestart() {
        HistoryBuffer before;
        Watched first(before);
        for (int i = 0; i < 300; ++i) first.pass(kSecond, 10, 10);
        auto kept = before.kept();
        kept.tracks[7] = kept.tracks[1];
        HistoryBuffer after;
        after.restore(std::move(kept));
        Watched second(after);
        QVERIFY(after.range(DestinationId(7), Resolution::minute, 0, kStart * 2).empty());
        QVERIFY(!after.range(DestinationId(1), Resolution::minute, 0, kStart * 2).empty());
    }

    void tenSecondsKeepTheSpikeAndTheWorstState() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 30; ++i) {
            engine.crm().health = i == 14 ? HealthState::degraded : HealthState::healthy;
            engine.pass(kSecond, 10, i == 13 ? 500 : 10);
        }
        const auto buckets = coarse(history);
        QCOMPARE(buckets[1].outHigh, 500.0F);
        QCOMPARE(buckets[1].outLow, 10.0F);
        QCOMPARE(buckets[1].outPerSecond(), 59.0);
        QCOMPARE(buckets[1].state, HealthState::degraded);
        QCOMPARE(buckets[2].state, HealthState::healthy);
    }

    void theNumberIsTheLastWholeSecond() {
        HistoryBuffer history;
        Watched engine(history);
        for (int i = 0; i < 4; ++i) engine.pass(kSecond / 4, 5, 5);
        engine.pass(kSecond / 4, 50, 50);
        const auto last = history.lastClosed(DestinationId(1));
        QVERIFY(last);
        QCOMPARE(last->start, kStart);
        QCOMPARE(last->inPerSecond(), 20.0);
    }

    void budgetChangesAreKeptOnceAndBounded() {
        HistoryBuffer history;
        Watched engine(history);
        engine.crm().lastChange = {engine.state.at, 64, 32, "half of the answers were 503"};
        engine.pass(kSecond, 1, 1);
        engine.pass(kSecond, 1, 1);
        QCOMPARE(history.budgetChanges(DestinationId(1)).size(), std::size_t(1));
        for (int i = 0; i < 300; ++i) {
            engine.crm().lastChange = {engine.state.at, 32, double(i), "again"};
            engine.pass(kSecond, 1, 1);
        }
        QCOMPARE(history.budgetChanges(DestinationId(1)).size(), kBudgetChanges);
        QCOMPARE(history.budgetChanges(DestinationId(1)).back().to, 299.0);
        QVERIFY(history.budgetChanges(DestinationId(0)).empty());
    }

    void anOutageIsToldWhole() {
        HistoryBuffer history;
        std::uint64_t delivered = 0;
        std::uint64_t before = 0;
        bool first = true;
        test::tellOutage(kStart * kSecond, [&](const EngineSnapshot& s) {
            if (std::exchange(first, false)) before = s.destinations[0].counters.delivered;
            delivered = s.destinations[0].counters.delivered;
            history.add(s);
        });
        QVERIFY(std::abs(sum(fine(history), &Bucket::delivered) -
                         static_cast<double>(delivered - before)) < 30);
        QVERIFY(!history.budgetChanges(DestinationId(1)).empty());
    }
};

QTEST_GUILESS_MAIN(HistoryBufferTest)
#include "history_buffer_test.moc"
