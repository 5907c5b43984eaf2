// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/zipf.h"
#include "engine/lab.h"

#include <cstdint>

namespace lanes::sim {

/// Seconds from the recovery in which a sender that knows the capacity delivers 99 % of what waits
/// then: a fluid that keeps the destination exactly full, oldest event first. Where a few lanes
/// hold the backlog, their round trips bound it instead. 0 if next to nothing waits.
[[nodiscard]] double idealDrainP99(const LabScenario& scenario, const Zipf& users,
                                   std::uint64_t trafficSeed);

}  // namespace lanes::sim
