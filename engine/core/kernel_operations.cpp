// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What moves events between lanes and dead letters. Every move is an entry of the journal; lanes
// and counts change when that is durable. An operation goes on over many steps, a few events in
// each, so that deliveries are not held up.
#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"

#include "engine/config.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr Micros kPlanGood = 10 * kMinute;

std::string selected(std::size_t count) {
    return std::to_string(count) + " selected dead letters";
}

OperationRow newRow(OperationKind kind, const char* action, const std::string& by,
                    const std::string& reason) {
    OperationRow row;
    row.kind = kind;
    row.action = action;
    row.who = by;
    row.reason = reason;
    return row;
}

std::string nameOf(OperationId id) { return "Operation " + std::to_string(id.value); }

}  // namespace

// --- Commands

void DeliveryKernel::obeyCommand(CommandId id, const RewindDeadLetters& command) {
    if (command.pointers.empty()) return refuse(id, "No dead letters were named.");
    if (!(command.pace.eventsPerSecond >= 0)) return refuse(id, "The pace cannot be negative.");
    auto row = newRow(OperationKind::rewind, "rewind", command.by, command.reason);
    row.scope = command.scope.empty() ? selected(command.pointers.size()) : command.scope;
    row.eventsPerSecond = command.pace.eventsPerSecond;
    row.tracer = command.pace.tracer;
    begin(id, std::move(row), membersOf(command.pointers));
}

void DeliveryKernel::obeyCommand(CommandId id, const DiscardDeadLetters& command) {
    if (command.pointers.empty()) return refuse(id, "No dead letters were named.");
    auto row = newRow(OperationKind::discard, "discard", command.by, command.reason);
    row.scope = command.scope.empty() ? selected(command.pointers.size()) : command.scope;
    begin(id, std::move(row), membersOf(command.pointers));
}

void DeliveryKernel::obeyCommand(CommandId id, const EditAndRewind& command) {
    const auto slot = slotOf(command.pointer.destination);
    if (slot == kNoSlot) return refuse(id, "There is no such destination.");
    const KernelDestination& d = *m_destinations[slot];
    if (!d.config.policy.allowEdits)
        return refuse(id, "\"" + d.config.name +
                              "\" does not allow edited events; its settings can allow them.");
    if (command.payload.size() > limits::kEventBytes)
        return refuse(id, "An event has at most " + std::to_string(limits::kEventBytes) +
                              " bytes.");
    if (!d.dead.contains(command.pointer.sequence))
        return refuse(id, "This event is no dead letter any more.");
    auto row = newRow(OperationKind::rewind, "edit and rewind", command.by, command.reason);
    row.scope = "event " + std::to_string(command.pointer.sequence.value);
    if (const auto* operation = begin(id, std::move(row), membersOf({command.pointer})))
        m_effects->writes.versions.push_back(
            {command.pointer, operation->row.id, m_moment.wall, command.payload});
}

void DeliveryKernel::obeyCommand(CommandId id, const RewindLanes& command) {
    if (auto error = whyNot(command); !error.empty()) return refuse(id, std::move(error));
    std::vector<OperationMember> members;
    for (const auto& lane : command.lanes) {
        m_destinations[slotOf(lane.lane.destination)]->reserved.insert(lane.lane.user);
        for (const auto& event : lane.events)
            members.push_back(
                {{lane.lane.destination, event.sequence}, lane.lane.user, event.life});
    }
    auto row = newRow(OperationKind::rewindLanes, "rewind lanes", command.by, command.reason);
    row.scope = std::to_string(members.size()) + " events of " +
                std::to_string(command.lanes.size()) + " lanes";
    if (begin(id, std::move(row), std::move(members)) == nullptr)
        for (const auto& lane : command.lanes)
            m_destinations[slotOf(lane.lane.destination)]->reserved.erase(lane.lane.user);
}

/// A plan says which events of a lane were delivered, and the kernel cannot look that up. So the
/// plan must be fresh, and nothing else may have moved events there since.
std::string DeliveryKernel::whyNot(const RewindLanes& command) const {
    if (command.lanes.empty()) return "No lanes were named.";
    const auto age = m_moment.wall - command.plannedAt;
    if (age > kPlanGood || age < -kPlanGood)
        return "The plan is too old. Look at what a rewind would do once more.";
    std::set<LaneKey> named;
    for (const auto& [key, events] : command.lanes) {
        const auto slot = slotOf(key.destination);
        if (slot == kNoSlot) return "A destination of the plan was removed meanwhile.";
        const KernelDestination& d = *m_destinations[slot];
        if (events.empty() || !named.insert(key).second)
            return "Every lane is named once, with its events.";
        if (events.size() > limits::kLaneRewind)
            return "At most " + std::to_string(limits::kLaneRewind) +
                   " events of a lane can be rewound at once.";
        const auto rising = [](const LaneEvent& a, const LaneEvent& b) {
            return a.sequence >= b.sequence;
        };
        if (std::adjacent_find(events.begin(), events.end(), rising) != events.end())
            return "The events of a lane are named in the order of the log.";
        if (d.reserved.contains(key.user))
            return "Another rewind of one of these lanes is still under way.";
        if (std::max(d.lastMove, m_recoveredOperation) > command.lastOperation)
            return "Events of \"" + d.config.name +
                   "\" were moved since the plan was made. Look at what a rewind would do once "
                   "more.";
    }
    return {};
}

void DeliveryKernel::obeyCommand(CommandId id, const StopOperation& command) {
    auto* operation = findOperation(command.operation);
    if (operation == nullptr || !operation->row.moves())
        return refuse(id, nameOf(command.operation) + " moves nothing any more.");
    stopMoving(*operation, "stopped by " + command.by);
    CommandResult result;
    result.operation = command.operation;
    result.asked = operation->row.asked;
    result.done = operation->row.done;
    result.skipped = result.asked - result.done;
    finishLater(id, std::move(result));
}

void DeliveryKernel::obeyCommand(CommandId id, const UndoRewind& command) {
    auto* target = findOperation(command.operation);
    const bool rewinds = target != nullptr && target->row.rewinds();
    if (!rewinds || (!target->row.moves() && target->row.untried == 0))
        return refuse(id, nameOf(command.operation) +
                              " cannot be undone: every event of it was tried or has ended.");
    if (target->row.moves()) stopMoving(*target, "undone by " + command.by);
    auto moved = target->set;
    if (target->hasMore())
        moved = std::make_shared<const std::vector<OperationMember>>(
            target->set->begin(),
            target->set->begin() + static_cast<std::ptrdiff_t>(target->next()));
    auto row = newRow(OperationKind::undo, "undo rewind", command.by, {});
    row.scope = "operation " + std::to_string(command.operation.value);
    row.target = command.operation;
    begin(id, std::move(row), std::move(moved));
}

// --- The operation

/// In log order, so that a lane gets its events back front to back.
std::vector<OperationMember> DeliveryKernel::membersOf(std::vector<Pointer> pointers) const {
    std::sort(pointers.begin(), pointers.end(), [](const Pointer& a, const Pointer& b) {
        return std::tie(a.sequence, a.destination) < std::tie(b.sequence, b.destination);
    });
    std::vector<OperationMember> members;
    members.reserve(pointers.size());
    for (const auto& pointer : pointers) {
        OperationMember member;
        member.pointer = pointer;
        if (const auto slot = slotOf(pointer.destination); slot != kNoSlot) {
            const auto& dead = m_destinations[slot]->dead;
            if (const auto found = dead.find(pointer.sequence); found != dead.end()) {
                member.user = found->second.user;
                member.life = found->second.life;
            }
        }
        members.push_back(member);
    }
    return members;
}

RunningOperation* DeliveryKernel::begin(CommandId id, OperationRow row,
                                        std::vector<OperationMember> members) {
    return begin(id, std::move(row),
                 std::make_shared<const std::vector<OperationMember>>(std::move(members)));
}

/// Null if there are too many; the command is answered then.
RunningOperation* DeliveryKernel::begin(CommandId id, OperationRow row, OperationSet set) {
    if (m_operations.size() >= limits::kOperations) {
        refuse(id, std::to_string(limits::kOperations) +
                       " operations are not finished; wait for some, or stop them.");
        return nullptr;
    }
    m_lastOperation = OperationId(m_lastOperation.value + 1);
    row.id = m_lastOperation;
    row.at = m_moment.wall;
    row.state = OperationState::moving;
    row.asked = set->size();
    const bool takesTime = row.eventsPerSecond > 0 || row.tracer > 0;
    auto& operation =
        m_operations.try_emplace(row.id, std::move(row), std::move(set), m_moment.now)
            .first->second;
    noteDestinations(operation);
    ticket();
    m_effects->writes.operations.push_back({operation.row, operation.set});
    m_moving.push_back(operation.row.id);
    markDirty(operation);
    if (!takesTime) {
        operation.command = id;
    } else {
        CommandResult result;
        result.operation = operation.row.id;
        result.asked = operation.row.asked;
        result.underWay = true;
        finishLater(id, std::move(result));
    }
    return &operation;
}

/// Where its events are: plans from before are of no use there any more, and destinations that get
/// many events back at once come up slowly.
void DeliveryKernel::noteDestinations(RunningOperation& operation) {
    std::unordered_map<DestinationId, std::size_t> events;
    for (auto i = operation.next(); i < operation.set->size(); ++i)
        ++events[(*operation.set)[i].pointer.destination];
    for (const auto& [destination, count] : events) {
        const auto slot = slotOf(destination);
        if (slot == kNoSlot) continue;
        m_destinations[slot]->lastMove = operation.row.id;
        if (operation.row.rewinds() && count >= limits::kMassRewind)
            operation.mass.push_back(slot);
    }
}

RunningOperation* DeliveryKernel::findOperation(OperationId id) {
    const auto found = m_operations.find(id);
    return found == m_operations.end() ? nullptr : &found->second;
}

void DeliveryKernel::recoverOperations(const std::vector<RecoveredOperation>& recovered,
                                       Micros now) {
    for (const auto& [row, set] : recovered) {
        auto& operation = m_operations.try_emplace(row.id, row, set, now).first->second;
        operation.row.untried = 0;
        if (operation.moving()) {
            m_moving.push_back(row.id);
            noteDestinations(operation);
        }
        // Which lanes were whole when the plan was made cannot be known any more.
        if (operation.moving() && row.kind == OperationKind::rewindLanes)
            operation.stop("the program was restarted before all lanes were moved");
        markDirty(operation);
    }
    for (auto& d : m_destinations) d->endedHolds.clear();
    for (auto& [pointer, mark] : m_marks) {
        auto* operation = mark.operation ? findOperation(mark.operation) : nullptr;
        if (operation == nullptr) continue;
        if (mark.attempts == 0) ++operation->row.untried;
        mark.failing = mark.attempts >= RunningOperation::kTracerAttempts;
        if (mark.failing) operation->failing();
    }
}

void DeliveryKernel::markDirty(RunningOperation& operation) {
    if (operation.dirty) return;
    operation.dirty = true;
    m_changedOperations.push_back(operation.row.id);
}

/// Writes what changed with this step, in the same batch as the entries that changed it, so that
/// the counts are right after any crash.
void DeliveryKernel::recordOperations() {
    auto& records = m_effects->writes.operations;
    for (const auto id : std::exchange(m_changedOperations, {})) {
        auto* operation = findOperation(id);
        if (operation == nullptr) continue;
        operation->dirty = false;
        const bool moved = operation->moving();
        if (operation->advance() && operation->moving() && !moved) m_moving.push_back(id);
        const auto& row = operation->row;
        ticket();
        const auto same =
            std::find_if(records.rbegin(), records.rend(),
                         [&](const OperationRecord& record) { return record.row.id == id; });
        if (same != records.rend())
            same->row = row;
        else
            records.push_back({row, nullptr});
        if (operation->command && !row.moves()) {
            CommandResult result;
            result.operation = id;
            result.asked = row.asked;
            result.done = row.done;
            result.skipped = row.asked - row.done;
            finishLater(*operation->command, std::move(result));
            operation->command.reset();
        }
        if (operation->over()) m_operations.erase(id);
    }
}

void DeliveryKernel::stopMoving(RunningOperation& operation, std::string note) {
    // Lanes that were reserved and not moved yet go their own ways again.
    if (operation.row.kind == OperationKind::rewindLanes) {
        for (auto i = operation.next(); i < operation.set->size(); ++i) {
            const auto& member = (*operation.set)[i];
            const auto slot = slotOf(member.pointer.destination);
            if (slot == kNoSlot) continue;
            KernelDestination& d = *m_destinations[slot];
            if (d.reserved.erase(member.user) > 0 && d.moving.erase(member.user) > 0)
                requeue(slot, member.user);
        }
    }
    operation.stop(std::move(note));
    markDirty(operation);
}

/// The event of a mark has left its lane in its present life.
void DeliveryKernel::countEnd(const Mark* mark, OperationFate fate, bool tried) {
    auto* operation = mark != nullptr && mark->operation ? findOperation(mark->operation) : nullptr;
    if (operation == nullptr) return;
    operation->ended(fate, tried, mark->failing);
    markDirty(*operation);
}

// --- Moving

void DeliveryKernel::advanceOperations() {
    if (m_moving.empty() || !maySend()) return;
    const auto share = std::max<std::size_t>(1, limits::kRewindChunk / m_moving.size());
    for (std::size_t i = 0; i < m_moving.size(); ++i)
        if (auto* operation = findOperation(m_moving[i])) advanceOperation(*operation, share);
    std::erase_if(m_moving, [this](OperationId id) {
        const auto* operation = findOperation(id);
        return operation == nullptr || !operation->moving() || !operation->hasMore();
    });
}

void DeliveryKernel::advanceOperation(RunningOperation& operation, std::size_t limit) {
    const auto before = operation.next();
    operation.blocked = false;
    while (!operation.blocked && operation.next() < before + limit &&
           operation.allowance(m_moment.now) > 0) {
        if (operation.row.kind == OperationKind::rewindLanes) {
            operation.blocked = !moveLane(operation);
            continue;
        }
        const auto reason = moveNext(operation);
        if (!reason)
            operation.blocked = true;
        else if (*reason == SkipReason::none)
            operation.moved(m_moment.now);
        else
            skip(operation, *reason);
    }
    if (operation.next() != before) markDirty(operation);
}

void DeliveryKernel::skip(RunningOperation& operation, SkipReason reason) {
    ticket();
    m_effects->writes.skips.push_back({operation.row.id, operation.next(), reason});
    operation.skipped();
}

std::optional<SkipReason> DeliveryKernel::moveNext(RunningOperation& operation) {
    const auto& member = (*operation.set)[operation.next()];
    return operation.row.kind == OperationKind::undo ? undo(operation, member)
                                                     : moveDead(operation, member);
}

/// One dead letter is rewound or discarded.
std::optional<SkipReason> DeliveryKernel::moveDead(RunningOperation& operation,
                                                   const OperationMember& member) {
    const auto slot = slotOf(member.pointer.destination);
    if (slot == kNoSlot) return SkipReason::unknown;
    KernelDestination& d = *m_destinations[slot];
    const auto found = d.dead.find(member.pointer.sequence);
    if (found == d.dead.end()) return SkipReason::notDead;
    const auto dead = found->second;
    if (operation.row.kind == OperationKind::expire && isKept(d, dead.user, member.pointer))
        return SkipReason::kept;
    if (d.reserved.contains(dead.user)) return std::nullopt;
    d.dead.erase(found);
    const bool rewind = operation.row.kind == OperationKind::rewind;
    journalMove(operation, rewind ? JournalKind::rewound : JournalKind::discarded,
                {member.pointer, dead.user, dead.life}, slot, rewind ? dead.life + 1 : dead.life,
                dead.attempts, false);
    return SkipReason::none;
}

/// An event that was rewound and not tried since goes back to where it came from. It stays in its
/// place, and nothing overtakes it, until that is durable.
std::optional<SkipReason> DeliveryKernel::undo(const RunningOperation& operation,
                                               const OperationMember& member) {
    auto* target = findOperation(operation.row.target);
    if (target != nullptr && target->unsettled > 0) return std::nullopt;
    const auto slot = slotOf(member.pointer.destination);
    if (slot == kNoSlot) return SkipReason::unknown;
    if (m_destinations[slot]->reserved.contains(member.user)) return std::nullopt;
    auto* mark = findMark(member.pointer);
    const auto lane = m_table.find(slot, member.user);
    if (mark == nullptr || lane == kNoLane || mark->operation != operation.row.target ||
        mark->leaving)
        return SkipReason::tried;
    Lane& record = m_table[lane];
    const bool head = record.head == member.pointer.sequence;
    const bool tried = head ? record.attempts > 0 || record.state == LaneState::inFlight ||
                                  record.state == LaneState::committing
                            : mark->attempts > 0;
    if (tried) return SkipReason::tried;
    CHECK(head || m_table.contains(lane, member.pointer.sequence));
    mark->leaving = true;
    if (head) requeue(slot, member.user);
    countEnd(mark, OperationFate::returned, false);
    journalMove(operation, JournalKind::returned, member, slot, mark->life, 0,
                mark->wasDelivered);
    return SkipReason::none;
}

/// All events of the next lane, in one step. False if the lane is not at rest yet; it stands from
/// the first call on, so that it comes to rest.
bool DeliveryKernel::moveLane(RunningOperation& operation) {
    const auto& set = *operation.set;
    const auto first = operation.next();
    const auto ofLane = [&](std::size_t i) {
        return i < set.size() && set[i].user == set[first].user &&
               set[i].pointer.destination == set[first].pointer.destination;
    };
    const auto user = set[first].user;
    const auto slot = slotOf(set[first].pointer.destination);
    if (slot == kNoSlot) {
        for (auto i = first; ofLane(i); ++i) skip(operation, SkipReason::unknown);
        return true;
    }
    KernelDestination& d = *m_destinations[slot];
    if (d.moving.insert(user).second) requeue(slot, user);
    const auto lane = m_table.find(slot, user);
    if (lane != kNoLane && (m_table[lane].state == LaneState::inFlight ||
                            m_table[lane].state == LaneState::committing))
        return false;
    if (settlesSoon(slot, user)) return false;
    for (auto i = first; ofLane(i); ++i) {
        const auto reason = moveOfLane(operation, lane, set[i]);
        if (reason == SkipReason::none)
            operation.moved(m_moment.now);
        else
            skip(operation, reason);
    }
    d.reserved.erase(user);
    PendingCommit moved;
    moved.kind = PendingCommit::Kind::laneMoved;
    moved.slot = slot;
    moved.user = user;
    moved.ticket = ticket();
    m_commits.push_back(moved);
    return true;
}

SkipReason DeliveryKernel::moveOfLane(const RunningOperation& operation, LaneIndex lane,
                                      const OperationMember& member) {
    const auto slot = slotOf(member.pointer.destination);
    KernelDestination& d = *m_destinations[slot];
    const auto sequence = member.pointer.sequence;
    if (const auto found = d.dead.find(sequence); found != d.dead.end()) {
        const auto dead = found->second;
        d.dead.erase(found);
        journalMove(operation, JournalKind::rewound, member, slot, dead.life + 1, dead.attempts,
                    false);
        return SkipReason::none;
    }
    if (lane != kNoLane &&
        (m_table[lane].head == sequence || m_table.contains(lane, sequence)))
        return SkipReason::waiting;
    // The plan saw it in the log before the news of it came here: it will wait in its place.
    if (sequence > m_lastSequence) return SkipReason::waiting;
    journalMove(operation, JournalKind::rewound, member, slot, member.life + 1, 0, true);
    return SkipReason::none;
}

/// Whether something of this lane was moved and is not durable yet.
bool DeliveryKernel::settlesSoon(Slot slot, UserId user) const {
    return std::any_of(m_commits.begin(), m_commits.end(), [&](const PendingCommit& pending) {
        return pending.slot == slot && pending.user == user;
    });
}

void DeliveryKernel::journalMove(const RunningOperation& operation, JournalKind kind,
                                 const OperationMember& member, Slot slot, std::uint32_t life,
                                 std::uint32_t attempts, bool wasDelivered) {
    KernelDestination& d = *m_destinations[slot];
    JournalEntry entry;
    entry.kind = kind;
    entry.pointer = member.pointer;
    entry.user = member.user;
    entry.life = life;
    entry.attempt = attempts;
    entry.outcome = wasDelivered ? Outcome::delivered : Outcome::failed;
    entry.at = m_moment.wall;
    entry.operation = operation.row.id;
    entry.clock = d.clock(m_moment.now);

    PendingCommit pending;
    pending.kind = kind == JournalKind::rewound    ? PendingCommit::Kind::rewound
                   : kind == JournalKind::returned ? PendingCommit::Kind::returned
                                                   : PendingCommit::Kind::discarded;
    pending.slot = slot;
    pending.sequence = member.pointer.sequence;
    pending.user = member.user;
    pending.life = life;
    pending.attempts = attempts;
    pending.operation = operation.row.id;
    pending.clock = tenths(entry.clock);
    pending.wasDelivered = wasDelivered;
    write(std::move(entry));
    pending.ticket = ticket();
    m_commits.push_back(pending);
}

/// A move is durable.
void DeliveryKernel::settleMove(const PendingCommit& pending) {
    KernelDestination& d = *m_destinations[pending.slot];
    if (auto* operation = findOperation(pending.operation)) {
        const auto mass = std::find(operation->mass.begin(), operation->mass.end(), pending.slot);
        if (mass != operation->mass.end()) {
            operation->mass.erase(mass);
            d.health.ramp(m_moment.now, "mass rewind");
            noteChange(d);
        }
        if (--operation->unsettled == 0) markDirty(*operation);
    }
    if (pending.kind == PendingCommit::Kind::returned) return settleReturn(pending);
    auto& from = pending.wasDelivered ? d.counters.delivered : d.counters.dead;
    CHECK(from > 0);
    --from;
    if (pending.kind == PendingCommit::Kind::discarded) {
        ++d.counters.discarded;
        return releaseHold(pending.slot, pending.user);
    }
    ++d.counters.waiting;
    Mark mark;
    mark.life = pending.life;
    mark.operation = pending.operation;
    mark.wasDelivered = pending.wasDelivered;
    m_marks[{d.config.id, pending.sequence}] = mark;
    putIntoLane(pending.slot, pending.user, {pending.sequence, pending.clock});
    if (!pending.wasDelivered) releaseHold(pending.slot, pending.user);
}

void DeliveryKernel::settleReturn(const PendingCommit& pending) {
    KernelDestination& d = *m_destinations[pending.slot];
    const auto lane = m_table.find(pending.slot, pending.user);
    CHECK(lane != kNoLane && d.counters.waiting > 0);
    --d.counters.waiting;
    if (pending.wasDelivered) {
        ++d.counters.delivered;
    } else {
        ++d.counters.dead;
        d.dead[pending.sequence] = {pending.user, pending.life - 1, 0};
        addHold(pending.slot, pending.user);
    }
    if (m_table[lane].head == pending.sequence) {
        CHECK(m_table[lane].state == LaneState::committing);
        nextHead(lane);
        return;
    }
    m_marks.erase({d.config.id, pending.sequence});
    CHECK(m_table.erase(lane, pending.sequence));
    laneChanged(lane);
    requeue(pending.slot, pending.user);
}

Micros DeliveryKernel::nextMove(Micros now) const {
    Micros next = std::numeric_limits<Micros>::max();
    for (const auto id : m_moving) {
        const auto found = m_operations.find(id);
        if (found == m_operations.end() || found->second.blocked) continue;
        next = std::min(next, found->second.nextMove(now));
    }
    return next;
}

}  // namespace lanes
