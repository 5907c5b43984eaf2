// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"
#include "engine/mock_control.h"
#include "engine/snapshot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::app {

/// What a demonstration comes to: what the engine counted, what the mock destinations saw with
/// their own eyes, and what the store says afterwards.
struct DemoReport {
    DeliveryCounters totals;
    std::uint64_t duplicates = 0;  ///< as the mocks saw them
    std::uint64_t unknown = 0;     ///< attempts whose outcome is not known
    std::uint64_t attempts = 0;    ///< finished, as the engine counts them
    std::uint64_t requests = 0;    ///< as the mocks saw them
    std::uint64_t rewound = 0;     ///< dead letters that went back
    std::uint64_t mostDead = 0;    ///< dead letters at one moment
    std::uint64_t mostWaiting = 0;
    std::uint64_t orderViolations = 0;  ///< of the mocks' ledgers and of the store's
    double seconds = 0;
    std::vector<std::string> broken;  ///< one sentence a broken promise
};

/// Compares the engine's last state with the mocks' ledgers. `settled`: nothing waited any more.
[[nodiscard]] DemoReport judge(const EngineSnapshot& snapshot, const std::vector<MockReport>& mocks,
                               const TrafficReport& traffic, bool settled);

[[nodiscard]] Json toJson(const DemoReport& report);
[[nodiscard]] std::string toText(const DemoReport& report);

}  // namespace lanes::app
