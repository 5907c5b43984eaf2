// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <string>

namespace lanes {

/// A new event id in the form of a ULID: 48 bits of time and 80 random ones. Ids of one moment lie
/// together, which the store's index of ids likes.
[[nodiscard]] std::string makeEventId(WallMicros now);

}  // namespace lanes
