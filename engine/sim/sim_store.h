// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/core/store.h"
#include "engine/types.h"

#include <cstdint>
#include <map>
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
    /// The process dies: all that was not durable is gone.
    void crash();
    /// As a new process finds it; tickets begin again.
    void reopen(const Recovery& recovery, std::vector<RecoveredDestination>& destinations);
    [[nodiscard]] OperationId lastOperation() const { return m_lastOperation; }
    [[nodiscard]] DestinationId lastDestination() const { return m_lastDestination; }

    /// Dead letters of all destinations, in log order.
    [[nodiscard]] std::vector<Pointer> deadLetters() const;
    [[nodiscard]] Sequence lastSequence() const { return m_lastSequence; }
    [[nodiscard]] std::uint64_t loggedAttempts() const { return m_loggedAttempts; }

private:
    enum class Fate : std::uint8_t { pending, dead, delivered, discarded };
    struct Row {
        PendingPointer pointer;
        Fate fate = Fate::pending;
    };
    struct Destination {
        DestinationConfig config;
        DestinationState state;
        bool removed = false;
    };

    void begin();
    void finish();
    void fail();
    void report();
    void apply(const WriteBatch& batch);
    void apply(const JournalEntry& entry);
    [[nodiscard]] IntakeCommit append(const WriteBatch& batch);
    void giveBack(const WriteBatch& batch);
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
    std::uint64_t m_loggedAttempts = 0;
    std::map<DestinationId, Destination> m_destinations;
    std::map<std::pair<Sequence, DestinationId>, Row> m_rows;
    std::map<std::pair<std::string, std::string>, Sequence> m_ids;  ///< (source, id)
};

}  // namespace lanes::sim
