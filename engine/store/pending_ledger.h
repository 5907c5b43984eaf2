// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/snapshot.h"
#include "engine/store/tried_blocks.h"
#include "engine/types.h"

#include <roaring/roaring64map.hh>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What follows from the committed log: per destination what is pending, what is dead and how many
// events ended how. The writer applies each group to it after the commit, so that a checkpoint is
// only a copy of it, and recovery is a checkpoint and the tails.
namespace lanes::store {

/// The part of a journal entry that decides what is pending.
struct JournalFact {
    JournalKind kind = JournalKind::attempt;
    Pointer pointer;
    std::uint32_t life = 1;
    std::uint32_t attempt = 0;
    Outcome outcome = Outcome::delivered;
    std::uint16_t status = 0;
    OperationId operation;
    Micros clock = 0;
    std::uint64_t row = 0;  ///< of the journal
};

[[nodiscard]] JournalFact factOf(const JournalEntry& entry, std::uint64_t row);

/// Events of a destination that retention has removed from the log, by how they ended.
struct TrimmedCounts {
    std::uint64_t accepted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t discarded = 0;
};

/// A destination's share of the checkpoint, as stored.
struct CheckpointRow {
    std::uint64_t accepted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t discarded = 0;
    std::string pending;
    std::string dead;
    std::string tried;  ///< only of checkpoints that older versions wrote; otherwise empty

    [[nodiscard]] std::uint64_t hash(DestinationId id) const;
};

class DestinationLedger {
public:
    void accept(Sequence sequence);
    void apply(const JournalFact& fact);

    [[nodiscard]] const DeliveryCounters& counters() const { return m_counters; }
    [[nodiscard]] const Roaring64Map& pending() const { return m_pending; }
    [[nodiscard]] bool isOpen(Sequence sequence) const;
    [[nodiscard]] bool isDead(Sequence sequence) const { return m_dead.contains(sequence.value); }
    /// Whether the same events wait and are dead, given equal counters.
    [[nodiscard]] bool sameOpenEvents(const DestinationLedger& other) const;
    /// Null if it was not tried; valid until the next call.
    [[nodiscard]] const TriedPointer* tried(Sequence sequence) const {
        return m_tried.find(sequence.value);
    }
    [[nodiscard]] TriedBlocks& triedBlocks() { return m_tried; }
    [[nodiscard]] const TriedBlocks& triedBlocks() const { return m_tried; }

    [[nodiscard]] bool changed() const { return m_changed; }
    void markSaved() { m_changed = false; }
    void markChanged() { m_changed = true; }
    /// All but the tried pointers.
    [[nodiscard]] CheckpointRow save() const;
    /// False if the row is damaged or its numbers do not balance; the ledger is then unusable.
    [[nodiscard]] bool load(const CheckpointRow& row);
    /// Starts from nothing pending, with what retention has removed.
    void startFrom(const TrimmedCounts& trimmed);

private:
    Roaring64Map m_pending;
    Roaring64Map m_dead;
    TriedBlocks m_tried;
    DeliveryCounters m_counters;
    bool m_changed = true;
};

/// All destinations. Entries about a destination that is not there (any more) are ignored.
class PendingLedger {
public:
    void add(DestinationId id) { m_destinations.try_emplace(id); }
    void remove(DestinationId id) { m_destinations.erase(id); }
    void accept(Sequence sequence, const std::vector<Target>& targets);
    void apply(const JournalFact& fact);
    /// Whether the event waits or is a dead letter anywhere.
    [[nodiscard]] bool isOpen(Sequence sequence, const std::vector<Target>& targets) const;

    [[nodiscard]] std::map<DestinationId, DestinationLedger>& destinations() {
        return m_destinations;
    }
    [[nodiscard]] const std::map<DestinationId, DestinationLedger>& destinations() const {
        return m_destinations;
    }
    [[nodiscard]] DestinationLedger* find(DestinationId id);
    [[nodiscard]] const DestinationLedger* find(DestinationId id) const;
    [[nodiscard]] const TriedPointer* tried(Pointer pointer) const;

private:
    std::map<DestinationId, DestinationLedger> m_destinations;
};

}  // namespace lanes::store
