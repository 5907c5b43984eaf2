// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "engine/store/backup_copy.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace lanes::store {

/// The backup of a store that runs, one at a time: slices of it on the writer's thread between
/// commits, the check and the sync of the whole file on a thread of its own.
class BackupRunner {
public:
    /// Called once, on the writer's thread.
    using Done = std::function<void(const Result<BackupReport>&)>;

    BackupRunner() = default;
    ~BackupRunner();
    BackupRunner(const BackupRunner&) = delete;
    BackupRunner& operator=(const BackupRunner&) = delete;

    // Any thread:
    void ask(BackupRequest request, Done done);
    void cancel() { m_cancelled = true; }
    [[nodiscard]] BackupStatus status() const;

    // The writer's thread:
    /// Something is to be copied, or the end is to be told.
    [[nodiscard]] bool wantsWork() const;
    /// The whole copy is being checked elsewhere; its end has to be looked for.
    [[nodiscard]] bool checking() const { return m_checking; }
    /// \param source null if the data file cannot be written now
    void work(SQLite::Database* source, const std::string& path);
    /// The source is about to be closed; what was not copied cannot be.
    void loseSource();
    /// The store closes: gives up what is asked or under way.
    void stop();

private:
    void begin(SQLite::Database& source, const std::string& path);
    void copy();
    void giveUp(const std::string& why);
    void end(const Result<BackupReport>& result);

    mutable std::mutex m_mutex;  // of what is asked and the status
    std::optional<BackupRequest> m_asked;
    Done m_done;
    BackupStatus m_status;
    std::atomic<bool> m_cancelled{false};
    std::atomic<bool> m_finished{false};  ///< the thread has its result

    // Of the writer's thread:
    std::unique_ptr<BackupCopy> m_copy;
    bool m_checking = false;
    std::thread m_thread;
    std::optional<Result<BackupReport>> m_result;  ///< of the thread, once it is finished
};

}  // namespace lanes::store
