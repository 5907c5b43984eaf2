// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lanes {

/// What the order ledger of a data directory says.
struct VerifyReport {
    std::uint64_t attempts = 0;
    std::uint64_t lanes = 0;
    /// Attempts before an earlier event of their lane was finished, and first successes after
    /// that of a later one; marked rewinds apart.
    std::uint64_t orderViolations = 0;
    /// Books that do not balance: destinations whose counts differ from the log, journal rows
    /// about events that are not there.
    std::uint64_t unbalanced = 0;
    std::uint64_t markedRewinds = 0;
    std::vector<std::string> findings;  ///< plain text, the first 100

    [[nodiscard]] bool clean() const { return orderViolations == 0 && unbalanced == 0; }
};

/// Reads the whole log of a data directory and proves order and balance, or shows where they are
/// broken. Reads only, in one snapshot, while the program runs or when it is closed. Blocks for
/// about a second per million attempts. The text is an error for an operator.
[[nodiscard]] std::variant<VerifyReport, std::string> verifyDataDirectory(
    const std::string& directory);

}  // namespace lanes
