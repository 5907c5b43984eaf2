// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "engine/lab.h"

#include <ostream>
#include <string>

namespace lanes::app {

/// Plays what the command names and prints the figures, each scenario as soon as it is played.
/// `checkFailed` if our own lanes delivered anything out of order.
[[nodiscard]] Exit runLabCommand(const PlayLab& command, bool json, std::ostream& out,
                                 std::ostream& err);

/// A table for people.
[[nodiscard]] std::string toText(const LabScenario& scenario, const LabResult& result);

}  // namespace lanes::app
