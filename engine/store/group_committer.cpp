// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/group_committer.h"

#include "engine/config.h"
#include "engine/store/durable_file.h"
#include "engine/store/fault_text.h"
#include "engine/store/schema.h"

#include <algorithm>

namespace lanes::store {

namespace {

using namespace std::chrono_literals;

constexpr auto kRoomCheckInterval = 100ms;
constexpr auto kSizesInterval = 250ms;

std::size_t bytesOf(const WriteBatch& batch) {
    std::size_t bytes = 0;
    for (const auto& event : batch.events) bytes += event.payload.size() + 200;
    for (const auto& entry : batch.journal) bytes += entry.response.size() + 100;
    for (const auto& record : batch.operations) {
        if (record.set) bytes += record.set->size() * sizeof(OperationMember);
    }
    for (const auto& version : batch.versions) bytes += version.payload.size();
    for (const auto& change : batch.notes) bytes += change.note.text.size() + 100;
    for (const auto& entry : batch.quarantined) bytes += entry.body.size() + 200;
    return bytes;
}

}  // namespace

GroupCommitter::GroupCommitter(const StoreOptions& options, StoreListener& listener,
                               std::string path, Connection connection, WriterState state)
    : m_options(options),
      m_listener(listener),
      m_path(std::move(path)),
      m_writer(std::make_unique<WriterConnection>(std::move(connection), std::move(state.ids))),
      m_state(std::move(state)),
      m_committed(m_state.positions),
      m_written{m_state.positions, 0},
      m_mark(m_path),
      m_files(m_path) {
    m_state.index.setIdRun(m_options.idRunEntries);
    const auto marked = m_mark.read();
    if (marked.rows.sequence == m_written.rows.sequence) m_written.event = marked.event;
    m_stats.lastSequence = Sequence(m_committed.sequence);
    updateSizes();
    m_thread = std::thread([this] { run(); });
}

GroupCommitter::~GroupCommitter() {
    close();
}

void GroupCommitter::submit(WriteBatch batch) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_closing) return;
        m_queue.push_back(std::move(batch));
    }
    m_wake.notify_one();
}

void GroupCommitter::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
}

StoreSnapshot GroupCommitter::stats() const {
    StoreSnapshot stats;
    {
        const std::lock_guard lock(m_mutex);
        stats = m_stats;
    }
    stats.backup = m_backup.status();
    return stats;
}

void GroupCommitter::backUp(BackupRequest request, BackupRunner::Done done) {
    m_backup.ask(std::move(request), std::move(done));
    m_wake.notify_one();
}

void GroupCommitter::run() {
    m_lastGroup = Clock::now();
    m_nextTrim = m_nextOperationTrim = m_lastGroup + 1s;
    Group group;
    while (takeGroup(group)) {
        if (!group.empty()) process(std::move(group));
        group = {};
        if (m_mode == Mode::failed && Clock::now() >= m_nextRetry) retry();
        maintain();
        if (m_backup.wantsWork())
            m_backup.work(m_writer ? &m_writer->database() : nullptr, m_path);
    }
    shutDown();
}

bool GroupCommitter::takeGroup(Group& group) {
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, idleTime(), [this] {
        return m_closing || !m_queue.empty() || m_backup.wantsWork();
    });
    std::size_t events = 0;
    std::size_t journal = 0;
    std::size_t bytes = 0;
    while (!m_queue.empty()) {
        const auto& next = m_queue.front();
        events += next.events.size();
        journal += next.journal.size();
        bytes += bytesOf(next);
        const bool full = events > m_options.groupEvents || journal > m_options.groupJournal ||
                          bytes > m_options.groupBytes;
        if (full && !group.empty()) break;  // a batch that is too large alone still goes
        group.push_back(std::move(m_queue.front()));
        m_queue.pop_front();
    }
    return !group.empty() || !m_closing;
}

void GroupCommitter::process(Group group) {
    const auto began = Clock::now();
    m_lastGroup = began;
    CommitReport answer;
    checkRoom();
    if (m_mode != Mode::writing) giveBackEvents(group, answer);
    if (m_mode == Mode::failed) {
        std::move(group.begin(), group.end(), std::back_inserter(m_kept));
        if (!answer.intakes.empty()) m_listener.committed(std::move(answer));
        return;
    }
    GroupEffects effects;
    if (const auto error = commit(group, effects)) {
        fail(*error);
        giveBackEvents(group, answer);
        m_kept = std::move(group);
        if (!answer.intakes.empty()) m_listener.committed(std::move(answer));
        return;
    }
    report(std::move(answer), effects, began);
}

/// One transaction. After an error nothing of the group is in memory, and what is uncertain on
/// the disk is noted.
std::optional<Error> GroupCommitter::commit(const Group& group, GroupEffects& effects) {
    effects.before = m_state.positions;
    LogIndex::Slices slices;
    bool committing = false;
    std::optional<Error> error;
    try {
        auto& database = m_writer->database();
        database.exec("BEGIN IMMEDIATE");
        writeGroup(group, effects, slices);
        committing = true;
        database.exec("COMMIT");
        error = m_files.displaced();  // what goes into a file without a name is not durable
    } catch (const SQLite::Exception& exception) {
        error = describe(exception, m_path);
    }
    if (error) {
        closeWriter();  // rolls back what was not committed
        if (reopen()) {
            if (committing) m_uncertain = {effects.before, m_state.positions, group.size()};
        } else if (committing && isOnDisk(effects)) {
            error.reset();
        }
    }
    if (error) {
        m_state.index.forgetUnconfirmed();
        return error;
    }
    confirmPass();
    confirmIndex(slices);
    confirm(group, effects);
    m_orphans.reset();
    m_walMoved = false;
    return std::nullopt;
}

void GroupCommitter::writeGroup(const Group& group, GroupEffects& effects,
                                LogIndex::Slices& slices) {
    if (m_orphans) m_writer->log().removeEvents(m_orphans->first, m_orphans->last);
    // Before the group is written, memory is exactly what was committed.
    m_state.index.freeze(false);
    if (m_rowsSinceCheckpoint >= m_options.checkpointRows) beginPass();
    if (m_pass)
        m_pass->write(m_writer->database(), m_state.ledger, m_options.checkpointBlocks);
    std::size_t rows = 0;
    for (const auto& batch : group) {
        m_writer->log().write(batch, m_state.positions, m_state.index, m_state.ledger,
                              effects);
        rows += batch.events.size() + batch.journal.size();
    }
    m_writer->log().finish(effects);
    // The header is written again, so that a try without results proves that the disk takes them.
    if (m_mode == Mode::failed)
        m_writer->database().exec("PRAGMA user_version=" +
                                  std::to_string(migrations().back().version));
    // Twice what comes in, so that a run is always written before the next one is full.
    if (m_state.index.writing())
        slices = m_writer->index().write(m_state.index, std::max<std::size_t>(256, 2 * rows));
}

bool GroupCommitter::isOnDisk(const GroupEffects& effects) {
    try {
        const auto found = m_writer->positions();
        return found.sequence > effects.before.sequence || found.journal > effects.before.journal;
    } catch (const SQLite::Exception&) {
        return false;
    }
}

void GroupCommitter::confirmIndex(const LogIndex::Slices& slices) {
    if (slices.idRun != 0)
        m_writer->ids().add(slices.idRun, m_state.index.run(IndexKind::ids).frozen());
    m_state.index.advance(slices);
}

void GroupCommitter::confirm(const Group& group, const GroupEffects& effects) {
    for (const auto& batch : group) {
        for (const auto& config : batch.destinations) m_state.ledger.add(config.id);
    }
    for (const auto& appended : effects.appended) {
        m_state.ledger.accept(appended.sequence, appended.event->targets);
        m_state.index.addUser(appended.event->userId.value, appended.sequence.value);
    }
    m_state.index.confirm();
    m_rowsSinceCheckpoint += effects.appended.size();
    confirmJournal(group, effects.before.journal);
    m_committed = m_state.positions;
    if (!effects.appended.empty()) {
        m_written.rows.sequence = effects.appended.back().sequence.value;
        m_written.event = effects.appended.back().hash;
    }
    m_mark.write(m_written);
}

void GroupCommitter::confirmJournal(const Group& group, std::uint64_t journal) {
    for (const auto& batch : group) {
        for (const auto& entry : batch.journal) {
            m_state.ledger.apply(factOf(entry, ++journal));
            m_state.index.addJournal(entry.pointer.sequence.value, journal);
        }
        if (!batch.journal.empty()) m_written.rows.journal = journal;
        m_rowsSinceCheckpoint += batch.journal.size();
        for (const auto id : batch.removed) m_state.ledger.remove(id);
    }
}

/// What senders sent is given back, for they have it still; what operators did is kept and tried
/// again.
void GroupCommitter::giveBackEvents(Group& group, CommitReport& answer) {
    for (auto& batch : group) {
        const bool operators =
            !batch.sources.empty() || !batch.removedSources.empty() || !batch.released.empty();
        if (batch.events.empty() && (batch.intake == 0 || operators)) continue;
        IntakeCommit commit;
        commit.intake = batch.intake;
        answer.intakes.push_back(std::move(commit));
        batch.intake = 0;
        batch.events.clear();
        batch.quarantined.clear();
    }
}

void GroupCommitter::report(CommitReport answer, GroupEffects& effects,
                            Clock::time_point began) {
    answer.ticket = effects.ticket;
    std::move(effects.intakes.begin(), effects.intakes.end(), std::back_inserter(answer.intakes));
    answer.duration =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began).count();
    {
        const std::lock_guard lock(m_mutex);
        ++m_stats.commits;
        m_stats.commitLatency.add(answer.duration);
        m_stats.lastSequence = Sequence(m_committed.sequence);
    }
    m_listener.committed(std::move(answer));
}

void GroupCommitter::fail(const Error& error) {
    abandonPass();
    m_nextRetry = Clock::now() + std::chrono::microseconds(m_options.retryInterval);
    setMode(Mode::failed, failedText(error));
}

void GroupCommitter::closeWriter() {
    m_backup.loseSource();
    if (m_writer) m_knownIds = m_writer->ids().give();
    m_writer.reset();
}

std::optional<Error> GroupCommitter::reopen() {
    if (auto displaced = m_files.dataFileDisplaced()) return displaced;
    auto error = m_files.displaced();
    try {
        m_writer = std::make_unique<WriterConnection>(
            openForWriting(m_path, m_options.busyMilliseconds), std::move(m_knownIds));
        if (isWhole()) {
            m_files = LogFiles(m_path);
            return std::nullopt;
        }
        if (!error) error = damaged(m_path, "its last commits are missing");
    } catch (const SQLite::Exception& exception) {
        if (!error) error = describe(exception, m_path);
    }
    closeWriter();
    return error;
}

bool GroupCommitter::isWhole() {
    const auto found = m_writer->positions();
    // Events that retention removed are before the marks of the checkpoint.
    const auto marks = readMarks(m_writer->database());
    return std::max(found.sequence, marks.sequence) >= m_written.rows.sequence &&
           std::max(found.journal, marks.journal) >= m_written.rows.journal;
}

void GroupCommitter::resolveUncertain() {
    if (!m_uncertain) return;
    const auto found = m_writer->positions();
    const Uncertain doubt = *m_uncertain;
    m_uncertain.reset();
    const bool events = found.sequence > doubt.before.sequence;
    if (!events && found.journal <= doubt.before.journal) return;
    // It was on the disk after all. Its events were given back, so they go; the rest is done.
    if (events) m_orphans = Orphans{doubt.before.sequence + 1, doubt.after.sequence};
    const auto end = m_kept.begin() + static_cast<std::ptrdiff_t>(doubt.batches);
    Group done(std::make_move_iterator(m_kept.begin()), std::make_move_iterator(end));
    confirmJournal(done, doubt.before.journal);
    // Whoever waits for them hears of them with the next commit.
    Group marks(1);
    for (const auto& batch : done) {
        for (const auto& config : batch.destinations) m_state.ledger.add(config.id);
        marks.front().ticket = std::max(marks.front().ticket, batch.ticket);
        if (batch.intake != 0) marks.emplace_back().intake = batch.intake;
    }
    m_kept.erase(m_kept.begin(), end);
    m_kept.insert(m_kept.begin(), std::make_move_iterator(marks.begin()),
                  std::make_move_iterator(marks.end()));
}

void GroupCommitter::retry() {
    const auto began = Clock::now();
    m_nextRetry = began + std::chrono::microseconds(m_options.retryInterval);
    if (!m_writer) {
        if (const auto error = reopen()) return fail(*error);
    }
    try {
        resolveUncertain();
    } catch (const SQLite::Exception& exception) {
        closeWriter();
        fail(describe(exception, m_path));
        return;
    }
    Group group = std::move(m_kept);
    m_kept.clear();
    GroupEffects effects;
    if (const auto error = commit(group, effects)) {
        m_kept = std::move(group);
        fail(*error);
        return;
    }
    try {
        // A log that cannot be moved into the data file fills the disk: no room is no room.
        m_walMoved = m_writer->checkpoint(WriterConnection::Checkpoint::passive);
        judgeRoom();
    } catch (const SQLite::Exception& exception) {
        closeWriter();
        fail(describe(exception, m_path));
    }
    report({}, effects, began);
}

void GroupCommitter::setMode(Mode mode, const std::string& fault) {
    if (mode == m_mode && fault == m_fault) return;
    m_mode = mode;
    m_fault = fault;
    StoreStatus status;
    status.writable = mode == Mode::writing;
    status.fault = fault;
    {
        const std::lock_guard lock(m_mutex);
        m_stats.writable = status.writable;
        m_stats.fault = status.fault;
    }
    m_listener.statusChanged(std::move(status));
}

void GroupCommitter::judgeRoom() {
    m_walBytes = sizeOfFile(m_path + "-wal");
    const bool stuck = m_walBytes > limits::kWalBytes;
    const auto space = m_options.diskSpace ? m_options.diskSpace() : diskSpace(m_options.directory);
    if (space) {
        // What a stuck log holds has to find room in the data file as well.
        const auto needed = reserveOf(*space) + (stuck ? m_walBytes : 0);
        if (space->freeBytes < needed)
            return setMode(Mode::refusing, roomText(m_options.directory, *space, needed));
    }
    const bool reached = m_walBytes >= m_options.stuckWalBytes;
    setMode(reached ? Mode::refusing : Mode::writing,
            stuck || reached ? stuckText(m_path, m_options.stuckWalBytes, reached)
                             : std::string());
}

void GroupCommitter::checkRoom() {
    if (m_mode == Mode::failed) return;
    const auto now = Clock::now();
    if (now - m_lastRoomCheck < kRoomCheckInterval) return;
    m_lastRoomCheck = now;
    if (const auto displaced = m_files.displaced()) {
        closeWriter();
        return fail(*displaced);
    }
    judgeRoom();
}

void GroupCommitter::shutDown() {
    m_backup.stop();
    if (m_mode == Mode::failed) retry();
    if (m_mode != Mode::failed) {
        try {
            while (m_pass || m_rowsSinceCheckpoint > 0) background(true);
            m_writer->checkpoint(WriterConnection::Checkpoint::truncate);
        } catch (const SQLite::Exception&) {
            // What is committed is in the write-ahead log; the next start reads it from there.
            closeWriter();
        }
    }
    closeWriter();
    m_lastSizes = {};
    updateSizes();
}

void GroupCommitter::updateSizes() {
    const auto now = Clock::now();
    if (now - m_lastSizes < kSizesInterval) return;
    m_lastSizes = now;
    const std::uint64_t data = sizeOfFile(m_path);
    const std::uint64_t wal = sizeOfFile(m_path + "-wal");
    const std::lock_guard lock(m_mutex);
    m_stats.databaseBytes = data;
    m_stats.walBytes = wal;
}

}  // namespace lanes::store
