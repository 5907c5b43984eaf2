// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The world around the kernel: its store, its senders, the destinations, and the process itself.
#include "engine/sim/simulator.h"

#include <algorithm>
#include <utility>

namespace lanes::sim {

namespace {

/// Senders are done a little before the faults are, and never in a great hurry.
constexpr double kUnreadShare = 0.01;  // of the attempts, while anything goes wrong at all
constexpr Micros kSendersEnd = 5 * kSecond;

}  // namespace

// --- Store

void Simulator::committed(CommitReport report) {
    std::vector<AcceptedEvent> events;
    for (IntakeCommit& intake : report.intakes) {
        for (StoredEvent& event : intake.events) {
            if (event.duplicate) continue;
            events.push_back({event.sequence, event.user, std::move(event.targets)});
        }
    }
    if (!m_kernel) return;
    ++m_report.counts.steps;
    // Both halves of the report are one instant; the books are compared after the second.
    m_effects.clear();
    m_kernel->step(input::StoreCommitted{report.ticket}, m_clock.moment(), m_effects);
    obey();
    if (events.empty())
        compare();
    else
        step(input::EventsAccepted{std::move(events)});
}

void Simulator::statusChanged(StoreStatus status) {
    if (!m_kernel) return;
    m_auditor.storeWritable(status.writable);
    step(input::StoreWritable{status.writable});
}

void Simulator::eventDurable(const StoredEvent& event) {
    if (!event.duplicate) ++m_events;
    const std::size_t width = m_report.options.users + 1;
    for (const Target& target : event.targets) {
        m_auditor.accepted({target.destination, event.sequence}, event.user);
        const std::size_t lane = target.destination.value * width + event.user.value;
        if (m_seen.size() <= lane) m_seen.resize(lane + 1);
        if (m_seen[lane]) continue;
        m_seen[lane] = true;
        m_lanes.push_back({target.destination, event.user});
    }
}

void Simulator::entryDurable(const JournalEntry& entry) {
    m_auditor.durable(entry);
    if (entry.kind == JournalKind::rewound) ++m_report.counts.rewound;
    if (entry.kind == JournalKind::discarded) ++m_report.counts.discarded;
    if (entry.kind == JournalKind::returned) ++m_report.counts.returned;
}

void Simulator::operationDurable(const OperationRecord& record) {
    m_auditor.operationDurable(record);
}

void Simulator::skipDurable(const OperationSkip& skip) { m_auditor.skipDurable(skip); }

void Simulator::commitDurable() { m_auditor.commitDurable(); }

// --- Traffic

void Simulator::addDestination() {
    SetDestination add;
    const std::uint64_t number = ++m_names;
    add.config.name = "destination-" + std::to_string(number);
    add.config.url = "http://127.0.0.1:9/";
    add.config.policy.window = between(kMinute, 2 * kMinute);
    add.config.policy.maxInFlight = static_cast<std::uint32_t>(1 + m_random.below(16));
    if (number == m_report.options.destinations && number > 1)
        add.config.policy.afterDeadLetter = AfterDeadLetter::hold;
    if (number == 2) add.config.policy.deadLetterStatuses = {500};
    if (number == 2) add.config.eventTypes = {"some.type"};
    give(std::move(add));
}

void Simulator::setModel(DestinationId destination, const DestinationModel& model) {
    m_sites[destination.value].model = model;
    m_transport.setModel(destination, model, m_clock.world());
}

/// What was refused is made up for, so that each run accepts what it is meant to.
void Simulator::planArrival() {
    const std::uint64_t wanted = m_report.options.events;
    if (m_events >= wanted) return;
    const Micros left = std::max(m_faultsEnd - m_clock.world() - kSendersEnd, kSendersEnd);
    const double perSecond = static_cast<double>(wanted - m_events) * static_cast<double>(kSecond) /
                             static_cast<double>(left);
    plan(m_clock.world() + m_workload.nextGap(perSecond), What::arrival);
}

void Simulator::arrive() {
    if (m_healing) return;
    planArrival();
    std::vector<NewEvent> events = m_workload.nextBatch(m_clock.moment().wall);
    if (!m_kernel || m_stopping) return;  // refused
    WriteBatch batch;
    batch.intake = ++m_intake;
    for (NewEvent& event : events)
        event.targets = m_kernel->route(event.type, {}, m_clock.moment().now);
    batch.events = std::move(events);
    m_store.submit(std::move(batch));
}

void Simulator::take(const StartAttempt& start) {
    m_auditor.attemptStarted(start);
    if (m_freeFlights.empty()) {
        m_freeFlights.push_back(static_cast<std::uint32_t>(m_flights.size()));
        m_flights.emplace_back();
    }
    const std::uint32_t index = m_freeFlights.back();
    m_freeFlights.pop_back();
    Flight& flight = m_flights[index];
    flight.start = start;
    if (!m_healing && m_random.chance(kUnreadShare)) {
        ++m_report.counts.unread;
        flight.verdict = Verdict();
        flight.verdict.result.attempt = start.attempt;
        flight.verdict.result.reach = AttemptResult::Reach::notMade;
    } else {
        flight.verdict = m_transport.begin(start, m_clock.world());
    }
    flight.endsAt = m_clock.world() + std::max<Micros>(1, flight.verdict.takes);
    flight.open = true;
    plan(flight.endsAt, What::answer, index);
}

void Simulator::answer(std::uint32_t index) {
    Flight& flight = m_flights[index];
    flight.open = false;
    m_freeFlights.push_back(index);
    if (flight.verdict.received) m_auditor.received(flight.start);
    m_auditor.attemptEnded(flight.start, flight.verdict.result);
    step(input::AttemptFinished{std::move(flight.verdict.result)});
}

void Simulator::give(Command command) {
    if (!m_kernel || m_stopping) return;
    const CommandId id(++m_command);
    m_auditor.commandGiven(id, command);
    step(input::CommandGiven{id, std::move(command)});
}

// --- The process

/// The process is gone.
void Simulator::end() {
    m_stopping = false;
    // What is on the wire arrives or not; nobody will hear of it.
    for (const Flight& flight : m_flights)
        if (flight.open && flight.verdict.received && m_random.chance(0.5))
            m_auditor.received(flight.start);
    m_flights.clear();
    m_freeFlights.clear();
    m_kernel.reset();
    m_store.crash();
    m_auditor.crashed();
    plan(m_clock.world() + between(0, 10 * kSecond), What::restart);
}

void Simulator::restart() {
    ++m_engine;
    m_clock.restartEngine();
    m_kernel = std::make_unique<DeliveryKernel>(m_random.next());
    std::vector<RecoveredDestination> destinations;
    std::vector<PendingPointer> pending;
    Recovery recovery;
    recovery.pending = [&pending](const PendingPointer& pointer) { pending.push_back(pointer); };
    m_store.reopen(recovery, destinations);
    for (Site& site : m_sites) site.exists = false;
    for (const RecoveredDestination& destination : destinations) {
        m_kernel->recoverDestination(destination, m_clock.moment().now);
        m_sites[destination.config.id.value].config = destination.config;
        m_sites[destination.config.id.value].exists = true;
        m_auditor.setDestination(destination.config);
    }
    m_auditor.restarted(m_store.heldLanes());
    for (const PendingPointer& pointer : pending) m_kernel->recoverPointer(pointer);
    m_kernel->recoverOperations(m_store.operations(), m_clock.moment().now);
    m_kernel->recoverIds(m_store.lastOperation(), m_store.lastDestination(),
                         m_store.lastSequence());
    m_auditor.compareTotals(m_kernel->counters());
    for (const LaneKey lane : m_auditor.lanes())
        m_auditor.compareLane(lane, m_kernel->pending(lane), "P1");
    step(input::TimePassed{});
}

}  // namespace lanes::sim
