// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/destination_health.h"

#include "engine/core/random.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

using namespace lanes;

namespace {

struct Answer {
    Outcome outcome = Outcome::delivered;
    std::uint16_t status = 200;
    Micros latency = 70 * kMillisecond;
};

constexpr Answer kBusy{Outcome::overloaded, 503, 20 * kMillisecond};
constexpr Answer kSlowDown{Outcome::throttled, 429, 20 * kMillisecond};
constexpr Answer kRefused{Outcome::unreachable, 0, kMillisecond};

HealthSettings settings(double largest, double knownGood) {
    HealthSettings health;
    health.largestWindow = largest;
    health.knownGood = knownGood;
    return health;
}

/// Plays a destination: what a request gets is decided when it starts.
class Play {
public:
    /// How many are in flight, this one included -> what it gets.
    using Destination = std::function<Answer(std::uint32_t)>;

    Play(const HealthSettings& with, Destination destination)
        : health(with, 0), m_destination(std::move(destination)) {}

    void become(Destination destination) { m_destination = std::move(destination); }
    /// One request each `gap`, if there is a slot; by default another lane waits at any time.
    void arriveEvery(Micros gap) { m_gap = gap; }

    void runFor(Micros time) {
        const Micros end = now + time;
        while (now < end) {
            settle();
            Micros next = std::min(end, health.nextChange(now));
            if (m_gap > 0) next = std::min(next, m_arrival);
            if (!m_flying.empty()) next = std::min(next, m_flying.begin()->first);
            now = std::max(next, now + 1);
        }
    }

    [[nodiscard]] bool everSaid(const char* word) const {
        return std::any_of(changes.begin(), changes.end(), [word](const WindowChange& change) {
            return change.reason.find(word) != std::string::npos;
        });
    }
    [[nodiscard]] double failedShare() const {
        return static_cast<double>(failed) / static_cast<double>(starts.size());
    }
    void forget() {
        starts.clear();
        changes.clear();
        failed = 0;
    }

    DestinationHealth health;
    Micros now = 0;
    std::vector<Micros> starts;
    std::vector<WindowChange> changes;
    std::size_t failed = 0;

private:
    void settle() {
        while (!m_flying.empty() && m_flying.begin()->first <= now) {
            const HealthSample sample = m_flying.begin()->second;
            m_flying.erase(m_flying.begin());
            (void)health.finished(sample, now);
            note();
        }
        for (; m_gap > 0 && m_arrival <= now; m_arrival += m_gap) ++m_waiting;
        do {
            while (waits() && health.mayStart(now)) start();
            health.advance(now, waits());
            note();
        } while (waits() && health.mayStart(now));  // the end of a round may widen the window
    }
    [[nodiscard]] bool waits() const { return m_gap == 0 || m_waiting > 0; }
    void start() {
        if (m_waiting > 0) --m_waiting;
        HealthSample sample;
        sample.epoch = health.started(now);
        const Answer answer = m_destination(health.inFlight());
        sample.outcome = answer.outcome;
        sample.status = answer.status;
        sample.startedAt = now;
        sample.latency = answer.latency;
        sample.othersWait = waits();
        if (answer.outcome != Outcome::delivered) ++failed;
        starts.push_back(now);
        m_flying.emplace(now + answer.latency, sample);
    }
    void note() {
        if (m_seen == health.changes()) return;
        m_seen = health.changes();
        changes.push_back(health.lastChange());
    }

    Destination m_destination;
    std::multimap<Micros, HealthSample> m_flying;
    Micros m_gap = 0;
    Micros m_arrival = 0;
    int m_waiting = 0;
    std::uint64_t m_seen = 0;
};

Play::Destination always(Answer answer) {
    return [answer](std::uint32_t) { return answer; };
}

/// Fails a share of the requests for no reason, and what is beyond its room.
Play::Destination noisy(double share, Answer answer, std::uint32_t room = 1000,
                        Answer beyond = kBusy) {
    return [=, random = Random(1)](std::uint32_t inFlight) mutable {
        if (inFlight > room) return beyond;
        return random.chance(share) ? answer : Answer();
    };
}

}  // namespace

class DestinationHealthTest : public QObject {
    Q_OBJECT

private slots:
    void whatComesAtAnyRateIsNoLoad_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("status");
        QTest::newRow("one in fifty is answered 503") << 0.02 << int(Outcome::overloaded) << 503;
        QTest::newRow("one in ten is answered 503") << 0.1 << int(Outcome::overloaded) << 503;
        QTest::newRow("one in fifty is reset") << 0.02 << int(Outcome::unknown) << 0;
        QTest::newRow("one in fifty finds no open port") << 0.02 << int(Outcome::unreachable) << 0;
    }

    void whatComesAtAnyRateIsNoLoad() {
        QFETCH(double, share);
        QFETCH(int, outcome);
        QFETCH(int, status);
        Answer answer;
        answer.outcome = static_cast<Outcome>(outcome);
        answer.status = static_cast<std::uint16_t>(status);
        Play play(settings(64, 16), noisy(share, answer));
        play.runFor(2 * kMinute);
        QVERIFY2(play.health.window() > 40, qPrintable(QString::number(play.health.window())));
        QVERIFY(play.everSaid("are usual"));
    }

    void a429IsAlwaysLoad() {
        Play play(settings(64, 16), noisy(0.02, kSlowDown));
        play.runFor(5 * kMinute);
        QVERIFY2(play.health.window() < 10, qPrintable(QString::number(play.health.window())));
        QVERIFY(!play.everSaid("are usual"));
    }

    void loadIsLoad_data() {
        QTest::addColumn<double>("noise");
        QTest::addColumn<bool>("says429");
        QTest::addColumn<double>("most");
        QTest::newRow("alone") << 0.0 << false << 0.02;
        QTest::newRow("behind noise") << 0.02 << false << 0.06;
        QTest::newRow("behind noise, but it says so") << 0.02 << true << 0.045;
    }

    void loadIsLoad() {
        QFETCH(double, noise);
        QFETCH(bool, says429);
        QFETCH(double, most);
        Play play(settings(64, 16), noisy(noise, kBusy, 20, says429 ? kSlowDown : kBusy));
        play.runFor(kMinute);
        play.forget();
        play.runFor(5 * kMinute);
        QVERIFY2(play.health.window() > 12 && play.health.window() < 26,
                 qPrintable(QString::number(play.health.window())));
        QVERIFY2(play.failedShare() < most, qPrintable(QString::number(play.failedShare())));
        QCOMPARE(play.everSaid("are usual"), noise > 0);
    }

    void theFirstMomentsOfAnOutageAreNoNoise() {
        for (int tenth = 0; tenth < 10; ++tenth) {
            Play play(settings(64, 16), always({}));
            play.runFor(30 * kSecond);  // to a large window
            play.arriveEvery(20 * kMillisecond);
            play.runFor(20 * kSecond + tenth * kSecond / 10);
            play.become(always(kBusy));
            play.runFor(10 * kSecond);
            QVERIFY(play.health.degraded());
            play.become(noisy(0, {}, 3));
            play.arriveEvery(0);
            play.runFor(20 * kSecond);
            QVERIFY(play.everSaid("cut "));
            QVERIFY(!play.everSaid("are usual"));
        }
    }

    void cutsThatWereNoiseAreTakenBack() {
        HealthSettings ramp = settings(64, 48);
        ramp.ramp = true;
        Play play(ramp, [count = 0](std::uint32_t) mutable {
            return ++count % 10 == 0 ? kBusy : Answer();
        });
        while (play.health.window() < 48 && play.now < kMinute) play.runFor(kSecond / 10);
        QVERIFY(play.everSaid("cut "));
        // By a tenth a second it would take half a minute.
        QVERIFY2(play.now < 15 * kSecond, qPrintable(QString::number(play.now)));
    }

    void whatIsTakenBackStaysWithinTheLimit() {
        Play play(settings(64, 48), noisy(0.1, kBusy));
        play.runFor(30 * kSecond);
        play.health.setLargestWindow(4);
        play.runFor(2 * kMinute);
        const double good = play.health.knownGood();
        QVERIFY2(good <= 4, qPrintable(QString::number(good)));
    }

    void noiseIsLearnedWhileNothingWaits() {
        Play play(settings(64, 16), noisy(0.05, kBusy));
        play.arriveEvery(30 * kMillisecond);
        play.runFor(kMinute);
        for (const WindowChange& change : play.changes)
            QVERIFY2(change.to > 4, change.reason.c_str());
    }

    void belowOneSlotTheWindowFollowsWhatGetsThrough_data() {
        QTest::addColumn<int>("perSecond");
        QTest::addColumn<bool>("says429");
        QTest::addColumn<double>("most");
        QTest::newRow("five a second, told by 429") << 5 << true << 0.08;
        QTest::newRow("five a second, looking like noise") << 5 << false << 0.12;
        QTest::newRow("one a second, told by 429") << 1 << true << 0.08;
        QTest::newRow("one a second, looking like noise") << 1 << false << 0.15;
    }

    /// A bucket of five tokens.
    void belowOneSlotTheWindowFollowsWhatGetsThrough() {
        QFETCH(int, perSecond);
        QFETCH(bool, says429);
        QFETCH(double, most);
        const Micros gap = kSecond / perSecond;
        Micros lastToken = -6 * gap;
        Random random(1);
        Play play(settings(64, 16), nullptr);
        play.become([&](std::uint32_t) {
            if (play.now < lastToken + gap) return says429 ? kSlowDown : kBusy;
            lastToken = std::max(lastToken + gap, play.now - 5 * gap);
            Answer answer;
            answer.latency = static_cast<Micros>(random.logNormal(30'000, 1));
            return answer;
        });
        play.runFor(2 * kMinute);
        play.forget();
        play.runFor(10 * kMinute);
        const auto delivered = static_cast<double>(play.starts.size() - play.failed);
        QVERIFY2(delivered > 0.85 * 600 * perSecond, qPrintable(QString::number(delivered)));
        QVERIFY2(play.failedShare() < most, qPrintable(QString::number(play.failedShare())));
    }

    void aSecondWithoutSuccessDegradesThoughAllSlotsAreHeld() {
        DestinationHealth health(settings(5, 5), 0);
        const auto tryAll = [&health](Micros now, Outcome outcome) {
            std::vector<HealthSample> samples;
            while (health.mayStart(now)) {
                HealthSample sample;
                sample.epoch = health.started(now);
                sample.outcome = outcome;
                sample.startedAt = now;
                samples.push_back(sample);
            }
            for (const HealthSample& sample : samples) (void)health.finished(sample, now + 1);
            return samples.size();
        };
        QCOMPARE(tryAll(300 * kMillisecond, Outcome::delivered), std::size_t{5});
        QCOMPARE(tryAll(310 * kMillisecond, Outcome::unreachable), std::size_t{5});
        QCOMPARE(tryAll(820 * kMillisecond, Outcome::unreachable), std::size_t{5});
        const Micros secondAfter = 1300 * kMillisecond + 1;
        QCOMPARE(health.nextChange(900 * kMillisecond), secondAfter);
        health.advance(secondAfter - 1, true);
        QVERIFY(!health.degraded());
        health.advance(secondAfter, true);
        QVERIFY(health.degraded());
    }

    void slowAnswersUnderWayMayStillBeGood() {
        DestinationHealth health(settings(64, 16), 0);
        const auto epoch = health.started(0);
        for (int i = 0; i < 5; ++i) {
            HealthSample sample;
            sample.epoch = health.started(0);
            sample.outcome = Outcome::failed;
            QCOMPARE(health.finished(sample, kMillisecond), HealthEvent::none);
        }
        QCOMPARE(health.nextChange(600 * kMillisecond), kSecond);
        health.advance(3 * kSecond, true);
        QVERIFY(!health.degraded());
        HealthSample good;
        good.epoch = epoch;
        good.latency = 4 * kSecond;
        QCOMPARE(health.finished(good, 4 * kSecond), HealthEvent::none);
        health.advance(6 * kSecond, true);
        QVERIFY(!health.degraded());
    }

    void silenceIsNoTimeInWhichNothingSucceeds() {
        DestinationHealth health(settings(64, 16), 0);
        for (int i = 0; i < 5; ++i) {
            HealthSample sample;
            sample.epoch = health.started(0);
            sample.outcome = Outcome::throttled;
            (void)health.finished(sample, kMillisecond);
        }
        health.silence(10 * kSecond);
        health.advance(9 * kSecond, true);
        QVERIFY(!health.degraded());
    }

    void silenceIsNoTimeInWhichAWindowGrows() {
        const auto grown = [](Micros silence) {
            DestinationHealth health(settings(64, 8), 0);
            for (int i = 0; i < 40; ++i) {
                HealthSample sample;
                sample.epoch = health.started(0);
                sample.latency = kSecond / 10;
                if (i == 0) health.silence(silence);
                health.advance(kSecond / 10, true);
                (void)health.finished(sample, kSecond);
            }
            health.advance(kSecond, true);
            return health.window();
        };
        QCOMPARE(grown(0), 8.8);
        QCOMPARE(grown(kSecond), 8.0);
    }

    void everyChangeSaysWhyWithItsCounts() {
        Play play(settings(64, 16), noisy(0.02, kBusy, 20));
        play.runFor(2 * kMinute);
        play.become([](std::uint32_t inFlight) {  // crowded beyond eight
            Answer answer;
            answer.latency = 50 * kMillisecond * std::max(8u, inFlight) / 8;
            return answer;
        });
        play.runFor(2 * kMinute);
        play.become(always(kRefused));
        play.runFor(10 * kSecond);
        play.become(always({}));
        play.runFor(10 * kSecond);
        play.health.setLargestWindow(4);
        play.health.ramp(play.now, "resumed");
        play.runFor(10 * kSecond);
        for (const char* word : {"cut ", "grown ", "doubled ", "eased ", "degraded: ",
                                 "recovered: ", "resumed: "})
            QVERIFY2(play.everSaid(word), word);
        const QRegularExpression counted(QStringLiteral(
            "^((cut|grown|doubled|eased) [0-9.]+ to [0-9.]+: .*[0-9]+ of [0-9]+ |"
            "degraded: [0-9]+ failures|recovered: a probe|resumed: up from)"));
        for (const WindowChange& change : play.changes)
            QVERIFY2(counted.match(QString::fromStdString(change.reason)).hasMatch(),
                     change.reason.c_str());
    }

    void aRateLimitIsKeptEvenly_data() {
        QTest::addColumn<double>("rate");
        QTest::newRow("one in two seconds") << 0.5;
        QTest::newRow("three a second") << 3.0;
        QTest::newRow("two hundred a second") << 200.0;
    }

    void aRateLimitIsKeptEvenly() {
        QFETCH(double, rate);
        Play play(settings(64, 64), always({}));
        play.health.setRateLimit(rate);
        play.runFor(10 * kSecond);  // until the window is no limit any more
        play.forget();
        play.runFor(kMinute);
        const double burst = std::max(1.0, rate / 10);
        const auto& starts = play.starts;
        QVERIFY2(std::abs(static_cast<double>(starts.size()) - 60 * rate) <= burst + 1,
                 qPrintable(QString::number(starts.size())));
        for (std::size_t i = 1; i < starts.size(); ++i)
            QVERIFY(static_cast<double>(starts[i] - starts[i - 1]) * rate >= 0.99 * kSecond);
    }

    void aRateLimitLetsATenthOfASecondCatchUp() {
        DestinationHealth health(settings(64, 16), 0);
        health.setRateLimit(40);
        const auto startAll = [&health](Micros now) {
            int count = 0;
            for (; health.mayStart(now); ++count) (void)health.started(now);
            return count;
        };
        QCOMPARE(startAll(0), 1);
        QCOMPARE(startAll(25 * kMillisecond), 1);
        QCOMPARE(startAll(kMinute), 4);
        QCOMPARE(startAll(kMinute + 24 * kMillisecond), 0);
    }

    void probesKeepToTheRateLimit() {
        Play play(settings(64, 16), always(kRefused));
        play.health.setRateLimit(0.2);
        play.runFor(kMinute);
        QVERIFY(play.health.degraded());
        play.forget();
        play.runFor(kMinute);
        QCOMPARE(play.starts.size(), std::size_t{12});
        QCOMPARE(play.health.nextProbe(), play.starts.back() + 5 * kSecond);
    }

    void waitingForTheRateLimitGrowsNothing() {
        Play limited(settings(64, 8), always({}));
        limited.health.setRateLimit(20);  // a slot and a half
        limited.runFor(20 * kSecond);
        QCOMPARE(limited.health.window(), 8.0);
        QVERIFY(limited.changes.empty());

        Play free(settings(64, 8), always({}));
        free.runFor(20 * kSecond);
        QVERIFY(free.health.window() > 16);
    }

    void aRampEndsWhenOnlyTheRateLimitIsWaitedFor() {
        HealthSettings ramp = settings(64, 16);
        ramp.ramp = true;
        Play play(ramp, always({}));
        play.health.setRateLimit(10);
        play.runFor(10 * kSecond);
        QCOMPARE(play.health.state(play.now, true), HealthState::healthy);
        QVERIFY(play.health.window() < 4);
    }

    void aRateLimitCanBeChangedAndLifted() {
        DestinationHealth health(settings(64, 16), 0);
        health.setRateLimit(0.01);
        QVERIFY(health.mayStart(0));
        (void)health.started(0);
        QVERIFY(!health.mayStart(99 * kSecond));
        QCOMPARE(health.nextChange(kSecond), 100 * kSecond);
        health.setRateLimit(1);
        QVERIFY(!health.mayStart(kSecond - 1));
        QVERIFY(health.mayStart(kSecond));
        health.setRateLimit(0);
        QVERIFY(health.mayStart(1));
        QCOMPARE(health.nextChange(1), DestinationHealth::kNever);
    }
};

QTEST_GUILESS_MAIN(DestinationHealthTest)
#include "destination_health_test.moc"
