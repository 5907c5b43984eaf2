// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::test {

/// Reads a store in which there is nothing. A test overrides what it is about.
class EmptyReader : public PageReader {
public:
    DeadLetterPage deadLetters(const DeadLetterQuery&) override { return {}; }
    AttemptPage attempts(const AttemptQuery&) override { return {}; }
    std::optional<EventRow> event(Sequence) override { return std::nullopt; }
    std::optional<std::string> editedPayload(Pointer) override { return std::nullopt; }
    LaneEventPage laneEvents(const LaneEventQuery&) override { return {{}, true, {}, {}, false}; }
    FoundEvents findEvents(const std::string&, const std::string&) override { return {}; }
    QuarantinePage quarantine(const QuarantineQuery&) override { return {{}, true, {}, false}; }
    std::optional<QuarantineRow> quarantined(QuarantineId) override { return std::nullopt; }
    OperationPage operations(const OperationQuery&) override { return {}; }
    OperationEventPage operationEvents(const OperationEventQuery&) override { return {}; }
    RewindPlan planRewind(const RewindScope&) override { return {}; }
    LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>&) override { return {}; }
    std::uint64_t countDeadSince(const DeadLetterFilter&, WallMicros) override { return 0; }
    void interrupt() override {}
};

}  // namespace lanes::test
