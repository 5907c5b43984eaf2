// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <string>

namespace lanes {

/// The 64-bit name of a user, which its lanes are found by: the same on every machine and in every
/// version, never 0. An event without a user gets the fingerprint of its own id, so that it shares
/// a lane with nothing.
[[nodiscard]] UserId fingerprint(const UserKey& user, const std::string& eventId);

}  // namespace lanes
