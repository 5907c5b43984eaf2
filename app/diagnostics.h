// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"

#include <string>

namespace lanes::app {

/// Versions, paths and surroundings for a report of a fault; no secret and nothing of a user.
[[nodiscard]] Json diagnosticsJson(const std::string& dataDirectory);
/// The same as lines of "name: value".
[[nodiscard]] std::string diagnosticsText(const Json& facts);

}  // namespace lanes::app
