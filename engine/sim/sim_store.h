// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/core/store.h"
#include "engine/types.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes::sim {

/// What became durable, in order. Told when the engine is told, or at a crash that came between.
class DurableListener {
public:
    virtual ~DurableListener() = default;
    virtual void eventDurable(const StoredEvent& event) = 0;
    virtual void entryDurable(const JournalEntry& entry) = 0;
    /// Before the entries of the same commit.
    virtual void operationDurable(const OperationRecord& record) = 0;
    virtual void skipDurable(const OperationSkip& skip) = 0;
    virtual void holdDurable(const LaneHold& hold) = 0;
    /// All that one commit made durable was told.
    virtual void commitDurable() = 0;
};

/// The store port in virtual time: group commit with a latency, commits that fail, and crashes that
/// lose whatever was not committed. It keeps what a restart must find again, and nothing else.
///
/// A group is durable at the end of its commit and reported a moment later, so that a crash may
/// come between the two.
class SimStore : public Store {
public:
    SimStore(std::uint64_t seed, StoreListener& engine, DurableListener& durable)
        : m_random(seed), m_engine(&engine), m_durable(&durable) {}

    void submit(WriteBatch batch) override;

    static constexpr Micros kNever = INT64_MAX;
    /// When something happens next without a further `submit`.
    [[nodiscard]] Micros nextChange() const;
    /// Goes on to `now` (world time); never past a time that `nextChange` named.
    void advance(Micros now);

    /// From now on every commit fails until `until`.
    void failUntil(Micros until) { m_failsUntil = until; }
    /// The machine slept, and the disk with it.
    void sleep(Micros length);
    /// The process dies: all that was not durable is gone.
    void crash();
    /// As a new process finds it; tickets begin again.
    void reopen(const Recovery& recovery, std::vector<RecoveredDestination>& destinations);
    [[nodiscard]] OperationId lastOperation() const { return m_lastOperation; }
    [[nodiscard]] DestinationId lastDestination() const { return m_lastDestination; }

    /// Operations that are not finished, as a restart finds them.
    [[nodiscard]] std::vector<RecoveredOperation> operations() const;
    [[nodiscard]] std::vector<OperationId> openOperations() const;
    [[nodiscard]] std::vector<LaneKey> heldLanes() const;
    /// All of a lane that a plan of its rewind would name, in log order.
    [[nodiscard]] std::vector<LaneEvent> laneEvents(LaneKey lane) const;

    /// Dead letters of all destinations, in log order.
    [[nodiscard]] std::vector<Pointer> deadLetters() const;
    [[nodiscard]] bool hasDeadLetters() const { return !m_dead.empty(); }
    [[nodiscard]] Sequence lastSequence() const { return m_lastSequence; }
    [[nodiscard]] std::uint64_t loggedAttempts() const { return m_loggedAttempts; }

    /// From the end of a delivery until it is known to be durable, on the average, in a store that
    /// always has something to commit: the rest of the commit that runs, and then its own.
    [[nodiscard]] static Micros meanDurability();

private:
    enum class Fate : std::uint8_t { absent, pending, dead, delivered, discarded };
    /// A pointer; its place says which. There are as many as a run has events, so it is small.
    struct Row {
        UserId user;
        Micros clock = 0;
        OperationId operation;
        std::uint32_t attempts = 0;
        std::uint32_t life = 1;
        std::uint16_t lastStatus = 0;
        Outcome lastOutcome = Outcome::delivered;
        Fate fate = Fate::absent;
    };
    struct Destination {
        DestinationConfig config;
        DestinationState state;
        bool exists = false;  ///< added and not removed
        std::vector<Row> rows;  ///< by sequence
        std::vector<LaneHold> holds;
    };

    void begin();
    void finish();
    void fail();
    void report();
    void apply(const WriteBatch& batch);
    void apply(const JournalEntry& entry);
    void apply(const OperationRecord& record);
    void apply(const LaneHold& hold);
    void tell(const std::vector<WriteBatch>& group);
    [[nodiscard]] IntakeCommit append(WriteBatch& batch);
    void giveBack(const WriteBatch& batch);
    [[nodiscard]] Destination& at(DestinationId id);
    [[nodiscard]] Micros latency();

    Random m_random;
    StoreListener* m_engine;
    DurableListener* m_durable;
    Micros m_now = 0;

    std::vector<WriteBatch> m_queue;  ///< not yet in a commit
    std::vector<WriteBatch> m_group;  ///< in the commit that runs
    Micros m_commitEnds = kNever;
    Micros m_retryAt = kNever;  ///< not writable: when it is tried again
    Micros m_failsUntil = 0;
    bool m_writable = true;
    std::vector<WriteBatch> m_durableGroup;  ///< committed, not yet reported
    CommitReport m_report;
    Micros m_reportAt = kNever;
    std::uint64_t m_ticket = 0;  ///< last one that was reported

    // On the disk.
    Sequence m_lastSequence;
    OperationId m_lastOperation;
    DestinationId m_lastDestination;
    std::map<OperationId, RecoveredOperation> m_operations;  ///< that are not finished
    std::uint64_t m_loggedAttempts = 0;
    std::vector<Destination> m_destinations;  ///< by id
    std::set<std::pair<Sequence, DestinationId>> m_dead;
    std::unordered_map<std::string, Sequence> m_ids;  ///< source and id of an event
};

}  // namespace lanes::sim
