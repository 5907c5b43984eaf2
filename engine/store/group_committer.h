// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/snapshot.h"
#include "engine/store/backup_runner.h"
#include "engine/store/checkpoint.h"
#include "engine/store/log_files.h"
#include "engine/store/log_mark.h"
#include "engine/store/log_writer.h"
#include "engine/store/recovery.h"
#include "engine/store/store_options.h"
#include "engine/store/writer_connection.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lanes::store {

/// The one thread that writes. It takes all that is queued, within limits, into one transaction,
/// syncs it and reports it; while it does so the next group gathers by itself, so groups are large
/// under load and a lone batch is committed at once. Between commits it moves the write-ahead log
/// into the data file, fills the sorted indexes, writes the checkpoint and trims old events.
///
/// When a commit fails, the events of the group are given back and everything else is kept, in
/// order, and tried again on a new connection until it works.
class GroupCommitter {
public:
    GroupCommitter(const StoreOptions& options, StoreListener& listener, std::string path,
                   Connection connection, WriterState state);
    ~GroupCommitter();
    GroupCommitter(const GroupCommitter&) = delete;
    GroupCommitter& operator=(const GroupCommitter&) = delete;

    void submit(WriteBatch batch);
    /// Commits what is queued, writes the checkpoint and ends the thread. Idempotent.
    void close();
    [[nodiscard]] StoreSnapshot stats() const;
    /// Any thread. `done` comes on the writer's thread, before `close` returns.
    void backUp(BackupRequest request, BackupRunner::Done done);
    void cancelBackup() { m_backup.cancel(); }

private:
    using Clock = std::chrono::steady_clock;
    using Group = std::vector<WriteBatch>;

    /// writing: all is well, or a fault is told that stops nothing yet. refusing: only events are
    /// given back, for lack of room. failed: nothing can be written.
    enum class Mode { writing, refusing, failed };

    /// A group whose commit failed on a disk that could not be read again at once.
    struct Uncertain {
        LogPositions before;
        LogPositions after;
        std::size_t batches = 0;  ///< at the front of what is kept
    };
    struct Orphans {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };

    void run();
    bool takeGroup(Group& group);
    Clock::duration idleTime() const;
    void process(Group group);

    [[nodiscard]] std::optional<Error> commit(const Group& group, GroupEffects& effects);
    void writeGroup(const Group& group, GroupEffects& effects, LogIndex::Slices& slices);
    [[nodiscard]] bool isOnDisk(const GroupEffects& effects);
    void confirmIndex(const LogIndex::Slices& slices);
    void confirm(const Group& group, const GroupEffects& effects);
    void confirmJournal(const Group& group, std::uint64_t journal);
    static void giveBackEvents(Group& group, CommitReport& answer);
    void report(CommitReport answer, GroupEffects& effects, Clock::time_point began);

    void fail(const Error& error);
    void retry();
    /// What keeps the files from being written again; nothing if a new connection is open.
    [[nodiscard]] std::optional<Error> reopen();
    /// Whether the files hold all that was called durable.
    [[nodiscard]] bool isWhole();
    void closeWriter();
    void resolveUncertain();
    void setMode(Mode mode, const std::string& fault);
    /// Whether there is room for events, and says so.
    void judgeRoom();
    void checkRoom();

    void maintain();
    [[nodiscard]] Clock::duration walInterval() const;
    void moveWal();
    void workWhenIdle();
    void background(bool checkpoint);
    void beginPass();
    void confirmPass();
    void abandonPass();
    [[nodiscard]] bool cover();
    void trim();
    void trimOperations();
    [[nodiscard]] Clock::time_point afterStep(bool passFinished) const;
    void shutDown();
    void updateSizes();

    const StoreOptions m_options;
    StoreListener& m_listener;
    const std::string m_path;

    // Shared with those who submit:
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<WriteBatch> m_queue;
    bool m_closing = false;
    StoreSnapshot m_stats;

    BackupRunner m_backup;

    // Of the writer's thread only:
    std::unique_ptr<WriterConnection> m_writer;
    StoredIds::Memory m_knownIds;  ///< while there is no writer
    WriterState m_state;
    LogPositions m_committed;
    LogMark::Content m_written;  ///< the last rows of confirmed groups: numbers may be skipped
    LogMark m_mark;
    LogFiles m_files;
    std::optional<CheckpointPass> m_pass;
    std::uint64_t m_rowsOfPass = 0;           ///< log rows that made it due
    std::uint64_t m_rowsSinceCheckpoint = 0;  ///< or since the pass that runs began
    bool m_covering = false;  ///< a pass runs that retention waits for
    Mode m_mode = Mode::writing;
    std::string m_fault;
    Group m_kept;
    std::optional<Uncertain> m_uncertain;
    std::optional<Orphans> m_orphans;
    bool m_walMoved = true;
    std::uint64_t m_walAtMove = 0;  ///< bytes of the write-ahead log when it was moved last
    std::uint64_t m_walBytes = 0;  ///< when room was last judged
    Clock::time_point m_lastGroup{};
    Clock::time_point m_lastWalMove{};
    Clock::time_point m_lastRoomCheck{};
    Clock::time_point m_nextRetry{};
    Clock::time_point m_nextTrim{};
    Clock::time_point m_nextOperationTrim{};
    Clock::time_point m_lastSizes{};

    std::thread m_thread;  // last: starts when everything else is there
};

}  // namespace lanes::store
