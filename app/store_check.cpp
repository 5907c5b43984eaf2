// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store_check.h"

#include "app/words.h"

namespace lanes::app {

Json toJson(const VerifyReport& report) {
    Json json;
    json["attempts"] = report.attempts;
    json["lanes"] = report.lanes;
    json["order_violations"] = report.orderViolations;
    json["unbalanced"] = report.unbalanced;
    json["marked_rewinds"] = report.markedRewinds;
    json["findings"] = report.findings;
    return json;
}

std::string toText(const VerifyReport& report) {
    auto text = std::to_string(report.attempts) + " attempts in " + std::to_string(report.lanes) +
                " lanes: " + std::to_string(report.orderViolations) + " out of order, " +
                std::to_string(report.markedRewinds) + " late by a rewind, " +
                std::to_string(report.unbalanced) + " counts that do not add up\n";
    for (const auto& finding : report.findings) text += "  " + oneLine(finding) + "\n";
    return text;
}

}  // namespace lanes::app
