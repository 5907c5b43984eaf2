// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernel shows of itself: counters, one lane, a page of lanes.
#include "engine/core/delivery_kernel.h"

#include <algorithm>
#include <iterator>

namespace lanes {

namespace {
constexpr Micros kOrderKept = kMinute;        // after the last look at it
constexpr std::size_t kBuildSlice = 5'000;    // lanes: some 5 ms where there are millions
constexpr std::size_t kOrders = 8;            // watched at once; the one not seen longest goes
}  // namespace

std::optional<DestinationId> DeliveryKernel::findDestination(std::string_view name) const {
    for (const auto& [id, slot] : m_slots)
        if (m_destinations[slot]->config.name == name) return id;
    return std::nullopt;
}

std::vector<DestinationConfig> DeliveryKernel::destinations() const {
    std::vector<DestinationConfig> result;
    for (const auto& d : m_destinations)
        if (!d->removed) result.push_back(d->config);
    return result;
}

std::vector<Target> DeliveryKernel::route(std::string_view type,
                                          const std::vector<DestinationId>& named,
                                          Micros now) const {
    std::vector<Target> targets;
    for (const auto& d : m_destinations) {
        if (d->removed) continue;
        const auto& types = d->config.eventTypes;
        const bool wanted =
            named.empty()
                ? types.empty() || std::find(types.begin(), types.end(), type) != types.end()
                : std::find(named.begin(), named.end(), d->config.id) != named.end();
        if (wanted) targets.push_back({d->config.id, d->clock(now)});
    }
    return targets;
}

DeliveryCounters DeliveryKernel::counters() const {
    DeliveryCounters sum;
    for (const auto& d : m_destinations)
        if (!d->removed) sum += d->counters;
    return sum;
}

void DeliveryKernel::describe(Micros now, EngineSnapshot& snapshot) const {
    snapshot.totals = counters();
    snapshot.inFlight = static_cast<std::uint32_t>(m_inFlight.size());
    snapshot.lanes = m_table.size();
    snapshot.destinations.clear();
    for (const auto& d : m_destinations) {
        if (d->removed) continue;
        DestinationSnapshot s;
        s.id = d->config.id;
        s.name = d->config.name;
        s.url = d->config.url;
        s.health = d->state.paused ? HealthState::paused : d->health.state(now, lanesWait(*d));
        s.counters = d->counters;
        s.lanes = d->lanes;
        s.lanesBackingOff = d->backingOff.size();
        s.inFlight = d->health.inFlight();
        s.budget = d->health.window();
        s.knownGood = d->health.knownGood();
        s.maxInFlight = d->config.policy.maxInFlight;
        s.attempts = d->attempts;
        s.outcomes = d->outcomes;
        s.probes = d->probes;
        s.latency = d->latency;
        s.pausedBy = d->state.pausedBy;
        s.pauseReason = d->state.pauseReason;
        s.pausedAt = d->state.pausedAt;
        s.pausedBySystem = d->state.pausedBySystem;
        s.resumeAt = d->state.resumeAt;
        s.lanesHeld = d->held.size();
        s.silentFor = std::max<Micros>(0, d->health.silentUntil() - now);
        s.nextProbeIn =
            d->health.degraded() ? std::max<Micros>(0, d->health.nextProbe() - now) : 0;
        s.lastChange = d->lastChange;
        s.lastError = d->lastError;
        s.lastDeliveredAt = d->lastDeliveredAt;
        s.window = d->config.policy.window;
        s.clock = d->clock(now);
        s.nearDeath = std::min(limits::kNearDeath, s.window / 4);
        const auto old = s.clock - (s.window - s.nearDeath);
        s.lanesNearDeath = old > 0 ? d->headAges.before(tenths(old)) : 0;
        if (!d->headAges.empty())
            s.oldestHeadAge =
                std::max<Micros>(0, s.clock - d->headAges.oldest() * kClockUnit);
        snapshot.destinations.push_back(std::move(s));
    }
    snapshot.operations.clear();
    for (auto running = m_operations.rbegin();
         running != m_operations.rend() &&
         snapshot.operations.size() < limits::kShownOperations;
         ++running)
        snapshot.operations.push_back(running->second.row);
    std::sort(snapshot.destinations.begin(), snapshot.destinations.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
}

std::optional<LaneRow> DeliveryKernel::row(LaneKey key, Micros now) const {
    const auto slot = slotOf(key.destination);
    if (slot == kNoSlot) return std::nullopt;
    const auto lane = m_table.find(slot, key.user);
    if (lane == kNoLane) return std::nullopt;
    return rowOf(lane, now);
}

LaneRow DeliveryKernel::rowOf(LaneIndex lane, Micros now) const {
    const Lane& record = m_table[lane];
    const KernelDestination& d = *m_destinations[record.destination];
    const auto* mark = markOf(record);
    const auto clock = d.clock(now);
    LaneRow row;
    row.key = {d.config.id, record.user};
    row.head = record.head;
    row.state = record.state;
    row.backlog = record.rest + 1u;
    row.headAge = std::max<Micros>(0, clock - record.headClock * kClockUnit);
    row.window = d.config.policy.window;
    row.deadLettersIn = std::max<Micros>(0, row.window - row.headAge);
    row.attempts = record.attempts;
    row.life = mark != nullptr ? mark->life : 1;
    const auto tick = Micros{record.tick} * TimerQueue::kTick;
    if (record.state == LaneState::backingOff) row.nextAttemptIn = std::max<Micros>(0, tick - now);
    if (record.state == LaneState::inFlight) row.inFlightFor = std::max<Micros>(0, now - tick);
    if (record.attempts > 0) {
        row.lastOutcome = record.lastOutcome;
        row.lastStatus = record.lastStatus;
    }
    if (const auto hold = d.held.find(record.user); hold != d.held.end()) {
        row.heldBy = hold->second.by;
        row.holdReason = hold->second.reason;
        row.heldAt = hold->second.at;
    }
    return row;
}

std::vector<std::int64_t> DeliveryKernel::expiryBases(Micros now) const {
    std::vector<std::int64_t> bases;
    bases.reserve(m_destinations.size());
    for (const auto& d : m_destinations)
        bases.push_back((d->config.policy.window - d->clock(now) + now) / kSecond * 10);
    return bases;
}

LanePage DeliveryKernel::page(const LanePageRequest& request, Micros now) {
    if (request.user) return lanesOfUser(request, now);
    LanePage page;
    page.request = request;
    auto slot = LaneOrderIndex::kAll;
    if (request.destination) {
        slot = slotOf(request.destination);
        if (slot == kNoSlot) return page;
    }
    auto& watched = watch(request, slot, now);
    watched.lookedAt = now;
    page.readiness = watched.index.readiness(m_table);
    page.total = watched.index.size();
    const auto limit =
        std::min<std::uint32_t>(request.limit, static_cast<std::uint32_t>(limits::kPageRows));
    for (const auto lane : watched.index.page(request.offset, limit, request.descending))
        page.rows.push_back(rowOf(lane, now));
    return page;
}

LanePage DeliveryKernel::lanesOfUser(const LanePageRequest& request, Micros now) const {
    LanePage page;
    page.request = request;
    for (std::size_t slot = 0; slot < m_destinations.size(); ++slot) {
        const auto& d = *m_destinations[slot];
        if (d.removed || (request.destination && request.destination != d.config.id)) continue;
        const auto lane = m_table.find(static_cast<Slot>(slot), request.user);
        if (lane == kNoLane || !m_table[lane].head) continue;
        if (page.total++ >= request.offset &&
            page.rows.size() < std::min<std::size_t>(request.limit, limits::kPageRows))
            page.rows.push_back(rowOf(lane, now));
    }
    return page;
}

DeliveryKernel::WatchedOrder& DeliveryKernel::watch(const LanePageRequest& request, Slot slot,
                                                    Micros now) {
    const auto drop = [this](std::list<WatchedOrder>::iterator order) {
        m_dropped.splice(m_dropped.end(), m_orders, order);
    };
    auto watched = std::find_if(m_orders.begin(), m_orders.end(), [&](const WatchedOrder& w) {
        return w.index.order() == request.order && w.index.destination() == slot;
    });
    auto bases = expiryBases(now);
    if (watched != m_orders.end() && request.order == LaneOrder::deadLettersIn &&
        watched->index.expiryBases() != bases) {
        drop(watched);  // a clock was stopped or started, a window was changed
        watched = m_orders.end();
    }
    if (watched != m_orders.end()) {
        m_orders.splice(m_orders.end(), m_orders, watched);
        return *watched;
    }
    if (m_orders.size() >= kOrders) drop(m_orders.begin());
    m_orders.push_back(
        {LaneOrderIndex(request.order, slot, std::move(bases)), now, ++m_lastOrder});
    m_orders.back().index.build(m_table, kBuildSlice);
    return m_orders.back();
}

DeliveryKernel::LaneStretch DeliveryKernel::next(LaneWalk& walk, std::size_t most, Micros now) {
    LaneStretch stretch;
    auto slot = LaneOrderIndex::kAll;
    if (walk.destination) {
        slot = slotOf(walk.destination);
        stretch.complete = slot == kNoSlot;
        if (stretch.complete) return stretch;
    }
    // By its number: an order whose clocks went on is as good for a walk as a newer one.
    auto watched = std::find_if(m_orders.begin(), m_orders.end(), [&](const WatchedOrder& order) {
        return order.number == walk.number;
    });
    if (watched == m_orders.end()) {
        stretch.anew = walk.number != 0;
        (void)watch({0, walk.order, walk.descending, walk.destination}, slot, now);
        watched = std::prev(m_orders.end());
        walk.number = watched->number;
        walk.place.reset();
    }
    watched->lookedAt = now;
    stretch.lanes = watched->index.size();
    stretch.readiness = watched->index.readiness(m_table);
    if (stretch.readiness < 1) return stretch;
    const auto lanes = watched->index.next(walk.place, most, walk.descending);
    stretch.rows.reserve(lanes.size());
    for (const auto lane : lanes) stretch.rows.push_back(rowOf(lane, now));
    stretch.complete = lanes.size() < most;
    return stretch;
}

bool DeliveryKernel::tendOrders(Micros now) {
    for (auto order = m_orders.begin(); order != m_orders.end();) {
        const auto here = order++;
        if (now - here->lookedAt > kOrderKept) m_dropped.splice(m_dropped.end(), m_orders, here);
    }
    // What nobody looks at gives its memory back before anything new is built.
    if (!m_dropped.empty()) {
        if (m_dropped.front().index.shrink(kBuildSlice)) m_dropped.pop_front();
        return true;
    }
    for (auto& watched : m_orders)
        if (!watched.index.complete(m_table)) {
            watched.index.build(m_table, kBuildSlice);
            return true;
        }
    return false;
}

void DeliveryKernel::laneChanged(LaneIndex lane) {
    for (auto& watched : m_orders) watched.index.update(m_table, lane);
}

void DeliveryKernel::laneGone(LaneIndex lane) {
    for (auto& watched : m_orders) watched.index.erase(lane);
}

std::vector<Sequence> DeliveryKernel::pending(LaneKey key) const {
    std::vector<Sequence> sequences;
    const auto slot = slotOf(key.destination);
    const auto lane = slot == kNoSlot ? kNoLane : m_table.find(slot, key.user);
    if (lane == kNoLane) return sequences;
    sequences.push_back(m_table[lane].head);
    m_table.forEachBehindHead(lane, m_table[lane].rest,
                              [&](LaneEntry entry) { sequences.push_back(entry.sequence); });
    return sequences;
}

}  // namespace lanes
