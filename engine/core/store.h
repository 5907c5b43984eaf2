// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <functional>
#include <memory>
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
    rewound = 2,       ///< back to its lane with a new life: a dead letter, or a delivered event
    discarded = 3,     ///< dead letter given up by an operator
    returned = 4,      ///< a rewind undone: untried, out of its lane to where it came from
};

struct JournalEntry {
    JournalKind kind = JournalKind::attempt;
    Pointer pointer;
    UserId user;
    std::uint32_t life = 1;
    std::uint32_t attempt = 0;  ///< number in this life; for the other kinds: attempts so far
    WallMicros at = 0;          ///< start of the attempt, or when it happened
    Micros duration = 0;
    /// Of the attempt, or the last one before. rewound, returned: `delivered` if the event had been
    /// delivered before it was rewound, anything else if it was a dead letter.
    Outcome outcome = Outcome::delivered;
    std::uint16_t status = 0;
    Cause cause = Cause::automatic;
    OperationId operation;  ///< of a rewind, discard or undo, and of attempts in a rewound life
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
    WallMicros resumeAt = 0;     ///< paused: when it resumes by itself; 0 = it does not

    friend bool operator==(const DestinationState&, const DestinationState&) = default;
};

struct StateChange {
    DestinationId destination;
    DestinationState state;
};

/// An event as an operation names it.
struct OperationMember {
    Pointer pointer;
    UserId user;
    std::uint32_t life = 0;  ///< the one it is in before it is moved

    friend bool operator==(const OperationMember&, const OperationMember&) = default;
};
using OperationSet = std::shared_ptr<const std::vector<OperationMember>>;

struct OperationRecord {
    OperationRow row;
    OperationSet set = nullptr;  ///< with the first record of what moves events, else null
};

/// An event that an operation left where it is.
struct OperationSkip {
    OperationId operation;
    std::uint64_t position = 0;  ///< in its set
    SkipReason reason = SkipReason::none;
};

/// A lane that an operator holds or held. While it is held its events use up no retry time: what
/// the retry clock went on between `from` and `to` does not count for events that waited.
struct LaneHold {
    LaneKey lane;
    Micros from = 0;    ///< retry clock of the destination
    Micros to = -1;     ///< -1: it is still held
    WallMicros at = 0;
    std::string user;   ///< for display
    std::string by;
    std::string reason;

    [[nodiscard]] bool open() const { return to < 0; }
    friend bool operator==(const LaneHold&, const LaneHold&) = default;
};

/// Another payload for an event, at one destination. The newest one is delivered.
struct EventVersion {
    Pointer pointer;
    OperationId operation;
    WallMicros at = 0;
    std::string payload;
};

/// The note of a dead letter, in place of the one before; an empty text takes it away.
struct NoteChange {
    Pointer pointer;
    DeadLetterNote note;
};

/// A rejected event to keep. The store gives it its id.
struct QuarantineEntry {
    WallMicros at = 0;
    std::string source;
    EventForm form = EventForm::native;
    std::string code;
    std::string detail;
    std::string eventId;
    std::string body;  ///< whole; the store keeps `limits::kQuarantinedBytes` of it
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
    std::vector<OperationSkip> skips;
    std::vector<LaneHold> holds;                       ///< added, or ended by (lane, from)
    std::vector<EventVersion> versions;
    std::vector<NoteChange> notes;
    std::vector<SourceConfig> sources;                 ///< added or changed
    std::vector<SourceId> removedSources;
    std::vector<QuarantineEntry> quarantined;          ///< the oldest go when there are too many
    std::vector<QuarantineId> released;                ///< taken again, or given up

    [[nodiscard]] bool empty() const {
        return events.empty() && journal.empty() && states.empty() && destinations.empty() &&
               removed.empty() && operations.empty() && skips.empty() && holds.empty() &&
               versions.empty() && notes.empty() && sources.empty() && removedSources.empty() &&
               quarantined.empty() && released.empty();
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
    std::string fault;  ///< what is wrong and what to do; also if it can still be written
};

/// What is pending when the engine starts: for each pointer in rising sequence.
struct PendingPointer {
    Pointer pointer;
    UserId user;
    Micros clock = 0;            ///< retry clock at which its window began
    std::uint32_t attempts = 0;  ///< in this life
    std::uint32_t life = 1;
    OperationId operation;       ///< of its last rewind
    /// `delivered` if it was never tried in its first life; untried in a later one: as the entry
    /// that rewound it says.
    Outcome lastOutcome = Outcome::delivered;
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
    std::vector<LaneHold> holds;    ///< rising by `from`
};

/// An operation that is not finished.
struct RecoveredOperation {
    OperationRow row;
    OperationSet set;
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
    std::vector<RecoveredOperation> operations;  ///< rising by id
    std::vector<Pointer> versions;  ///< events whose payload was replaced
    OperationId lastOperation;
    DestinationId lastDestination;  ///< the largest ever given, removed ones included
    std::vector<SourceConfig> sources;
    SourceId lastSource;            ///< as that of the destinations
    std::uint64_t quarantined = 0;  ///< rejected events that are kept
    Sequence lastSequence;
};

class Store {
public:
    virtual ~Store() = default;
    /// Takes the batch at once; it is committed with others soon. Any thread, in order of calls.
    virtual void submit(WriteBatch batch) = 0;
};

/// What a list shows of an event.
struct EventTexts {
    Sequence sequence;
    UserKey user;
    std::string id;
    std::string type;
    WallMicros acceptedAt = 0;
};

/// Dead letters that died before a time, oldest first.
struct DeadBefore {
    struct Place {
        WallMicros diedAt = 0;
        Pointer pointer;
    };
    struct Query {
        WallMicros diedBefore = 0;
        Place after;
        std::size_t limit = 0;
    };
    std::vector<Pointer> pointers;
    Place last;             ///< of the last one
    bool complete = false;  ///< nothing after these
};

/// Port to read events back: for a delivery, for a list, for their retention. One thread at a time;
/// null if it is gone, or if the read failed.
class EventReader {
public:
    virtual ~EventReader() = default;
    virtual std::optional<EventRow> read(Sequence sequence) = 0;
    /// As it goes to one destination: with the newest payload there.
    virtual std::optional<EventRow> readFor(Pointer pointer) = 0;
    /// Of the last `read` or `readFor`: it says nothing about the event and is worth another try.
    [[nodiscard]] virtual bool failed() const = 0;
    /// Without their payloads, those that are there, in the order of the question.
    virtual std::vector<EventTexts> readTexts(const std::vector<Sequence>& sequences) = 0;
    virtual DeadBefore deadBefore(const DeadBefore::Query& query) = 0;
    /// Many at once, rising, until `take` has enough and says false. What is gone or cannot be
    /// read is left out. The rows lack their destinations and the fingerprint of their user.
    virtual void readAll(const std::vector<Sequence>& sequences,
                         const std::function<bool(EventRow)>& take) = 0;
};

}  // namespace lanes
