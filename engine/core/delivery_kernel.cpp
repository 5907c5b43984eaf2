// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/delivery_kernel.h"

#include "engine/core/backoff.h"
#include "engine/core/check.h"

#include <algorithm>
#include <limits>

namespace lanes {

namespace {

constexpr std::uint8_t kPatientFailures = 4;  // from here on a further attempt takes a retry token
constexpr Micros kSharedRetryAfter = 5 * kSecond;

ClockTenths tenths(Micros clock) { return static_cast<ClockTenths>(clock / kClockUnit); }

template <typename T>
T saturated(std::uint32_t value) {
    return static_cast<T>(std::min<std::uint32_t>(value, std::numeric_limits<T>::max()));
}

std::string windowText(Micros window) {
    if (window % kHour == 0) return std::to_string(window / kHour) + " h";
    if (window % kMinute == 0) return std::to_string(window / kMinute) + " min";
    return std::to_string(window / kSecond) + " s";
}

}  // namespace

DeliveryKernel::DeliveryKernel(std::uint64_t seed) : m_random(seed) {}
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
    d.state = recovered.state;
    d.clockSince = now;
    d.counters = recovered.counters;
    d.counters.waiting = 0;  // counted again as the pointers come
    for (const auto& dead : recovered.dead) d.dead[dead.sequence] = {dead.user, dead.life};
    rebuildHolds(d);
    m_slots[recovered.config.id] = slot;
    m_lastDestination = std::max(m_lastDestination, recovered.config.id.value);
}

void DeliveryKernel::recoverPointer(const PendingPointer& pending) {
    const auto slot = slotOf(pending.pointer.destination);
    if (slot == kNoSlot) return;
    ++m_destinations[slot]->counters.waiting;
    if (pending.life > 1 || pending.attempts > 0) {
        Mark mark;
        mark.life = pending.life;
        mark.operation = pending.operation;
        mark.attempts = saturated<std::uint16_t>(pending.attempts);
        mark.lastStatus = pending.lastStatus;
        mark.failures = saturated<std::uint8_t>(pending.attempts);
        mark.lastOutcome = pending.lastOutcome;
        m_marks[pending.pointer] = mark;
    }
    putIntoLane(slot, pending.user, {pending.pointer.sequence, tenths(pending.clock)});
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
        all = true;
    }
    advanceBulk();
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

// --- Events into lanes

void DeliveryKernel::accept(const input::EventsAccepted& accepted) {
    for (const auto& event : accepted.events) {
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
    const auto first = m_table.popFront(lane);
    m_table.insert(lane, displaced);
    setHead(lane, first);
}

void DeliveryKernel::setHead(LaneIndex lane, LaneEntry entry) {
    Lane& record = m_table[lane];
    record.head = entry.sequence;
    record.headClock = entry.clock;
    record.attempts = 0;
    record.failures = 0;
    record.lastStatus = 0;
    record.lastOutcome = Outcome::delivered;
    record.ownRefusal = false;
    record.triedEpoch = static_cast<std::uint8_t>(destinationOf(record).health.epoch() + 128);
    if (const auto* mark = markOf(record)) {
        record.attempts = mark->attempts;
        record.failures = mark->failures;
        record.lastStatus = mark->lastStatus;
        record.lastOutcome = mark->lastOutcome;
    }
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
    record.head = Sequence();
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
    --destinationOf(record).lanes;
    laneGone(lane);
    m_table.remove(lane);
}

void DeliveryKernel::makeReady(LaneIndex lane) {
    Lane& record = m_table[lane];
    KernelDestination& d = destinationOf(record);
    // What came after a dead letter that holds its lane waits; a rewound event goes on.
    const auto* mark = markOf(record);
    if (d.holds(record.user) && (mark == nullptr || mark->life == 1)) {
        record.state = LaneState::held;
        laneChanged(lane);
        return;
    }
    record.state = LaneState::ready;
    // While the destination is not known to be well again, who failed before goes behind: heads
    // that fail for a reason of their own are the oldest and would be the first witnesses.
    record.patient = record.failures >= (d.health.recovering() ? 1 : kPatientFailures);
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

// --- Attempts

/// What every entry about the head of a lane says.
JournalEntry DeliveryKernel::headEntry(JournalKind kind, const Lane& lane) const {
    const auto* mark = markOf(lane);
    JournalEntry entry;
    entry.kind = kind;
    entry.pointer = pointerOf(lane);
    entry.user = lane.user;
    entry.life = mark != nullptr ? mark->life : 1;
    entry.operation = mark != nullptr ? mark->operation : OperationId();
    entry.attempt = lane.attempts;
    return entry;
}

JournalEntry DeliveryKernel::attemptEntry(const InFlight& flight, const Lane& lane,
                                          const AttemptResult& result, Outcome outcome) {
    auto entry = headEntry(JournalKind::attempt, lane);
    entry.at = flight.started.wall;
    entry.duration = result.duration;
    entry.outcome = outcome;
    entry.status = saturated<std::uint16_t>(static_cast<std::uint32_t>(std::max(result.status, 0)));
    entry.cause = flight.cause;
    entry.error = result.error;
    if (!result.location.empty()) entry.error += " (redirects to " + result.location + ")";
    entry.response = result.response;
    return entry;
}

void DeliveryKernel::finish(const AttemptResult& result) {
    const auto found = m_inFlight.find(result.attempt);
    CHECK(found != m_inFlight.end());
    const InFlight flight = found->second;
    m_inFlight.erase(found);

    Lane& lane = m_table[flight.lane];
    CHECK(lane.state == LaneState::inFlight);
    KernelDestination& d = destinationOf(lane);
    const auto outcome = classify(result);

    HealthSample sample;
    sample.epoch = flight.epoch;
    sample.outcome = outcome;
    sample.firstAttempt = flight.firstAttempt;
    sample.patientLane = flight.patient;
    sample.othersWait = !d.ready.empty();
    sample.startedAt = flight.started.now;
    sample.latency = result.duration;
    sample.status =
        saturated<std::uint16_t>(static_cast<std::uint32_t>(std::max(result.status, 0)));
    const bool wasDegraded = d.health.degraded();
    const auto event = d.health.finished(sample, m_moment.now);
    noteChange(d);

    ++d.attempts;
    ++d.outcomes[static_cast<std::size_t>(outcome)];
    if (result.status > 0) d.latency.add(result.duration);
    if (outcome != Outcome::delivered) d.lastError = result.error;

    lane.attempts = saturated<std::uint16_t>(lane.attempts + 1u);
    lane.lastOutcome = outcome;
    lane.lastStatus = sample.status;
    lane.state = LaneState::committing;
    laneChanged(flight.lane);
    auto entry = attemptEntry(flight, lane, result, outcome);

    PendingCommit pending;
    pending.lane = flight.lane;
    pending.slot = lane.destination;
    pending.sequence = lane.head;
    pending.user = lane.user;
    if (outcome == Outcome::delivered) {
        pending.kind = PendingCommit::Kind::delivered;
        write(std::move(entry));
        pending.ticket = ticket();
        m_commits.push_back(pending);
    } else {
        const auto& atOnce = d.config.policy.deadLetterStatuses;
        const bool policy = std::find(atOnce.begin(), atOnce.end(), sample.status) != atOnce.end();
        const bool over = expired(d, lane);
        write(std::move(entry));
        if (policy) {
            deadLetter(flight.lane, "status " + std::to_string(sample.status) +
                                        " is set to dead-letter at once");
        } else if (over) {
            windowOver(flight.lane);
        } else {
            // A failed probe says nothing about its lane, so it does not lengthen the back-off.
            if (!(wasDegraded && flight.cause == Cause::probe))
                lane.failures = saturated<std::uint8_t>(lane.failures + 1u);
            auto delay = backoff(lane.failures, m_random);
            lane.ownRefusal = outcome == Outcome::refused;
            if (result.retryAfter >= 0) {
                delay = std::max(delay, result.retryAfter);
                lane.ownRefusal = true;
                askedToWait(d, lane, result.retryAfter);
            }
            pending.kind = PendingCommit::Kind::retry;
            pending.due = TimerQueue::tickAt(m_moment.now + delay);
            pending.epoch = d.health.epoch();
            pending.ticket = ticket();
            m_commits.push_back(pending);
        }
        if (sample.status == 410 && !d.state.paused)
            pause(d, "Rivora Lanes",
                  "the destination answered 410 Gone: it wants no more deliveries", true);
    }
    touch(lane.destination);
    if (event == HealthEvent::recovered) recovered(lane.destination);
}

/// Retry-After of one lane holds that lane; of two lanes within five seconds it silences the
/// whole destination.
void DeliveryKernel::askedToWait(KernelDestination& d, const Lane& lane, Micros retryAfter) {
    if (d.lastAsker != lane.user && m_moment.now - d.lastAskedAt <= kSharedRetryAfter)
        d.health.silence(m_moment.now + retryAfter);
    d.lastAsker = lane.user;
    d.lastAskedAt = m_moment.now;
}

/// The retry window of the head is over.
bool DeliveryKernel::expired(const KernelDestination& d, const Lane& lane) const {
    return tenths(d.clock(m_moment.now)) >= lane.headClock + tenths(d.config.policy.window);
}

/// As `expired`, but while the destination accepts deliveries a head that was not tried since its
/// recovery gets one last attempt first.
bool DeliveryKernel::expires(const KernelDestination& d, const Lane& lane) const {
    if (!expired(d, lane)) return false;
    const bool accepts = !d.health.degraded() && d.health.silentUntil() <= m_moment.now;
    return !accepts || lane.triedEpoch == static_cast<std::uint8_t>(d.health.epoch());
}

/// Ends the life of the head: it leaves when the journal says so durably.
void DeliveryKernel::deadLetter(LaneIndex lane, const std::string& reason) {
    Lane& record = m_table[lane];
    record.state = LaneState::committing;
    laneChanged(lane);
    auto entry = headEntry(JournalKind::deadLettered, record);
    entry.at = m_moment.wall;
    entry.outcome = record.lastOutcome;
    entry.status = record.lastStatus;
    entry.reason = record.attempts == 0 ? reason + "; never tried" : reason;

    PendingCommit pending;
    pending.kind = PendingCommit::Kind::died;
    pending.lane = lane;
    pending.slot = record.destination;
    pending.sequence = record.head;
    pending.user = record.user;
    pending.life = entry.life;
    pending.attempts = record.attempts;
    write(std::move(entry));
    pending.ticket = ticket();
    m_commits.push_back(pending);
}

void DeliveryKernel::windowOver(LaneIndex lane) {
    const auto window = destinationOf(m_table[lane]).config.policy.window;
    deadLetter(lane, "the retry window of " + windowText(window) + " is over");
}

// --- Durable

void DeliveryKernel::commit(std::uint64_t durable) {
    CHECK(durable <= m_ticket);
    while (!m_commits.empty() && m_commits.front().ticket <= durable) {
        const auto pending = m_commits.front();
        m_commits.pop_front();
        settle(pending);
        touch(pending.slot);
    }
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
            if (d.config.policy.afterDeadLetter == AfterDeadLetter::hold)
                ++d.holding[pending.user];
        }
        nextHead(pending.lane);
        break;
    }
    case PendingCommit::Kind::retry:
        retryLater(pending);
        break;
    case PendingCommit::Kind::rewound: {
        --d.counters.dead;
        ++d.counters.waiting;
        Mark mark;
        mark.life = pending.life;
        mark.operation = pending.operation;
        m_marks[{d.config.id, pending.sequence}] = mark;
        putIntoLane(pending.slot, pending.user, {pending.sequence, pending.clock});
        releaseHold(pending.slot, pending.user);
        break;
    }
    case PendingCommit::Kind::discarded:
        --d.counters.dead;
        ++d.counters.discarded;
        releaseHold(pending.slot, pending.user);
        break;
    }
}

void DeliveryKernel::retryLater(const PendingCommit& pending) {
    Lane& lane = m_table[pending.lane];
    KernelDestination& d = destinationOf(lane);
    CHECK(lane.state == LaneState::committing && lane.head == pending.sequence);
    const auto failed = lane.head;
    reorderHead(pending.lane);
    const bool recoveredSince = d.health.epoch() != pending.epoch && !lane.ownRefusal;
    if (lane.head != failed || recoveredSince ||
        pending.due <= TimerQueue::tickAt(m_moment.now)) {
        makeReady(pending.lane);
        return;
    }
    lane.state = LaneState::backingOff;
    lane.tick = pending.due;
    d.backingOff.push(pending.lane);
    m_timers.arm(pending.lane, pending.due);
    // A long Retry-After must not keep an expired event from the dead letters.
    const auto left = std::int64_t{lane.headClock} + tenths(d.config.policy.window) -
                      tenths(d.clock(m_moment.now));
    const auto end = TimerQueue::tickAt(m_moment.now) + std::max<std::int64_t>(left, 0) + 1;
    if (!d.state.paused && end < pending.due)
        m_timers.arm(pending.lane, static_cast<TimerQueue::Tick>(end));
    laneChanged(pending.lane);
}

}  // namespace lanes
