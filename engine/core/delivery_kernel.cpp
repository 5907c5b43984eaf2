// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/delivery_kernel.h"

#include "engine/core/check.h"
#include "engine/core/saturated.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::uint8_t kPatientFailures = 4;  // from here on a further attempt takes a retry token
}  // namespace

DeliveryKernel::DeliveryKernel(std::uint64_t seed, std::pmr::memory_resource* memory)
    : m_random(seed), m_table(memory) {}
DeliveryKernel::~DeliveryKernel() = default;

void DeliveryKernel::recoverDestination(const RecoveredDestination& recovered, Micros now) {
    CHECK(m_destinations.size() < kNoSlot);
    const auto slot = static_cast<Slot>(m_destinations.size());
    HealthSettings health;
    health.largestWindow = recovered.config.policy.maxInFlight;
    health.knownGood = recovered.state.knownGood;
    health.ramp = true;
    m_destinations.push_back(
        std::make_unique<KernelDestination>(m_table, recovered.config, health, now));
    KernelDestination& d = *m_destinations.back();
    d.health.setRateLimit(recovered.config.policy.rateLimit);
    d.state = recovered.state;
    d.clockSince = now;
    d.counters = recovered.counters;
    d.counters.waiting = 0;  // counted again as the pointers come
    for (const auto& dead : recovered.dead) d.dead[dead.sequence] = {dead.user, dead.life};
    for (const auto& hold : recovered.holds) {
        if (hold.open())
            d.held[hold.lane.user] = hold;
        else
            d.endedHolds[hold.lane.user].emplace_back(hold.from, hold.to);
    }
    m_slots[recovered.config.id] = slot;
    rebuildHolds(d);
    m_lastDestination = std::max(m_lastDestination, recovered.config.id.value);
}

void DeliveryKernel::recoverPointer(const PendingPointer& pending) {
    const auto slot = slotOf(pending.pointer.destination);
    if (slot == kNoSlot) return;
    KernelDestination& d = *m_destinations[slot];
    ++d.counters.waiting;
    if (pending.life > 1 || pending.attempts > 0) {
        Mark mark;
        mark.life = pending.life;
        mark.operation = pending.operation;
        mark.attempts = saturated<std::uint16_t>(pending.attempts);
        mark.lastStatus = pending.lastStatus;
        mark.failures = saturated<std::uint8_t>(pending.attempts);
        mark.lastOutcome = pending.lastOutcome;
        mark.wasDelivered =
            pending.attempts == 0 && pending.lastOutcome == Outcome::delivered;
        m_marks[pending.pointer] = mark;
    }
    auto clock = pending.clock;
    if (const auto ended = d.endedHolds.find(pending.user); ended != d.endedHolds.end())
        for (const auto& [from, to] : ended->second)
            if (clock < to) clock += to - std::max(from, clock);
    putIntoLane(slot, pending.user, {pending.pointer.sequence, tenths(clock)});
}

void DeliveryKernel::step(Input input, Moment moment, Effects& effects) {
    CHECK(moment.now >= m_moment.now);
    m_moment = moment;
    m_effects = &effects;
    popTimers();
    bool all = false;
    if (auto* accepted = std::get_if<input::EventsAccepted>(&input)) {
        accept(*accepted);
    } else if (auto* finished = std::get_if<input::AttemptFinished>(&input)) {
        finish(finished->result);
    } else if (auto* committed = std::get_if<input::StoreCommitted>(&input)) {
        commit(committed->ticket);
    } else if (auto* given = std::get_if<input::CommandGiven>(&input)) {
        obey(*given);
    } else if (auto* expired = std::get_if<input::DeadLettersExpired>(&input)) {
        expire(*expired);
    } else if (auto* store = std::get_if<input::StoreWritable>(&input)) {
        m_storeWritable = store->writable;
        all = true;
    } else if (std::holds_alternative<input::Draining>(input)) {
        m_draining = true;
        persistAllStates();
    } else if (std::holds_alternative<input::Woke>(input)) {
        for (auto& d : m_destinations) d->health.ramp(moment.now, "wake");
        all = true;
    } else {
        resumeInTime();
        all = true;
    }
    advanceOperations();
    persistClocks();
    if (all) {
        pumpAll();
    } else {
        while (!m_dirty.empty()) {
            const auto slot = m_dirty.back();
            m_dirty.pop_back();
            m_destinations[slot]->dirty = false;
            pump(slot);
        }
    }
    recordOperations();
    m_effects = nullptr;
}

std::uint64_t DeliveryKernel::ticket() {
    if (m_effects->writes.ticket == 0) m_effects->writes.ticket = ++m_ticket;
    return m_effects->writes.ticket;
}

void DeliveryKernel::write(JournalEntry entry) {
    ticket();
    m_effects->writes.journal.push_back(std::move(entry));
}

DeliveryKernel::Slot DeliveryKernel::slotOf(DestinationId id) const {
    const auto found = m_slots.find(id);
    return found == m_slots.end() ? kNoSlot : found->second;
}

const DeliveryKernel::Mark* DeliveryKernel::markOf(const Lane& lane) const {
    if (m_marks.empty()) return nullptr;
    const auto found = m_marks.find(pointerOf(lane));
    return found == m_marks.end() ? nullptr : &found->second;
}

DeliveryKernel::Mark* DeliveryKernel::findMark(Pointer pointer) {
    const auto found = m_marks.find(pointer);
    return found == m_marks.end() ? nullptr : &found->second;
}

// --- Events into lanes

void DeliveryKernel::accept(const input::EventsAccepted& accepted) {
    constexpr std::size_t kAhead = 8;  // events; look-ups are on their way while others are done
    for (std::size_t i = 0; i < accepted.events.size(); ++i) {
        if (i + kAhead < accepted.events.size()) {
            const auto& soon = accepted.events[i + kAhead];
            for (const auto& target : soon.targets)
                m_table.expect(slotOf(target.destination), soon.user);
        }
        const auto& event = accepted.events[i];
        m_lastSequence = event.sequence;
        for (const auto& target : event.targets) {
            const auto slot = slotOf(target.destination);
            if (slot == kNoSlot) continue;  // removed meanwhile, with all that it had
            KernelDestination& d = *m_destinations[slot];
            ++d.counters.accepted;
            ++d.counters.waiting;
            putIntoLane(slot, event.user, {event.sequence, tenths(target.clock)});
            touch(slot);
        }
    }
}

/// Puts an event where its sequence belongs; a head that is in flight stays in front until it ends.
void DeliveryKernel::putIntoLane(Slot slot, UserId user, LaneEntry entry) {
    KernelDestination& d = *m_destinations[slot];
    const auto known = m_table.find(slot, user);
    const auto lane = known != kNoLane ? known : m_table.findOrAdd(slot, user);
    if (known == kNoLane) ++d.lanes;
    Lane& record = m_table[lane];
    if (!record.head) {
        setHead(lane, entry);
        makeReady(lane);
        return;
    }
    CHECK(entry.sequence != record.head);
    if (entry.sequence > record.head) {
        m_table.insert(lane, entry);
        laneChanged(lane);
        return;
    }
    m_table.insert(lane, entry);
    if (record.state == LaneState::inFlight || record.state == LaneState::committing) {
        laneChanged(lane);
        return;
    }
    leaveQueues(lane);
    reorderHead(lane);
    makeReady(lane);
}

/// The earliest event becomes the head; what the present head went through is kept.
void DeliveryKernel::reorderHead(LaneIndex lane) {
    Lane& record = m_table[lane];
    if (record.rest == 0 || m_table.front(lane).sequence > record.head) return;
    saveMark(lane);
    const LaneEntry displaced{record.head, record.headClock};
    clearHead(lane);
    const auto first = m_table.popFront(lane);
    m_table.insert(lane, displaced);
    setHead(lane, first);
}

void DeliveryKernel::setHead(LaneIndex lane, LaneEntry entry) {
    Lane& record = m_table[lane];
    CHECK(!record.head);
    record.head = entry.sequence;
    record.headClock = entry.clock;
    if (record.state != LaneState::held) destinationOf(record).headAges.add(entry.clock);
    record.attempts = 0;
    record.failures = 0;
    record.setStatus(0);
    record.setTurn(0);
    record.lastOutcome = Outcome::delivered;
    record.ownRefusal = false;
    record.triedEpoch = untriedEpoch(destinationOf(record));
    if (const auto* mark = markOf(record)) {
        record.attempts = mark->attempts;
        record.setFailures(mark->failures);
        record.setStatus(mark->lastStatus);
        record.lastOutcome = mark->lastOutcome;
    }
}

void DeliveryKernel::clearHead(LaneIndex lane) {
    Lane& record = m_table[lane];
    if (record.state != LaneState::held) destinationOf(record).headAges.remove(record.headClock);
    record.head = Sequence();
}

/// The head of a held lane does not come nearer to its death, so its age does not count.
void DeliveryKernel::setState(Lane& record, LaneState state) {
    const bool aged = record.state != LaneState::held;
    const bool ages = state != LaneState::held;
    record.state = state;
    if (aged == ages || !record.head) return;
    auto& all = destinationOf(record).headAges;
    if (ages)
        all.add(record.headClock);
    else
        all.remove(record.headClock);
}

void DeliveryKernel::saveMark(LaneIndex lane) {
    const Lane& record = m_table[lane];
    if (record.attempts == 0) return;
    Mark& mark = m_marks[pointerOf(record)];
    mark.attempts = record.attempts;
    mark.failures = record.failures;
    mark.lastStatus = record.lastStatus;
    mark.lastOutcome = record.lastOutcome;
}

/// The head has left the lane for good: the next event takes its place, or the lane is gone.
void DeliveryKernel::nextHead(LaneIndex lane) {
    Lane& record = m_table[lane];
    if (!m_marks.empty()) m_marks.erase(pointerOf(record));
    record.previous = record.head;
    clearHead(lane);
    if (record.rest == 0) {
        dropIfEmpty(lane);
        return;
    }
    setHead(lane, m_table.popFront(lane));
    makeReady(lane);
}

void DeliveryKernel::dropIfEmpty(LaneIndex lane) {
    const Lane& record = m_table[lane];
    if (record.head || record.rest > 0) return;
    destinationOf(record).quiet.erase(record.user);
    --destinationOf(record).lanes;
    laneGone(lane);
    m_table.remove(lane);
}

/// The state of a lane that may not be tried, whatever its destination's health.
std::optional<LaneState> DeliveryKernel::standing(const KernelDestination& d,
                                                  const Lane& lane) const {
    const auto* mark = markOf(lane);
    // A head whose rewind is being undone leaves as soon as that is durable.
    if (mark != nullptr && mark->leaving) return LaneState::committing;
    // What came after a dead letter that holds its lane waits; a rewound event goes on.
    const bool firstLife = mark == nullptr || mark->life == 1;
    if (d.stands(lane.user) || (firstLife && d.deadLetterHolds(lane.user)))
        return LaneState::held;
    return std::nullopt;
}

void DeliveryKernel::makeReady(LaneIndex lane) {
    Lane& record = m_table[lane];
    KernelDestination& d = destinationOf(record);
    if (const auto state = standing(d, record)) {
        setState(record, *state);
        laneChanged(lane);
        return;
    }
    if (const auto until = quietUntil(d, record.user); until > 0) {
        record.ownRefusal = true;
        backOff(lane, until);
        return;
    }
    setState(record, LaneState::ready);
    // While the destination is not known to be well again, who failed before goes behind: heads
    // that fail for a reason of their own are the oldest and would be the first witnesses.
    const bool patient = record.failures >= (d.health.recovering() ? 1 : kPatientFailures);
    // Who was probed keeps its place in the turn, and goes behind when the turns are over.
    const bool probed = d.health.degraded() && record.turn != 0;
    if (probed && patient && !record.patient) d.goingBehind.push_back(lane);
    if (!probed) record.patient = patient;
    (record.patient ? d.patient : d.ready).push(lane);
    laneChanged(lane);
    touch(record.destination);
}

void DeliveryKernel::leaveQueues(LaneIndex lane) {
    Lane& record = m_table[lane];
    KernelDestination& d = destinationOf(record);
    switch (record.state) {
    case LaneState::ready:
        (record.patient ? d.patient : d.ready).remove(lane);
        break;
    case LaneState::backingOff:
        d.backingOff.remove(lane);
        break;
    case LaneState::inFlight:
    case LaneState::committing:
    case LaneState::held:
        break;
    }
}

// --- Durable

void DeliveryKernel::commit(std::uint64_t durable) {
    CHECK(durable <= m_ticket);
    const bool waited = tooManyUncommitted();
    while (!m_commits.empty() && m_commits.front().ticket <= durable) {
        const auto pending = m_commits.front();
        m_commits.pop_front();
        settle(pending);
        touch(pending.slot);
    }
    if (waited && !tooManyUncommitted())
        for (std::size_t slot = 0; slot < m_destinations.size(); ++slot)
            touch(static_cast<Slot>(slot));
    while (!m_commands.empty() && m_commands.front().ticket <= durable) {
        m_effects->done.push_back(std::move(m_commands.front().done));
        m_commands.pop_front();
    }
}

void DeliveryKernel::settle(const PendingCommit& pending) {
    KernelDestination& d = *m_destinations[pending.slot];
    switch (pending.kind) {
    case PendingCommit::Kind::delivered:
    case PendingCommit::Kind::died: {
        const Lane& lane = m_table[pending.lane];
        CHECK(lane.state == LaneState::committing && lane.head == pending.sequence);
        CHECK(d.counters.waiting > 0);
        --d.counters.waiting;
        if (pending.kind == PendingCommit::Kind::delivered) {
            ++d.counters.delivered;
            d.lastDeliveredAt = m_moment.wall;
        } else {
            ++d.counters.dead;
            d.dead[pending.sequence] = {pending.user, pending.life, pending.attempts};
            addHold(pending.slot, pending.user);
        }
        nextHead(pending.lane);
        break;
    }
    case PendingCommit::Kind::retry:
        retryLater(pending);
        break;
    case PendingCommit::Kind::rewound:
    case PendingCommit::Kind::discarded:
    case PendingCommit::Kind::returned:
        settleMove(pending);
        break;
    case PendingCommit::Kind::laneMoved:
        d.moving.erase(pending.user);
        requeue(pending.slot, pending.user);
        break;
    }
}

void DeliveryKernel::retryLater(const PendingCommit& pending) {
    Lane& lane = m_table[pending.lane];
    KernelDestination& d = destinationOf(lane);
    CHECK(lane.state == LaneState::committing && lane.head == pending.sequence);
    const auto failed = lane.head;
    reorderHead(pending.lane);
    if (standing(d, lane)) {  // since it was tried
        makeReady(pending.lane);
        return;
    }
    const bool recoveredSince = d.health.epoch() != pending.epoch && !lane.ownRefusal;
    if (lane.head != failed || recoveredSince ||
        pending.due <= TimerQueue::tickAt(m_moment.now)) {
        makeReady(pending.lane);
        return;
    }
    backOff(pending.lane, pending.due);
}

void DeliveryKernel::backOff(LaneIndex lane, TimerQueue::Tick due) {
    Lane& record = m_table[lane];
    KernelDestination& d = destinationOf(record);
    setState(record, LaneState::backingOff);
    record.tick = due;
    d.backingOff.push(lane);
    m_timers.arm(lane, due);
    // A long Retry-After must not keep an expired event from the dead letters.
    const auto left = std::int64_t{record.headClock} + tenths(d.config.policy.window) -
                      tenths(d.clock(m_moment.now));
    const auto end = TimerQueue::tickAt(m_moment.now) + std::max<std::int64_t>(left, 0) + 1;
    if (!d.state.paused && end < due) m_timers.arm(lane, static_cast<TimerQueue::Tick>(end));
    laneChanged(lane);
}

}  // namespace lanes
