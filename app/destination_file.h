// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/command_output.h"
#include "app/control_client.h"
#include "app/operations.h"

// All destinations of a running instance as a configuration file, and back.
namespace lanes::app {

/// Writes the file, which only its owner may read, or prints it. What was left out for its secrets
/// is told on `err`.
[[nodiscard]] Exit exportDestinations(ControlClient& client, const ExportDestinations& wanted,
                                      const CommandOutput& output);

/// Shows what the file would change, asks, and changes it. Without `confirm` nobody is there to be
/// asked.
[[nodiscard]] Exit importDestinations(ControlClient& client, const ImportDestinations& wanted,
                                      const CommandOutput& output, const Confirm& confirm);

}  // namespace lanes::app
