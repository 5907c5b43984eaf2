// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/store/connection.h"
#include "engine/store/pending_ledger.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What both plans are made of: one moment of the books, and a long look at the log in short read
// transactions, so that the write-ahead log can be started again meanwhile. What happens to an
// event after that moment is not seen; the kernel looks at each event again before it moves it.
namespace lanes::store {

/// What a plan is made with. `interrupted` is set by another thread.
struct PlanSource {
    SQLite::Database& database;
    WallMicros now = 0;
    Micros retention = 0;
    const std::atomic<bool>& interrupted;
};

/// Throws SQLite::Exception with SQLITE_INTERRUPT. SQLite itself only ends a statement that runs.
void stopIfInterrupted(const PlanSource& source);

/// Which events are open, as of the transaction in which it was read.
struct Books {
    PendingLedger ledger;
    std::uint64_t lastSequence = 0;
    OperationId lastOperation;
};
/// Throws SQLite::Exception.
[[nodiscard]] Books readBooks(SQLite::Database& database);

/// Pointers with sequences `first` to `last`, rising; the bytes of the targets are valid during the
/// call. Throws SQLite::Exception, with SQLITE_INTERRUPT when it was interrupted.
void scanLog(const PlanSource& source, std::uint64_t first, std::uint64_t last,
             const std::function<void(Sequence, UserId, std::string_view targets)>& visit);
/// The targets of one pointer. Throws SQLite::Exception.
[[nodiscard]] std::vector<Target> targetsOf(std::string_view bytes);

/// Why there is no plan and what to do.
[[nodiscard]] std::string planError(const SQLite::Exception& exception, const std::string& path);

}  // namespace lanes::store
