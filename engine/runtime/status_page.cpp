// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/status_page.h"

#include <nlohmann/json.hpp>

namespace lanes {

namespace {

const char* word(Lifecycle lifecycle) {
    switch (lifecycle) {
    case Lifecycle::starting:
        return "starting";
    case Lifecycle::recovering:
        return "recovering";
    case Lifecycle::running:
        return "running";
    case Lifecycle::draining:
        return "draining";
    case Lifecycle::stopped:
        return "stopped";
    case Lifecycle::failed:
        return "failed";
    }
    return "";
}

const char* word(HealthState state) {
    switch (state) {
    case HealthState::healthy:
        return "healthy";
    case HealthState::throttled:
        return "throttled";
    case HealthState::degraded:
        return "degraded";
    case HealthState::recovering:
        return "recovering";
    case HealthState::paused:
        return "paused";
    }
    return "";
}

nlohmann::ordered_json counters(const DeliveryCounters& c) {
    return {{"accepted", c.accepted},
            {"delivered", c.delivered},
            {"waiting", c.waiting},
            {"dead", c.dead},
            {"discarded", c.discarded}};
}

}  // namespace

std::string statusPage(const EngineSnapshot& snapshot) {
    nlohmann::ordered_json destinations = nlohmann::ordered_json::array();
    for (const auto& d : snapshot.destinations) {
        auto entry = counters(d.counters);
        entry["name"] = d.name;
        entry["state"] = word(d.health);
        entry["lanes"] = d.lanes;
        entry["in_flight"] = d.inFlight;
        entry["budget"] = d.budget;
        entry["attempts"] = d.attempts;
        entry["last_error"] = d.lastError;
        destinations.push_back(std::move(entry));
    }
    nlohmann::ordered_json page = counters(snapshot.totals);
    page["lifecycle"] = word(snapshot.lifecycle);
    page["lanes"] = snapshot.lanes;
    page["in_flight"] = snapshot.inFlight;
    page["store_writable"] = snapshot.store.writable;
    page["store_fault"] = snapshot.store.fault;
    page["destinations"] = std::move(destinations);
    // Error texts come from outside; anything that is no UTF-8 is replaced, never thrown.
    return page.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lanes
