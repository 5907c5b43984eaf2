// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/log_scan.h"

#include <utility>
#include <vector>

namespace lanes::store {

/// What is left of some lanes in the log, each from an event on. Throws SQLite::Exception.
[[nodiscard]] LanePlan makeLanePlan(const PlanSource& source,
                                    const std::vector<std::pair<LaneKey, Sequence>>& from);

}  // namespace lanes::store
