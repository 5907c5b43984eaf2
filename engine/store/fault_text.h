// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/store/data_directory.h"

#include <cstdint>
#include <string>

// What an operator is told while the store runs with a fault: what happened, what to do, what still
// works. One line each, plain text.
namespace lanes::store {

/// Nothing can be written.
[[nodiscard]] std::string failedText(const Error& error);
/// The rest of the disk is kept for the results of requests that are under way.
[[nodiscard]] std::string roomText(const std::string& directory, const DiskSpace& space,
                                   std::uint64_t neededBytes);
/// A reader keeps the write-ahead log from starting anew. At the limit no event is taken.
[[nodiscard]] std::string stuckText(const std::string& path, std::uint64_t limitBytes,
                                    bool reached);

}  // namespace lanes::store
