// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/sim/violations.h"
#include "engine/types.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lanes::sim {

/// The part of the auditor that watches operations, by what becomes durable. Its rules, all named
/// "operation": an operation moves only events of its set, in the order of the set, and none after
/// it was stopped; its pace is kept; nothing moves past a tracer that is not delivered; a lane
/// rewind moves lanes as a whole; an undo returns nothing that was tried; and the record says
/// after each commit what really happened.
class OperationAuditor {
public:
    // What became durable, in its order. A record with a set comes before what it moved.
    void recorded(const OperationRecord& record, Violations& violations);
    void moved(const JournalEntry& entry, Violations& violations);
    void skipped(const OperationSkip& skip, Violations& violations);
    /// The life that a rewind gave to an event has ended.
    void ended(OperationId rewind, OperationFate fate);
    /// Members of lane rewinds that were dealt with in this commit.
    [[nodiscard]] std::vector<OperationMember> lanesMoved();
    /// All of a commit was told.
    void commitEnded(Violations& violations);

    /// What the engine decides, before it is durable.
    void decided(const WriteBatch& writes, Violations& violations);
    /// A new process: it owes no pace for what was before.
    void restarted(Micros now);

    [[nodiscard]] OperationKind kindOf(OperationId id) const;
    [[nodiscard]] OperationId newest() const {
        return m_operations.empty() ? OperationId() : m_operations.rbegin()->first;
    }

private:
    struct Operation {
        OperationRow row;  ///< as last recorded
        OperationSet set;
        std::size_t cursor = 0;   ///< behind the last event that was moved or skipped
        std::size_t checked = 0;  ///< lanes are known to be whole up to here
        std::uint64_t moved = 0;
        std::uint64_t skipped = 0;
        std::uint64_t delivered = 0;
        std::uint64_t deadAgain = 0;
        std::uint64_t returned = 0;
        bool stopped = false;  ///< by a record of an earlier commit
    };
    struct Pace {
        double eventsPerSecond = 0;
        Micros since = 0;
        std::uint64_t decided = 0;
    };

    void compare(const Operation& operation, Violations& violations) const;

    std::map<OperationId, Operation> m_operations;
    std::map<OperationId, Pace> m_paces;
    std::vector<OperationId> m_touched;  ///< recorded with this commit
};

}  // namespace lanes::sim
