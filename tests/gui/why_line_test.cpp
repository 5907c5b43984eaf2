// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/time_display.h"
#include "ui/lanes/why_line.h"

#include <QLocale>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {

struct Case {
    LaneState state = LaneState::ready;
    HealthState health = HealthState::healthy;
    double budget = 8;
    Micros silentFor = 0;
    Micros nextAttemptIn = -1;
    std::uint64_t backlog = 1;
    std::string heldBy;
    std::string holdReason;
    WallMicros resumeAt = 0;
};

constexpr WallMicros kAfternoon = 1'600'005'780'000'000;  // 2020-09-13 14:03 UTC

QString lineOf(const Case& c) {
    LaneRow lane;
    lane.state = c.state;
    lane.attempts = 3;
    lane.lastOutcome = Outcome::overloaded;
    lane.lastStatus = 503;
    lane.nextAttemptIn = c.nextAttemptIn;
    lane.inFlightFor = 2 * kSecond;
    lane.backlog = c.backlog;
    lane.heldBy = c.heldBy;
    lane.holdReason = c.holdReason;
    lane.heldAt = c.heldBy.empty() ? 0 : kAfternoon;
    DestinationSnapshot destination;
    destination.name = "crm";
    destination.health = c.health;
    destination.budget = c.budget;
    destination.silentFor = c.silentFor;
    destination.lanes = 7200;
    destination.pausedBy = "anna";
    destination.pauseReason = "maintenance";
    destination.resumeAt = c.resumeAt;
    TimeDisplay times;
    return whyLine(lane, &destination, times);
}

}  // namespace

class WhyLineTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void theReasonIsNamed_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const Case& c, const char* expected) {
            QTest::newRow(name) << lineOf(c) << QString::fromLatin1(expected);
        };
        Case c;
        row("a lane that waits for a slot", c, "Waits for one of the 8 slots that crm has now.");
        c.budget = 1;
        row("the only slot", c, "Waits for the one slot that crm has now.");
        c.health = HealthState::degraded;
        row("a ready lane of a degraded destination", c, "crm is degraded: one probe a second");
        row("with the time that a turn takes at most", c, "within about 2 h");
        c.state = LaneState::backingOff;
        row("a lane that backs off while it is degraded", c, "one probe a second over 7,200 lanes");
        c = Case{};
        c.silentFor = 30 * kSecond;
        row("a destination that asked for silence", c, "crm asked for silence: 30 s left");
        c = Case{};
        c.state = LaneState::backingOff;
        c.nextAttemptIn = 4 * kSecond;
        row("a lane that backs off", c, "Waiting 4 s for retry 3 (503");
        c.nextAttemptIn = 0;
        row("a retry that is due", c, "Retry 3 is due");
        c = Case{};
        c.state = LaneState::inFlight;
        row("an attempt in flight", c, "Attempt 4 is in flight for 2.0 s");
        c.health = HealthState::paused;
        row("an attempt in flight while paused", c, "the pause cuts nothing off");
        c.state = LaneState::ready;
        row("a paused destination", c, "Paused by anna");
        row("with its reason", c, "Reason: maintenance.");
        c = Case{};
        c.state = LaneState::held;
        row("a lane that a dead letter holds", c, "Rewind or discard");
        c.heldBy = "bert";
        row("a lane that somebody holds", c,
            "Held by bert since 2020-09-13 14:03 UTC. Retry time stands still.");
        c.holdReason = "a call is pending";
        row("with the reason for it", c, "since 2020-09-13 14:03 UTC: a call is pending.");
        c.state = LaneState::inFlight;
        row("an attempt in flight of a lane that was held meanwhile", c, "Held by bert");
        c = Case{};
        c.health = HealthState::paused;
        c.resumeAt = kAfternoon;
        row("a pause that ends by itself", c, "It resumes by itself at 2020-09-13 14:03.");
        c = Case{};
        row("nothing behind", c, "Nothing waits behind it.");
        c.backlog = 2;
        row("one behind", c, "Blocks one later event");
        c.backlog = 4212;
        row("many behind", c, "Blocks 4,211 later events");
    }
    void theReasonIsNamed() {
        QFETCH(QString, line);
        QFETCH(QString, expected);
        QVERIFY2(line.contains(expected), qPrintable(line));
    }
};

QTEST_MAIN(WhyLineTest)
#include "why_line_test.moc"
