// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/outage_story.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace lanes::test {

namespace {

constexpr int kSeconds = 15 * 60;
constexpr int kFalls = 500;     // the outage begins
constexpr int kRises = 700;     // the destination is back
constexpr int kDrained = 800;   // about when the backlog is gone

/// A cheap, repeatable wobble in -1 .. 1.
double wobble(int step, double pace) {
    return 0.6 * std::sin(step * pace) + 0.4 * std::sin(step * pace * 2.7 + 1);
}

DestinationSnapshot named(std::uint32_t id, const char* name) {
    DestinationSnapshot d;
    d.id = DestinationId(id);
    d.name = name;
    d.url = std::string("https://") + name + ".example/hooks";
    d.maxInFlight = 64;
    d.budget = 64;
    d.knownGood = 64;
    d.window = 72 * kHour;
    return d;
}

void count(DestinationSnapshot& d, double in, double out, double failed) {
    d.counters.accepted += static_cast<std::uint64_t>(in);
    d.counters.delivered += static_cast<std::uint64_t>(out);
    d.counters.waiting = d.counters.accepted - d.counters.delivered;
    d.attempts += static_cast<std::uint64_t>(out + failed);
    d.outcomes[0] += static_cast<std::uint64_t>(out);
    d.outcomes[3] += static_cast<std::uint64_t>(failed);
}

void change(DestinationSnapshot& d, WallMicros at, double to, const char* reason) {
    d.lastChange = {at, d.budget, to, reason};
    d.budget = to;
}

void ill(DestinationSnapshot& d, int second, int quarter, WallMicros at, double in) {
    const double waiting = static_cast<double>(d.counters.waiting);
    if (second < kFalls || second >= kDrained + 40) {
        d.health = HealthState::healthy;
        if (second == kDrained + 40 && quarter == 0)
            change(d, at, 64, "back to 64: no error for 60 s");
        const double failed = second % 97 == 0 && quarter == 0 ? 1 : 0;
        count(d, in, std::min(in + waiting, in + (waiting > 12 ? 1 : 0)), failed);
        d.inFlight = static_cast<std::uint32_t>(4 + 2 * wobble(second, 0.31));
        return;
    }
    if (second < kFalls + 12) {
        d.health = HealthState::throttled;
        if (quarter == 0 && second % 4 == 0)
            change(d, at, std::max(1.0, std::round(d.budget * 0.6)),
                   "cut 64 to 38: 9 of 52 answers were 503");
        const double share = (second - kFalls) / 12.0;
        count(d, in, std::floor(in * (1 - share)), std::ceil(8 * share));
        d.inFlight = static_cast<std::uint32_t>(std::min(d.budget, 20.0));
        d.lastError = "503 Service Unavailable";
        return;
    }
    if (second < kRises) {
        d.health = HealthState::degraded;
        if (d.budget > 1) change(d, at, 1, "cut 14 to 1: 52 of 52 answers were 503");
        count(d, in, 0, quarter == 0 ? 1 : 0);
        d.probes += quarter == 0 ? 1 : 0;
        d.inFlight = quarter == 0 ? 1 : 0;
        return;
    }
    d.health = HealthState::recovering;
    if (quarter == 0 && (second - kRises) % 8 == 0 && d.budget < 64)
        change(d, at, std::min(64.0, d.budget * 2), "doubled: 8 of 8 delivered");
    const double out = std::min(in + waiting, std::floor(d.budget * 0.55));
    count(d, in, out, 0);
    d.inFlight = static_cast<std::uint32_t>(std::min(d.budget, out * 1.5 + 2));
}

}  // namespace

void tellOutage(WallMicros last, const std::function<void(const EngineSnapshot&)>& listener) {
    EngineSnapshot s;
    s.lifecycle = Lifecycle::running;
    s.destinations = {named(1, "crm"), named(2, "billing"), named(3, "audit")};
    s.intake.listening = true;
    s.intake.port = 7420;
    const int steps = kSeconds * 4;
    for (int step = 0; step <= steps; ++step) {
        const int second = step / 4;
        const int quarter = step % 4;
        s.number = static_cast<std::uint64_t>(step) + 1;
        s.at = last - (steps - step) * (kSecond / 4);
        s.engineTime = (step + 1) * (kSecond / 4);
        const double in = std::floor(5.5 + 2 * wobble(step, 0.017) + 1.2 * wobble(step, 1.3));
        ill(s.destinations[0], second, quarter, s.at, in);
        count(s.destinations[1], std::floor(in / 2), std::floor(in / 2), 0);
        s.destinations[1].inFlight = static_cast<std::uint32_t>(2 + wobble(step, 0.4));
        const bool pausing = second > 620;
        auto& audit = s.destinations[2];
        audit.health = pausing ? HealthState::paused : HealthState::healthy;
        audit.pausedBy = pausing ? "anna" : "";
        audit.pauseReason = pausing ? "maintenance" : "";
        count(audit, 1, pausing ? 0 : 1, 0);
        s.totals = {};
        for (const auto& d : s.destinations) s.totals += d.counters;
        listener(s);
    }
}

}  // namespace lanes::test
