// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

namespace lanes::test {

/// The plan that a store with these dead letters would make. `later`: of the lanes that are there,
/// how many later events were delivered.
inline RewindPlan planOfRows(const std::vector<DeadLetterRow>& dead, const RewindScope& scope,
                             const std::map<LaneKey, std::uint64_t>& later) {
    RewindPlan plan;
    plan.plannedAt = 1;
    std::map<DestinationId, PlanForDestination> parts;
    std::map<LaneKey, Sequence> lanes;
    const auto* named = std::get_if<std::vector<Pointer>>(&scope);
    for (const auto& row : dead) {
        const bool meant =
            named ? std::find(named->begin(), named->end(), row.pointer) != named->end()
                  : matches(std::get<DeadLetterFilter>(scope), row);
        if (!meant) continue;
        plan.pointers.push_back(row.pointer);
        auto& part = parts[row.pointer.destination];
        part.destination = row.pointer.destination;
        ++part.events;
        part.bytes += row.bytes;
        if (row.life > 1) ++part.rewoundBefore;
        if (row.lastOutcome == Outcome::unknown && row.firstTriedAt != 0)
            ++part.mayHaveBeenReceived;
        const LaneKey lane{row.pointer.destination, row.userId};
        const auto [at, fresh] = lanes.emplace(lane, row.pointer.sequence);
        at->second = std::min(at->second, row.pointer.sequence);
        if (fresh) ++part.lanes;
        if (const auto found = later.find(lane); fresh && found != later.end()) {
            ++part.lanesPassed;
            part.laterDelivered += found->second;
        }
    }
    std::sort(plan.pointers.begin(), plan.pointers.end(), [](const Pointer& a, const Pointer& b) {
        return std::tie(a.sequence, a.destination) < std::tie(b.sequence, b.destination);
    });
    if (named) plan.notDead = named->size() - plan.pointers.size();
    for (const auto& [id, part] : parts) plan.destinations.push_back(part);
    for (const auto& [lane, sequence] : lanes)
        if (later.contains(lane)) plan.passed.emplace_back(lane, sequence);
    return plan;
}

}  // namespace lanes::test
