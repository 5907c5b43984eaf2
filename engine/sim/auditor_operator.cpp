// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the auditor makes of what operators ask, and of the end and the start of the process.
#include "engine/sim/auditor.h"

#include <algorithm>
#include <string>
#include <variant>

namespace lanes::sim {

void Auditor::commandGiven(CommandId id, const Command& command) {
    if (const auto* pause = std::get_if<PauseDestination>(&command)) {
        m_pauses[id] = pause->destination;
    } else if (const auto* resume = std::get_if<ResumeDestination>(&command)) {
        Destination& destination = at(resume->destination);
        if (destination.paused) setActive(destination, true);
        // A pause that was asked for before is over too, whenever it is acknowledged.
        const auto asked = std::erase_if(m_pauses, [resume](const auto& given) {
            return given.second == resume->destination;
        });
        if (destination.paused || asked > 0)
            destination.pace.comeBack(now());
        else
            destination.pace.doubt(now());  // it may have paused itself
        destination.paused = false;
    } else if (const auto* hold = std::get_if<HoldLane>(&command)) {
        Destination& destination = at(hold->lane.destination);
        Lane& lane = laneAt(destination, hold->lane.user);
        if (lane.heldSince != kNever) return;  // it will be refused
        lane.heldSince = activeTime(destination);
        m_holds[id] = hold->lane;
        laneChanged(destination, hold->lane.user);
    } else if (const auto* released = std::get_if<ReleaseLane>(&command)) {
        Destination& destination = at(released->lane.destination);
        release(destination, laneAt(destination, released->lane.user));
        std::erase_if(m_holds,
                      [&](const auto& given) { return given.second == released->lane; });
        m_releases[id] = released->lane;
        destination.pace.restartTurns(now());
        laneChanged(destination, released->lane.user);
    }
}

/// What waited meanwhile has used up no time.
void Auditor::release(Destination& destination, Lane& lane) {
    if (lane.heldSince == kNever) return;
    const Micros active = activeTime(destination);
    for (auto at = lane.first; at != 0; at = destination.events[at].after) {
        Micros& clock = destination.events[at].clock;
        clock += active - std::max(clock, lane.heldSince);
    }
    lane.heldSince = kNever;
    lane.held = false;
}

void Auditor::commandDone(CommandId id, const CommandResult& result) {
    if (const auto hold = m_holds.find(id); hold != m_holds.end()) {
        Destination& destination = at(hold->second.destination);
        Lane& lane = laneAt(destination, hold->second.user);
        lane.held = result.ok();
        if (!result.ok()) lane.heldSince = kNever;
        laneChanged(destination, hold->second.user);
        m_holds.erase(hold);
    }
    m_releases.erase(id);
    if (!result.underWay && result.asked != result.done + result.skipped)
        violated("P7", "a command moved " + std::to_string(result.done) + " and skipped " +
                           std::to_string(result.skipped) + " of " + std::to_string(result.asked));
    const auto pause = m_pauses.find(id);
    if (pause == m_pauses.end()) return;
    if (result.ok()) {
        at(pause->second).paused = true;
        setActive(at(pause->second), false);
    }
    m_pauses.erase(pause);
}

void Auditor::crashed() {
    for (const auto* given : {&m_holds, &m_releases})
        for (const auto& [id, lane] : *given)
            laneAt(at(lane.destination), lane.user).windowUnknown = true;
    m_holds.clear();
    m_releases.clear();
    m_pauses.clear();
    m_stopping = false;
    m_writable = true;
    for (Destination& destination : m_destinations) {
        destination.inFlight = 0;
        destination.exists = false;  // or it was durable, and is set again
        destination.pace.crashed();
        setActive(destination, false);
        for (std::size_t user = 0; user < destination.lanes.size(); ++user) {
            Lane& lane = destination.lanes[user];
            if (lane.unlogged) {
                Event& event = destination.events[lane.unlogged.value];
                event.endNotDurable = false;
                event.answered = false;
            }
            m_lostToCrashes += (lane.inFlight ? 1u : 0u) + (lane.unlogged ? 1u : 0u);
            for (const Sequence lost : {lane.inFlight, lane.unlogged})
                if (lost && destination.events[lost.value].attempts == 0)
                    destination.events[lost.value].tried = false;
            lane.inFlight = lane.unlogged = Sequence();
            if (lane.known) laneChanged(destination, UserId(user));
        }
    }
}

void Auditor::restarted(const std::vector<LaneKey>& held) {
    m_operations.restarted(now());
    m_mass.clear();  // the engine counts what is left of a rewind, which may be few events
    m_goneOn.clear();
    m_newestBefore = m_operations.newest();
    for (Destination& destination : m_destinations) {
        for (Lane& lane : destination.lanes) lane.held = false;
        destination.pace.comeBack(now());
        if (!destination.paused) setActive(destination, true);
    }
    for (const LaneKey key : held) laneAt(at(key.destination), key.user).held = true;
    for (Destination& destination : m_destinations) {
        for (std::size_t user = 0; user < destination.lanes.size(); ++user) {
            Lane& lane = destination.lanes[user];
            if (lane.held == (lane.heldSince != kNever)) continue;
            lane.heldSince = lane.held ? activeTime(destination) : kNever;
            laneChanged(destination, UserId(user));
        }
    }
}

}  // namespace lanes::sim
