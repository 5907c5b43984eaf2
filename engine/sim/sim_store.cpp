// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_store.h"

#include "engine/core/check.h"

#include <algorithm>

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
    m_group = std::move(m_queue);
    m_queue.clear();
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
    for (const WriteBatch& batch : m_group) {
        apply(batch);
        m_report.ticket = std::max(m_report.ticket, batch.ticket);
        if (!batch.events.empty()) m_report.intakes.push_back(append(batch));
    }
    m_durableGroup = std::move(m_group);
    m_group.clear();
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
    const std::vector<WriteBatch> group = std::move(m_durableGroup);
    m_durableGroup.clear();
    for (const IntakeCommit& intake : report.intakes)
        for (const StoredEvent& event : intake.events) m_durable->eventDurable(event);
    for (const WriteBatch& batch : group)
        for (const JournalEntry& entry : batch.journal) m_durable->entryDurable(entry);
    begin();
    m_engine->committed(std::move(report));
    if (m_writable) return;
    m_writable = true;
    m_engine->statusChanged({true, {}});
}

IntakeCommit SimStore::append(const WriteBatch& batch) {
    IntakeCommit commit;
    commit.intake = batch.intake;
    commit.stored = true;
    for (const NewEvent& event : batch.events) {
        StoredEvent stored;
        stored.user = event.userId;
        const auto [known, isNew] =
            m_ids.try_emplace({event.source, event.id}, Sequence(m_lastSequence.value + 1));
        stored.sequence = known->second;
        stored.duplicate = !isNew;
        if (isNew) {
            m_lastSequence = stored.sequence;
            stored.targets = event.targets;
            for (const Target& target : event.targets) {
                Row row;
                row.pointer.pointer = {target.destination, stored.sequence};
                row.pointer.user = event.userId;
                row.pointer.clock = target.clock;
                m_rows.emplace(std::pair(stored.sequence, target.destination), row);
            }
        }
        commit.events.push_back(std::move(stored));
    }
    return commit;
}

void SimStore::apply(const WriteBatch& batch) {
    for (const JournalEntry& entry : batch.journal) apply(entry);
    for (const DestinationConfig& config : batch.destinations) {
        m_destinations[config.id].config = config;
        m_lastDestination = std::max(m_lastDestination, config.id);
    }
    for (const StateChange& change : batch.states)
        m_destinations[change.destination].state = change.state;
    for (const DestinationId id : batch.removed) m_destinations[id].removed = true;
    for (const OperationRecord& operation : batch.operations)
        m_lastOperation = std::max(m_lastOperation, operation.row.id);
}

void SimStore::apply(const JournalEntry& entry) {
    const auto found = m_rows.find({entry.pointer.sequence, entry.pointer.destination});
    CHECK(found != m_rows.end());
    Row& row = found->second;
    switch (entry.kind) {
        case JournalKind::attempt:
            ++m_loggedAttempts;
            row.pointer.attempts = entry.attempt;
            row.pointer.lastOutcome = entry.outcome;
            row.pointer.lastStatus = entry.status;
            if (entry.outcome == Outcome::delivered) row.fate = Fate::delivered;
            return;
        case JournalKind::deadLettered: row.fate = Fate::dead; return;
        case JournalKind::rewound:
            row.fate = Fate::pending;
            row.pointer.life = entry.life;
            row.pointer.clock = entry.clock;
            row.pointer.operation = entry.operation;
            row.pointer.attempts = 0;
            row.pointer.lastOutcome = Outcome::delivered;
            row.pointer.lastStatus = 0;
            return;
        case JournalKind::discarded: row.fate = Fate::discarded; return;
    }
}

void SimStore::crash() {
    // What was durable and not yet reported is found by the next process all the same.
    for (const IntakeCommit& intake : m_report.intakes)
        for (const StoredEvent& event : intake.events) m_durable->eventDurable(event);
    for (const WriteBatch& batch : m_durableGroup)
        for (const JournalEntry& entry : batch.journal) m_durable->entryDurable(entry);
    m_report = CommitReport{};
    m_durableGroup.clear();
    m_queue.clear();
    m_group.clear();
    m_commitEnds = m_retryAt = m_reportAt = kNever;
    m_writable = true;
    m_ticket = 0;
}

void SimStore::reopen(const Recovery& recovery, std::vector<RecoveredDestination>& destinations) {
    std::map<DestinationId, RecoveredDestination> found;
    for (const auto& [id, destination] : m_destinations) {
        if (destination.removed) continue;
        found[id].config = destination.config;
        found[id].state = destination.state;
    }
    for (const auto& [key, row] : m_rows) {
        const auto destination = found.find(key.second);
        if (destination == found.end()) continue;
        DeliveryCounters& counters = destination->second.counters;
        ++counters.accepted;
        switch (row.fate) {
            case Fate::pending: ++counters.waiting; break;
            case Fate::delivered: ++counters.delivered; break;
            case Fate::discarded: ++counters.discarded; break;
            case Fate::dead:
                ++counters.dead;
                destination->second.dead.push_back({key.first, row.pointer.user, row.pointer.life});
                break;
        }
    }
    for (auto& [id, destination] : found) destinations.push_back(std::move(destination));
    for (const auto& [key, row] : m_rows)
        if (row.fate == Fate::pending && found.contains(key.second)) recovery.pending(row.pointer);
}

std::vector<Pointer> SimStore::deadLetters() const {
    std::vector<Pointer> dead;
    for (const auto& [key, row] : m_rows)
        if (row.fate == Fate::dead) dead.push_back(row.pointer.pointer);
    return dead;
}

}  // namespace lanes::sim
