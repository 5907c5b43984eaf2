// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"
#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

#include <map>
#include <string>

// The values of the engine as scripts see them: states by their words, times in ISO 8601, time
// spans in seconds, sequences as whole numbers.
namespace lanes::app {

using DestinationNames = std::map<std::uint32_t, std::string>;

[[nodiscard]] Json importJson(const ImportSnapshot& import);
[[nodiscard]] Json statusJson(const EngineSnapshot& snapshot);
/// Secrets and header values stay out: only how many secrets there are, and the header's names.
[[nodiscard]] Json destinationJson(const DestinationConfig& config,
                                   const DestinationSnapshot* state);
[[nodiscard]] Json laneJson(const LaneRow& lane, const DestinationNames& names);
[[nodiscard]] Json deadLetterJson(const DeadLetterRow& row, const DestinationNames& names);
[[nodiscard]] Json operationJson(const OperationRow& row);
[[nodiscard]] Json operationEventJson(const OperationEventRow& row, const DestinationNames& names);
/// What a rewind or discard would do; with the state of each destination and, for a rewind, how
/// long it needs for all that waits there then.
[[nodiscard]] Json planJson(const RewindPlan& plan, const EngineSnapshot& snapshot,
                            const std::vector<DestinationConfig>& configs);
[[nodiscard]] Json lanePlanJson(const LanePlan& plan);
[[nodiscard]] Json eventJson(const EventRow& event, const std::vector<AttemptRow>& attempts,
                             const DestinationNames& names);

}  // namespace lanes::app
