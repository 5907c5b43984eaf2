// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <string>

namespace lanes {

/// The state of the engine as the JSON object of `GET /v1/status`.
[[nodiscard]] std::string statusPage(const EngineSnapshot& snapshot);

}  // namespace lanes
