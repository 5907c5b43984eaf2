// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite_store.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanes::test {

/// Wall clock of the tests: when events are accepted, and now.
inline constexpr WallMicros kTestTime = 1'790'000'000'000'000;

/// Interval of a write-ahead log that is never moved into the data file before the close.
inline constexpr Micros kNeverMoved = 100'000 * kHour;

/// Keeps what the store says and lets a test wait for it, ten seconds at most.
class RecordingListener final : public StoreListener {
public:
    void committed(CommitReport report) override;
    void statusChanged(StoreStatus status) override;

    [[nodiscard]] bool waitForTicket(std::uint64_t ticket);
    /// The answer to an intake batch; with id 0 if none came.
    [[nodiscard]] IntakeCommit waitForIntake(std::uint64_t intake);
    [[nodiscard]] bool waitForWritable(bool writable);
    /// A fault whose text has this part.
    [[nodiscard]] bool waitForFault(const std::string& part);
    [[nodiscard]] std::string lastFault() const;
    /// How often it said that nothing can be written.
    [[nodiscard]] int faults() const;
    [[nodiscard]] std::uint64_t lastTicket() const;
    /// Tickets as they were reported, without zeros.
    [[nodiscard]] std::vector<std::uint64_t> tickets() const;

private:
    bool waitUntil(const std::function<bool()>& condition);

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::uint64_t> m_tickets;
    std::map<std::uint64_t, IntakeCommit> m_intakes;
    bool m_writable = true;
    std::string m_fault;
    int m_faults = 0;
};

/// A store that is open, with what its recovery said.
struct OpenStore {
    explicit OpenStore(StoreOptions options);
    ~OpenStore();

    /// Commits and waits; false if it did not come.
    [[nodiscard]] bool commit(WriteBatch batch);
    /// Commits events and gives the answer.
    [[nodiscard]] IntakeCommit accept(std::vector<NewEvent> events);
    [[nodiscard]] const RecoveredDestination* destination(std::uint32_t id) const;

    RecordingListener listener;
    Recovery recovery;
    std::vector<PendingPointer> pending;
    std::string directory;
    std::unique_ptr<SqliteStore> store;
    std::string error;  ///< empty if it is open
    Error::Code code = Error::Code::invalid;
    std::uint64_t ticket = 0;
};

/// Template for a temporary directory, in memory where there is such a place: how fast the disk
/// of the machine syncs is not under test.
[[nodiscard]] const char* temporaryTemplate();
[[nodiscard]] StoreOptions optionsFor(const std::string& directory);
[[nodiscard]] DestinationConfig destinationConfig(std::uint32_t id);
[[nodiscard]] WriteBatch destinationsBatch(std::uint32_t count);
[[nodiscard]] NewEvent newEvent(const std::string& id, std::uint64_t user,
                                const std::vector<std::uint32_t>& destinations);
[[nodiscard]] JournalEntry journalEntry(JournalKind kind, std::uint32_t destination,
                                        Sequence sequence, Outcome outcome = Outcome::delivered);
[[nodiscard]] WriteBatch journalBatch(std::vector<JournalEntry> entries);
/// An entry of an operator's act, or of an attempt in a later life.
[[nodiscard]] JournalEntry actEntry(JournalKind kind, std::uint32_t destination,
                                    Sequence sequence, std::uint64_t operation,
                                    std::uint32_t life, Outcome outcome);
[[nodiscard]] OperationRow operationRow(std::uint64_t id, OperationKind kind,
                                        OperationState state);
[[nodiscard]] OperationSet operationSet(std::vector<OperationMember> members);
/// The files as a kill leaves them, without the shared memory, in a new directory beside.
[[nodiscard]] std::string copyAsKilled(const std::string& directory, const std::string& name);
/// Empty if order and books are right, else the last finding.
[[nodiscard]] std::string faultOf(const std::string& directory);

}  // namespace lanes::test
