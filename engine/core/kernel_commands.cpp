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
    d.health.setRateLimit(config.policy.rateLimit);
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
    const bool moves = std::any_of(m_commits.begin(), m_commits.end(),
                                   [&](const PendingCommit& p) { return p.slot == slot; });
    if (moves || !d.reserved.empty())
        return refuse(id, "Events of \"" + d.config.name +
                              "\" are being moved just now; try again in a moment.");
    d.removed = true;
    d.held.clear();
    m_slots.erase(command.destination);
    m_effects->writes.removed.push_back(command.destination);
    m_effects->removed.push_back(command.destination);
    CommandResult result;
    result.operation = record("operator", "remove destination", d.config.name, {}).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::pause(KernelDestination& d, const std::string& by, const std::string& reason,
                           bool bySystem, WallMicros resumeAt) {
    persistState(d);  // the clock stops here
    d.state.paused = true;
    d.state.pausedBySystem = bySystem;
    d.state.pausedAt = m_moment.wall;
    d.state.pausedBy = by;
    d.state.pauseReason = reason;
    d.state.resumeAt = resumeAt;
    persistState(d);
    if (bySystem) record(by, "pause", d.config.name, reason);
}

void DeliveryKernel::obeyCommand(CommandId id, const PauseDestination& command) {
    const auto slot = slotOf(command.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    if (command.resumeAt != 0 && command.resumeAt <= m_moment.wall)
        return refuse(id, "The time to resume has passed already.");
    if (d.state.paused && !d.state.pausedBySystem)
        return refuse(id, "\"" + d.config.name + "\" is paused already, by " + d.state.pausedBy +
                              ".");
    pause(d, command.by, command.reason, false, command.resumeAt);
    CommandResult result;
    result.operation = record(command.by, "pause", d.config.name, command.reason).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::obeyCommand(CommandId id, const ResumeDestination& command) {
    const auto slot = slotOf(command.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    KernelDestination& d = *m_destinations[slot];
    if (!d.state.paused) return refuse(id, "\"" + d.config.name + "\" is not paused.");
    resume(d);
    CommandResult result;
    result.operation = record(command.by, "resume", d.config.name, {}).id;
    finishLater(id, std::move(result));
}

void DeliveryKernel::resume(KernelDestination& d) {
    d.state.paused = false;
    d.state.pausedBySystem = false;
    d.state.pausedAt = 0;
    d.state.pausedBy.clear();
    d.state.pauseReason.clear();
    d.state.resumeAt = 0;
    d.clockSince = m_moment.now;
    d.credentials.reset();
    d.health.ramp(m_moment.now, "resumed");
    persistState(d);
    touch(slotOf(d.config.id));
}

/// Pauses that were to end by themselves.
void DeliveryKernel::resumeInTime() {
    for (auto& d : m_destinations) {
        if (d->removed || !d->state.paused || d->state.resumeAt == 0) continue;
        if (m_moment.wall < d->state.resumeAt) continue;
        record(d->state.pausedBy, "resume", d->config.name, "at the time set with the pause");
        resume(*d);
    }
}

// --- Notes

/// What stands in a note decides nothing here, so it goes to the store and is forgotten.
void DeliveryKernel::obeyCommand(CommandId id, const NoteDeadLetters& command) {
    if (command.pointers.empty()) return refuse(id, "No dead letters were named.");
    if (command.pointers.size() > limits::kNotesAtOnce)
        return refuse(id, "At most " + std::to_string(limits::kNotesAtOnce) +
                              " dead letters get a note at once; narrow the filter.");
    if (command.text.size() > limits::kNoteBytes)
        return refuse(id, "A note has at most " + std::to_string(limits::kNoteBytes) + " bytes.");
    const DeadLetterNote note{command.text, command.by, m_moment.wall};
    CommandResult result;
    result.asked = command.pointers.size();
    for (const auto& pointer : command.pointers) {
        const auto slot = slotOf(pointer.destination);
        if (slot == kNoSlot || !m_destinations[slot]->dead.contains(pointer.sequence)) continue;
        m_effects->writes.notes.push_back({pointer, note});
        ++result.done;
    }
    result.skipped = result.asked - result.done;
    if (result.done == 0) return refuse(id, "None of them is a dead letter any more.");
    finishLater(id, std::move(result));
}

// Files, as the clock below, are the runtime's business.
void DeliveryKernel::obeyCommand(CommandId id, const StartImport&) {
    refuse(id, "There is nothing here that reads files.");
}

void DeliveryKernel::obeyCommand(CommandId id, const CancelImport&) {
    refuse(id, "No import is running.");
}

void DeliveryKernel::obeyCommand(CommandId id, const BackUp&) {
    refuse(id, "There is nothing here that copies files.");
}

void DeliveryKernel::obeyCommand(CommandId id, const CancelBackup&) {
    refuse(id, "No backup is being made.");
}

// So are senders: the kernel does not know where events come from.
void DeliveryKernel::obeyCommand(CommandId id, const SetSource&) {
    refuse(id, "There is no intake here.");
}

void DeliveryKernel::obeyCommand(CommandId id, const RemoveSource&) {
    refuse(id, "There is no intake here.");
}

void DeliveryKernel::obeyCommand(CommandId id, const RetryQuarantined&) {
    refuse(id, "There is no intake here.");
}

void DeliveryKernel::obeyCommand(CommandId id, const DiscardQuarantined&) {
    refuse(id, "There is no intake here.");
}

void DeliveryKernel::obeyCommand(CommandId id, const SetClockScale&) {
    // The clock is the runtime's; it is answered here only if it comes this far.
    refuse(id, "The clock can be scaled in the demonstration only.");
}

}  // namespace lanes
