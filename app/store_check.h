// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"
#include "engine/verify.h"

#include <string>

// The report of an offline check, for scripts and for people.
namespace lanes::app {

[[nodiscard]] Json toJson(const VerifyReport& report);
[[nodiscard]] std::string toText(const VerifyReport& report);

}  // namespace lanes::app
