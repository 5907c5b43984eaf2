// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: time goes to whatever is next, the kernel makes a step, the auditor looks.
#include "engine/sim/simulator.h"

#include <algorithm>
#include <utility>

namespace lanes::sim {

namespace {

constexpr double kSkew = 0.8;
/// A kernel that asks to be woken at the same instant this often does nothing but that.
constexpr std::uint32_t kSpins = 1'000;
/// Totals are compared after every step, one lane after every n-th and single destinations after
/// every m-th.
constexpr std::uint64_t kCompareLaneEvery = 32;
constexpr std::uint64_t kCompareDestinationsEvery = 512;

}  // namespace

Simulator::Simulator(const SimulationOptions& options)
    : m_random(options.seed),
      m_store(m_random.next(), *this, *this),
      m_transport(m_random.next()),
      m_workload(m_random.next(), options.users, kSkew),
      m_faultsEnd(options.length) {
    m_report.options = options;
}

SimulationReport Simulator::run() {
    m_kernel = std::make_unique<DeliveryKernel>(m_random.next());
    m_engine = 1;
    for (std::uint32_t i = 0; i < m_report.options.destinations; ++i) addDestination();
    planArrival();
    plan(kSecond, What::fate);
    plan(kSecond, What::retire);
    plan(m_faultsEnd, What::heal);
    while (m_auditor.clean() && advance()) {
    }
    sumUp();
    return std::move(m_report);
}

void Simulator::sumUp() {
    if (m_auditor.clean()) m_auditor.compareEnd(drainText());
    const DeliveryCounters totals = m_auditor.totals();
    SimulationCounts& counts = m_report.counts;
    counts.accepted = totals.accepted;
    counts.delivered = totals.delivered;
    counts.requests = m_auditor.requests();
    counts.duplicates = m_auditor.duplicates();
    counts.virtualTime = m_clock.world();
    m_report.violations = m_auditor.violations();
}

Micros Simulator::nextWakeup() const {
    if (!m_kernel) return SimStore::kNever;
    const Micros asked = m_kernel->nextWakeup(m_clock.moment().now);
    return asked == DestinationHealth::kNever ? SimStore::kNever : m_clock.toWorld(asked);
}

/// False when the run is over.
bool Simulator::advance() {
    const Micros planned = m_plan.empty() ? SimStore::kNever : m_plan.top().at;
    const Micros next = std::min({m_store.nextChange(), planned, nextWakeup()});
    if (m_healing && (drained() || next > m_drainLimit)) return false;
    m_spins = next > m_clock.world() ? 0 : m_spins + 1;
    m_clock.advanceTo(std::max(next, m_clock.world()));
    m_auditor.setTime(m_clock.world());
    if (m_store.nextChange() <= m_clock.world()) {
        m_store.advance(m_clock.world());
    } else if (planned <= m_clock.world()) {
        const Planned now = m_plan.top();
        m_plan.pop();
        happen(now);
    } else {
        step(input::TimePassed{});
    }
    if (m_spins > kSpins) m_auditor.violated("time", "the kernel asks for no time to pass");
    return true;
}

void Simulator::plan(Micros at, What what, std::uint32_t flight) {
    m_plan.push({at, ++m_order, what, flight, m_engine});
}

/// The machine slept: all that is planned on it comes later. Answers do not wait.
void Simulator::shiftPlans(Micros by) {
    decltype(m_plan) shifted;
    for (; !m_plan.empty(); m_plan.pop()) {
        Planned planned = m_plan.top();
        if (planned.what != What::answer) planned.at += by;
        shifted.push(planned);
    }
    m_plan = std::move(shifted);
    m_faultsEnd += by;
}

void Simulator::happen(const Planned& planned) {
    constexpr Micros kFaultEvery = 3 * kSecond;
    const bool same = planned.engine == m_engine && m_kernel;
    switch (planned.what) {
        case What::arrival: arrive(); return;
        case What::answer:
            if (same) answer(planned.flight);
            return;
        case What::fate:
            if (m_healing) return;
            befall();
            plan(m_clock.world() + 1 +
                     static_cast<Micros>(m_random.exponential(static_cast<double>(kFaultEvery))),
                 What::fate);
            return;
        case What::retire:
            if (m_healing) return;
            retire();
            plan(m_clock.world() + kSecond, What::retire);
            return;
        case What::wake: wake(); return;
        case What::stopped:
            if (same) end();
            return;
        case What::restart:
            if (!m_kernel) restart();
            return;
        case What::heal:
            if (!m_healing)
                healAll();
            else
                healStep();
            return;
    }
}

void Simulator::step(Input input) {
    ++m_report.counts.steps;
    m_effects.clear();
    m_kernel->step(std::move(input), m_clock.moment(), m_effects);
    obey();
    compare();
}

void Simulator::obey() {
    for (const CommandDone& done : m_effects.done) m_auditor.commandDone(done.id, done.result);
    for (const DestinationConfig& config : m_effects.destinations) {
        if (m_sites.size() <= config.id.value) m_sites.resize(config.id.value + 1);
        Site& site = m_sites[config.id.value];
        site.config = config;
        m_auditor.setDestination(config);
        if (site.exists) continue;
        site.exists = true;
        setModel(config.id, {});
    }
    for (const DestinationId id : m_effects.removed) {
        ++m_report.counts.removed;
        m_sites[id.value].exists = false;
        m_auditor.removed(id);
    }
    m_auditor.decided(m_effects.writes);
    for (const StartAttempt& start : m_effects.starts) take(start);
    if (!m_effects.writes.empty() || m_effects.writes.ticket != 0)
        m_store.submit(std::move(m_effects.writes));
}

void Simulator::compare() {
    m_auditor.compareTotals(m_kernel->counters());
    if (m_report.counts.steps % kCompareDestinationsEvery == 0) compareDestinations();
    if (m_report.counts.steps % kCompareLaneEvery != 0 || m_lanes.empty()) return;
    const LaneKey lane = m_lanes[m_nextLane++ % m_lanes.size()];
    m_auditor.compareLane(lane, m_kernel->pending(lane), "P7");
}

void Simulator::compareDestinations() {
    EngineSnapshot snapshot;
    m_kernel->describe(m_clock.moment().now, snapshot);
    for (const DestinationSnapshot& destination : snapshot.destinations)
        m_auditor.compare(destination.id, destination.counters);
}

}  // namespace lanes::sim
