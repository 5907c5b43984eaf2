// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <ostream>

namespace lanes::app {

struct SimulationShow {
    bool json = false;
    bool terminal = false;  ///< `err` is looked at by somebody: show how far it is
};

/// Plays every seed of the command, as many at once as there are cores, and prints what happened.
/// `checkFailed` if a promise was broken: each is told with its seed and how to play it again.
[[nodiscard]] Exit runSimulationCommand(const PlaySimulation& command, SimulationShow show,
                                        std::ostream& out, std::ostream& err);

}  // namespace lanes::app
