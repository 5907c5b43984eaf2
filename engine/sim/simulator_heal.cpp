// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The end: all is well again, and everything must be delivered, in little more than the time that
// an ideal sender needs.
#include "engine/sim/simulator.h"

#include <algorithm>
#include <string>

namespace lanes::sim {

namespace {

/// While everything heals the operator looks for dead letters this often.
constexpr Micros kHealEvery = 5 * kSecond;
constexpr double kDrainFactor = 1.15;

std::string seconds(Micros time) { return std::to_string(time / kSecond) + " s"; }

}  // namespace

void Simulator::healAll() {
    m_healing = true;
    m_retiring = DestinationId();
    if (m_stopping) end();
    m_store.failUntil(0);
    for (const Site& site : m_sites)
        if (site.config.id) setModel(site.config.id, {});
    if (!m_kernel) restart();
    setDrainLimit();
    healStep();
}

void Simulator::healStep() {
    endOperations();
    for (const Site& site : m_sites)
        if (site.exists) give(ResumeDestination{site.config.id, "simulation"});
    const std::vector<Pointer> dead = m_store.deadLetters();
    if (!dead.empty()) give(RewindDeadLetters{dead, "simulation", "all is well again"});
    plan(m_clock.world() + kHealEvery, What::heal);
}

/// What the drain may take, but for the factor and the slack. What is in flight to a destination
/// that hung cannot be ended; those answers, late as they are, come first. Destinations do not wait
/// for each other, so the slowest one counts.
void Simulator::setDrainLimit() {
    Micros lastAnswer = m_clock.world();
    for (const Flight& flight : m_flights)
        if (flight.open) lastAnswer = std::max(lastAnswer, flight.endsAt);
    Micros most = 0;
    EngineSnapshot snapshot;
    m_kernel->describe(m_clock.moment().now, snapshot);
    for (const DestinationSnapshot& destination : snapshot.destinations) {
        const DestinationModel& model = m_sites[destination.id.value].model;
        DrainPace pace;
        pace.atOnce = std::min(model.requestsAtOnce(), destination.maxInFlight);
        pace.answer = model.meanAnswer();
        pace.durability = SimStore::meanDurability();
        const Micros ideal = idealDrain(m_auditor.backlog(destination.id), pace);
        // What failed shortly before, or is still to come from then, may halve the window twice;
        // a degraded destination begins anew.
        const bool anew = destination.health == HealthState::degraded;
        const double window =
            anew ? std::max(destination.budget, destination.knownGood) : destination.budget / 4;
        const Micros growing = ideal > 0 ? lostWhileGrowing(window, pace) : 0;
        const Micros allowed =
            static_cast<Micros>(kDrainFactor * static_cast<double>(ideal)) + growing;
        if (allowed <= most) continue;
        most = allowed;
        m_ideal = ideal;
        m_growing = growing;
    }
    m_growing += lastAnswer - m_clock.world();
    m_drainLimit = lastAnswer + most + m_report.options.drainSlack;
}

bool Simulator::drained() const {
    const DeliveryCounters totals = m_auditor.totals();
    return m_kernel && totals.waiting == 0 && totals.dead == 0 &&
           m_freeFlights.size() == m_flights.size();
}

std::string Simulator::drainText() const {
    return "after more than 1.15 x " + seconds(m_ideal) + " + " +
           seconds(m_growing + m_report.options.drainSlack) + " there still are";
}

}  // namespace lanes::sim
