// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What operators ask of the kernel. A command is answered when its effect is durable.
#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"

#include "engine/config.h"

#include <algorithm>

namespace lanes {

void DeliveryKernel::obey(const input::CommandGiven& given) {
    std::visit([&](const auto& command) { obeyCommand(given.id, command); }, given.command);
}

void DeliveryKernel::refuse(CommandId id, std::string error) {
    CommandResult result;
    result.error = std::move(error);
    m_effects->done.push_back({id, std::move(result)});
}

void DeliveryKernel::finishLater(CommandId id, CommandResult result) {
    m_commands.push_back({ticket(), {id, std::move(result)}});
}

OperationRow& DeliveryKernel::record(const std::string& who, const std::string& action,
                                     const std::string& scope, const std::string& reason) {
    m_lastOperation = OperationId(m_lastOperation.value + 1);
    OperationRow row;
    row.id = m_lastOperation;
    row.at = m_moment.wall;
    row.who = who;
    row.action = action;
    row.scope = scope;
    row.reason = reason;
    ticket();
    m_effects->writes.operations.push_back({std::move(row)});
    return m_effects->writes.operations.back().row;
}

void DeliveryKernel::persistState(KernelDestination& d) {
    d.state.clock = d.clock(m_moment.now);
    d.clockSince = m_moment.now;
    d.state.knownGood = d.health.knownGood();
    ticket();
    m_effects->writes.states.push_back({d.config.id, d.state});
}

// --- Destinations

void DeliveryKernel::obeyCommand(CommandId id, const SetDestination& command) {
    DestinationConfig config = command.config;
    if (auto error = validate(config); !error.empty()) return refuse(id, std::move(error));
    const auto namesake = findDestination(config.name);
    if (namesake && *namesake != config.id)
        return refuse(id, "name: there is already a destination \"" + config.name +
                              "\"; choose another name.");
    if (config.id && slotOf(config.id) == kNoSlot)
        return refuse(id, "This destination was removed meanwhile.");

    const bool fresh = !config.id;
    if (fresh) {
        if (m_slots.size() >= limits::kDestinations)
            return refuse(id, "There are " + std::to_string(limits::kDestinations) +
                                  " destinations already; remove one first.");
        config.id = DestinationId(++m_lastDestination);
        HealthSettings health;
        health.largestWindow = config.policy.maxInFlight;
        m_slots[config.id] = static_cast<Slot>(m_destinations.size());
        m_destinations.push_back(std::make_unique<KernelDestination>(m_table, config, health,
                                                                     m_moment.now));
        m_destinations.back()->clockSince = m_moment.now;
    }
    KernelDestination& d = *m_destinations[slotOf(config.id)];
    const bool holdChanged =
        d.config.policy.afterDeadLetter != config.policy.afterDeadLetter;
    d.config = config;
    d.health.setLargestWindow(config.policy.maxInFlight);
    if (holdChanged) rebuildHolds(d);
    persistState(d);
    m_effects->writes.destinations.push_back(config);
    m_effects->destinations.push_back(config);
    CommandResult result;
    result.destination = config.id;
    result.operation = record("operator", fresh ? "add destination" : "set destination",
                              config.name, config.url).id;
    finishLater(id, std::move(result));
    touch(slotOf(config.id));
}

void DeliveryKernel::obeyCommand(CommandId id, const RemoveDestination& command) {
    const auto slot = slotOf(command.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    if (d.counters.waiting > 0 || d.counters.dead > 0)
        return refuse(id, "\"" + d.config.name + "\" still has " +
                              std::to_string(d.counters.waiting) + " waiting events and " +
                              std::to_string(d.counters.dead) +
                              " dead letters. Let them be delivered or discard them first.");
    d.removed = true;
    m_slots.erase(command.destination);
    m_effects->writes.removed.push_back(command.destination);
    m_effects->removed.push_back(command.destination);
    CommandResult result;
    result.operation = record("operator", "remove destination", d.config.name, {}).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::pause(KernelDestination& d, const std::string& by, const std::string& reason,
                           bool bySystem) {
    persistState(d);  // the clock stops here
    d.state.paused = true;
    d.state.pausedBySystem = bySystem;
    d.state.pausedAt = m_moment.wall;
    d.state.pausedBy = by;
    d.state.pauseReason = reason;
    persistState(d);
}

void DeliveryKernel::obeyCommand(CommandId id, const PauseDestination& command) {
    const auto slot = slotOf(command.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    if (d.state.paused && !d.state.pausedBySystem)
        return refuse(id, "\"" + d.config.name + "\" is paused already, by " + d.state.pausedBy +
                              ".");
    pause(d, command.by, command.reason, false);
    CommandResult result;
    result.operation = record(command.by, "pause", d.config.name, command.reason).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::obeyCommand(CommandId id, const ResumeDestination& command) {
    const auto slot = slotOf(command.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    if (!d.state.paused) return refuse(id, "\"" + d.config.name + "\" is not paused.");
    d.state.paused = false;
    d.state.pausedBySystem = false;
    d.state.pausedAt = 0;
    d.state.pausedBy.clear();
    d.state.pauseReason.clear();
    d.clockSince = m_moment.now;
    d.health.ramp(m_moment.now, "resumed");
    persistState(d);
    CommandResult result;
    result.operation = record(command.by, "resume", d.config.name, {}).id;
    finishLater(id, std::move(result));
    touch(slot);
}

void DeliveryKernel::obeyCommand(CommandId id, const SetClockScale&) {
    // The clock is the runtime's; it is answered here only if it comes this far.
    refuse(id, "The clock can be scaled in the demonstration only.");
}

// --- Dead letters

void DeliveryKernel::obeyCommand(CommandId id, const RewindDeadLetters& command) {
    beginBulk(id, true, command.pointers, command.by, command.reason);
}

void DeliveryKernel::obeyCommand(CommandId id, const DiscardDeadLetters& command) {
    beginBulk(id, false, command.pointers, command.by, command.reason);
}

void DeliveryKernel::beginBulk(CommandId id, bool rewind, std::vector<Pointer> pointers,
                               const std::string& by, const std::string& reason) {
    if (pointers.empty()) return refuse(id, "No dead letters were named.");
    // In log order, so that a lane gets its events back front to back.
    std::sort(pointers.begin(), pointers.end(), [](const Pointer& a, const Pointer& b) {
        return std::pair(a.sequence, a.destination) < std::pair(b.sequence, b.destination);
    });
    BulkAct act;
    act.command = id;
    act.rewind = rewind;
    act.pointers = std::move(pointers);
    OperationRow& row = record(by, rewind ? "rewind" : "discard",
                               std::to_string(act.pointers.size()) + " selected dead letters",
                               reason);
    row.asked = act.pointers.size();
    act.record = row;
    m_bulk.push_back(std::move(act));
}

/// Moves the next few of the oldest act; deliveries go on between the chunks.
void DeliveryKernel::advanceBulk() {
    if (m_bulk.empty() || !maySend()) return;
    BulkAct& act = m_bulk.front();
    const auto end = std::min(act.pointers.size(), act.next + limits::kRewindChunk);
    for (; act.next < end; ++act.next) {
        if (bulkOne(act, act.pointers[act.next]))
            ++act.record.done;
        else
            ++act.record.skipped;
    }
    if (act.next < act.pointers.size()) return;
    ticket();
    m_effects->writes.operations.push_back({act.record});
    CommandResult result;
    result.operation = act.record.id;
    result.asked = act.record.asked;
    result.done = act.record.done;
    result.skipped = act.record.skipped;
    finishLater(act.command, std::move(result));
    m_bulk.pop_front();
}

/// One dead letter leaves the dead; it reaches its lane when that is durable. False if it is no
/// dead letter (any more).
bool DeliveryKernel::bulkOne(const BulkAct& act, Pointer pointer) {
    const auto slot = slotOf(pointer.destination);
    if (slot == kNoSlot) return false;
    KernelDestination& d = *m_destinations[slot];
    const auto found = d.dead.find(pointer.sequence);
    if (found == d.dead.end()) return false;
    const auto dead = found->second;
    d.dead.erase(found);

    JournalEntry entry;
    entry.kind = act.rewind ? JournalKind::rewound : JournalKind::discarded;
    entry.pointer = pointer;
    entry.user = dead.user;
    entry.life = act.rewind ? dead.life + 1 : dead.life;
    entry.attempt = dead.attempts;
    entry.at = m_moment.wall;
    entry.operation = act.record.id;
    entry.clock = d.clock(m_moment.now);

    PendingCommit pending;
    pending.kind = act.rewind ? PendingCommit::Kind::rewound : PendingCommit::Kind::discarded;
    pending.slot = slot;
    pending.sequence = pointer.sequence;
    pending.user = dead.user;
    pending.life = entry.life;
    pending.operation = act.record.id;
    pending.clock = static_cast<ClockTenths>(entry.clock / kClockUnit);
    write(std::move(entry));
    pending.ticket = ticket();
    m_commits.push_back(pending);
    return true;
}

void DeliveryKernel::rebuildHolds(KernelDestination& d) {
    const auto before = std::move(d.holding);
    d.holding.clear();
    if (d.config.policy.afterDeadLetter == AfterDeadLetter::hold)
        for (const auto& [sequence, dead] : d.dead) ++d.holding[dead.user];
    const auto slot = slotOf(d.config.id);
    for (const auto& [user, count] : before) {
        const auto lane = slot == kNoSlot ? kNoLane : m_table.find(slot, user);
        if (lane != kNoLane && m_table[lane].state == LaneState::held) makeReady(lane);
    }
    for (const auto& [user, count] : d.holding) {
        const auto lane = slot == kNoSlot ? kNoLane : m_table.find(slot, user);
        if (lane == kNoLane) continue;
        const auto state = m_table[lane].state;
        if (state != LaneState::ready && state != LaneState::backingOff) continue;
        leaveQueues(lane);
        makeReady(lane);
    }
}

void DeliveryKernel::releaseHold(Slot slot, UserId user) {
    KernelDestination& d = *m_destinations[slot];
    const auto hold = d.holding.find(user);
    if (hold == d.holding.end() || --hold->second > 0) return;
    d.holding.erase(hold);
    const auto lane = m_table.find(slot, user);
    if (lane != kNoLane && m_table[lane].state == LaneState::held) makeReady(lane);
}

}  // namespace lanes
