// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/backoff.h"
#include "engine/core/head_ages.h"
#include "engine/core/lane_table.h"
#include "engine/core/random.h"
#include "engine/core/ready_queue.h"
#include "engine/core/timer_queue.h"
#include "engine/core/transport.h"

#include <QTest>

#include <algorithm>
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
        QVERIFY(table.bytes() < 2 * kChunkBytes);  // one chunk stays
    }

    void agesOfHeadsAreCountedByMinutes() {
        HeadAges ages;
        Random random(11);
        std::multiset<ClockTenths> model;
        for (int i = 0; i < 20'000; ++i) {
            if (!model.empty() && random.chance(0.5)) {
                const auto gone = std::next(model.begin(), static_cast<std::ptrdiff_t>(
                                                               random.below(model.size())));
                ages.remove(*gone);
                model.erase(gone);
            } else {
                const auto clock = static_cast<ClockTenths>(random.below(100'000));
                ages.add(clock);
                model.insert(clock);
            }
            const auto asked = static_cast<ClockTenths>(random.below(120'000));
            const auto minuteEnd = asked / 600 * 600 + 600;
            QCOMPARE(ages.before(asked), static_cast<std::uint64_t>(std::distance(
                                             model.begin(), model.lower_bound(minuteEnd))));
            QCOMPARE(ages.empty(), model.empty());
            if (!model.empty()) QCOMPARE(ages.oldest(), *model.begin() / 600 * 600);
        }
    }

    void memoryGoesBackAfterABurstOfShortLivedUsers() {
        LaneTable table;
        ReadyQueue queue(table);
        const auto come = [&](std::uint64_t user) {
            const auto lane = table.findOrAdd(0, UserId(user));
            table[lane].headClock = static_cast<ClockTenths>(user / 100);
            for (const std::uint64_t event : {1, 2, 3}) table.insert(lane, {Sequence(event)});
            queue.push(lane);
        };
        const auto go = [&](std::uint64_t user) {
            const auto lane = table.find(0, UserId(user));
            queue.remove(lane);
            while (table[lane].rest > 0) table.popFront(lane);
            table.remove(lane);
        };
        for (std::uint64_t user = 0; user < 10'000; ++user) come(user);
        const auto before = table.bytes();
        for (std::uint64_t user = 10'000; user < 500'000; ++user) come(user);
        QVERIFY(table.bytes() > 5 * before);
        // Every second one first, so that for a while the memory is full of holes.
        for (std::uint64_t user = 10'000; user < 500'000; user += 2) go(user);
        for (std::uint64_t user = 10'001; user < 500'000; user += 2) go(user);
        QVERIFY(table.bytes() < before * 11 / 10);
        for (std::uint64_t user = 0; user < 10'000; ++user) {
            QVERIFY(table.find(0, UserId(user)) != kNoLane);
            go(user);
        }
        QVERIFY(table.bytes() < 4 * kChunkBytes);  // one chunk of each kind stays
    }

    void aChunkThatCameAfterAHoleIsUsedFromBelow() {
        struct Item {
            std::uint32_t value = 7;
            [[nodiscard]] std::uint32_t link() const { return value; }
            void setLink(std::uint32_t next) { value = next; }
        };
        ChunkPool<Item, 4> pool(std::pmr::new_delete_resource());
        for (std::uint32_t i = 0; i < 12; ++i) QCOMPARE(pool.take(), i);
        const auto full = pool.bytes();
        for (const std::uint32_t i : {2u, 5u, 4u, 7u, 6u}) pool.give(i);
        QVERIFY(pool.bytes() < full && !pool.made(5) && pool.made(11) && pool.end() == 12);
        QCOMPARE(pool.take(), 2u);  // where there is room already
        QCOMPARE(pool.take(), 4u);  // the hole before the end
        QVERIFY(pool.made(4) && !pool.made(5));
        QCOMPARE(pool[4].value, 7u);
        for (const std::uint32_t i : {8u, 9u, 10u, 11u}) pool.give(i);
        QCOMPARE(pool.end(), 8u);
    }

    void aNumberThatFitsIsKeptExactly() {
        const Packed<Sequence, 6> largest = Sequence((std::uint64_t{1} << 48) - 1);
        QCOMPARE(Sequence(largest).value, (std::uint64_t{1} << 48) - 1);
        const Packed<UserId, 8> user = UserId(0xfedcba9876543210);
        QVERIFY(user == UserId(0xfedcba9876543210));
        QVERIFY(largest && Sequence(5) < largest);
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
            if (random.chance(0.2)) {
                const auto sequence = random.chance(0.2) || events.empty()
                                          ? 1 + random.below(1'000'000)
                                          : *std::next(events.begin(),
                                                       static_cast<std::ptrdiff_t>(
                                                           random.below(events.size())));
                QCOMPARE(table.contains(lanes[which], Sequence(sequence)),
                         events.contains(sequence));
                QCOMPARE(table.erase(lanes[which], Sequence(sequence)),
                         events.erase(sequence) == 1);
            } else if (random.chance(0.7) || events.empty()) {
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

    void anEventIsFoundAndTakenFromAnywhereBehindAHead_data() {
        QTest::addColumn<int>("events");
        QTest::addColumn<QList<int>>("taken");
        QTest::newRow("the only one") << 1 << QList<int>{1};
        QTest::newRow("the first") << 12 << QList<int>{1};
        QTest::newRow("the last") << 12 << QList<int>{12};
        QTest::newRow("one in the middle") << 12 << QList<int>{6};
        QTest::newRow("a few in front, one after the other") << 12 << QList<int>{1, 2, 3, 4, 5, 6};
        QTest::newRow("a few in the middle") << 16 << QList<int>{10, 7, 9, 6, 8};
        QTest::newRow("the last few, from the end") << 12 << QList<int>{12, 11, 10, 9};
        QTest::newRow("all, from both ends") << 6 << QList<int>{6, 1, 5, 2, 4, 3};
    }
    void anEventIsFoundAndTakenFromAnywhereBehindAHead() {
        QFETCH(int, events);
        QFETCH(QList<int>, taken);
        LaneTable table;
        const auto lane = table.findOrAdd(0, UserId(1));
        const auto neighbour = table.findOrAdd(0, UserId(2));
        std::set<std::uint64_t> model;
        const auto sequenceOf = [](int i) { return Sequence(static_cast<std::uint64_t>(i) * 10); };
        for (int i = 1; i <= events; ++i) {
            table.insert(lane, {sequenceOf(i), 7});
            table.insert(neighbour, {Sequence(sequenceOf(i).value + 1), 8});
            model.insert(sequenceOf(i).value);
        }
        for (const int i : taken) {
            QVERIFY(table.contains(lane, sequenceOf(i)));
            QVERIFY(table.erase(lane, sequenceOf(i)));
            model.erase(sequenceOf(i).value);
            QVERIFY(!table.contains(lane, sequenceOf(i)));
            QVERIFY(!table.erase(lane, sequenceOf(i)));
        }
        for (std::uint64_t sequence = 1; sequence < 200; ++sequence)
            QCOMPARE(table.contains(lane, Sequence(sequence)), model.contains(sequence));
        // The lane goes on as any other: at its end, and at the places that became free.
        table.insert(lane, {Sequence(1'000), 7});
        model.insert(1'000);
        for (const int i : taken) {
            table.insert(lane, {sequenceOf(i), 7});
            model.insert(sequenceOf(i).value);
        }
        std::vector<std::uint64_t> found;
        while (table[lane].rest > 0) found.push_back(table.popFront(lane).sequence.value);
        QCOMPARE(found, std::vector(model.begin(), model.end()));
        QVERIFY(!table.contains(lane, Sequence(10)) && !table.erase(lane, Sequence(10)));
        QCOMPARE(table[neighbour].rest, static_cast<std::uint32_t>(events));
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
        for (int i = 0; i < 10; ++i) turn.insert(queue.nextInTurn(1));
        QCOMPARE(turn.size(), 10u);
        QCOMPARE(queue.nextInTurn(1), kNoLane);
        // One that is asked and comes back waits for the next turn, not for this one.
        std::vector<LaneIndex> order;
        for (int i = 0; i < 10; ++i) {
            const auto lane = queue.nextInTurn(2);
            queue.remove(lane);
            table[lane].setTurn(2);
            queue.push(lane);
            order.push_back(lane);
        }
        QCOMPARE(std::set(order.begin(), order.end()).size(), 10u);
        QCOMPARE(queue.nextInTurn(2), kNoLane);
        QVERIFY(queue.nextInTurn(3) != kNoLane);
        ClockTenths last = 0;
        while (!queue.empty()) {
            const auto lane = queue.first();
            QVERIFY(table[lane].headClock >= last);
            last = table[lane].headClock;
            queue.remove(lane);
        }
    }

    void lanesLeaveAQueueFromAnywhereAndTheTurnGoesOn() {
        LaneTable table;
        ReadyQueue queue(table);
        Random random(13);
        std::vector<std::vector<LaneIndex>> model(4);  // by bucket, first in first out
        std::uint64_t users = 0;
        const auto sizeOf = [&] {
            std::size_t size = 0;
            for (const auto& bucket : model) size += bucket.size();
            return size;
        };
        for (int round = 0; round < 3'000; ++round) {
            const auto which = random.below(4);
            auto& bucket = model[which];
            if (random.chance(0.55)) {
                const auto lane = table.findOrAdd(0, UserId(++users));
                table[lane].headClock = static_cast<ClockTenths>(which * 10 + random.below(10));
                queue.push(lane);
                bucket.push_back(lane);
            } else if (!bucket.empty()) {
                const auto at = static_cast<std::ptrdiff_t>(random.below(bucket.size()));
                queue.remove(bucket[static_cast<std::size_t>(at)]);
                table.remove(bucket[static_cast<std::size_t>(at)]);
                bucket.erase(bucket.begin() + at);
            }
            if (random.chance(0.3)) queue.nextInTurn(1);  // wherever the cursor stands
            QCOMPARE(queue.size(), sizeOf());
            const auto oldest = std::find_if(model.begin(), model.end(),
                                             [](const auto& one) { return !one.empty(); });
            QCOMPARE(queue.first(), oldest == model.end() ? kNoLane : oldest->front());
        }
        std::vector<LaneIndex> expected;
        for (const auto& one : model) expected.insert(expected.end(), one.begin(), one.end());
        QVERIFY(expected.size() > 100);
        queue.restartTurn();
        for (int turn = 0; turn < 2; ++turn) {
            std::vector<LaneIndex> seen;
            for (std::size_t i = 0; i < expected.size(); ++i) seen.push_back(queue.nextInTurn(1));
            QCOMPARE(seen, expected);
            QCOMPARE(queue.nextInTurn(1), kNoLane);
        }
        std::vector<LaneIndex> out;
        for (; !queue.empty(); queue.remove(out.back())) out.push_back(queue.first());
        QCOMPARE(out, expected);
    }

    void lanesThatBackOffAreSeenInTheOrderInWhichTheyCame() {
        LaneTable table;
        LaneList list(table);
        std::vector<LaneIndex> lanes;
        for (std::uint64_t i = 0; i < 100; ++i) {
            lanes.push_back(table.findOrAdd(0, UserId(i)));
            list.push(lanes.back());
        }
        // Whole blocks from the front, the middle and the end, and single ones between.
        std::vector<LaneIndex> left;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (i < 20 || (i >= 40 && i < 70) || i > 90 || i % 7 == 0)
                list.remove(lanes[i]);
            else
                left.push_back(lanes[i]);
        }
        QCOMPARE(list.size(), left.size());
        std::vector<LaneIndex> seen;
        for (auto lane = list.first(); lane != kNoLane; lane = list.next(lane))
            seen.push_back(lane);
        QCOMPARE(seen, left);
        for (const auto lane : left) list.remove(lane);
        QCOMPARE(list.first(), kNoLane);
        list.push(lanes[3]);
        QCOMPARE(list.first(), lanes[3]);
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
            const auto lane = queue.nextInTurn(1);
            queue.remove(lane);
            probed.insert(lane);
            table[lane].setTurn(1);
            queue.push(lane);
        }
        QCOMPARE(probed, std::set<LaneIndex>(lanes.begin(), lanes.end()));
    }

    void whoComesDuringATurnHasItsTurnBeforeOthersHaveTwo() {
        LaneTable table;
        ReadyQueue queue(table);
        const auto add = [&](std::uint64_t user, ClockTenths clock) {
            const auto lane = table.findOrAdd(0, UserId(user));
            table[lane].headClock = clock;
            queue.push(lane);
            return lane;
        };
        const auto ask = [&](std::uint32_t turn) {
            const auto lane = queue.nextInTurn(turn);
            if (lane == kNoLane) return lane;
            queue.remove(lane);
            table[lane].setTurn(turn);
            queue.push(lane);
            return lane;
        };
        const auto first = add(1, 100);
        const auto second = add(2, 200);
        QCOMPARE(ask(1), first);
        const auto behind = add(3, 50);   // behind the cursor
        const auto ahead = add(4, 150);   // before it
        QCOMPARE(ask(1), ahead);
        QCOMPARE(ask(1), second);
        QCOMPARE(ask(1), kNoLane);
        QCOMPARE(ask(2), behind);
        QCOMPARE(ask(2), first);
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
