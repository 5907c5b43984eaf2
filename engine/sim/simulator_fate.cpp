// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What befalls the kernel and its world: one act of fate or of the operator after the other.
#include "engine/sim/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::sim {

namespace {

/// An orderly stop waits this long for what is in flight.
constexpr Micros kStopTime = 2 * kSecond;
constexpr std::uint64_t kBogusSequence = 1u << 30;
/// Destinations that a run adds to those that it began with, at most at once.
constexpr std::uint32_t kMoreDestinations = 2;

enum class Act : std::uint8_t {
    changeDestination, pauseOrResume, rewind, discard, reconfigure, failStore, setWallClock,
    wake, sleep, freeze, addDestination, retire, rewindLanes, givePlan, stopOrUndo, hold, stop,
    crash, count
};

/// How often an act is chosen, as weights.
constexpr std::array<std::uint32_t, static_cast<std::size_t>(Act::count)> kWeights = {
    24, 8, 8, 4, 5, 4, 4, 2, 1, 1, 2, 2, 5, 2, 6, 6, 4, 4};

Act chosen(Random& random) {
    std::uint32_t sum = 0;
    for (const auto weight : kWeights) sum += weight;
    auto point = static_cast<std::uint32_t>(random.below(sum));
    std::size_t act = 0;
    while (point >= kWeights[act]) point -= kWeights[act++];
    return static_cast<Act>(act);
}

}  // namespace

Micros Simulator::between(Micros low, Micros high) {
    return low + static_cast<Micros>(m_random.below(static_cast<std::uint64_t>(high - low)));
}

DestinationId Simulator::anyDestination() {
    std::vector<DestinationId> all;
    for (const Site& site : m_sites)
        if (site.exists) all.push_back(site.config.id);
    return all.empty() ? DestinationId() : all[m_random.below(all.size())];
}

void Simulator::befall() {
    const DestinationId destination = anyDestination();
    if (!destination) return;
    switch (chosen(m_random)) {
        case Act::changeDestination: changeDestination(destination); return;
        case Act::pauseOrResume: pauseOrResume(destination); return;
        case Act::rewind: moveDeadLetters(true); return;
        case Act::discard: moveDeadLetters(false); return;
        case Act::reconfigure: reconfigure(destination); return;
        case Act::failStore: failStore(); return;
        case Act::setWallClock: setWallClock(); return;
        case Act::wake: wake(); return;
        case Act::sleep: sleep(); return;
        case Act::freeze: freeze(); return;
        case Act::addDestination: {
            const auto count = std::count_if(m_sites.begin(), m_sites.end(),
                                             [](const Site& site) { return site.exists; });
            if (count < m_report.options.destinations + kMoreDestinations && m_kernel &&
                !m_stopping) {
                ++m_report.counts.added;
                addDestination();
            }
            return;
        }
        case Act::retire: {
            if (m_retiring) return;
            m_retiring = destination;
            SetDestination change{m_sites[destination.value].config};
            change.config.eventTypes = {"retired.type"};
            give(std::move(change));
            return;
        }
        case Act::rewindLanes: rewindLanes(); return;
        case Act::givePlan: givePlan(); return;
        case Act::stopOrUndo: stopOrUndo(); return;
        case Act::hold: holdOrRelease(); return;
        case Act::stop: stop(); return;
        case Act::crash:
        case Act::count: crash(); return;
    }
}

void Simulator::changeDestination(DestinationId destination) {
    Site& site = m_sites[destination.value];
    if (m_clock.world() < site.staysUntil) return;
    // Some states last for longer than a retry window.
    if (m_random.chance(0.25)) site.staysUntil = m_clock.world() + between(kMinute, 2 * kMinute);
    DestinationModel model;
    switch (m_random.below(14)) {
        case 0: model.mode = DestinationModel::Mode::refuse; break;
        case 1: model.mode = DestinationModel::Mode::hang; break;
        case 2: model.mode = DestinationModel::Mode::reset; break;
        case 3: model.status = 500; break;
        case 4: model.errorShare = m_random.chance(0.5) ? 0.5 : 0.1; break;
        case 5:
            model.capacityPerSecond = 5;
            model.retryAfterSeconds = static_cast<int>(m_random.below(7)) - 1;
            break;
        case 6: model.poisonEvery = 7; break;
        case 7:  // a small server that says 503 beyond its queue, and pays for saying so
            model.workers = 2;
            model.queue = 2;
            model.serviceMs = 300;
            model.burn = m_random.chance(0.5) ? 0.3 : 0;
            model.retryAfterSeconds = m_random.chance(0.5) ? -1 : 2;
            break;
        case 8: model.warmUp = kMinute; break;
        case 9:
            model.up = between(kSecond, 10 * kSecond);
            model.down = between(kSecond, 20 * kSecond);
            break;
        case 10:
            if (m_random.chance(0.3)) model.mode = DestinationModel::Mode::gone;
            break;
        default: break;
    }
    if (model.mode != DestinationModel::Mode::answer || model.down > 0) ++m_report.counts.outages;
    setModel(destination, model);
}

void Simulator::pauseOrResume(DestinationId destination) {
    if (m_random.chance(0.5)) {
        ++m_report.counts.pauses;
        give(PauseDestination{destination, "simulation", "because"});
    }
    // A resume that follows at once, or one of a destination that is not paused, is fate too.
    if (m_random.chance(0.6)) give(ResumeDestination{destination, "simulation"});
}

void Simulator::moveDeadLetters(bool rewind) {
    std::vector<Pointer> pointers;
    const double share = m_random.chance(0.3) ? 1.0 : m_random.unit();
    for (const Pointer pointer : m_store.deadLetters())
        if (m_random.chance(share)) pointers.push_back(pointer);
    // What an operator's list may hold as well: twice the same, delivered ones, nonsense.
    if (!pointers.empty() && m_random.chance(0.3)) pointers.push_back(pointers.front());
    if (m_store.lastSequence() && m_random.chance(0.3))
        pointers.push_back(
            {anyDestination(), Sequence(1 + m_random.below(m_store.lastSequence().value))});
    if (m_random.chance(0.1)) pointers.push_back({anyDestination(), Sequence(kBogusSequence)});
    const bool twice = m_random.chance(0.1);
    for (int i = 0; i < (twice ? 2 : 1); ++i) {
        if (rewind)
            give(RewindDeadLetters{pointers, "simulation", "because", anyPace()});
        else
            give(DiscardDeadLetters{pointers, "simulation", "because"});
    }
}

void Simulator::reconfigure(DestinationId destination) {
    SetDestination change{m_sites[destination.value].config};
    DeliveryPolicy& policy = change.config.policy;
    policy.window = between(kMinute, 3 * kMinute);
    // Never fewer than may be in flight already: those are not called back.
    const std::uint32_t more = static_cast<std::uint32_t>(m_random.below(8));
    policy.maxInFlight = std::min(64u, policy.maxInFlight + more);
    if (m_random.chance(0.3))
        policy.afterDeadLetter = policy.afterDeadLetter == AfterDeadLetter::hold
                                     ? AfterDeadLetter::goOn
                                     : AfterDeadLetter::hold;
    give(std::move(change));
}

/// Once a second, for the one that gets no more events: what is dead is given up, and it may go
/// as soon as nothing is left.
void Simulator::retire() {
    if (!m_retiring || !m_kernel || m_stopping) return;
    Site& site = m_sites[m_retiring.value];
    if (!site.exists) {  // it is gone, or it was never durable
        m_retiring = DestinationId();
        return;
    }
    std::vector<Pointer> dead;
    for (const Pointer pointer : m_store.deadLetters())
        if (pointer.destination == m_retiring) dead.push_back(pointer);
    if (!dead.empty()) give(DiscardDeadLetters{dead, "simulation", "it retires"});
    give(RemoveDestination{m_retiring});
}

void Simulator::failStore() {
    ++m_report.counts.storeFaults;
    m_store.failUntil(m_clock.world() + between(0, 5 * kSecond));
}

/// Wall time is for records only: whatever it says, nothing starts or dies because of it.
void Simulator::setWallClock() {
    constexpr Micros kYear = 365 * 24 * kHour;
    constexpr WallMicros kEnd = 2'147'483'648 * kSecond;  // 2038-01-19
    ++m_report.counts.wallJumps;
    switch (m_random.below(6)) {
        case 0: m_clock.setWallBy(kHour); return;
        case 1: m_clock.setWallBy(-kHour); return;
        case 2: m_clock.setWallBy(kYear); return;
        case 3: m_clock.setWallBy(-kYear); return;
        case 4: m_clock.setWall(0); return;
        default: m_clock.setWall(kEnd); return;
    }
}

/// The machine sleeps for hours: the engine's clock stands still and the world goes on. Answers
/// that came meanwhile are all there at once; the engine may see some of them before it notices.
void Simulator::sleep() {
    if (!m_kernel || m_stopping) return;
    ++m_report.counts.sleeps;
    const Micros length = between(kMinute, 10 * kHour);
    m_clock.sleep(length);
    m_store.sleep(length);
    m_auditor.setTime(m_clock.world());
    m_auditor.slept(length);
    shiftPlans(length);
    if (m_random.chance(0.5))
        wake();
    else
        plan(m_clock.world(), What::wake);
}

void Simulator::wake() {
    if (!m_kernel) return;
    m_auditor.woke();
    step(input::Woke{});
}

/// The process stands still for half a minute and its clock does not: whatever came meanwhile
/// comes at once.
void Simulator::freeze() {
    constexpr Micros kFrozen = 30 * kSecond;
    if (!m_kernel) return;
    ++m_report.counts.freezes;
    m_clock.advanceTo(m_clock.world() + kFrozen);
    m_auditor.setTime(m_clock.world());
    m_auditor.froze(kFrozen);
}

/// The engine stops in good order: what is in flight gets some time, and nothing else starts.
void Simulator::stop() {
    if (!m_kernel || m_stopping) return;
    ++m_report.counts.stops;
    m_auditor.stopping();
    m_stopping = true;
    step(input::Draining{});
    plan(m_clock.world() + kStopTime, What::stopped);
}

void Simulator::crash() {
    if (!m_kernel) return;
    ++m_report.counts.crashes;
    end();
}

}  // namespace lanes::sim
