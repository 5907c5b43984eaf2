// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab.h"

#include <string>
#include <string_view>
#include <variant>

namespace lanes::app {

/// Reads a scenario of the laboratory: an object whose fields change the scenario that "base"
/// names ("refuse" if absent). The sentence names the file and the field.
[[nodiscard]] std::variant<LabScenario, std::string> readLabFile(const std::string& path);

/// The same for text that was read already; `name` stands for the file in sentences.
[[nodiscard]] std::variant<LabScenario, std::string> readLabText(std::string_view text,
                                                                 const std::string& name);

}  // namespace lanes::app
