// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulation.h"

#include "engine/sim/simulator.h"

#include <csignal>
#include <cstdio>

namespace lanes {

namespace {

/// What the run on this thread says when the process ends under it.
thread_local char t_again[256] = {};
struct sigaction s_before;

void sayAgain(int) {
    std::fputs(t_again, stderr);
    // Whoever was here first gets the signal as soon as this function is left.
    sigaction(SIGABRT, &s_before, nullptr);
    std::raise(SIGABRT);
}

bool listenForTheEnd() {
    struct sigaction action = {};
    action.sa_handler = sayAgain;
    return sigaction(SIGABRT, &action, &s_before) == 0;
}

std::string again(const SimulationOptions& options) {
    return "seed " + std::to_string(options.seed) + "; again with: " + options.command() + "\n";
}

/// A broken invariant inside the kernel ends the process; the seed must be known then too.
class SeedNote {
public:
    explicit SeedNote(const SimulationOptions& options) {
        [[maybe_unused]] static const bool listening = listenForTheEnd();
        std::snprintf(t_again, sizeof t_again, "%s", again(options).c_str());
    }
    ~SeedNote() { t_again[0] = '\0'; }
    SeedNote(const SeedNote&) = delete;
    SeedNote& operator=(const SeedNote&) = delete;
};

}  // namespace

std::string SimulationOptions::command() const {
    const SimulationOptions usual;
    const std::string number = std::to_string(seed);
    std::string text = "rivora-lanes simulate --seeds " + number + ".." + number;
    if (length != usual.length) text += " --minutes " + std::to_string(length / kMinute);
    if (destinations != usual.destinations)
        text += " --destinations " + std::to_string(destinations);
    if (users != usual.users) text += " --users " + std::to_string(users);
    if (events != usual.events) text += " --events " + std::to_string(events);
    return text;
}

SimulationCounts& SimulationCounts::operator+=(const SimulationCounts& other) {
    steps += other.steps;
    accepted += other.accepted;
    delivered += other.delivered;
    requests += other.requests;
    duplicates += other.duplicates;
    crashes += other.crashes;
    stops += other.stops;
    sleeps += other.sleeps;
    freezes += other.freezes;
    wallJumps += other.wallJumps;
    pauses += other.pauses;
    rewound += other.rewound;
    returned += other.returned;
    holds += other.holds;
    discarded += other.discarded;
    storeFaults += other.storeFaults;
    outages += other.outages;
    unread += other.unread;
    added += other.added;
    removed += other.removed;
    virtualTime += other.virtualTime;
    return *this;
}

std::string SimulationReport::failure() const {
    std::string text;
    for (const SimulationViolation& violation : violations) {
        text += violation.promise + " at " +
                std::to_string(static_cast<double>(violation.at) / static_cast<double>(kSecond)) +
                " s: " + violation.what + "\n";
    }
    if (text.empty()) return text;
    return text + "step " + std::to_string(counts.steps) + ", " + again(options);
}

SimulationReport runSimulation(const SimulationOptions& options) {
    const SeedNote note(options);
    return sim::Simulator(options).run();
}

}  // namespace lanes
