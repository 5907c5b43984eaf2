// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an operator does about events: rewinds at a pace or behind a tracer, lanes from an event
// on, stop and undo, and holds of single users.
#include "engine/sim/simulator.h"

#include <algorithm>
#include <utility>

namespace lanes::sim {

namespace {

constexpr double kSlowestPace = 0.5;
constexpr double kFastestPace = 50;
constexpr std::uint64_t kLargestTracer = 8;
constexpr std::size_t kMostLanes = 3;

}  // namespace

RewindPace Simulator::anyPace() {
    RewindPace pace;
    if (m_random.chance(0.3)) pace.eventsPerSecond = m_random.between(kSlowestPace, kFastestPace);
    if (m_random.chance(0.3))
        pace.tracer = static_cast<std::uint32_t>(1 + m_random.below(kLargestTracer));
    return pace;
}

/// Lanes from one of their events on, as a plan finds them; sometimes one that has grown old.
void Simulator::rewindLanes() {
    if (m_lanes.empty()) return;
    RewindLanes command;
    command.by = "simulation";
    command.plannedAt = m_clock.moment().wall;
    command.lastOperation = m_store.lastOperation();
    const auto count = 1 + m_random.below(kMostLanes);
    for (std::uint64_t i = 0; i < count; ++i) {
        const LaneKey lane = m_lanes[m_random.below(m_lanes.size())];
        auto events = m_store.laneEvents(lane);
        if (events.empty()) continue;
        const auto named = [&](const LaneToRewind& other) { return other.lane == lane; };
        if (std::any_of(command.lanes.begin(), command.lanes.end(), named)) continue;
        events.erase(events.begin(),
                     events.begin() + static_cast<std::ptrdiff_t>(m_random.below(events.size())));
        command.lanes.push_back({lane, std::move(events)});
    }
    if (command.lanes.empty()) return;
    if (m_random.chance(0.2)) {
        m_oldPlan = std::move(command);  // to be given when much has happened
        return;
    }
    give(std::move(command));
}

void Simulator::givePlan() {
    if (!m_oldPlan) return;
    give(std::move(*m_oldPlan));
    m_oldPlan.reset();
}

/// Stops or undoes an operation that is not finished, or one that is.
void Simulator::stopOrUndo() {
    const auto open = m_store.openOperations();
    OperationId id(1 + m_random.below(m_store.lastOperation().value + 1));
    if (!open.empty() && m_random.chance(0.9)) id = open[m_random.below(open.size())];
    if (m_random.chance(0.4))
        give(StopOperation{id, "simulation"});
    else
        give(UndoRewind{id, "simulation"});
}

void Simulator::holdOrRelease() {
    if (m_lanes.empty()) return;
    const auto held = m_store.heldLanes();
    if (!held.empty() && m_random.chance(0.5)) {
        give(ReleaseLane{held[m_random.below(held.size())], "simulation"});
        return;
    }
    const LaneKey lane = m_lanes[m_random.below(m_lanes.size())];
    ++m_report.counts.holds;
    give(HoldLane{lane, std::to_string(lane.user.value), "simulation", "because"});
}

/// All is well again: nobody is held, and what waits for its turn to be rewound is left to the
/// operator's next look at the dead letters.
void Simulator::endOperations() {
    for (const LaneKey lane : m_store.heldLanes()) give(ReleaseLane{lane, "simulation"});
    for (const OperationId id : m_store.openOperations()) give(StopOperation{id, "simulation"});
}

}  // namespace lanes::sim
