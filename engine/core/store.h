// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The store port: what the engine asks of whatever keeps events durably. One implementation is
// SQLite, one is simulated. The log is append-only; a batch is committed as a whole or not at all,
// in the order in which batches were given; nothing is reported before it is durable.
namespace lanes {

/// Where an accepted event goes, and the destination's retry clock when its window starts.
struct Target {
    DestinationId destination;
    Micros clock = 0;

    friend bool operator==(const Target&, const Target&) = default;
};

/// An event to append. The store gives it its sequence, or finds that (source, id) is there.
struct NewEvent {
    std::string source;       ///< of the sender, for the duplicate check
    std::string id;           ///< never empty: the sender's, or one the intake made
    UserKey user;
    UserId userId;            ///< fingerprint of `user`
    std::string type;
    std::string contentType;  ///< of the payload
    std::string payload;      ///< bytes as received
    WallMicros acceptedAt = 0;
    std::vector<Target> targets;
};

/// What became of a lane's event. The rows of the journal, in order, are the truth about all
/// lanes: replaying them over the pointers gives what is still pending.
enum class JournalKind : std::uint8_t {
    attempt = 0,       ///< an attempt that ended; if `delivered`, the acknowledgement
    deadLettered = 1,  ///< left its lane for the dead letters
    rewound = 2,       ///< back from the dead letters to its lane, with a new life
    discarded = 3,     ///< dead letter given up by an operator
};

struct JournalEntry {
    JournalKind kind = JournalKind::attempt;
    Pointer pointer;
    UserId user;
    std::uint32_t life = 1;
    std::uint32_t attempt = 0;  ///< number in this life; for the other kinds: attempts so far
    WallMicros at = 0;          ///< start of the attempt, or when it happened
    Micros duration = 0;
    Outcome outcome = Outcome::delivered;  ///< of the attempt, or the last one before
    std::uint16_t status = 0;
    Cause cause = Cause::automatic;
    OperationId operation;  ///< of a rewind or discard, and of attempts in a rewound life
    Micros clock = 0;       ///< rewound: retry clock at which the new window starts
    std::string error;      ///< of an attempt: plain text for an operator
    std::string reason;     ///< deadLettered: why
    std::string response;   ///< first bytes of the response body
};

/// State of a destination that survives a restart, besides its settings.
struct DestinationState {
    Micros clock = 0;            ///< retry clock, active time
    double knownGood = 16;       ///< where slow start begins to be gentle
    bool paused = false;
    bool pausedBySystem = false;
    WallMicros pausedAt = 0;
    std::string pausedBy;
    std::string pauseReason;

    friend bool operator==(const DestinationState&, const DestinationState&) = default;
};

struct StateChange {
    DestinationId destination;
    DestinationState state;
};

struct OperationRecord {
    OperationRow row;
};

/// All that is to be made durable together. Empty vectors cost nothing.
struct WriteBatch {
    /// Rising mark of the kernel; reported back when this batch is durable. 0 = none.
    std::uint64_t ticket = 0;
    /// Mark of the intake for `events`; 0 = no events.
    std::uint64_t intake = 0;
    std::vector<NewEvent> events;
    std::vector<JournalEntry> journal;
    std::vector<StateChange> states;
    std::vector<DestinationConfig> destinations;       ///< added or changed
    std::vector<DestinationId> removed;
    std::vector<OperationRecord> operations;           ///< added, or changed by id

    [[nodiscard]] bool empty() const {
        return events.empty() && journal.empty() && states.empty() && destinations.empty() &&
               removed.empty() && operations.empty();
    }
};

/// One event of an intake batch after the commit.
struct StoredEvent {
    Sequence sequence;       ///< its own, or that of the first one with this id
    bool duplicate = false;  ///< nothing was appended
    bool conflict = false;   ///< duplicate with another payload; the first one won
    UserId user;
    std::vector<Target> targets;  ///< empty for a duplicate
};

struct IntakeCommit {
    std::uint64_t intake = 0;
    /// One for each event of the batch, in its order; empty if the batch was given up because the
    /// store failed (nothing of it is stored).
    std::vector<StoredEvent> events;
    bool stored = false;
};

/// What the store says after each group. `ticket`: all batches up to this mark are durable.
struct CommitReport {
    std::uint64_t ticket = 0;
    std::vector<IntakeCommit> intakes;
    Micros duration = 0;  ///< of the commit, real time
};

/// Health of the store. While it is not writable the journal entries are kept in memory and tried
/// again; events are given back (`IntakeCommit::stored` false).
struct StoreStatus {
    bool writable = true;
    std::string fault;  ///< what is wrong and what to do
};

/// What is pending when the engine starts: for each pointer in rising sequence.
struct PendingPointer {
    Pointer pointer;
    UserId user;
    Micros clock = 0;            ///< retry clock at which its window began
    std::uint32_t attempts = 0;  ///< in this life
    std::uint32_t life = 1;
    OperationId operation;       ///< of its last rewind
    Outcome lastOutcome = Outcome::delivered;  ///< `delivered` if it was never tried
    std::uint16_t lastStatus = 0;
};

/// A dead letter, as far as the kernel has to know it.
struct DeadPointer {
    Sequence sequence;
    UserId user;
    std::uint32_t life = 1;  ///< the life that ended

    friend bool operator==(const DeadPointer&, const DeadPointer&) = default;
};

struct RecoveredDestination {
    DestinationConfig config;
    DestinationState state;
    DeliveryCounters counters;
    std::vector<DeadPointer> dead;  ///< dead letters, rising
};

/// Callbacks come on the store's own thread.
class StoreListener {
public:
    virtual ~StoreListener() = default;
    virtual void committed(CommitReport report) = 0;
    virtual void statusChanged(StoreStatus status) = 0;
};

/// What opening found. `pending` is called for each pending pointer while `open` runs.
struct Recovery {
    std::vector<RecoveredDestination> destinations;
    std::function<void(const PendingPointer&)> pending;
    std::function<void(double)> progress;  ///< 0..1
    OperationId lastOperation;
    DestinationId lastDestination;  ///< the largest ever given, removed ones included
    Sequence lastSequence;
};

class Store {
public:
    virtual ~Store() = default;
    /// Takes the batch at once; it is committed with others soon. Any thread, in order of calls.
    virtual void submit(WriteBatch batch) = 0;
};

/// Port to read an event back for its delivery. One thread at a time; null if it is gone.
class EventReader {
public:
    virtual ~EventReader() = default;
    virtual std::optional<EventRow> read(Sequence sequence) = 0;
};

}  // namespace lanes
