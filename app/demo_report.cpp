// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo_report.h"

#include <iomanip>
#include <sstream>

namespace lanes::app {

namespace {

std::uint64_t outcomes(const EngineSnapshot& snapshot, Outcome outcome) {
    std::uint64_t sum = 0;
    for (const auto& state : snapshot.destinations)
        sum += state.outcomes[static_cast<std::size_t>(outcome)];
    return sum;
}

void judgeLedgers(DemoReport& report, const std::vector<MockReport>& mocks) {
    std::uint64_t overlaps = 0;
    std::uint64_t signatures = 0;
    for (const auto& mock : mocks) {
        report.duplicates += mock.duplicates;
        report.requests += mock.requests;
        report.orderViolations += mock.orderViolations;
        overlaps += mock.overlaps;
        signatures += mock.badSignatures;
    }
    const auto note = [&report](std::uint64_t count, const char* text) {
        if (count > 0) report.broken.push_back(std::to_string(count) + text);
    };
    note(report.orderViolations, " deliveries came out of order (P2)");
    note(overlaps, " times a lane had two requests in flight (P3)");
    if (report.duplicates > report.unknown)
        report.broken.push_back(std::to_string(report.duplicates) + " duplicates, but only " +
                                std::to_string(report.unknown) + " unknown outcomes (P4)");
    note(signatures, " signatures did not verify");
}

}  // namespace

DemoReport judge(const EngineSnapshot& snapshot, const std::vector<MockReport>& mocks,
                 const TrafficReport& traffic, bool settled) {
    DemoReport report;
    report.totals = snapshot.totals;
    report.unknown = outcomes(snapshot, Outcome::unknown);
    for (const auto& state : snapshot.destinations) report.attempts += state.attempts;
    judgeLedgers(report, mocks);
    if (!snapshot.totals.balanced()) report.broken.push_back("the counts do not add up (P7)");
    if (!settled) {
        report.broken.push_back(std::to_string(report.totals.waiting) +
                                " events still waited when the time was over");
        return report;
    }
    if (traffic.accepted > snapshot.intake.acceptedEvents + snapshot.intake.duplicates)
        report.broken.push_back("events that were answered with 202 are missing (P1)");
    // What could not be connected was never a request; what is unknown may have been one.
    const auto unreachable = outcomes(snapshot, Outcome::unreachable);
    const auto most = report.attempts - unreachable;
    if (report.requests > most || report.requests + report.unknown < most)
        report.broken.push_back(std::to_string(report.requests) + " requests were seen, but " +
                                std::to_string(most) + " attempts are in the log (P5)");
    return report;
}

Json toJson(const DemoReport& report) {
    Json json;
    json["accepted"] = report.totals.accepted;
    json["delivered"] = report.totals.delivered;
    json["waiting"] = report.totals.waiting;
    json["dead"] = report.totals.dead;
    json["discarded"] = report.totals.discarded;
    json["duplicates"] = report.duplicates;
    json["unknown"] = report.unknown;
    json["order_violations"] = report.orderViolations;
    json["promises_broken"] = report.broken.size();
    json["seconds"] = report.seconds;
    json["attempts"] = report.attempts;
    json["requests"] = report.requests;
    json["rewound"] = report.rewound;
    json["most_dead"] = report.mostDead;
    json["most_waiting"] = report.mostWaiting;
    json["broken"] = report.broken;
    return json;
}

std::string toText(const DemoReport& report) {
    std::ostringstream text;
    text << "accepted          " << report.totals.accepted << "\n"
         << "delivered         " << report.totals.delivered << "\n"
         << "waiting           " << report.totals.waiting << " (" << report.mostWaiting
         << " at most)\n"
         << "dead              " << report.totals.dead << " (" << report.mostDead << " at most, "
         << report.rewound << " rewound)\n"
         << "discarded         " << report.totals.discarded << "\n"
         << "duplicates        " << report.duplicates << " (" << report.unknown
         << " unknown outcomes)\n"
         << "order violations  " << report.orderViolations << "\n"
         << "attempts          " << report.attempts << " (" << report.requests
         << " requests seen)\n"
         << "promises broken   " << report.broken.size() << "\n"
         << std::fixed << std::setprecision(1) << "seconds           " << report.seconds << "\n";
    for (const auto& sentence : report.broken) text << "  " << sentence << "\n";
    return text.str();
}

}  // namespace lanes::app
