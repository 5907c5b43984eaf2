// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <optional>
#include <string>

// The directory that holds the data file: who owns it, and how much room is left.
namespace lanes::store {

struct DiskSpace {
    std::uint64_t freeBytes = 0;
    std::uint64_t totalBytes = 0;
};

/// Room for this user on the disk of the directory; nothing if it cannot be asked.
[[nodiscard]] std::optional<DiskSpace> diskSpace(const std::string& directory);
/// Bytes of this disk that stay free for the results of what is in flight.
[[nodiscard]] std::uint64_t reserveOf(const DiskSpace& space);

/// Why a call of the system about the directory failed, as a sentence for an operator.
[[nodiscard]] Error cannotUse(const std::string& directory, int error);
/// Now, in UTC, as part of a file's name.
[[nodiscard]] std::string timeStamp();

/// Ownership of a data directory by one process, kept by a lock that the system drops when the
/// process ends, however it ends.
class DirectoryLock {
public:
    DirectoryLock() = default;
    ~DirectoryLock();
    DirectoryLock(DirectoryLock&& other) noexcept;
    DirectoryLock& operator=(DirectoryLock&& other) noexcept;
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

    /// Makes the directory (0700) if it is missing and takes `<directory>/lock`.
    [[nodiscard]] static Result<DirectoryLock> take(const std::string& directory);

private:
    int m_descriptor = -1;
};

}  // namespace lanes::store
