// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/backoff.h"
#include "engine/core/lane_table.h"
#include "engine/core/random.h"
#include "engine/core/ready_queue.h"
#include "engine/core/timer_queue.h"
#include "engine/core/transport.h"

#include <QTest>

#include <map>
#include <set>

using namespace lanes;

/// The structures under the kernel, each against a plain model.
class LaneStructuresTest : public QObject {
    Q_OBJECT

private slots:
    void lanesAreFoundAmongManyOthersThatComeAndGo() {
        LaneTable table;
        Random random(7);
        std::map<std::pair<DestinationSlot, std::uint64_t>, LaneIndex> model;
        for (int i = 0; i < 60'000; ++i) {
            const auto slot = static_cast<DestinationSlot>(random.below(3));
            const auto user = random.below(5'000);
            const auto known = model.find({slot, user});
            QCOMPARE(table.find(slot, UserId(user)),
                     known == model.end() ? kNoLane : known->second);
            if (known == model.end()) {
                model[{slot, user}] = table.findOrAdd(slot, UserId(user));
            } else if (random.chance(0.6)) {
                table.remove(known->second);
                model.erase(known);
            }
            QCOMPARE(table.size(), model.size());
        }
        while (!model.empty()) {
            table.remove(model.begin()->second);
            model.erase(model.begin());
        }
        QVERIFY(table.bytes() < 4096);  // everything was given back
    }

    void eventsBehindAHeadStayInOrder() {
        LaneTable table;
        Random random(11);
        std::vector<LaneIndex> lanes;
        std::vector<std::set<std::uint64_t>> model(20);
        for (std::uint64_t i = 0; i < 20; ++i) lanes.push_back(table.findOrAdd(0, UserId(i)));
        for (int i = 0; i < 50'000; ++i) {
            const auto which = random.below(20);
            auto& events = model[which];
            if (random.chance(0.55) || events.empty()) {
                const auto sequence = 1 + random.below(1'000'000);
                if (!events.insert(sequence).second) continue;
                table.insert(lanes[which],
                             {Sequence(sequence), static_cast<ClockTenths>(sequence)});
            } else {
                const auto entry = table.popFront(lanes[which]);
                QCOMPARE(entry.sequence.value, *events.begin());
                QCOMPARE(entry.clock, static_cast<ClockTenths>(entry.sequence.value));
                events.erase(events.begin());
            }
            QCOMPARE(std::size_t{table[lanes[which]].rest}, events.size());
        }
        for (std::size_t which = 0; which < 20; ++which) {
            std::vector<std::uint64_t> found;
            table.forEachBehindHead(lanes[which], 1'000'000, [&](LaneEntry entry) {
                found.push_back(entry.sequence.value);
            });
            QCOMPARE(found, std::vector(model[which].begin(), model[which].end()));
        }
    }

    void timersFireOnceAtTheirTick() {
        TimerQueue timers;
        Random random(3);
        std::multimap<TimerQueue::Tick, LaneIndex> model;
        TimerQueue::Tick now = 0;
        for (LaneIndex lane = 0; lane < 20'000; ++lane) {
            const auto due =
                now + 1 +
                static_cast<TimerQueue::Tick>(random.below(random.chance(0.1) ? 9000 : 90));
            timers.arm(lane, due);
            model.emplace(due, lane);
            TimerQueue::Tick next = 0;
            QVERIFY(timers.next(next));
            QCOMPARE(next, model.begin()->first);
            if (!random.chance(0.3)) continue;
            now += static_cast<TimerQueue::Tick>(random.below(random.chance(0.05) ? 3000 : 5));
            std::vector<LaneIndex> due2;
            timers.pop(now, due2);
            std::multiset<LaneIndex> expected;
            while (!model.empty() && model.begin()->first <= now) {
                expected.insert(model.begin()->second);
                model.erase(model.begin());
            }
            QCOMPARE(std::multiset<LaneIndex>(due2.begin(), due2.end()), expected);
        }
    }

    void readyLanesGoOldestFirstAndInTurn() {
        LaneTable table;
        ReadyQueue queue(table);
        std::vector<LaneIndex> lanes;
        for (std::uint64_t i = 0; i < 10; ++i) {
            const auto lane = table.findOrAdd(0, UserId(i));
            table[lane].headClock = static_cast<ClockTenths>(((i * 7) % 10) * 10);
            lanes.push_back(lane);
            queue.push(lane);
        }
        std::set<LaneIndex> turn;
        for (int i = 0; i < 10; ++i) turn.insert(queue.nextInTurn());
        QCOMPARE(turn.size(), 10u);
        // One that is taken out and comes back waits for the next turn, not for this one.
        std::vector<LaneIndex> order;
        for (int i = 0; i < 9; ++i) {
            const auto lane = queue.nextInTurn();
            queue.remove(lane);
            queue.push(lane);
            order.push_back(lane);
        }
        QCOMPARE(std::set(order.begin(), order.end()).size(), 9u);
        ClockTenths last = 0;
        while (!queue.empty()) {
            const auto lane = queue.first();
            QVERIFY(table[lane].headClock >= last);
            last = table[lane].headClock;
            queue.remove(lane);
        }
    }

    void aBucketWhoseLanesComeBackDoesNotKeepTheTurn() {
        LaneTable table;
        ReadyQueue queue(table);
        std::vector<LaneIndex> lanes;
        for (std::uint64_t i = 0; i < 4; ++i) {
            const auto lane = table.findOrAdd(0, UserId(i));
            table[lane].headClock = i < 3 ? 0 : 100;
            table[lane].attempts = 1;
            lanes.push_back(lane);
            queue.push(lane);
        }
        std::set<LaneIndex> probed;
        for (int i = 0; i < 4; ++i) {
            const auto lane = queue.nextInTurn();
            queue.remove(lane);
            probed.insert(lane);
            queue.push(lane);
        }
        QCOMPARE(probed, std::set<LaneIndex>(lanes.begin(), lanes.end()));
    }

    void backOffDoublesToEightSecondsWithJitter() {
        Random random(5);
        for (const auto& [failures, seconds] : std::vector<std::pair<std::uint32_t, double>>{
                 {1, 1}, {2, 2}, {3, 4}, {4, 8}, {9, 8}}) {
            double least = 1e9;
            double most = 0;
            for (int i = 0; i < 2000; ++i) {
                const auto delay = static_cast<double>(backoff(failures, random)) / kSecond;
                least = std::min(least, delay);
                most = std::max(most, delay);
            }
            QVERIFY(least >= seconds * 0.8 && least < seconds * 0.82);
            QVERIFY(most <= seconds * 1.2 && most > seconds * 1.18);
        }
    }

    void outcomesAreClassified_data() {
        QTest::addColumn<int>("reach");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("deadline");
        QTest::addColumn<int>("outcome");
        using Reach = AttemptResult::Reach;
        const auto row = [](const char* name, Reach reach, int status, bool deadline,
                            Outcome outcome) {
            QTest::newRow(name) << static_cast<int>(reach) << status << deadline
                                << static_cast<int>(outcome);
        };
        row("200 delivers", Reach::answered, 200, false, Outcome::delivered);
        row("299 delivers", Reach::answered, 299, false, Outcome::delivered);
        row("a body cut by our deadline after 200 delivers", Reach::answered, 200, true,
            Outcome::delivered);
        row("300 fails", Reach::answered, 300, false, Outcome::failed);
        row("302 fails", Reach::answered, 302, false, Outcome::failed);
        row("101 as final fails", Reach::answered, 101, false, Outcome::failed);
        row("199 fails", Reach::answered, 199, false, Outcome::failed);
        row("status 0 fails", Reach::answered, 0, false, Outcome::failed);
        row("999 fails", Reach::answered, 999, false, Outcome::failed);
        row("600 fails", Reach::answered, 600, false, Outcome::failed);
        row("400 is about the event", Reach::answered, 400, false, Outcome::refused);
        row("404 is about the event", Reach::answered, 404, false, Outcome::refused);
        row("410 is about the event", Reach::answered, 410, false, Outcome::refused);
        row("408 is overload", Reach::answered, 408, false, Outcome::overloaded);
        row("429 is throttling", Reach::answered, 429, false, Outcome::throttled);
        row("500 fails", Reach::answered, 500, false, Outcome::failed);
        row("501 fails", Reach::answered, 501, false, Outcome::failed);
        row("502 is overload", Reach::answered, 502, false, Outcome::overloaded);
        row("503 is overload", Reach::answered, 503, false, Outcome::overloaded);
        row("504 is overload", Reach::answered, 504, false, Outcome::overloaded);
        row("a deadline after sending is overload", Reach::sent, 0, true, Outcome::overloaded);
        row("a cut after sending is unknown", Reach::sent, 0, false, Outcome::unknown);
        row("a cut while sending is unknown", Reach::partlySent, 0, false, Outcome::unknown);
        row("nothing sent is unreachable", Reach::notSent, 0, false, Outcome::unreachable);
        row("no connection in time is unreachable", Reach::notSent, 0, true, Outcome::unreachable);
    }
    void outcomesAreClassified() {
        QFETCH(int, reach);
        QFETCH(int, status);
        QFETCH(bool, deadline);
        QFETCH(int, outcome);
        AttemptResult result;
        result.reach = static_cast<AttemptResult::Reach>(reach);
        result.status = status;
        result.deadline = deadline;
        QCOMPARE(static_cast<int>(classify(result)), outcome);
    }
};

QTEST_GUILESS_MAIN(LaneStructuresTest)
#include "lane_structures_test.moc"
