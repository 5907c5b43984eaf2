// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulation_run.h"

#include "engine/simulation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lanes::app {

namespace {

using Clock = std::chrono::steady_clock;

/// Failures that are told in full; whoever has more of them looks at the first ones first.
constexpr std::size_t kTold = 20;

/// Gives out the seeds and gathers what became of them.
class Sweep {
public:
    Sweep(const PlaySimulation& command, bool terminal, std::ostream& err)
        : m_command(command), m_next(command.first), m_terminal(terminal), m_err(err) {}

    void run() {
        const std::uint64_t seeds = m_command.last - m_command.first + 1;
        const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::thread> threads;
        for (std::uint64_t i = 1; i < std::min(cores, seeds); ++i)
            threads.emplace_back([this] { work(); });
        work();
        for (auto& thread : threads) thread.join();
        m_seconds = std::chrono::duration<double>(Clock::now() - m_began).count();
        if (m_terminal) m_err << "\r\033[K" << std::flush;
    }

    SimulationCounts counts;
    std::map<std::uint64_t, SimulationReport> failures;  ///< by seed, the first ones
    std::uint64_t failed = 0;

    [[nodiscard]] std::uint64_t done() const { return m_done; }
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    void work() {
        SimulationOptions options = m_command.options;
        while (take(options.seed)) gather(runSimulation(options));
    }

    bool take(std::uint64_t& seed) {
        const std::lock_guard lock(m_mutex);
        if (m_next > m_command.last) return false;
        seed = m_next++;
        return true;
    }

    void gather(SimulationReport report) {
        const std::lock_guard lock(m_mutex);
        counts += report.counts;
        ++m_done;
        if (!report.ok()) {
            ++failed;
            const auto seed = report.options.seed;
            failures.emplace(seed, std::move(report));
            if (failures.size() > kTold) failures.erase(std::prev(failures.end()));
        }
        constexpr auto kShowEvery = std::chrono::milliseconds(200);
        if (!m_terminal || Clock::now() - m_shown < kShowEvery) return;
        m_shown = Clock::now();
        m_err << "\r\033[K" << m_done << " of " << m_command.last - m_command.first + 1
              << " seeds, " << failed << " failed" << std::flush;
    }

    const PlaySimulation m_command;
    std::mutex m_mutex;
    std::uint64_t m_next;
    std::uint64_t m_done = 0;
    const bool m_terminal;
    std::ostream& m_err;
    const Clock::time_point m_began = Clock::now();
    Clock::time_point m_shown = m_began;
    double m_seconds = 0;
};

struct Figure {
    const char* name;
    const char* text;
    std::uint64_t SimulationCounts::*count;
};

constexpr std::array kFigures = {
    Figure{"steps", "steps of the kernel", &SimulationCounts::steps},
    Figure{"accepted", "events accepted, times destinations", &SimulationCounts::accepted},
    Figure{"delivered", "delivered", &SimulationCounts::delivered},
    Figure{"requests", "requests", &SimulationCounts::requests},
    Figure{"duplicates", "duplicates received", &SimulationCounts::duplicates},
    Figure{"outages", "outages", &SimulationCounts::outages},
    Figure{"unread", "events that could not be read", &SimulationCounts::unread},
    Figure{"store_faults", "store faults", &SimulationCounts::storeFaults},
    Figure{"crashes", "crashes", &SimulationCounts::crashes},
    Figure{"stops", "orderly stops", &SimulationCounts::stops},
    Figure{"sleeps", "sleeps of the machine", &SimulationCounts::sleeps},
    Figure{"freezes", "standstills of the process", &SimulationCounts::freezes},
    Figure{"wall_jumps", "wall clock jumps", &SimulationCounts::wallJumps},
    Figure{"pauses", "pauses", &SimulationCounts::pauses},
    Figure{"rewound", "events rewound", &SimulationCounts::rewound},
    Figure{"returned", "rewinds undone", &SimulationCounts::returned},
    Figure{"holds", "users held", &SimulationCounts::holds},
    Figure{"discarded", "dead letters discarded", &SimulationCounts::discarded},
    Figure{"added", "destinations added", &SimulationCounts::added},
    Figure{"removed", "destinations removed", &SimulationCounts::removed},
};

double hours(Micros time) { return static_cast<double>(time) / static_cast<double>(kHour); }

double perSecond(const Sweep& sweep) {
    return sweep.seconds() > 0 ? static_cast<double>(sweep.done()) / sweep.seconds() : 0;
}

void printText(const Sweep& sweep, std::ostream& out) {
    for (const auto& [seed, report] : sweep.failures) out << report.failure() << "\n";
    out << sweep.done() << " seeds, " << sweep.failed << " with a violation\n";
    constexpr int kWidth = 14;
    for (const auto& figure : kFigures)
        out << std::setw(kWidth) << sweep.counts.*figure.count << "  " << figure.text << "\n";
    std::ostringstream time;
    time << std::fixed << std::setprecision(1) << hours(sweep.counts.virtualTime)
         << " h of virtual time in " << sweep.seconds() << " s, " << perSecond(sweep)
         << " seeds a second\n";
    out << time.str() << std::flush;
}

void printJson(const PlaySimulation& command, const Sweep& sweep, std::ostream& out) {
    using nlohmann::json;
    json failures = json::array();
    for (const auto& [seed, report] : sweep.failures)
        for (const auto& violation : report.violations)
            failures.push_back(
                {{"seed", seed},
                 {"promise", violation.promise},
                 {"what", violation.what},
                 {"at_s", static_cast<double>(violation.at) / static_cast<double>(kSecond)},
                 {"replay", report.options.command()}});
    json all = {{"seeds", sweep.done()},
                {"violations", failures.size()},
                {"seconds", sweep.seconds()},
                {"failed_seeds", sweep.failed},
                {"first_seed", command.first},
                {"last_seed", command.last},
                {"minutes", command.options.length / kMinute},
                {"destinations", command.options.destinations},
                {"users", command.options.users},
                {"events", command.options.events},
                {"virtual_hours", hours(sweep.counts.virtualTime)},
                {"seeds_per_second", perSecond(sweep)}};
    for (const auto& figure : kFigures) all[figure.name] = sweep.counts.*figure.count;
    // The first failure stands at the top too, for whoever looks for one only.
    if (!failures.empty())
        for (const char* key : {"seed", "promise", "replay"}) all[key] = failures.front()[key];
    all["failures"] = std::move(failures);
    out << all.dump(2) << std::endl;
}

}  // namespace

Exit runSimulationCommand(const PlaySimulation& command, SimulationShow show, std::ostream& out,
                          std::ostream& err) {
    Sweep sweep(command, show.terminal, err);
    sweep.run();
    if (show.json)
        printJson(command, sweep, out);
    else
        printText(sweep, out);
    return sweep.failed == 0 ? Exit::good : Exit::checkFailed;
}

}  // namespace lanes::app
