// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What an operator can ask of the engine. A command is a value; its answer comes later, with the
// same CommandId. The window, the command line and the demonstration all use these.
namespace lanes {

/// Adds a destination (id 0) or replaces the settings of an existing one.
struct SetDestination {
    DestinationConfig config;
};

/// Removes a destination that has nothing waiting and no dead letters.
struct RemoveDestination {
    DestinationId destination;
};

/// No new attempt starts once this is answered; attempts in flight finish and count.
struct PauseDestination {
    DestinationId destination;
    std::string by;
    std::string reason;
    WallMicros resumeAt = 0;  ///< resumed by itself then; 0 = only by an operator
};

/// Deliveries start again, as a ramp.
struct ResumeDestination {
    DestinationId destination;
    std::string by;
};

/// How fast a rewind moves its events, and whether it tries a few first.
struct RewindPace {
    double eventsPerSecond = 0;  ///< 0 = as fast as deliveries leave room
    /// So many are moved first; the rest follows once 90 % of them are delivered, and stays where
    /// it is if that cannot be reached any more. 0 = none.
    std::uint32_t tracer = 0;

    [[nodiscard]] bool takesTime() const { return eventsPerSecond > 0 || tracer > 0; }
};

/// Returns dead letters to their lanes at their original positions. The set is frozen: exactly
/// these pointers. One that is no dead letter (any more) is skipped, with the reason kept.
/// Answered when all have moved; if the pace takes time, when the operation is durable.
struct RewindDeadLetters {
    std::vector<Pointer> pointers;
    std::string by;
    std::string reason;
    RewindPace pace = {};
    std::string scope = {};  ///< how the set was chosen, for the record; empty: "N selected ..."
};

/// An event of a lane as a plan found it.
struct LaneEvent {
    Sequence sequence;
    std::uint32_t life = 1;
};

/// A lane from one event on: everything that is still in the log, in rising sequence.
struct LaneToRewind {
    LaneKey lane;
    std::vector<LaneEvent> events;
};

/// Delivers the rest of a lane again, from an event on and in order, delivered events included.
/// What still waits stays in its place behind them. Each lane moves as a whole, while nothing of
/// it is in flight.
struct RewindLanes {
    std::vector<LaneToRewind> lanes;
    WallMicros plannedAt = 0;      ///< of the plan; one that is older than ten minutes is refused
    OperationId lastOperation;     ///< newest operation that the plan knew
    std::string by;
    std::string reason;
};

/// Replaces the payload of one dead letter and rewinds it. The original is kept. Refused unless
/// the destination allows it.
struct EditAndRewind {
    Pointer pointer;
    std::string payload;
    std::string by;
    std::string reason;
};

/// Moves no more events of an operation; those that were moved go on.
struct StopOperation {
    OperationId operation;
    std::string by;
};

/// Stops a rewind and returns those of its events that were not tried yet to where they came
/// from.
struct UndoRewind {
    OperationId operation;
    std::string by;
};

/// Gives dead letters up for good. They count as discarded.
struct DiscardDeadLetters {
    std::vector<Pointer> pointers;
    std::string by;
    std::string reason;
    std::string scope = {};  ///< as for a rewind
};

/// Puts a note on dead letters, in place of the one that is there; an empty text takes it away. It
/// stays with the event: a rewound one that dies again still has it. One that is no dead letter
/// (any more) is skipped.
struct NoteDeadLetters {
    std::vector<Pointer> pointers;  ///< at most `limits::kNotesAtOnce`
    std::string text;               ///< plain, at most `limits::kNoteBytes`
    std::string by;
};

/// No new attempt of this lane starts once this is answered; its retry clock stands still. The
/// lane need not have anything to deliver.
struct HoldLane {
    LaneKey lane;
    std::string user;  ///< for display
    std::string by;
    std::string reason;
};

struct ReleaseLane {
    LaneKey lane;
    std::string by;
};

/// Copies the data file while deliveries go on. Answered when the copy is complete and durable, or
/// given up; how far it has come is in the snapshot of the store.
struct BackUp {
    std::string file;      ///< absolute
    bool replace = false;  ///< an existing file is replaced; otherwise it is refused
};

/// Gives up the backup that is being made, if there is one.
struct CancelBackup {};

/// How the lines of a file are read.
enum class ImportFormat : std::uint8_t {
    automatic = 0,  ///< each line as what it looks like: native if it has a payload
    native = 1,
    segment = 2,
};

/// Reads the events of a file, one a line, into the log: NDJSON, plain or packed with gzip. One
/// import at a time. It goes on where an earlier import of the same file ended, however that
/// ended. Answered when the file is open, or with the reason why it cannot be.
struct StartImport {
    std::string path;  ///< absolute, as the engine's machine sees it
    ImportFormat format = ImportFormat::automatic;
    /// Under which the ids of the events are kept, 1 .. `limits::kEventIdBytes`; empty: as if they
    /// had come over HTTP, "native" or "segment".
    std::string source;
    std::string reportPath;  ///< for lines that are not taken; empty: <path>.rejected.ndjson
    bool fromBeginning = false;  ///< reads what was read before again; it counts as duplicates
};

/// Ends the import that is running, at the next durable line. Answered at once; the snapshot tells
/// when it has ended.
struct CancelImport {};

/// Adds a sender (id 0) or replaces the settings of an existing one: its name stays as it is.
struct SetSource {
    SourceConfig config;
};

/// Its keys open nothing any more. Its events stay and are delivered.
struct RemoveSource {
    SourceId source;
};

/// Takes a rejected event again, with what was mended in it, as if its sender had sent that now.
/// Answered when it is durable, or with what is still wrong; it is in quarantine until then.
struct RetryQuarantined {
    QuarantineId id;
    std::string body;  ///< of the same format
};

/// Gives rejected events up.
struct DiscardQuarantined {
    std::vector<QuarantineId> ids;  ///< at most `limits::kQuarantined`
};

/// Demonstration only: engine seconds per real second.
struct SetClockScale {
    double scale = 1.0;
};

using Command =
    std::variant<SetDestination, RemoveDestination, PauseDestination, ResumeDestination,
                 RewindDeadLetters, RewindLanes, EditAndRewind, StopOperation, UndoRewind,
                 DiscardDeadLetters, NoteDeadLetters, HoldLane, ReleaseLane, BackUp, CancelBackup,
                 StartImport, CancelImport, SetSource, RemoveSource, RetryQuarantined,
                 DiscardQuarantined, SetClockScale>;

/// The answer to a command. `error` is empty if it was done; else one sentence for the operator.
/// It is sent when the effect is durable.
struct CommandResult {
    std::string error;
    OperationId operation;      ///< the record of it, where the command makes one
    DestinationId destination;  ///< of SetDestination
    SourceId source;            ///< of SetSource
    bool duplicate = false;     ///< of RetryQuarantined: an event with its id is there already
    std::uint64_t importNumber = 0;  ///< of StartImport: its number in the snapshot
    std::uint64_t asked = 0;    ///< rewind, discard, undo, note: events named
    std::uint64_t done = 0;     ///< of these, moved or noted
    std::uint64_t skipped = 0;  ///< of these, left where they are
    /// The operation goes on: what was done so far is in its row on the snapshot.
    bool underWay = false;

    [[nodiscard]] bool ok() const { return error.empty(); }
};

}  // namespace lanes
