// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

// Files, where SQLite does not care for them.
namespace lanes::store {

/// 0 if it is not there.
[[nodiscard]] std::uint64_t sizeOfFile(const std::string& path);
/// "." of a bare name.
[[nodiscard]] std::string directoryOf(const std::string& file);
/// Brings a file or the names of a directory to the disk; false with the reason in errno.
[[nodiscard]] bool syncPath(const std::string& path);
/// Removes a database with what SQLite keeps beside it, as far as it is there.
void removeDatabase(const std::string& path);

}  // namespace lanes::store
