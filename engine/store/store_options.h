// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/store/data_directory.h"
#include "engine/types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lanes {

struct StoreOptions {
    std::string directory;  ///< made with mode 0700 if it is missing
    /// Limits of one group. A commit costs a few milliseconds of syncing however much is in it;
    /// these bound how long those who wait for the first batch wait for the last one too.
    std::size_t groupEvents = 2'000;
    std::size_t groupBytes = 8u << 20;
    std::size_t groupJournal = 10'000;
    /// Log rows after which the pending sets are written again: reading a tail of this length at
    /// the start takes about a tenth of a second.
    std::uint64_t checkpointRows = 50'000;
    /// Blocks of tried pointers that one commit writes for the checkpoint: up to 3 KB each, so a
    /// commit takes a millisecond or two longer.
    std::size_t checkpointBlocks = 64;
    /// Ids that make a run of the index for the duplicate check. An id that the filters do not rule
    /// out is looked for in each run, so there should not be too many of them; who looks for an
    /// event by its id reads the end of the log that no run holds, so they should not be too long.
    /// This length costs 5 MB of memory.
    std::size_t idRunEntries = 131'072;
    /// How long an event stays in the log after it is finished everywhere.
    Micros retention = 7 * 24 * kHour;
    /// Between two passes of the retention over the log.
    Micros retentionInterval = 10 * kMinute;
    /// The write-ahead log is moved into the data file when it has grown by so much, and otherwise
    /// when so much time has passed. A move costs two syncs and the commits that wait for it, so
    /// it is not made often; what it copies bounds how long they wait.
    std::uint64_t walMoveBytes = 8u << 20;
    Micros walMoveInterval = 2 * kSecond;
    /// Size of a write-ahead log, which a reader keeps from starting anew, that takes no event.
    std::uint64_t stuckWalBytes = limits::kStuckWalBytes;
    /// Between two tries while the file cannot be written.
    Micros retryInterval = kSecond;
    /// How long a commit waits for a lock that another program holds.
    int busyMilliseconds = 1'000;
    /// Wall clock of the retention; the system's if empty.
    std::function<WallMicros()> wallNow;
    /// Room on the disk of the directory; asked of the system if empty.
    std::function<std::optional<store::DiskSpace>()> diskSpace;

    [[nodiscard]] WallMicros now() const;
};

}  // namespace lanes
