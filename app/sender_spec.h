// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_spec.h"

#include <vector>

// How the commands about sources and rejected events read.
namespace lanes::app {

/// Their lines in the table of all commands.
[[nodiscard]] std::vector<CommandSpec> senderSpecs();

}  // namespace lanes::app
