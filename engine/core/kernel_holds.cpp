// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that stand because somebody said so: an operator, or a dead letter under the policy that
// keeps later events back.
#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"

#include "engine/config.h"

#include <algorithm>

namespace lanes {

// --- By an operator

void DeliveryKernel::obeyCommand(CommandId id, const HoldLane& command) {
    const auto slot = slotOf(command.lane.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    const auto user = command.lane.user;
    if (const auto held = d.held.find(user); held != d.held.end())
        return refuse(id, "This user is held at \"" + d.config.name + "\" already, by " +
                              held->second.by + ".");
    if (d.held.size() >= limits::kHeldLanes)
        return refuse(id, std::to_string(limits::kHeldLanes) + " users are held at \"" +
                              d.config.name + "\" already; release some, or pause it.");
    LaneHold hold;
    hold.lane = command.lane;
    hold.from = d.clock(m_moment.now);
    hold.at = m_moment.wall;
    hold.user = command.user;
    hold.by = command.by;
    hold.reason = command.reason;
    m_effects->writes.holds.push_back(hold);
    d.held.emplace(user, std::move(hold));
    requeue(slot, user);
    CommandResult result;
    result.operation =
        record(command.by, "hold", d.config.name + ", user " + command.user, command.reason).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::obeyCommand(CommandId id, const ReleaseLane& command) {
    const auto slot = slotOf(command.lane.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    const auto held = d.held.find(command.lane.user);
    if (held == d.held.end())
        return refuse(id, "This user is not held at \"" + d.config.name + "\".");
    LaneHold hold = std::move(held->second);
    d.held.erase(held);
    hold.to = d.clock(m_moment.now);
    m_effects->writes.holds.push_back(hold);
    const auto lane = m_table.find(slot, command.lane.user);
    if (lane != kNoLane) giveTimeBack(lane, hold.from, hold.to);
    requeue(slot, command.lane.user);
    CommandResult result;
    result.operation =
        record(command.by, "release", d.config.name + ", user " + hold.user, {}).id;
    finishLater(id, std::move(result));
}

/// What waited while its lane was held has used up no retry time meanwhile. A restart comes to the
/// same windows from the ends of the hold.
void DeliveryKernel::giveTimeBack(LaneIndex lane, Micros from, Micros to) {
    const auto begin = tenths(from);
    const auto end = tenths(to);
    const auto shifted = [&](ClockTenths clock) {
        return clock < end ? clock + (end - std::max(begin, clock)) : clock;
    };
    Lane& record = m_table[lane];
    CHECK(record.state != LaneState::ready && record.state != LaneState::backingOff);
    const bool ages = record.head && record.state != LaneState::held;
    auto& all = destinationOf(record).headAges;
    if (ages) all.remove(record.headClock);
    record.headClock = shifted(record.headClock);
    if (ages) all.add(record.headClock);
    std::vector<LaneEntry> behind;
    behind.reserve(record.rest);
    while (record.rest > 0) behind.push_back(m_table.popFront(lane));
    for (auto entry : behind) {
        entry.clock = shifted(entry.clock);
        m_table.insert(lane, entry);
    }
    laneChanged(lane);
}

/// Lets a lane stand or go again, after what decides that has changed.
void DeliveryKernel::requeue(Slot slot, UserId user) {
    const auto lane = m_table.find(slot, user);
    if (lane == kNoLane) return;
    const Lane& record = m_table[lane];
    if (record.state == LaneState::inFlight || record.state == LaneState::committing) return;
    // A lane that goes on as it did keeps its place among the others.
    const auto wanted = standing(*m_destinations[slot], record);
    if (wanted ? *wanted == record.state : record.state != LaneState::held) return;
    leaveQueues(lane);
    makeReady(lane);
}

// --- By a dead letter

/// One more dead letter of this user, under the policy that it holds what comes after it.
void DeliveryKernel::addHold(Slot slot, UserId user) {
    KernelDestination& d = *m_destinations[slot];
    if (d.config.policy.afterDeadLetter == AfterDeadLetter::hold) ++d.holding[user];
}

void DeliveryKernel::releaseHold(Slot slot, UserId user) {
    KernelDestination& d = *m_destinations[slot];
    const auto hold = d.holding.find(user);
    if (hold == d.holding.end() || --hold->second > 0) return;
    d.holding.erase(hold);
    requeue(slot, user);
}

/// After the policy has changed.
void DeliveryKernel::rebuildHolds(KernelDestination& d) {
    const auto before = std::move(d.holding);
    d.holding.clear();
    const auto slot = slotOf(d.config.id);
    if (d.config.policy.afterDeadLetter == AfterDeadLetter::hold) {
        for (const auto& [sequence, dead] : d.dead) ++d.holding[dead.user];
        // Those that leave the dead hold their lanes until that is durable.
        for (const auto& pending : m_commits) {
            const bool leaves = pending.kind == PendingCommit::Kind::discarded ||
                                (pending.kind == PendingCommit::Kind::rewound &&
                                 !pending.wasDelivered);
            if (leaves && pending.slot == slot) ++d.holding[pending.user];
        }
    }
    for (const auto& [user, count] : before)
        if (!d.holding.contains(user)) requeue(slot, user);
    for (const auto& [user, count] : d.holding) requeue(slot, user);
}

}  // namespace lanes
