// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/status_page.h"

#include "engine/runtime/state_words.h"

#include <nlohmann/json.hpp>

namespace lanes {

namespace {

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
        entry["state"] = stateWord(d.health);
        entry["lanes"] = d.lanes;
        entry["in_flight"] = d.inFlight;
        entry["budget"] = d.budget;
        entry["attempts"] = d.attempts;
        entry["last_error"] = d.lastError;
        destinations.push_back(std::move(entry));
    }
    nlohmann::ordered_json page = counters(snapshot.totals);
    page["lifecycle"] = stateWord(snapshot.lifecycle);
    page["lanes"] = snapshot.lanes;
    page["in_flight"] = snapshot.inFlight;
    page["store_writable"] = snapshot.store.writable;
    page["store_fault"] = snapshot.store.fault;
    page["destinations"] = std::move(destinations);
    // Error texts come from outside; anything that is no UTF-8 is replaced, never thrown.
    return page.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lanes
