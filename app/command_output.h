// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/control_protocol.h"

#include <functional>
#include <ostream>
#include <string>

namespace lanes::app {

/// Where the outcome of a command goes: one JSON object or lines to read, and errors in one line.
struct CommandOutput {
    bool json = false;
    std::ostream& out;
    std::ostream& err;

    using Print = std::function<void(const Json&, std::ostream&)>;

    [[nodiscard]] Exit fail(const std::string& error, Exit exit) const;
    /// The answer if it is good, in one of the two forms.
    [[nodiscard]] Exit show(const ControlAnswer& answer, const Print& print) const;
};

}  // namespace lanes::app
