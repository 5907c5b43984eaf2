// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/pending_ledger.h"

#include "engine/store/encoding.h"

#include <algorithm>
#include <exception>

namespace lanes::store {

namespace {

std::string toBytes(const Roaring64Map& set) {
    std::string out(set.getSizeInBytes(), '\0');
    set.write(out.data());
    return out;
}

/// The caller has checked the hash of the bytes, so they are what `toBytes` made.
bool fromBytes(const std::string& bytes, Roaring64Map& set) {
    if (bytes.size() < sizeof(std::uint64_t)) return false;
    try {
        set = Roaring64Map::readSafe(bytes.data(), bytes.size() - sizeof(std::uint64_t));
    } catch (const std::exception&) {
        return false;
    }
    return true;
}

}  // namespace

JournalFact factOf(const JournalEntry& entry, std::uint64_t row) {
    return {entry.kind,   entry.pointer,   entry.life,  entry.attempt, entry.outcome,
            entry.status, entry.operation, entry.clock, row};
}

std::uint64_t CheckpointRow::hash(DestinationId id) const {
    std::string numbers;
    for (const std::uint64_t n : {std::uint64_t{id.value}, accepted, delivered, discarded})
        putNumber(numbers, n);
    return stableHash(tried, stableHash(dead, stableHash(pending, stableHash(numbers))));
}

void DestinationLedger::accept(Sequence sequence) {
    if (!m_pending.addChecked(sequence.value)) return;
    ++m_counters.accepted;
    ++m_counters.waiting;
    m_changed = true;
}

void DestinationLedger::apply(const JournalFact& fact) {
    const std::uint64_t sequence = fact.pointer.sequence.value;
    m_changed = true;
    switch (fact.kind) {
    case JournalKind::attempt:
        if (fact.outcome == Outcome::delivered) {
            if (!m_pending.removeChecked(sequence)) return;
            m_tried.erase(sequence);
            --m_counters.waiting;
            ++m_counters.delivered;
        } else if (m_pending.contains(sequence)) {
            auto& tried = m_tried[sequence];
            tried.attempts = fact.attempt;
            tried.life = fact.life;
            tried.operation = fact.operation;
            tried.lastOutcome = fact.outcome;
            tried.lastStatus = fact.status;
            if (tried.firstAttempt == 0) tried.firstAttempt = fact.row;
            tried.lastAttempt = fact.row;
        }
        return;
    case JournalKind::deadLettered:
        if (!m_pending.removeChecked(sequence)) return;
        m_tried.erase(sequence);
        m_dead.add(sequence);
        --m_counters.waiting;
        ++m_counters.dead;
        return;
    case JournalKind::rewound:
        if (m_dead.removeChecked(sequence)) {
            --m_counters.dead;
        } else if (m_counters.delivered > 0 && !m_pending.contains(sequence)) {
            --m_counters.delivered;  // a delivered event is sent once more
        } else {
            return;
        }
        m_pending.add(sequence);
        ++m_counters.waiting;
        m_tried[sequence] = {0,           fact.life,   fact.operation, fact.clock,
                             fact.outcome, fact.status, 0,              0};
        return;
    case JournalKind::discarded:
        if (m_dead.removeChecked(sequence)) {
            --m_counters.dead;
        } else if (m_pending.removeChecked(sequence)) {
            m_tried.erase(sequence);
            --m_counters.waiting;
        } else {
            return;
        }
        ++m_counters.discarded;
        return;
    case JournalKind::returned:
        if (!m_pending.removeChecked(sequence)) return;
        m_tried.erase(sequence);
        --m_counters.waiting;
        if (fact.outcome == Outcome::delivered) {
            ++m_counters.delivered;
        } else {
            m_dead.add(sequence);
            ++m_counters.dead;
        }
        return;
    }
}

bool DestinationLedger::isOpen(Sequence sequence) const {
    return m_pending.contains(sequence.value) || m_dead.contains(sequence.value);
}

bool DestinationLedger::sameOpenEvents(const DestinationLedger& other) const {
    // Not by operator==: in CRoaring 0.2.66 it does not end when a part of the map is empty.
    for (const std::uint64_t sequence : m_pending) {
        if (!other.m_pending.contains(sequence)) return false;
    }
    for (const std::uint64_t sequence : m_dead) {
        if (!other.m_dead.contains(sequence)) return false;
    }
    return true;
}

CheckpointRow DestinationLedger::save() const {
    CheckpointRow row;
    row.accepted = m_counters.accepted;
    row.delivered = m_counters.delivered;
    row.discarded = m_counters.discarded;
    row.pending = toBytes(m_pending);
    row.dead = toBytes(m_dead);
    return row;
}

bool DestinationLedger::load(const CheckpointRow& row) {
    if (!fromBytes(row.pending, m_pending) || !fromBytes(row.dead, m_dead)) return false;
    if (!m_tried.load(row.tried)) return false;
    m_counters.accepted = row.accepted;
    m_counters.delivered = row.delivered;
    m_counters.discarded = row.discarded;
    m_counters.waiting = m_pending.cardinality();
    m_counters.dead = m_dead.cardinality();
    m_changed = false;
    return m_counters.balanced();
}

void DestinationLedger::startFrom(const TrimmedCounts& trimmed) {
    *this = DestinationLedger();
    m_counters.accepted = trimmed.accepted;
    m_counters.delivered = trimmed.delivered;
    m_counters.discarded = trimmed.discarded;
}

void PendingLedger::accept(Sequence sequence, const std::vector<Target>& targets) {
    for (const auto& target : targets) {
        if (auto* destination = find(target.destination)) destination->accept(sequence);
    }
}

void PendingLedger::apply(const JournalFact& fact) {
    if (auto* destination = find(fact.pointer.destination)) destination->apply(fact);
}

bool PendingLedger::isOpen(Sequence sequence, const std::vector<Target>& targets) const {
    return std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
        const auto found = m_destinations.find(target.destination);
        return found != m_destinations.end() && found->second.isOpen(sequence);
    });
}

DestinationLedger* PendingLedger::find(DestinationId id) {
    const auto found = m_destinations.find(id);
    return found == m_destinations.end() ? nullptr : &found->second;
}

const DestinationLedger* PendingLedger::find(DestinationId id) const {
    const auto found = m_destinations.find(id);
    return found == m_destinations.end() ? nullptr : &found->second;
}

const TriedPointer* PendingLedger::tried(Pointer pointer) const {
    const auto found = m_destinations.find(pointer.destination);
    return found == m_destinations.end() ? nullptr : found->second.tried(pointer.sequence);
}

}  // namespace lanes::store
