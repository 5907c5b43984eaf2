// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/control_client.h"

#include <functional>
#include <ostream>
#include <string>

namespace lanes::app {

/// Dead letters that are moved without --yes; more than a hand can count back are asked about.
inline constexpr std::uint64_t kFew = 10;

/// Asks somebody who is there whether to go on.
using Confirm = std::function<bool(const std::string& question)>;

/// Does one operation on the instance that runs on the directory, and writes the result to `out`:
/// one JSON object, or lines to read. Errors are one line on `err`. Without `confirm` nobody is
/// there to be asked.
[[nodiscard]] Exit runOperation(const Operation& operation, const std::string& directory, bool json,
                                std::ostream& out, std::ostream& err,
                                const Confirm& confirm = nullptr);

}  // namespace lanes::app
