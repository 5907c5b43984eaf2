// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab_run.h"

#include "app/lab_file.h"
#include "app/words.h"

#include <iomanip>
#include <optional>
#include <sstream>
#include <variant>
#include <vector>

namespace lanes::app {

namespace {

constexpr double kQuickScale = 0.1;

std::string fixed(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

std::string drain(const std::optional<double>& seconds) {
    return seconds ? fixed(*seconds, 1) : "never";
}

void row(std::ostringstream& text, const std::vector<std::string>& cells) {
    constexpr int kWidth = 11;
    text << "  " << std::left << std::setw(14) << cells.front() << std::right;
    for (std::size_t i = 1; i < cells.size(); ++i) text << std::setw(kWidth) << cells[i];
    text << "\n";
}

std::variant<std::vector<LabScenario>, std::string> chosen(const std::string& scenario) {
    if (scenario == "all") return labScenarios();
    if (const auto* known = findLabScenario(scenario)) return std::vector<LabScenario>{*known};
    const bool file = scenario.find_first_of("./\\") != std::string::npos;
    if (!file) {
        std::string names;
        for (const auto& known : labScenarios()) names += known.name + ", ";
        return "there is no scenario \"" + scenario.substr(0, 64) + "\"; there are " + names +
               "all, and files such as ./mine.json";
    }
    auto read = readLabFile(scenario);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    return std::vector<LabScenario>{std::get<LabScenario>(std::move(read))};
}

bool keptOrder(const LabResult& result) {
    for (const auto& sender : result.senders)
        if (sender.sender == LabSenderKind::lanes && sender.outOfOrder > 0) return false;
    return true;
}

}  // namespace

std::string toText(const LabScenario& scenario, const LabResult& result) {
    std::ostringstream text;
    text << oneLine(result.scenario) << ": " << oneLine(scenario.about) << "\n";
    if (result.ideal > 0)
        text << "  an ideal sender has delivered 99 % of what waited after "
             << fixed(result.ideal, 1) << " s\n";
    row(text, {"sender", "waiting", "disorder", "p50 s", "p99 s", "max s", "p99/ideal", "peak 1 s",
               "peak 10 s", "refused %", "wasted", "noticed s"});
    for (const auto& sender : result.senders) {
        const auto ratio = sender.drainP99Ratio ? fixed(*sender.drainP99Ratio, 3) : "-";
        row(text, {labSenderName(sender.sender), std::to_string(sender.waiting),
                   std::to_string(sender.outOfOrder), drain(sender.drainP50),
                   drain(sender.drainP99), drain(sender.drainMax), ratio, fixed(sender.peak1s, 2),
                   fixed(sender.peak10s, 2), fixed(100 * sender.refusedShare, 2),
                   std::to_string(sender.wasted), drain(sender.detect)});
    }
    if (result.p99DrainReduction)
        text << "  p99 drain of lanes against one queue: "
             << (result.reductionIsLowerBound ? "more than " : "")
             << fixed(100 * *result.p99DrainReduction, 1) << " % shorter\n";
    return text.str();
}

Exit runLabCommand(const PlayLab& command, bool json, std::ostream& out, std::ostream& err) {
    const auto scenarios = chosen(command.scenario);
    if (const auto* error = std::get_if<std::string>(&scenarios)) {
        err << "rivora-lanes: " << oneLine(*error) << std::endl;
        return Exit::usage;
    }
    LabOptions options;
    options.seed = command.seed;
    if (command.quick) options.scale = kQuickScale;
    if (!command.senders.empty()) options.senders = command.senders;
    std::vector<LabResult> results;
    bool ordered = true;
    for (const auto& scenario : std::get<std::vector<LabScenario>>(scenarios)) {
        results.push_back(runLab(scenario, options));
        ordered = ordered && keptOrder(results.back());
        if (!json) out << toText(scenario, results.back()) << std::endl;
    }
    if (json) out << labJson(results) << std::flush;
    return ordered ? Exit::good : Exit::checkFailed;
}

}  // namespace lanes::app
