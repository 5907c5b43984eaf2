// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// Whether a payload is what its content type says, as far as the intake would have looked: JSON is
/// read, anything else is bytes. Empty if it is good, else a sentence for the operator with the
/// place of the fault.
[[nodiscard]] std::string payloadProblem(std::string_view contentType, std::string_view payload);

}  // namespace lanes
