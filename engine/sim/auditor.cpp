// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/auditor.h"

#include "engine/core/check.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace lanes::sim {

namespace {

/// A window begins when the event is given to the store; it is known here when it is durable. A
/// store that fails makes it wait between the two.
constexpr Micros kWindowSlack = 10 * kSecond;
/// After a standstill, faults of the store may keep the same event waiting for as long as this.
constexpr Micros kStandstillSeen = 30 * kSecond;

std::string name(Pointer pointer) {
    return "event " + std::to_string(pointer.sequence.value) + " for destination " +
           std::to_string(pointer.destination.value);
}

std::string text(const DeliveryCounters& counters) {
    return "accepted " + std::to_string(counters.accepted) + ", delivered " +
           std::to_string(counters.delivered) + ", waiting " + std::to_string(counters.waiting) +
           ", dead " + std::to_string(counters.dead) + ", discarded " +
           std::to_string(counters.discarded);
}

std::string text(const std::vector<Sequence>& sequences) {
    constexpr std::size_t kShown = 8;
    std::string out;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        if (i == kShown) return out + " ...";
        out += (out.empty() ? "" : " ") + std::to_string(sequences[i].value);
    }
    return out.empty() ? "nothing" : out;
}

/// More than any simulation has; a kernel that makes numbers up must not fill the memory.
constexpr std::uint64_t kLargestNumber = 1u << 24;

std::uint32_t index(Sequence sequence) { return static_cast<std::uint32_t>(sequence.value); }

}  // namespace

// --- Books

Auditor::Destination& Auditor::at(DestinationId id) {
    CHECK(id.value < kLargestNumber);
    if (m_destinations.size() <= id.value) m_destinations.resize(id.value + 1);
    return m_destinations[id.value];
}

Auditor::Lane& Auditor::laneAt(Destination& destination, UserId user) {
    CHECK(user.value < kLargestNumber);
    if (destination.lanes.size() <= user.value) destination.lanes.resize(user.value + 1);
    return destination.lanes[user.value];
}

Auditor::Event* Auditor::find(Pointer pointer, UserId user, const char* promise, const char* act) {
    if (pointer.destination.value < m_destinations.size()) {
        auto& events = m_destinations[pointer.destination.value].events;
        if (pointer.sequence.value < events.size()) {
            Event& event = events[pointer.sequence.value];
            if (event.state != State::absent && event.user == user.value) return &event;
        }
    }
    violated(promise, name(pointer) + " " + act + " and was never accepted in this lane");
    return nullptr;
}

void Auditor::link(Destination& destination, Lane& lane, Sequence sequence) {
    auto& events = destination.events;
    // New events come at the end; rewound ones belong near the front.
    const auto own = index(sequence);
    std::uint32_t after = 0;
    std::uint32_t before = lane.last;
    if (lane.last > own) {
        for (after = lane.first; after < own;) after = events[after].after;
        before = events[after].before;
    }
    events[own].before = before;
    events[own].after = after;
    (before == 0 ? lane.first : events[before].after) = own;
    (after == 0 ? lane.last : events[after].before) = own;
    ++lane.waiting;
    ++destination.counters.waiting;
}

void Auditor::unlink(Destination& destination, Lane& lane, Sequence sequence) {
    auto& events = destination.events;
    const Event& event = events[sequence.value];
    (event.before == 0 ? lane.first : events[event.before].after) = event.after;
    (event.after == 0 ? lane.last : events[event.after].before) = event.before;
    --lane.waiting;
    --destination.counters.waiting;
}

void Auditor::laneChanged(Destination& destination, UserId user, Micros wait) {
    const Lane& lane = laneAt(destination, user);
    const bool waits = lane.first != 0 && !lane.inFlight && !lane.unlogged &&
                       lane.heldSince == kNever &&
                       !(holds(destination, lane) && destination.events[lane.first].life == 1);
    if (!waits) return destination.pace.waits(user, PaceAuditor::kNever, PaceAuditor::kNever);
    const Micros age = activeTime(destination) - destination.events[lane.first].clock;
    const Micros left = destination.policy.window - age;
    destination.pace.waits(user, now() + wait, now() + left - kSecond);
}

void Auditor::setDestination(const DestinationConfig& config) {
    Destination& destination = at(config.id);
    if (!destination.exists) destination.pace.begin(now());
    destination.exists = true;
    destination.removed = false;  // a crash before it was durable undoes a removal
    const bool lanesChange =
        destination.policy.afterDeadLetter != config.policy.afterDeadLetter ||
        destination.policy.window != config.policy.window;
    if (destination.policy.window != config.policy.window) {
        const bool again = now() - destination.windowChanged <= kWindowSlack;
        destination.windowBefore = again ? std::min(destination.windowBefore,
                                                    destination.policy.window)
                                         : destination.policy.window;
        destination.windowChanged = now();
    }
    destination.policy = config.policy;
    if (!lanesChange) return;
    destination.pace.restartTurns(now());
    for (std::size_t user = 0; user < destination.lanes.size(); ++user)
        laneChanged(destination, UserId(user), PaceAuditor::kLongestBackoff);
}

void Auditor::removed(DestinationId id) {
    Destination& destination = at(id);
    if (destination.counters.waiting > 0 || destination.counters.dead > 0)
        violated("removed", "destination " + std::to_string(id.value) + " was removed with " +
                                text(destination.counters));
    destination.removed = true;
}

// --- Time

Micros Auditor::activeTime(const Destination& destination) const {
    if (destination.activeSince == kNever) return destination.active;
    return destination.active + now() - destination.activeSince;
}

/// What was given to the store before a standstill is known to be durable after it only.
Micros Auditor::windowStart(const Destination& destination) const {
    const bool stoodStill = now() - m_frozenUntil <= kStandstillSeen;
    return activeTime(destination) - (stoodStill ? m_frozen : 0);
}

void Auditor::setActive(Destination& destination, bool active) {
    destination.active = activeTime(destination);
    destination.activeSince = active ? now() : kNever;
}

void Auditor::checkWindow(const Destination& destination, const Event& event,
                          const JournalEntry& entry) {
    const auto& lane = destination.lanes[entry.user.value];
    if (lane.windowUnknown) return;
    const auto& atOnce = destination.policy.deadLetterStatuses;
    if (std::find(atOnce.begin(), atOnce.end(), entry.status) != atOnce.end()) return;
    const Micros age = activeTime(destination) - event.clock;
    // The window may have been changed between the decision and its commit.
    const bool changed = now() - destination.windowChanged <= kWindowSlack;
    const Micros window = changed ? std::min(destination.policy.window, destination.windowBefore)
                                  : destination.policy.window;
    if (age + kWindowSlack < window)
        violated("window", name(entry.pointer) + " was dead-lettered after " +
                               std::to_string(age / kSecond) + " s of " +
                               std::to_string(window / kSecond) + " s: " + entry.reason);
}

void Auditor::slept(Micros length) {
    for (Destination& destination : m_destinations)
        if (destination.activeSince != kNever) destination.activeSince += length;
}

void Auditor::froze(Micros length) {
    if (now() - length - m_frozenUntil > kStandstillSeen) m_frozen = 0;
    m_frozen += length;
    m_frozenUntil = now();
}

void Auditor::woke() {
    for (Destination& destination : m_destinations) destination.pace.comeBack(now());
}

// --- The disk

void Auditor::accepted(Pointer pointer, UserId user) {
    Destination& destination = at(pointer.destination);
    auto& events = destination.events;
    if (events.size() <= pointer.sequence.value) events.resize(pointer.sequence.value + 1);
    Event& event = events[pointer.sequence.value];
    if (event.state != State::absent) {
        violated("P7", name(pointer) + " was accepted twice");
        return;
    }
    Lane& lane = laneAt(destination, user);
    lane.known = true;
    event.user = static_cast<std::uint32_t>(user.value);
    event.clock = windowStart(destination);
    event.state = State::waiting;
    ++destination.counters.accepted;
    link(destination, lane, pointer.sequence);
    if (lane.waiting == 1) laneChanged(destination, user);
}

void Auditor::end(Destination& destination, UserId user, Sequence sequence, State state) {
    Lane& lane = laneAt(destination, user);
    unlink(destination, lane, sequence);
    Event& event = destination.events[sequence.value];
    event.state = state;
    if (event.operation)
        m_operations.ended(event.operation, state == State::delivered ? OperationFate::delivered
                                                                      : OperationFate::deadAgain);
    if (state == State::delivered) ++destination.counters.delivered;
    if (state == State::dead) {
        ++destination.counters.dead;
        ++lane.dead;
    }
    destination.pace.newHead(user);
    laneChanged(destination, user);
}

void Auditor::durable(const JournalEntry& entry) {
    Event* const event = find(entry.pointer, entry.user, "P7", "is in the journal");
    if (event == nullptr) return;
    Destination& destination = at(entry.pointer.destination);
    switch (entry.kind) {
        case JournalKind::attempt: attemptDurable(entry, *event); return;
        case JournalKind::deadLettered:
            if (event->state != State::waiting) {
                violated("P7", name(entry.pointer) + " was dead-lettered without waiting");
                return;
            }
            checkWindow(destination, *event, entry);
            end(destination, entry.user, entry.pointer.sequence, State::dead);
            return;
        case JournalKind::rewound: comeBack(entry, *event); return;
        case JournalKind::discarded: leaveTheDead(entry, *event); return;
        case JournalKind::returned: returned(entry, *event); return;
    }
}

void Auditor::attemptDurable(const JournalEntry& entry, Event& event) {
    ++m_logged;
    ++event.attempts;
    event.endNotDurable = false;
    Destination& destination = at(entry.pointer.destination);
    Lane& lane = laneAt(destination, entry.user);
    if (lane.unlogged == entry.pointer.sequence) lane.unlogged = Sequence();
    if (entry.attempt != event.attempts)
        violated("P5", name(entry.pointer) + ": attempt " + std::to_string(event.attempts) +
                           " is logged as number " + std::to_string(entry.attempt));
    if (event.state != State::waiting)
        violated("P7", name(entry.pointer) + " has an attempt logged after its end");
    else if (entry.outcome == Outcome::delivered)
        end(destination, entry.user, entry.pointer.sequence, State::delivered);
    else
        laneChanged(destination, entry.user, PaceAuditor::kLongestBackoff);
}

/// A dead letter is given up.
void Auditor::leaveTheDead(const JournalEntry& entry, Event& event) {
    m_operations.moved(entry, m_violations);
    if (event.state != State::dead) {
        violated("P7", name(entry.pointer) + " was discarded and is not dead");
        return;
    }
    Destination& destination = at(entry.pointer.destination);
    Lane& lane = laneAt(destination, entry.user);
    --lane.dead;
    --destination.counters.dead;
    event.state = State::discarded;
    ++destination.counters.discarded;
    laneChanged(destination, entry.user);
}

/// A dead letter, or a delivered event of a lane that is rewound, waits once more.
void Auditor::comeBack(const JournalEntry& entry, Event& event) {
    m_operations.moved(entry, m_violations);
    const bool wasDelivered = event.state == State::delivered;
    const bool lanes = m_operations.kindOf(entry.operation) == OperationKind::rewindLanes;
    if (event.state != State::dead && !(lanes && wasDelivered)) {
        violated("P7", name(entry.pointer) + " was rewound and is not dead");
        return;
    }
    if (wasDelivered != (entry.outcome == Outcome::delivered))
        violated("P7", name(entry.pointer) + " was rewound as what it was not");
    Destination& destination = at(entry.pointer.destination);
    Lane& lane = laneAt(destination, entry.user);
    if (!wasDelivered) --lane.dead;
    --(wasDelivered ? destination.counters.delivered : destination.counters.dead);
    event.state = State::waiting;
    event.wasDelivered = wasDelivered;
    event.operation = entry.operation;
    event.clock = windowStart(destination);
    ++event.life;
    event.attempts = 0;
    event.tried = false;
    event.received = event.answered = event.endNotDurable = false;
    link(destination, lane, entry.pointer.sequence);
    if (lane.first == entry.pointer.sequence.value) destination.pace.newHead(entry.user);
    const std::pair share(entry.operation, entry.pointer.destination);
    if (m_mass.erase(share) > 0)
        destination.pace.massRewind(now());
    else if (entry.operation <= m_newestBefore && m_goneOn.insert(share).second)
        destination.pace.doubt(now());  // what is left of it may be many events
    laneChanged(destination, entry.user);
}

/// A rewind is undone: the event is where it was.
void Auditor::returned(const JournalEntry& entry, Event& event) {
    m_operations.moved(entry, m_violations);
    if (event.state != State::waiting || !event.operation) {
        violated("P7", name(entry.pointer) + " was returned and waits for no rewind");
        return;
    }
    if (event.tried) violated("operation", name(entry.pointer) + " was returned and was tried");
    if (event.wasDelivered != (entry.outcome == Outcome::delivered))
        violated("P7", name(entry.pointer) + " was returned to where it did not come from");
    Destination& destination = at(entry.pointer.destination);
    Lane& lane = laneAt(destination, entry.user);
    unlink(destination, lane, entry.pointer.sequence);
    m_operations.ended(event.operation, OperationFate::returned);
    event.operation = OperationId();
    --event.life;
    event.state = event.wasDelivered ? State::delivered : State::dead;
    if (!event.wasDelivered) ++lane.dead;
    ++(event.wasDelivered ? destination.counters.delivered : destination.counters.dead);
    destination.pace.newHead(entry.user);
    laneChanged(destination, entry.user);
}

void Auditor::operationDurable(const OperationRecord& record) {
    m_operations.recorded(record, m_violations);
    if (!record.set || !record.row.rewinds()) return;
    std::map<DestinationId, std::size_t> events;
    for (const OperationMember& member : *record.set) ++events[member.pointer.destination];
    for (const auto& [destination, count] : events)
        if (count >= limits::kMassRewind) m_mass.insert({record.row.id, destination});
}

void Auditor::commitDurable() {
    // Whatever a plan named of a lane waits now, in its place.
    for (const OperationMember& member : m_operations.lanesMoved()) {
        const Destination& destination = at(member.pointer.destination);
        if (destination.removed || member.pointer.sequence.value >= destination.events.size())
            continue;
        const State state = destination.events[member.pointer.sequence.value].state;
        if (state == State::delivered || state == State::dead)
            violated("lane", name(member.pointer) + " was left out when its lane was rewound");
    }
    m_operations.commitEnded(m_violations);
}

// --- The wire

void Auditor::attemptStarted(const StartAttempt& start) {
    ++m_requests;
    Event* const event = find(start.pointer, start.user, "P2", "was tried");
    if (event == nullptr) return;
    Destination& destination = at(start.pointer.destination);
    Lane& lane = laneAt(destination, start.user);
    checkOrder(start, *event, lane);
    checkState(start, destination, lane);
    lane.inFlight = start.pointer.sequence;
    event->tried = true;
    destination.pace.started(start.user, m_violations);
}

void Auditor::checkOrder(const StartAttempt& start, const Event& event, const Lane& lane) {
    if (event.state == State::delivered)
        violated("P4", name(start.pointer) + " was tried again after it was delivered");
    else if (event.state != State::waiting)
        violated("P2", name(start.pointer) + " was tried and is a dead letter or discarded");
    else if (lane.first != start.pointer.sequence.value)
        violated("P2", name(start.pointer) + " was tried while " + std::to_string(lane.first) +
                           " waits before it");
    if (event.endNotDurable)
        violated("P2", name(start.pointer) + " was tried before its last attempt was logged");
    if (lane.inFlight)
        violated("P3", name(start.pointer) + " was tried while " +
                           std::to_string(lane.inFlight.value) + " of its lane is in flight");
    if (event.answered) violated("P4", name(start.pointer) + " was sent again after its 2xx");
    if (start.number != event.attempts + 1)
        violated("P5", name(start.pointer) + " was tried as number " +
                           std::to_string(start.number) + " after " +
                           std::to_string(event.attempts) + " logged attempts");
    if (start.life != event.life)
        violated("P5", name(start.pointer) + " was tried in life " + std::to_string(start.life) +
                           " and is in life " + std::to_string(event.life));
}

void Auditor::checkState(const StartAttempt& start, Destination& destination, const Lane& lane) {
    if (destination.removed)
        violated("removed", name(start.pointer) + " was tried after its removal");
    if (destination.paused)
        violated("P6", name(start.pointer) + " was tried after the pause was acknowledged");
    if (m_stopping) violated("P6", name(start.pointer) + " was tried while the engine stops");
    if (!m_writable)
        violated("store", name(start.pointer) + " was tried while its result could not be kept");
    if (holds(destination, lane) && start.life == 1)
        violated("hold", name(start.pointer) + " was tried while " + std::to_string(lane.dead) +
                             " dead letters hold its lane");
    if (lane.held)
        violated("hold", name(start.pointer) + " was tried while an operator holds its lane");
    if (++destination.inFlight > destination.policy.maxInFlight)
        violated("limit", std::to_string(destination.inFlight) +
                              " requests are in flight to destination " +
                              std::to_string(start.pointer.destination.value));
}

void Auditor::received(const StartAttempt& start) {
    Event* const event = find(start.pointer, start.user, "P2", "was received");
    if (event == nullptr) return;
    if (event->received) ++m_duplicates;
    const bool first = !event->received && event->life == 1;
    event->received = true;
    if (!first) return;
    Lane& lane = laneAt(at(start.pointer.destination), start.user);
    if (start.pointer.sequence < lane.highestReceived)
        violated("P2", name(start.pointer) + " was received after " +
                           std::to_string(lane.highestReceived.value));
    lane.highestReceived = std::max(lane.highestReceived, start.pointer.sequence);
}

void Auditor::attemptEnded(const StartAttempt& start, const AttemptResult& result) {
    Event* const event = find(start.pointer, start.user, "P3", "came back");
    if (event == nullptr) return;
    Destination& destination = at(start.pointer.destination);
    Lane& lane = laneAt(destination, start.user);
    if (lane.inFlight != start.pointer.sequence)
        violated("P3", name(start.pointer) + " came back and was not in flight");
    lane.inFlight = Sequence();
    --destination.inFlight;
    if (result.reach == AttemptResult::Reach::notMade) {
        --m_requests;
        event->tried = event->attempts > 0;
        destination.pace.withdrawn(start.user);
        laneChanged(destination, start.user, PaceAuditor::kLongestBackoff);
        return;
    }
    lane.unlogged = start.pointer.sequence;
    destination.pace.ended(start.user, start.number, result.status, result.retryAfter, now());
    event->endNotDurable = true;
    // Only a final status of success tells that it was received; after anything else it may be
    // sent again.
    if (result.status >= 200 && result.status <= 299) event->answered = true;
}

// --- Comparison

DeliveryCounters Auditor::totals() const {
    DeliveryCounters all;
    for (const Destination& destination : m_destinations)
        if (!destination.removed) all += destination.counters;
    return all;
}

std::vector<LaneKey> Auditor::lanes() const {
    std::vector<LaneKey> keys;
    for (std::uint32_t id = 0; id < m_destinations.size(); ++id) {
        const Destination& destination = m_destinations[id];
        for (std::size_t user = 0; user < destination.lanes.size(); ++user)
            if (destination.lanes[user].known && !destination.removed)
                keys.push_back({DestinationId(id), UserId(user)});
    }
    return keys;
}

LaneBacklogs Auditor::backlog(DestinationId id) const {
    LaneBacklogs lanes;
    if (id.value >= m_destinations.size()) return lanes;
    const Destination& destination = m_destinations[id.value];
    lanes.resize(destination.lanes.size());
    for (const Event& event : destination.events) {
        if (event.state == State::waiting)
            lanes[event.user].push_back(event.clock);
        else if (event.state == State::dead)
            lanes[event.user].push_back(activeTime(destination));
    }
    return lanes;
}

void Auditor::compareTotals(const DeliveryCounters& kernels) {
    if (!kernels.balanced()) violated("P7", "the engine's books do not balance: " + text(kernels));
    const DeliveryCounters own = totals();
    if (kernels != own)
        violated("P7", "the engine counts " + text(kernels) + "; there are " + text(own));
}

void Auditor::compare(DestinationId id, const DeliveryCounters& kernels) {
    const DeliveryCounters& own = at(id).counters;
    if (kernels != own)
        violated("P7", "for destination " + std::to_string(id.value) + " the engine counts " +
                           text(kernels) + "; there are " + text(own));
}

void Auditor::compareLane(LaneKey key, std::vector<Sequence> kernels, const char* promise) {
    const Destination& destination = at(key.destination);
    if (destination.removed) return;  // what was on its way to the disk then went with it
    // A head in flight stays in front of what was rewound before it.
    std::sort(kernels.begin(), kernels.end());
    std::uint32_t expected = key.user.value < destination.lanes.size()
                                 ? destination.lanes[key.user.value].first
                                 : 0;
    bool same = true;
    for (const Sequence sequence : kernels) {
        same = same && expected != 0 && expected == sequence.value;
        if (!same) break;
        expected = destination.events[expected].after;
    }
    if (same && expected == 0) return;
    std::vector<Sequence> own;
    for (auto at = laneAt(m_destinations[key.destination.value], key.user).first; at != 0;
         at = destination.events[at].after)
        own.push_back(Sequence(at));
    violated(promise, "the lane of user " + std::to_string(key.user.value) + " at destination " +
                          std::to_string(key.destination.value) + " has " + text(kernels) +
                          "; waiting is " + text(own));
}

void Auditor::compareEnd(const std::string& drain) {
    const DeliveryCounters own = totals();
    if (own.waiting != 0 || own.dead != 0)
        violated("drain", "all is well again, and " + drain + ": " + text(own));
    else if (m_requests != m_logged + m_lostToCrashes)
        violated("P5", std::to_string(m_requests) + " requests were sent, " +
                           std::to_string(m_logged) + " are logged and " +
                           std::to_string(m_lostToCrashes) + " were cut off by crashes");
}

}  // namespace lanes::sim
