// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/ideal_drain.h"

#include <QTest>

using namespace lanes;
using namespace lanes::sim;

namespace {

constexpr DrainPace kPace{4, 70 * kMillisecond, 30 * kMillisecond};

LaneBacklogs lanesOf(std::size_t lanes, std::size_t events) {
    return LaneBacklogs(lanes, std::vector<Micros>(events, 0));
}

}  // namespace

class IdealDrainTest : public QObject {
    Q_OBJECT

private slots:
    void keepsEverySlotBusy() {
        // 400 events in four slots: a hundred rounds.
        const Micros took = idealDrain(lanesOf(400, 1), kPace);
        QCOMPARE(took, 100 * kPace.answer + kPace.durability);
    }

    void isNotFasterThanTheLongestLane() {
        LaneBacklogs lanes = lanesOf(3, 1);
        lanes[1].resize(50);
        QCOMPARE(idealDrain(lanes, kPace), 50 * (kPace.answer + kPace.durability));
    }

    void letsTheOldestWindowGoFirst() {
        // The long lane's head was rewound just now, so it begins when the others are done.
        LaneBacklogs lanes = lanesOf(400, 1);
        lanes.push_back(std::vector<Micros>(50, kHour));
        QCOMPARE(idealDrain(lanes, kPace),
                 100 * kPace.answer + 50 * (kPace.answer + kPace.durability));
    }

    void takesNoTimeForNothing() { QCOMPARE(idealDrain(lanesOf(3, 0), kPace), Micros{0}); }

    void losesTimeWhileTheWindowGrows() {
        QCOMPARE(lostWhileGrowing(4, kPace), Micros{0});
        QVERIFY(lostWhileGrowing(2, kPace) > kSecond);
        QVERIFY(lostWhileGrowing(0.5, kPace) > 2 * lostWhileGrowing(2, kPace));
        QVERIFY(lostWhileGrowing(0.5, kPace) < 2 * kMinute);
    }
};

QTEST_GUILESS_MAIN(IdealDrainTest)
#include "ideal_drain_test.moc"
