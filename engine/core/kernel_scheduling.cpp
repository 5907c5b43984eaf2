// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who goes next: the oldest head while the destination is well, the lanes in turn while it is
// probed, and nobody while it is paused, silent or the store cannot take the result.
#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"

#include "engine/config.h"

#include <algorithm>
#include <utility>

namespace lanes {

void DeliveryKernel::touch(Slot slot) {
    KernelDestination& d = *m_destinations[slot];
    if (d.dirty) return;
    d.dirty = true;
    m_dirty.push_back(slot);
}

void DeliveryKernel::pumpAll() {
    for (const auto slot : m_dirty) m_destinations[slot]->dirty = false;
    m_dirty.clear();
    for (std::size_t slot = 0; slot < m_destinations.size(); ++slot)
        if (!m_destinations[slot]->removed) pump(static_cast<Slot>(slot));
}

bool DeliveryKernel::lanesWait(const KernelDestination& d) const {
    return !d.ready.empty() || (!d.patient.empty() && d.health.hasRetryToken(m_moment.now));
}

void DeliveryKernel::pump(Slot slot) {
    KernelDestination& d = *m_destinations[slot];
    if (d.removed || d.state.paused || !maySend() || tooManyUncommitted()) return;
    expireReady(d);
    const bool wasDegraded = d.health.degraded();
    for (bool again = true; again;) {
        while (d.health.mayStart(m_moment.now)) {
            const auto lane = pick(d);
            if (lane == kNoLane) break;
            start(slot, lane);
        }
        // The end of a round may have widened the window.
        const auto changes = d.health.changes();
        d.health.advance(m_moment.now, lanesWait(d));
        if (d.health.degraded() && !wasDegraded) degraded(d);
        again = changes != d.health.changes() && d.health.mayStart(m_moment.now);
    }
    noteChange(d);
}

/// Expiry does not wait for a slot: the expired heads stand at the front of the calendar.
void DeliveryKernel::expireReady(KernelDestination& d) {
    for (auto* queue : {&d.ready, &d.patient}) {
        for (auto lane = queue->first(); lane != kNoLane; lane = queue->first()) {
            if (!expires(d, m_table[lane])) break;
            queue->remove(lane);
            windowOver(lane);
        }
    }
}

LaneIndex DeliveryKernel::pick(KernelDestination& d) {
    if (d.health.degraded()) return pickProbe(d);
    const auto fresh = d.ready.first();
    if (d.patient.empty() || !d.health.hasRetryToken(m_moment.now)) return fresh;
    // Patient lanes older than that take turns: where tokens are short, lanes that fail for ever
    // must not keep those behind them from their next attempt.
    const auto younger = [&](LaneIndex lane) {
        return fresh != kNoLane && (lane == kNoLane || m_table[fresh].head < m_table[lane].head);
    };
    auto patient = d.patient.inTurn(d.turn);
    if (patient == kNoLane || younger(patient)) {
        d.patient.restartTurn();
        nextTurn(d);
        patient = d.patient.inTurn(d.turn);
        if (younger(patient)) return fresh;
    }
    d.health.takeRetryToken(m_moment.now);
    return d.patient.nextInTurn(d.turn);
}

void DeliveryKernel::nextTurn(KernelDestination& d) { d.turn = d.turn % Lane::kLastTurn + 1; }

/// Lanes that wait for a slot in turn, then those that wait for a token, and again; neither kind
/// keeps the other from its turn, or the destination would seem dead if all of one kind are
/// poisoned. If there are none, the one that backs off the longest, so that a destination with few
/// lanes is probed every second too.
LaneIndex DeliveryKernel::pickProbe(KernelDestination& d) {
    for (int looks = 0; looks < 4; ++looks) {  // the rest of this turn, and the next one
        auto& queue = d.patientTurn ? d.patient : d.ready;
        if (const auto lane = queue.nextInTurn(d.turn); lane != kNoLane) return lane;
        if (d.patientTurn) nextTurn(d);
        d.patientTurn = !d.patientTurn;
    }
    constexpr int kLooks = 16;  // past lanes that wait for a reason of their own
    auto lane = d.backingOff.first();
    for (int i = 0; i < kLooks && lane != kNoLane; ++i, lane = d.backingOff.next(lane)) {
        if (m_table[lane].ownRefusal) continue;
        d.backingOff.remove(lane);
        makeReady(lane);
        return lane;
    }
    return kNoLane;
}

void DeliveryKernel::start(Slot slot, LaneIndex lane) {
    KernelDestination& d = *m_destinations[slot];
    Lane& record = m_table[lane];
    CHECK(record.state == LaneState::ready && record.head);
    (record.patient ? d.patient : d.ready).remove(lane);
    const bool over = expired(d, record);
    record.setTurn(record.patient || d.health.degraded() ? d.turn : 0);
    setState(record, LaneState::inFlight);
    record.tick = TimerQueue::tickAt(m_moment.now);

    const auto* mark = markOf(record);
    StartAttempt attempt;
    attempt.attempt = m_lastAttempt = AttemptId(m_lastAttempt.value + 1);
    attempt.pointer = pointerOf(record);
    attempt.user = record.user;
    attempt.number = record.attempts + 1u;
    attempt.life = mark != nullptr ? mark->life : 1;
    attempt.operation = mark != nullptr ? mark->operation : OperationId();
    attempt.previous = record.previous;
    attempt.cause = d.health.degraded()  ? Cause::probe
                    : over               ? Cause::lastChance
                    : attempt.life > 1   ? Cause::rewind
                                         : Cause::automatic;
    if (attempt.cause == Cause::probe) ++d.probes;
    if (attempt.operation && record.attempts == 0)
        if (auto* operation = findOperation(attempt.operation)) operation->firstTried();

    InFlight flight;
    flight.lane = lane;
    flight.started = m_moment;
    flight.cause = attempt.cause;
    flight.patient = record.patient;
    flight.epoch = d.health.started(m_moment.now);
    // What a probe met says nothing about the time after the recovery.
    const auto epoch = static_cast<std::uint8_t>(flight.epoch);
    flight.firstAttempt = !record.patient && record.triedEpoch != epoch;
    record.triedEpoch = epoch;
    m_inFlight[attempt.attempt] = flight;
    m_effects->starts.push_back(attempt);
    laneChanged(lane);
}

/// From now on the destination is probed: every lane has its turn, whoever had one before.
void DeliveryKernel::degraded(KernelDestination& d) {
    d.ready.restartTurn();
    d.patient.restartTurn();
    d.patientTurn = false;
    nextTurn(d);
}

/// The destination lives again: every lane that waits because of it is ready at once; those that
/// wait for a reason of their own go on waiting.
void DeliveryKernel::recovered(Slot slot) {
    KernelDestination& d = *m_destinations[slot];
    d.ready.restartTurn();
    d.patient.restartTurn();
    for (const auto lane : std::exchange(d.goingBehind, {})) {
        if (!m_table.inUse(lane) || m_table[lane].destination != slot) continue;
        if (m_table[lane].state != LaneState::ready || m_table[lane].patient) continue;
        d.ready.remove(lane);
        makeReady(lane);
    }
    for (auto lane = d.backingOff.first(); lane != kNoLane;) {
        const auto next = d.backingOff.next(lane);
        if (!m_table[lane].ownRefusal) {
            d.backingOff.remove(lane);
            makeReady(lane);
        }
        lane = next;
    }
    touch(slot);
}

void DeliveryKernel::popTimers() {
    const auto now = static_cast<TimerQueue::Tick>(m_moment.now / TimerQueue::kTick);
    m_due.clear();
    m_timers.pop(now, m_due);
    for (const auto lane : m_due) {
        if (!m_table.inUse(lane)) continue;
        Lane& record = m_table[lane];
        if (record.state != LaneState::backingOff) continue;
        KernelDestination& d = destinationOf(record);
        if (!d.state.paused && maySend() && expires(d, record)) {
            d.backingOff.remove(lane);
            windowOver(lane);
        } else if (record.tick <= now) {
            d.backingOff.remove(lane);
            makeReady(lane);
        }
    }
}

/// While events wait, their clocks are made durable every few seconds. A store that cannot be
/// written would only gather them.
void DeliveryKernel::persistClocks() {
    if (!m_storeWritable) return;
    if (m_moment.now - m_clocksPersistedAt < limits::kClockPersistInterval) return;
    m_clocksPersistedAt = m_moment.now;
    for (auto& d : m_destinations) {
        if (d->removed || d->state.paused || d->counters.waiting == 0) continue;
        persistState(*d);
    }
}

void DeliveryKernel::persistAllStates() {
    for (auto& d : m_destinations)
        if (!d->removed) persistState(*d);
}

void DeliveryKernel::noteChange(KernelDestination& d) {
    if (d.changesSeen == d.health.changes()) return;
    d.changesSeen = d.health.changes();
    const auto& change = d.health.lastChange();
    d.lastChange = {m_moment.wall, change.from, change.to, change.reason};
}

Micros DeliveryKernel::nextWakeup(Micros now) const {
    Micros next = DestinationHealth::kNever;
    if (m_draining) return next;
    if (!m_dirty.empty()) return now;
    if (m_storeWritable) next = nextMove(now);
    TimerQueue::Tick tick = 0;
    if (m_timers.next(tick)) next = std::min(next, Micros{tick} * TimerQueue::kTick);
    bool waiting = false;
    for (const auto& d : m_destinations) {
        if (d->removed) continue;
        if (d->state.paused && d->state.resumeAt != 0)
            next = std::min(next, m_moment.now + std::max<Micros>(
                                                     1, d->state.resumeAt - m_moment.wall));
        if (d->state.paused || d->counters.waiting == 0) continue;
        waiting = true;
        if (d->ready.empty() && d->patient.empty() &&
            !(d->health.degraded() && d->backingOff.size() > 0))
            continue;
        next = std::min(next, d->health.nextChange(now));
        // Heads that wait for a slot may expire meanwhile; tokens come one a second.
        next = std::min(next, now + kSecond);
    }
    if (waiting && m_storeWritable)
        next = std::min(next, m_clocksPersistedAt + limits::kClockPersistInterval);
    return next == DestinationHealth::kNever ? next : std::max(next, now);
}

}  // namespace lanes
