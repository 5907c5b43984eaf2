// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <string>

namespace lanes {

/// The state of the engine in Prometheus' text format 0.0.4, for `GET /metrics`. Every destination
/// has the same series, whatever its state, so that none begins or ends with an outage. What is
/// called `_total` never falls while the process lives; the rest are states.
[[nodiscard]] std::string metricsPage(const EngineSnapshot& snapshot);

}  // namespace lanes
