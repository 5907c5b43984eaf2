// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanes {

/// Where a payload stops being JSON; lines and columns count from 1, columns in characters.
struct PayloadFault {
    std::size_t position = 0;  ///< in bytes
    std::size_t line = 1;
    std::size_t column = 1;
    std::string_view what;
};

/// Whether a content type says that the payload is JSON.
[[nodiscard]] bool saysJson(std::string_view contentType);

/// The fault of a payload that is not what its content type says; nothing if it is good.
[[nodiscard]] std::optional<PayloadFault> payloadFault(std::string_view contentType,
                                                       std::string_view payload);

/// Whether a payload is what its content type says, as far as the intake would have looked: JSON is
/// read, anything else is bytes. Empty if it is good, else a sentence for the operator with the
/// place of the fault.
[[nodiscard]] std::string payloadProblem(std::string_view contentType, std::string_view payload);

}  // namespace lanes
