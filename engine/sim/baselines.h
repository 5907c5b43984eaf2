// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/lab_sender.h"

#include <cstdint>
#include <memory>

// What else people build to deliver webhooks, as the lab compares it with lanes. All of them wait
// 1 s after the first failure of an event and twice as long after each further one, up to an hour;
// they ask for at least what Retry-After says, and give up after the same retry window as lanes.
namespace lanes::sim {

/// One retry queue for the destination: what fails goes to the back of it when its wait is over.
/// Users have no order.
[[nodiscard]] std::unique_ptr<LabSender> makeQueueSender(const LabScenario& scenario,
                                                         LabWire& wire);

/// One queue in strict order: an event keeps its place among those in flight until it is delivered,
/// failing or waiting for an earlier one of its user, so that enough failing events stop
/// everything behind them.
[[nodiscard]] std::unique_ptr<LabSender> makeStrictSender(const LabScenario& scenario,
                                                          LabWire& wire);

/// Lanes that back off each for itself, the wait being anything from nothing up to its length
/// (full jitter); what one lane learns about the destination no other lane knows.
[[nodiscard]] std::unique_ptr<LabSender> makeBackoffLanesSender(const LabScenario& scenario,
                                                                std::uint64_t seed, LabWire& wire);

}  // namespace lanes::sim
