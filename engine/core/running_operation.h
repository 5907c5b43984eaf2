// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/core/lane_table.h"
#include "engine/core/store.h"
#include "engine/operations.h"
#include "engine/types.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// An operation that is not finished: its frozen set, how far it has come, its pace and its
/// tracer. It counts and decides when; the kernel moves the events.
class RunningOperation {
public:
    /// Waiting members of a tracer that failed this often count as not delivered.
    static constexpr std::uint32_t kTracerAttempts = 3;
    /// Share of the tracer that must be delivered.
    static constexpr std::uint64_t kTracerPercent = 90;

    RunningOperation(OperationRow row, OperationSet set, Micros now);

    OperationRow row;
    OperationSet set;
    std::optional<CommandId> command;  ///< to be answered when its moving ends
    std::uint64_t unsettled = 0;       ///< moves that are not durable yet
    std::vector<DestinationSlot> mass;  ///< destinations that get so much that they are ramped up
    bool dirty = false;                ///< changed since its last record
    bool blocked = false;              ///< waits for what is in flight or not durable yet

    /// Position of the event that is next.
    [[nodiscard]] std::size_t next() const {
        return static_cast<std::size_t>(row.done + row.skipped);
    }
    [[nodiscard]] bool hasMore() const { return next() < set->size(); }
    [[nodiscard]] bool moving() const { return row.state == OperationState::moving; }

    /// How many events it may move now; `moved` and `skipped` use that up.
    [[nodiscard]] std::size_t allowance(Micros now) const;
    /// When `allowance` is above 0 again, if time alone brings that; `now` if it is.
    [[nodiscard]] Micros nextMove(Micros now) const;
    void moved(Micros now);
    void skipped() { ++row.skipped; }

    // What becomes of the events of a rewind.
    void firstTried() { --row.untried; }
    void notTried() { ++row.untried; }  ///< takes a `firstTried` back
    void failing() { ++m_failing; }
    void ended(OperationFate fate, bool tried, bool wasFailing);

    /// Goes on to the state that follows from the counts: the end of the moving, the verdict on
    /// the tracer, the end. True if the state changed.
    bool advance();
    /// Moves no more.
    void stop(std::string note);
    /// Nothing more will be counted for it.
    [[nodiscard]] bool over() const;

private:
    [[nodiscard]] std::uint64_t tracerNeeded() const;
    [[nodiscard]] double credit(Micros now) const;
    [[nodiscard]] double burst() const;
    [[nodiscard]] bool tracerIsOut() const;
    bool judgeTracer();

    std::uint64_t m_failing = 0;
    double m_credit = 1;  // events that may be moved at once
    Micros m_creditAt;
};

}  // namespace lanes
