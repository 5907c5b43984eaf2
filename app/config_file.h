// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/destination_change.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanes::app {

/// Largest configuration file that is read: a thousand destinations with headers fit.
inline constexpr std::size_t kConfigBytes = 4u << 20;

using Changes = std::vector<DestinationChange>;

/// Reads {"destinations": [{"name": ..., "url": ...}, ...]}. The sentence names the file and the
/// line and the field; nothing is taken from a file with an error.
[[nodiscard]] std::variant<Changes, std::string> readConfigFile(const std::string& path);

/// The same for text that was read already; `name` stands for the file in sentences.
[[nodiscard]] std::variant<Changes, std::string> readConfigText(std::string_view text,
                                                                const std::string& name);

}  // namespace lanes::app
