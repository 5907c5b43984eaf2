// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/core/store.h"
#include "engine/data_care.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/store/data_directory.h"
#include "engine/store/store_options.h"

#include <functional>
#include <memory>
#include <string>

namespace lanes {

namespace store {
class GroupCommitter;
}

/// The store in one SQLite file, `<directory>/lanes.db`. One process at a time owns a directory.
///
/// `open` blocks the calling thread; after it a thread of the store's own writes and calls the
/// listener, which must outlive `close`. Readers are independent of the writer and may be opened
/// on any thread after `open`.
class SqliteStore final : public Store {
public:
    SqliteStore(StoreOptions options, StoreListener& listener);
    ~SqliteStore() override;

    /// Takes the directory, makes or checks the file, and tells what is pending. Errors: inUse,
    /// readOnly, damaged, newer, full, unavailable; nothing is changed by a failed open.
    [[nodiscard]] Result<Nothing> open(Recovery& recovery);
    /// Any thread; before `open` and after `close` a batch is dropped.
    void submit(WriteBatch batch) override;
    /// Commits what is queued, writes the checkpoint, closes and gives the directory back. The
    /// last callbacks come before it returns. Idempotent; one thread.
    void close();
    /// Any thread.
    [[nodiscard]] StoreSnapshot stats() const;
    /// Any thread. Copies the data file between commits; `done` comes once, on another thread, and
    /// before `close` returns.
    void backUp(BackupRequest request,
                std::function<void(const Result<BackupReport>&)> done);
    void cancelBackup();

    /// Null if the file cannot be read.
    [[nodiscard]] std::unique_ptr<EventReader> openEventReader() const;
    [[nodiscard]] std::unique_ptr<PageReader> openPageReader() const;

private:
    [[nodiscard]] Result<Nothing> openFile(Recovery& recovery);

    const StoreOptions m_options;
    StoreListener& m_listener;
    store::DirectoryLock m_lock;
    std::unique_ptr<store::GroupCommitter> m_committer;
};

}  // namespace lanes
