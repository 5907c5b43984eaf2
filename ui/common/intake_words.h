// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QString>

// How events are sent to this program.
namespace lanes::ui {

/// "http://127.0.0.1:7420/v1/events"; empty while no event is accepted.
[[nodiscard]] QString intakeAddress(const EngineSnapshot& snapshot);
/// A command for a shell that sends one event, with the write key in it; empty as above.
[[nodiscard]] QString curlCommand(const Engine& engine);

}  // namespace lanes::ui
