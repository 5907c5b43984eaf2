// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/auditor.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace lanes::sim {

namespace {

/// A window begins when the event is given to the store; it is known here when it is durable. A
/// store that fails makes it wait between the two.
constexpr Micros kWindowSlack = 10 * kSecond;

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

std::string text(const std::set<Sequence>& sequences) {
    constexpr std::size_t kShown = 8;
    std::string out;
    std::size_t shown = 0;
    for (const Sequence sequence : sequences) {
        if (shown++ == kShown) return out + " ...";
        out += (out.empty() ? "" : " ") + std::to_string(sequence.value);
    }
    return out.empty() ? "nothing" : out;
}

}  // namespace

void Auditor::setDestination(const DestinationConfig& config) {
    m_destinations[config.id].policy = config.policy;
}

Micros Auditor::activeTime(const Destination& destination) const {
    if (destination.activeSince == kNever) return destination.active;
    return destination.active + m_now - destination.activeSince;
}

void Auditor::setActive(Destination& destination, bool active) {
    destination.active = activeTime(destination);
    destination.activeSince = active ? m_now : kNever;
}

void Auditor::checkWindow(const Destination& destination, const Event& event,
                          const JournalEntry& entry) {
    const auto& atOnce = destination.policy.deadLetterStatuses;
    if (std::find(atOnce.begin(), atOnce.end(), entry.status) != atOnce.end()) return;
    const Micros age = activeTime(destination) - event.clock;
    if (age + kWindowSlack < destination.policy.window)
        violated("window", name(entry.pointer) + " was dead-lettered after " +
                               std::to_string(age / kSecond) + " s of " +
                               std::to_string(destination.policy.window / kSecond));
}

void Auditor::violated(const char* promise, std::string what) {
    if (m_violations.size() < kViolations)
        m_violations.push_back({promise, std::move(what), m_now});
}

Auditor::Event* Auditor::find(Pointer pointer, UserId user, const char* promise, const char* act) {
    const auto lane = m_lanes.find({pointer.destination, user});
    if (lane != m_lanes.end()) {
        const auto event = lane->second.events.find(pointer.sequence);
        if (event != lane->second.events.end()) return &event->second;
    }
    violated(promise, name(pointer) + " " + act + " and was never accepted in this lane");
    return nullptr;
}

void Auditor::accepted(Pointer pointer, UserId user) {
    Lane& lane = m_lanes[{pointer.destination, user}];
    Destination& destination = m_destinations[pointer.destination];
    const auto [event, isNew] = lane.events.emplace(pointer.sequence, Event{});
    if (!isNew) {
        violated("P7", name(pointer) + " was accepted twice");
        return;
    }
    event->second.clock = activeTime(destination);
    lane.waiting.insert(pointer.sequence);
    ++destination.counters.accepted;
    ++destination.counters.waiting;
}

void Auditor::end(Lane& lane, Destination& destination, Sequence sequence, Event& event,
                  State state) {
    lane.waiting.erase(sequence);
    event.state = state;
    --destination.counters.waiting;
    if (state == State::delivered) ++destination.counters.delivered;
    if (state == State::dead) {
        ++destination.counters.dead;
        lane.dead.insert(sequence);
    }
}

void Auditor::durable(const JournalEntry& entry) {
    Event* const event = find(entry.pointer, entry.user, "P7", "is in the journal");
    if (event == nullptr) return;
    Lane& lane = m_lanes[{entry.pointer.destination, entry.user}];
    Destination& destination = m_destinations[entry.pointer.destination];
    const bool waits = event->state == State::waiting;
    const bool dead = event->state == State::dead;
    switch (entry.kind) {
        case JournalKind::attempt:
            ++m_logged;
            ++event->attempts;
            event->endNotDurable = false;
            if (entry.attempt != event->attempts)
                violated("P5", name(entry.pointer) + ": attempt " +
                                   std::to_string(event->attempts) + " is logged as number " +
                                   std::to_string(entry.attempt));
            if (!waits)
                violated("P7", name(entry.pointer) + " has an attempt logged after its end");
            else if (entry.outcome == Outcome::delivered)
                end(lane, destination, entry.pointer.sequence, *event, State::delivered);
            return;
        case JournalKind::deadLettered:
            if (!waits) {
                violated("P7", name(entry.pointer) + " was dead-lettered without waiting");
                return;
            }
            checkWindow(destination, *event, entry);
            end(lane, destination, entry.pointer.sequence, *event, State::dead);
            return;
        case JournalKind::rewound:
        case JournalKind::discarded:
            if (!dead) {
                violated("P7", name(entry.pointer) + " was rewound or discarded and is not dead");
                return;
            }
            lane.dead.erase(entry.pointer.sequence);
            --destination.counters.dead;
            break;
    }
    if (entry.kind == JournalKind::discarded) {
        event->state = State::discarded;
        ++destination.counters.discarded;
        return;
    }
    const std::uint32_t life = event->life + 1;
    *event = Event{};
    event->life = life;
    event->clock = activeTime(destination);
    lane.waiting.insert(entry.pointer.sequence);
    ++destination.counters.waiting;
}

void Auditor::attemptStarted(const StartAttempt& start) {
    ++m_requests;
    Event* const event = find(start.pointer, start.user, "P2", "was tried");
    if (event == nullptr) return;
    Lane& lane = m_lanes[{start.pointer.destination, start.user}];
    Destination& destination = m_destinations[start.pointer.destination];
    const Sequence sequence = start.pointer.sequence;

    if (event->state == State::delivered)
        violated("P4", name(start.pointer) + " was tried again after it was delivered");
    else if (event->state != State::waiting)
        violated("P2", name(start.pointer) + " was tried and is a dead letter or discarded");
    else if (*lane.waiting.begin() != sequence)
        violated("P2", name(start.pointer) + " was tried while " +
                           std::to_string(lane.waiting.begin()->value) + " waits before it");
    if (event->endNotDurable)
        violated("P2", name(start.pointer) + " was tried before its last attempt was logged");
    if (lane.inFlight)
        violated("P3", name(start.pointer) + " was tried while " +
                           std::to_string(lane.inFlight.value) + " of its lane is in flight");
    if (event->answered) violated("P4", name(start.pointer) + " was sent again after its 2xx");
    if (start.number != event->attempts + 1)
        violated("P5", name(start.pointer) + " was tried as number " +
                           std::to_string(start.number) + " after " +
                           std::to_string(event->attempts) + " logged attempts");
    if (start.life != event->life)
        violated("P5", name(start.pointer) + " was tried in life " + std::to_string(start.life) +
                           " and is in life " + std::to_string(event->life));
    if (destination.paused)
        violated("P6", name(start.pointer) + " was tried after the pause was acknowledged");
    if (m_stopping) violated("P6", name(start.pointer) + " was tried while the engine stops");
    // Whoever comes back is asked carefully: one request a second until the first answer.
    if (destination.ramping) {
        if (destination.rampStart != 0 && m_now - destination.rampStart < kSecond)
            violated("P8", name(start.pointer) + " is the second request within a second of a " +
                               "restart or resume, before the first was answered");
        destination.rampStart = m_now;
    }
    const bool holds = destination.policy.afterDeadLetter == AfterDeadLetter::hold;
    if (holds && start.life == 1 && !lane.dead.empty())
        violated("hold", name(start.pointer) + " was tried while the dead letter " +
                             std::to_string(lane.dead.begin()->value) + " holds its lane");
    if (++destination.inFlight > destination.policy.maxInFlight)
        violated("limit", std::to_string(destination.inFlight) +
                              " requests are in flight to destination " +
                              std::to_string(start.pointer.destination.value));
    lane.inFlight = sequence;
}

void Auditor::received(const StartAttempt& start) {
    Event* const event = find(start.pointer, start.user, "P2", "was received");
    if (event == nullptr) return;
    if (event->received) ++m_duplicates;
    const bool first = !event->received && event->life == 1;
    event->received = true;
    if (!first) return;
    Lane& lane = m_lanes[{start.pointer.destination, start.user}];
    if (start.pointer.sequence < lane.highestReceived)
        violated("P2", name(start.pointer) + " was received after " +
                           std::to_string(lane.highestReceived.value));
    lane.highestReceived = std::max(lane.highestReceived, start.pointer.sequence);
}

void Auditor::attemptEnded(const StartAttempt& start, const AttemptResult& result) {
    Event* const event = find(start.pointer, start.user, "P3", "came back");
    if (event == nullptr) return;
    Lane& lane = m_lanes[{start.pointer.destination, start.user}];
    if (lane.inFlight != start.pointer.sequence)
        violated("P3", name(start.pointer) + " came back and was not in flight");
    lane.inFlight = Sequence();
    Destination& destination = m_destinations[start.pointer.destination];
    --destination.inFlight;
    destination.ramping = false;
    event->endNotDurable = true;
    // Only a final status of success tells that it was received; after anything else it may be
    // sent again.
    if (result.status >= 200 && result.status <= 299) event->answered = true;
}

void Auditor::commandGiven(CommandId id, const Command& command) {
    if (const auto* pause = std::get_if<PauseDestination>(&command)) {
        m_pauses[id] = pause->destination;
    } else if (const auto* resume = std::get_if<ResumeDestination>(&command)) {
        Destination& destination = m_destinations[resume->destination];
        if (destination.paused) {
            destination.ramping = true;
            destination.rampStart = 0;
            setActive(destination, true);
        }
        destination.paused = false;
        // A pause that was asked for before is over too, whenever it is acknowledged.
        std::erase_if(m_pauses,
                      [resume](const auto& given) { return given.second == resume->destination; });
    }
}

void Auditor::commandDone(CommandId id, const CommandResult& result) {
    if (result.asked != result.done + result.skipped)
        violated("P7", "a command moved " + std::to_string(result.done) + " and skipped " +
                           std::to_string(result.skipped) + " of " + std::to_string(result.asked));
    const auto pause = m_pauses.find(id);
    if (pause == m_pauses.end()) return;
    if (result.ok()) {
        m_destinations[pause->second].paused = true;
        setActive(m_destinations[pause->second], false);
    }
    m_pauses.erase(pause);
}

void Auditor::crashed() {
    m_pauses.clear();
    m_stopping = false;
    for (auto& [id, destination] : m_destinations) {
        destination.inFlight = 0;
        destination.ramping = true;
        destination.rampStart = 0;
        setActive(destination, false);
    }
    for (auto& [key, lane] : m_lanes) {
        if (lane.inFlight) {
            ++m_lostToCrashes;
            lane.inFlight = Sequence();
        }
        for (const Sequence sequence : lane.waiting) {
            Event& event = lane.events[sequence];
            if (!event.endNotDurable) continue;
            event.endNotDurable = false;
            event.answered = false;
            ++m_lostToCrashes;
        }
    }
}

void Auditor::restarted() {
    for (auto& [id, destination] : m_destinations)
        if (!destination.paused) setActive(destination, true);
}

DeliveryCounters Auditor::totals() const {
    DeliveryCounters all;
    for (const auto& [id, destination] : m_destinations) all += destination.counters;
    return all;
}

std::vector<LaneKey> Auditor::lanes() const {
    std::vector<LaneKey> keys;
    for (const auto& [key, lane] : m_lanes) keys.push_back(key);
    return keys;
}

void Auditor::compareTotals(const DeliveryCounters& kernels) {
    if (!kernels.balanced()) violated("P7", "the engine's books do not balance: " + text(kernels));
    const DeliveryCounters own = totals();
    if (kernels != own)
        violated("P7", "the engine counts " + text(kernels) + "; there are " + text(own));
}

void Auditor::compare(DestinationId destination, const DeliveryCounters& kernels) {
    const DeliveryCounters& own = m_destinations[destination].counters;
    if (kernels != own)
        violated("P7", "for destination " + std::to_string(destination.value) +
                           " the engine counts " + text(kernels) + "; there are " + text(own));
}

void Auditor::compareLane(LaneKey key, std::vector<Sequence> kernels, const char* promise) {
    const std::set<Sequence> theirs(kernels.begin(), kernels.end());
    const auto lane = m_lanes.find(key);
    const std::set<Sequence> own =
        lane == m_lanes.end() ? std::set<Sequence>{} : lane->second.waiting;
    if (theirs.size() == kernels.size() && theirs == own) return;
    violated(promise, "the lane of user " + std::to_string(key.user.value) + " at destination " +
                          std::to_string(key.destination.value) + " has " + text(theirs) +
                          "; waiting is " + text(own));
}

void Auditor::compareEnd() {
    const DeliveryCounters own = totals();
    if (own.waiting != 0 || own.dead != 0)
        violated("drain", "all is well again, and still: " + text(own));
    if (m_requests != m_logged + m_lostToCrashes)
        violated("P5", std::to_string(m_requests) + " requests were sent, " +
                           std::to_string(m_logged) + " are logged and " +
                           std::to_string(m_lostToCrashes) + " were cut off by crashes");
}

}  // namespace lanes::sim
