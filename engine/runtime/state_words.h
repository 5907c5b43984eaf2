// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

namespace lanes {

/// What scripts read for a state; these words do not change.
[[nodiscard]] const char* stateWord(Lifecycle lifecycle);
[[nodiscard]] const char* stateWord(HealthState state);
[[nodiscard]] const char* stateWord(Outcome outcome);

}  // namespace lanes
