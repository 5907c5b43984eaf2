// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_store.h"

#include "engine/core/check.h"

#include <algorithm>
#include <cmath>

namespace lanes::sim {

namespace {

/// A commit with a sync to a good disk; now and then the disk is busy with something else.
constexpr double kCommitMs = 4;
constexpr double kCommitSigma = 0.6;
constexpr double kSlowCommitShare = 0.02;
constexpr double kSlowCommitFactor = 40;
/// From the end of a commit until the engine's thread hears of it.
constexpr double kReportMs = 0.3;
/// A store that failed tries again this often.
constexpr Micros kTryAgain = kSecond;

Micros milliseconds(double value) {
    return static_cast<Micros>(value * static_cast<double>(kMillisecond));
}

}  // namespace

void SimStore::submit(WriteBatch batch) {
    if (!m_writable && !batch.events.empty()) {
        giveBack(batch);
        batch.events.clear();
        if (batch.empty() && batch.ticket == 0) return;
    }
    m_queue.push_back(std::move(batch));
    begin();
}

Micros SimStore::nextChange() const {
    return std::min({m_commitEnds, m_reportAt, m_retryAt});
}

void SimStore::advance(Micros now) {
    m_now = now;
    if (m_reportAt <= now) report();
    if (m_commitEnds <= now) finish();
    if (m_retryAt <= now) {
        m_retryAt = kNever;
        m_commitEnds = now + latency();
    }
}

Micros SimStore::latency() {
    const double slow = m_random.chance(kSlowCommitShare) ? kSlowCommitFactor : 1;
    return std::max<Micros>(1, milliseconds(slow * m_random.logNormal(kCommitMs, kCommitSigma)));
}

/// One commit at a time takes all that has come meanwhile.
void SimStore::begin() {
    if (m_commitEnds != kNever || m_retryAt != kNever || m_reportAt != kNever) return;
    if (m_queue.empty()) return;
    std::swap(m_group, m_queue);  // both keep their memory
    m_commitEnds = m_now + latency();
}

void SimStore::finish() {
    m_commitEnds = kNever;
    if (m_now < m_failsUntil) {
        fail();
        return;
    }
    m_report = CommitReport{};
    m_report.ticket = m_ticket;
    for (WriteBatch& batch : m_group) {
        apply(batch);
        m_report.ticket = std::max(m_report.ticket, batch.ticket);
        if (!batch.events.empty()) m_report.intakes.push_back(append(batch));
    }
    std::swap(m_durableGroup, m_group);
    m_reportAt = m_now + std::max<Micros>(1, milliseconds(m_random.exponential(kReportMs)));
}

void SimStore::fail() {
    for (WriteBatch& batch : m_group) {
        if (batch.events.empty()) continue;
        giveBack(batch);
        batch.events.clear();
    }
    m_retryAt = m_now + kTryAgain;
    if (!m_writable) return;
    m_writable = false;
    m_engine->statusChanged({false, "the simulated disk fails"});
}

void SimStore::giveBack(const WriteBatch& batch) {
    CommitReport report;
    report.ticket = m_ticket;
    report.intakes.push_back({batch.intake, {}, false});
    m_engine->committed(std::move(report));
}

void SimStore::report() {
    m_reportAt = kNever;
    CommitReport report = std::move(m_report);
    m_report = CommitReport{};
    m_ticket = report.ticket;
    for (const IntakeCommit& intake : report.intakes)
        for (const StoredEvent& event : intake.events) m_durable->eventDurable(event);
    tell(m_durableGroup);
    m_durableGroup.clear();
    begin();
    m_engine->committed(std::move(report));
    if (m_writable) return;
    m_writable = true;
    m_engine->statusChanged({true, {}});
}

SimStore::Destination& SimStore::at(DestinationId id) {
    if (m_destinations.size() <= id.value) m_destinations.resize(id.value + 1);
    return m_destinations[id.value];
}

IntakeCommit SimStore::append(WriteBatch& batch) {
    IntakeCommit commit;
    commit.intake = batch.intake;
    commit.stored = true;
    commit.events.reserve(batch.events.size());
    for (NewEvent& event : batch.events) {
        StoredEvent stored;
        stored.user = event.userId;
        const auto [known, isNew] = m_ids.try_emplace(event.source + '\n' + event.id,
                                                      Sequence(m_lastSequence.value + 1));
        stored.sequence = known->second;
        stored.duplicate = !isNew;
        if (isNew) {
            m_lastSequence = stored.sequence;
            stored.targets = std::move(event.targets);
            for (const Target& target : stored.targets) {
                auto& rows = at(target.destination).rows;
                if (rows.size() <= stored.sequence.value) rows.resize(stored.sequence.value + 1);
                Row& row = rows[stored.sequence.value];
                row.user = event.userId;
                row.clock = target.clock;
                row.fate = Fate::pending;
            }
        }
        commit.events.push_back(std::move(stored));
    }
    return commit;
}

void SimStore::apply(const WriteBatch& batch) {
    for (const JournalEntry& entry : batch.journal) apply(entry);
    for (const DestinationConfig& config : batch.destinations) {
        at(config.id).config = config;
        at(config.id).exists = true;
        m_lastDestination = std::max(m_lastDestination, config.id);
    }
    for (const StateChange& change : batch.states) at(change.destination).state = change.state;
    for (const DestinationId id : batch.removed) at(id).exists = false;
    for (const OperationRecord& operation : batch.operations) apply(operation);
    for (const LaneHold& hold : batch.holds) apply(hold);
}

void SimStore::apply(const OperationRecord& record) {
    const OperationRow& row = record.row;
    m_lastOperation = std::max(m_lastOperation, row.id);
    if (row.kind == OperationKind::setting) return;
    const bool over = row.state == OperationState::finished ||
                      (row.state == OperationState::stopped && row.waiting() == 0);
    if (over) {
        m_operations.erase(row.id);
        return;
    }
    RecoveredOperation& known = m_operations[row.id];
    known.row = row;
    if (record.set) known.set = record.set;
}

void SimStore::apply(const LaneHold& hold) {
    auto& holds = at(hold.lane.destination).holds;
    const auto same = std::find_if(holds.begin(), holds.end(), [&](const LaneHold& other) {
        return other.lane == hold.lane && other.from == hold.from;
    });
    if (same == holds.end())
        holds.push_back(hold);
    else
        *same = hold;
}

void SimStore::tell(const std::vector<WriteBatch>& group) {
    if (group.empty()) return;
    for (const WriteBatch& batch : group) {
        for (const OperationRecord& record : batch.operations) m_durable->operationDurable(record);
        for (const JournalEntry& entry : batch.journal) m_durable->entryDurable(entry);
        for (const OperationSkip& skip : batch.skips) m_durable->skipDurable(skip);
        for (const LaneHold& hold : batch.holds) m_durable->holdDurable(hold);
    }
    m_durable->commitDurable();
}

std::vector<RecoveredOperation> SimStore::operations() const {
    std::vector<RecoveredOperation> all;
    for (const auto& [id, operation] : m_operations) all.push_back(operation);
    return all;
}

std::vector<OperationId> SimStore::openOperations() const {
    std::vector<OperationId> all;
    for (const auto& [id, operation] : m_operations) all.push_back(id);
    return all;
}

std::vector<LaneKey> SimStore::heldLanes() const {
    std::vector<LaneKey> lanes;
    for (const Destination& destination : m_destinations)
        for (const LaneHold& hold : destination.holds)
            if (destination.exists && hold.open()) lanes.push_back(hold.lane);
    return lanes;
}

std::vector<LaneEvent> SimStore::laneEvents(LaneKey lane) const {
    std::vector<LaneEvent> events;
    if (lane.destination.value >= m_destinations.size()) return events;
    const Destination& destination = m_destinations[lane.destination.value];
    if (!destination.exists) return events;
    for (std::size_t sequence = 0; sequence < destination.rows.size(); ++sequence) {
        const Row& row = destination.rows[sequence];
        if (row.user != lane.user || row.fate == Fate::absent || row.fate == Fate::discarded)
            continue;
        events.push_back({Sequence(sequence), row.life});
    }
    return events;
}

void SimStore::apply(const JournalEntry& entry) {
    auto& rows = at(entry.pointer.destination).rows;
    CHECK(entry.pointer.sequence.value < rows.size());
    Row& row = rows[entry.pointer.sequence.value];
    CHECK(row.fate != Fate::absent);
    const std::pair key(entry.pointer.sequence, entry.pointer.destination);
    switch (entry.kind) {
        case JournalKind::attempt:
            ++m_loggedAttempts;
            row.attempts = entry.attempt;
            row.lastOutcome = entry.outcome;
            row.lastStatus = entry.status;
            if (entry.outcome == Outcome::delivered) row.fate = Fate::delivered;
            return;
        case JournalKind::deadLettered:
            row.fate = Fate::dead;
            m_dead.insert(key);
            return;
        case JournalKind::rewound:
            row.fate = Fate::pending;
            row.life = entry.life;
            row.clock = entry.clock;
            row.operation = entry.operation;
            row.attempts = 0;
            row.lastOutcome = entry.outcome;
            row.lastStatus = 0;
            m_dead.erase(key);
            return;
        case JournalKind::returned:
            row.life = entry.life - 1;
            row.fate = entry.outcome == Outcome::delivered ? Fate::delivered : Fate::dead;
            if (row.fate == Fate::dead) m_dead.insert(key);
            return;
        case JournalKind::discarded:
            row.fate = Fate::discarded;
            m_dead.erase(key);
            return;
    }
}

void SimStore::sleep(Micros length) {
    for (Micros* at : {&m_commitEnds, &m_reportAt, &m_retryAt})
        if (*at != kNever) *at += length;
    m_now += length;
    m_failsUntil += length;
}

void SimStore::crash() {
    // What was durable and not yet reported is found by the next process all the same.
    for (const IntakeCommit& intake : m_report.intakes)
        for (const StoredEvent& event : intake.events) m_durable->eventDurable(event);
    tell(m_durableGroup);
    m_report = CommitReport{};
    m_durableGroup.clear();
    m_queue.clear();
    m_group.clear();
    m_commitEnds = m_retryAt = m_reportAt = kNever;
    m_writable = true;
    m_ticket = 0;
}

void SimStore::reopen(const Recovery& recovery, std::vector<RecoveredDestination>& destinations) {
    for (const Destination& destination : m_destinations) {
        if (!destination.exists) continue;
        RecoveredDestination found;
        found.config = destination.config;
        found.state = destination.state;
        found.holds = destination.holds;
        for (std::size_t sequence = 0; sequence < destination.rows.size(); ++sequence) {
            const Row& row = destination.rows[sequence];
            switch (row.fate) {
                case Fate::absent: continue;
                case Fate::pending: ++found.counters.waiting; break;
                case Fate::delivered: ++found.counters.delivered; break;
                case Fate::discarded: ++found.counters.discarded; break;
                case Fate::dead:
                    ++found.counters.dead;
                    found.dead.push_back({Sequence(sequence), row.user, row.life});
                    break;
            }
            ++found.counters.accepted;
        }
        destinations.push_back(std::move(found));
    }
    PendingPointer pointer;
    for (std::uint64_t sequence = 1; sequence <= m_lastSequence.value; ++sequence) {
        for (const Destination& destination : m_destinations) {
            if (!destination.exists || sequence >= destination.rows.size()) continue;
            const Row& row = destination.rows[sequence];
            if (row.fate != Fate::pending) continue;
            pointer.pointer = {destination.config.id, Sequence(sequence)};
            pointer.user = row.user;
            pointer.clock = row.clock;
            pointer.attempts = row.attempts;
            pointer.life = row.life;
            pointer.operation = row.operation;
            pointer.lastOutcome = row.lastOutcome;
            pointer.lastStatus = row.lastStatus;
            recovery.pending(pointer);
        }
    }
}

std::vector<Pointer> SimStore::deadLetters() const {
    std::vector<Pointer> dead;
    dead.reserve(m_dead.size());
    for (const auto& [sequence, destination] : m_dead)
        if (m_destinations[destination.value].exists) dead.push_back({destination, sequence});
    return dead;
}

Micros SimStore::meanDurability() {
    // Moments of the latency: a log-normal's mean is its median times exp(sigma^2 / 2), and that
    // of its square the median's square times exp(2 sigma^2). Whoever comes at random finds a
    // commit of which half of "mean square over mean" is still to come.
    const double square = kCommitSigma * kCommitSigma;
    const double often = 1 - kSlowCommitShare;
    const double mean = kCommitMs * std::exp(square / 2) *
                        (often + kSlowCommitShare * kSlowCommitFactor);
    const double meanSquare = kCommitMs * kCommitMs * std::exp(2 * square) *
                              (often + kSlowCommitShare * kSlowCommitFactor * kSlowCommitFactor);
    return milliseconds(meanSquare / mean / 2 + mean + 2 * kReportMs);
}

}  // namespace lanes::sim
