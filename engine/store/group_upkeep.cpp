// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the writer does between commits: the write-ahead log, the sorted indexes, the checkpoint and
// the retention, each a little at a time.
#include "engine/store/group_committer.h"

#include "engine/config.h"
#include "engine/store/durable_file.h"

#include <algorithm>
#include <utility>

namespace lanes::store {

namespace {

using namespace std::chrono_literals;

/// Restarting begins before the limit, because a group may be large.
constexpr std::uint64_t kWalRestartBytes = limits::kWalBytes / 4 * 3;
/// A log that a reader keeps from restarting is looked through each time, so not often.
constexpr auto kStuckInterval = 1s;
constexpr auto kIdleBefore = 1s;
/// Index entries of one transaction when nothing else is to be done: a few milliseconds.
constexpr std::size_t kIdleSlice = 2'000;
/// Events that retention looks at in one transaction: a few milliseconds.
constexpr std::size_t kTrimSlice = 500;
/// Log rows that are worth a checkpoint as soon as there is time for it.
constexpr std::uint64_t kIdleCheckpointRows = 1'000;
/// Index entries that are worth a run then: it gives their memory back and shortens the next start.
constexpr std::size_t kIdleIndexRows = 1'000;

}  // namespace

GroupCommitter::Clock::duration GroupCommitter::idleTime() const {
    if (m_mode == Mode::failed) return std::max<Clock::duration>(m_nextRetry - Clock::now(), 1ms);
    if (m_backup.wantsWork()) return 0ms;
    const auto now = Clock::now();
    const bool idle = now - m_lastGroup >= kIdleBefore;
    if (m_covering || (idle && (m_state.index.writing() || m_pass))) return 1ms;
    if (m_backup.checking()) return 5ms;
    if (m_walMoved) return 1s;
    return std::clamp<Clock::duration>(m_lastWalMove + walInterval() - now, 1ms, 1s);
}

void GroupCommitter::maintain() {
    if (m_mode != Mode::failed) checkRoom();
    if (m_mode == Mode::failed) return;
    try {
        moveWal();
        if (Clock::now() - m_lastGroup >= kIdleBefore) workWhenIdle();
        trim();
        trimOperations();
    } catch (const SQLite::Exception& exception) {
        closeWriter();
        fail(describe(exception, m_path));
    }
    updateSizes();
}

GroupCommitter::Clock::duration GroupCommitter::walInterval() const {
    if (m_walBytes > limits::kWalBytes) return kStuckInterval;
    return std::chrono::microseconds(m_options.walMoveInterval);
}

void GroupCommitter::moveWal() {
    if (m_walMoved) return;
    const auto now = Clock::now();
    // A log that could not be begun anew, because somebody reads it, goes on growing.
    const auto bytes = m_writer->walBytes();
    const auto grown = bytes < m_walAtMove ? bytes : bytes - m_walAtMove;
    const auto size = sizeOfFile(m_path + "-wal");
    const bool large = size >= kWalRestartBytes;
    const bool stuck = size > limits::kWalBytes;
    // Near the limit each group waits for readers to leave, so that what comes in is slowed down.
    const bool urgent = !stuck && (large || grown >= m_options.walMoveBytes);
    if (!urgent && now - m_lastWalMove < walInterval()) return;
    m_lastWalMove = now;
    m_walAtMove = bytes;
    m_walMoved = m_writer->checkpoint(WriterConnection::Checkpoint::passive);
    // Moved, but not begun anew as long as a reader needs what is in it: that is tried again.
    if (large) m_walMoved = m_writer->checkpoint(WriterConnection::Checkpoint::truncate);
}

void GroupCommitter::workWhenIdle() {
    const bool checkpoint = m_rowsSinceCheckpoint >= kIdleCheckpointRows;
    if (m_state.index.gathered() >= kIdleIndexRows) m_state.index.freeze(true);
    if (checkpoint || m_pass || m_state.index.writing()) background(checkpoint);
}

/// A transaction of our own: a slice of the sorted runs and of the checkpoint, which is begun if
/// asked for.
void GroupCommitter::background(bool checkpoint) {
    if (checkpoint) beginPass();
    auto& database = m_writer->database();
    database.exec("BEGIN IMMEDIATE");
    const auto slices = m_writer->index().write(m_state.index, kIdleSlice);
    if (m_pass) m_pass->write(database, m_state.ledger, m_options.checkpointBlocks);
    database.exec("COMMIT");
    confirmIndex(slices);
    confirmPass();
    m_walMoved = false;
}

void GroupCommitter::beginPass() {
    if (m_pass) return;
    m_pass.emplace(m_state.ledger, m_committed);
    m_rowsOfPass = std::exchange(m_rowsSinceCheckpoint, 0);
}

void GroupCommitter::confirmPass() {
    if (!m_pass || !m_pass->confirm()) return;
    m_state.checkpoint = {m_pass->positions().sequence, m_pass->positions().journal};
    m_pass.reset();
}

void GroupCommitter::abandonPass() {
    if (!m_pass) return;
    m_pass->abandon(m_state.ledger);
    m_pass.reset();
    m_covering = false;
    m_rowsSinceCheckpoint += m_rowsOfPass;
}

/// Before retention looks: it removes only what the checkpoint and the sorted runs cover. False
/// while there is more to write.
bool GroupCommitter::cover() {
    if (m_covering || m_pass) {
        background(false);
        if (m_pass) return false;
    }
    if (!std::exchange(m_covering, true)) {
        m_state.index.freeze(true);
        background(true);
        if (m_pass) return false;
    }
    m_covering = false;
    return true;
}

void GroupCommitter::trim() {
    if (Clock::now() < m_nextTrim) return;
    const WallMicros before = m_options.now() - m_options.retention;
    auto& retention = m_writer->retention();
    if (retention.atStart()) {
        if (!retention.hasOld(before)) {
            m_nextTrim = afterStep(true);
            return;
        }
        if (!cover()) return;
    }
    auto& database = m_writer->database();
    database.exec("BEGIN IMMEDIATE");
    const auto step = retention.step(m_state.ledger, m_state.checkpoint,
                                     m_state.index.freshSequences(), before, kTrimSlice);
    database.exec("COMMIT");
    for (const auto& change : step.ids) m_writer->ids().apply(change);
    if (step.changed) m_walMoved = false;
    m_nextTrim = afterStep(step.finished);
}

void GroupCommitter::trimOperations() {
    if (Clock::now() < m_nextOperationTrim) return;
    auto& database = m_writer->database();
    database.exec("BEGIN IMMEDIATE");
    const bool finished = m_writer->operationRetention().step(
        m_options.now() - limits::kOperationRetention);
    database.exec("COMMIT");
    if (!finished) m_walMoved = false;
    m_nextOperationTrim = afterStep(finished);
}

/// When a retention goes on. The share of the time that goes to a long pass stays small beside the
/// commits.
GroupCommitter::Clock::time_point GroupCommitter::afterStep(bool passFinished) const {
    if (!passFinished) return Clock::now() + 20ms;
    return Clock::now() + std::chrono::microseconds(m_options.retentionInterval);
}

}  // namespace lanes::store
