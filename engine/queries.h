// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/filter.h"
#include "engine/operations.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Questions about the large, cold state. Lanes are answered by the engine (it owns them); dead
// letters, attempts and events are read from the store by a reader that the asking side owns.
namespace lanes {

/// Orders of the lane list that the engine keeps without scanning.
enum class LaneOrder : std::uint8_t {
    headAge,
    backlog,
    attempts,
    nextAttempt,
    deadLettersIn,
    /// As they were made, and at each the oldest head first. Not by user: the engine knows users
    /// by fingerprints, whose order means nothing to people, and an order by names would cost a
    /// name in memory for each lane. Somebody who looks for a user names it in the request.
    destination,
};

/// One page of lanes: rows `offset` .. `offset + limit` of the given order. With a user its lanes
/// at all destinations (or the one) by destination, found without an order.
struct LanePageRequest {
    std::uint64_t token = 0;  ///< returned with the page, so that stale answers can be dropped
    LaneOrder order = LaneOrder::headAge;
    bool descending = true;   ///< headAge: oldest first; backlog: largest first; and so on
    DestinationId destination;  ///< 0 = all
    std::uint64_t offset = 0;
    std::uint32_t limit = 256;
    UserId user = {};  ///< 0 = all; `fingerprint` gives it
    /// Only lanes that fit. All are looked at for it, a few at a time; one such look is under way
    /// at once, the one that was asked for last. `destination` and `user` above go without it.
    Filter filter = {};
    bool look = true;  ///< false: gives what was found and looks no further
};

/// How far a look at the lanes for a filter has come. The first `limits::kScanKept` lanes that fit
/// are kept in their order; of more only the number is known. Lanes that move to another place
/// meanwhile may be missed or counted twice; the next look finds them.
struct LaneLook {
    std::uint64_t fitting = 0;
    std::uint64_t looked = 0;
    std::uint64_t lanes = 0;  ///< that have to be looked at
    bool complete = true;
    /// For each of the filter's conditions: lanes that fit all others. Where texts are asked for
    /// there may be fewer: they are not read for this alone.
    std::vector<std::uint64_t> fittingWithout;
};

struct LanePage {
    LanePageRequest request;
    std::uint64_t total = 0;     ///< lanes of this order now; with a filter: those that are kept
    double readiness = 1.0;      ///< below 1 while the engine is still building this order
    std::vector<LaneRow> rows;
    LaneLook look = {};          ///< with a filter
};

/// Which dead letters are meant; fields that are empty or 0 do not restrict.
struct DeadLetterFilter {
    DestinationId destination;
    std::string user;            ///< exact
    std::string type;            ///< exact
    std::string eventId;         ///< exact
    std::string errorContains;   ///< in the last error or the reason, any case
    std::optional<Outcome> lastOutcome;
    std::uint16_t statusFrom = 0;  ///< last status, inclusive
    std::uint16_t statusTo = 0;    ///< inclusive; 0 with `statusFrom` = that one status
    WallMicros diedFrom = 0;     ///< inclusive
    WallMicros diedBefore = 0;   ///< exclusive
    bool neverTried = false;     ///< only those
    Filter rest = {};            ///< besides; what the fields above can say is found by them

    friend bool operator==(const DeadLetterFilter&, const DeadLetterFilter&) = default;
};

/// Orders of the list of dead letters. Equal ones stand by the time of their death.
enum class DeadLetterOrder : std::uint8_t {
    diedAt,
    firstTried,  ///< never tried = 0
    attempts,
    lane,        ///< destination by its number, then the text of the user
    type,
    status,      ///< of the last attempt
    outcome,     ///< by number
};

/// Keyset pages: a page begins behind the last row of the one before (`after`), or ends in front of
/// the first row of the one behind it (`before`), whatever came or went in between. Its rows stand
/// in the order that was asked for, in both cases.
struct DeadLetterQuery {
    /// A place in the order of one query; means nothing in another order.
    struct Key {
        std::int64_t number = 0;  ///< what the order goes by, if that is a number
        std::string text;         ///< if it is a text
        WallMicros diedAt = 0;
        Pointer pointer;
        friend bool operator==(const Key&, const Key&) = default;
    };
    DeadLetterFilter filter = {};
    DeadLetterOrder order = DeadLetterOrder::diedAt;
    bool descending = true;     ///< newest, most, last of the alphabet first
    std::optional<Key> after = {};
    std::optional<Key> before = {};
    std::uint32_t limit = 256;
};

/// What an operator wrote on a dead letter.
struct DeadLetterNote {
    std::string text;  ///< empty: there is none
    std::string by;
    WallMicros at = 0;

    friend bool operator==(const DeadLetterNote&, const DeadLetterNote&) = default;
};

struct DeadLetterRow {
    Pointer pointer;
    UserId userId;
    UserKey user;
    std::string eventId;
    std::string type;
    WallMicros acceptedAt = 0;
    WallMicros diedAt = 0;
    WallMicros firstTriedAt = 0;  ///< 0 = never tried
    std::uint32_t attempts = 0;
    std::uint32_t life = 1;
    Outcome lastOutcome = Outcome::unknown;
    std::uint16_t lastStatus = 0;
    std::string lastError;
    std::string reason;           ///< why it was dead-lettered, for an operator
    std::uint64_t bytes = 0;
    WallMicros rewoundAt = 0;     ///< last time; 0 = never
    DeadLetterNote note = {};

    [[nodiscard]] DeadLetterQuery::Key key(DeadLetterOrder order = DeadLetterOrder::diedAt) const;
};

/// Whether a listed dead letter is meant. Letters beyond ASCII keep their case.
/// \param now ages are told from here.
/// \param payload only for a filter that asks for it; without it such a filter fits nothing.
[[nodiscard]] bool matches(const DeadLetterFilter& filter, const DeadLetterRow& row,
                           WallMicros now = 0, const std::string* payload = nullptr);

/// Terms that no index serves are looked at row by row, for `limits::kPageTime` at most. A page
/// that is neither full nor complete then goes on at `resume`.
struct DeadLetterPage {
    std::vector<DeadLetterRow> rows;
    bool complete = false;  ///< nothing more in this direction
    /// Not complete: `after` (or `before`) of the question that goes on. Empty = ask as before.
    std::optional<DeadLetterQuery::Key> resume = {};
    std::string error = {};  ///< not empty: the rest could not be read, and why
    bool interrupted = false;  ///< by `PageReader::interrupt`: it has what was found until then
};

/// Attempts, newest first; keyset paging by the position in the attempt log, which is the order in
/// which they ended.
struct AttemptQuery {
    DestinationId destination;  ///< 0 = all
    Sequence sequence;          ///< 0 = all events
    std::uint64_t before = 0;   ///< older than this position: that of the last row of a page
    std::uint32_t limit = 256;
    std::uint64_t after = 0;    ///< newer than this position: a page that ends in front of it
    /// Only those that ended from ..., until ... (exclusive); 0 = no bound. Found by halving the
    /// log, so where the wall clock was set the bounds are as wrong as the clock was.
    WallMicros endedFrom = 0;
    WallMicros endedBefore = 0;
    Filter filter = {};  ///< besides
};

struct AttemptRow {
    std::uint64_t position = 0;  ///< in the attempt log
    Pointer pointer;
    std::uint32_t number = 0;
    std::uint32_t life = 1;
    WallMicros startedAt = 0;
    Micros duration = 0;
    Outcome outcome = Outcome::unknown;
    std::uint16_t status = 0;
    std::string error;
    std::string response;  ///< first 4 KiB
    Cause cause = Cause::automatic;
    OperationId operation;
    // Of its event, as long as that is in the log; else empty:
    UserKey user = {};
    std::string eventId = {};
    std::string type = {};
};

struct AttemptPage {
    std::vector<AttemptRow> rows;
    bool complete = false;
    std::uint64_t resume = 0;  ///< as that of the dead letters; 0 = ask again as before
    std::string error = {};
    bool interrupted = false;
};

/// One event as it was accepted.
struct EventRow {
    Sequence sequence;
    std::string source;  ///< of its sender; with the id what makes it unique
    std::string id;
    UserKey user;
    UserId userId;
    std::string type;
    std::string contentType;
    std::string payload;
    WallMicros acceptedAt = 0;
    std::vector<DestinationId> destinations;
};

/// In what form an event came.
enum class EventForm : std::uint8_t { native = 0, segment = 1, cloudEvent = 2 };

/// Rejected events that are kept, newest first.
struct QuarantineQuery {
    QuarantineId before;  ///< older than this one; 0 = from the newest on
    std::uint32_t limit = 256;
};

struct QuarantineRow {
    QuarantineId id;
    WallMicros at = 0;
    std::string source;  ///< of its sender, as the events that were taken have it
    EventForm form = EventForm::native;
    std::string code;    ///< why it was rejected, for programs
    std::string detail;  ///< for people
    std::string eventId; ///< empty if it had none that could be read
    std::uint64_t bytes = 0;  ///< of the event as it was sent
    /// What is kept of it, `limits::kQuarantinedBytes` at most; in a page: empty.
    std::string body;

    /// Only a whole event can be taken again.
    [[nodiscard]] bool whole() const { return bytes <= limits::kQuarantinedBytes; }
};

struct QuarantinePage {
    std::vector<QuarantineRow> rows;
    bool complete = false;
    std::string error = {};
    bool interrupted = false;
};

/// Where an event of a lane is, as the store knows it: what is in flight still waits.
enum class LaneEventState : std::uint8_t { waiting, delivered, dead, discarded };

/// The events of a lane that are in the log, in its order.
struct LaneEventQuery {
    LaneKey lane;
    Sequence after;   ///< behind this one
    Sequence before;  ///< not 0: the page that ends in front of this one
    std::uint32_t limit = 256;
};

struct LaneEventRow {
    Sequence sequence;
    std::string id;
    std::string type;
    WallMicros acceptedAt = 0;
    std::uint64_t bytes = 0;     ///< of the payload as accepted
    LaneEventState state = LaneEventState::waiting;
    std::uint32_t attempts = 0;  ///< in this life
    std::uint32_t life = 1;
    std::optional<Outcome> lastOutcome = {};  ///< of this life; empty = never tried
    std::uint16_t lastStatus = 0;
};

struct LaneEventPage {
    std::vector<LaneEventRow> rows;
    bool complete = false;
    Sequence resume;  ///< as that of the dead letters; 0 = ask again as before
    std::string error = {};
    bool interrupted = false;
};

/// Events of a sender's id. More than one only where ids were used again after the first event
/// had left the log, or by several sources.
struct FoundEvents {
    std::vector<Sequence> sequences;  ///< rising, at most `limits::kPageRows`
    std::string error = {};
    bool interrupted = false;
};

/// Operations, newest first.
struct OperationQuery {
    OperationId before;  ///< older than this one
    std::uint32_t limit = 256;
    OperationId after;   ///< newer than this one: the page that ends in front of it
};

struct OperationPage {
    std::vector<OperationRow> rows;
    bool complete = false;
    std::string error = {};
    bool interrupted = false;
};

/// What became of one event of an operation.
enum class OperationFate : std::uint8_t {
    planned,    ///< not moved yet
    skipped,    ///< see the reason
    waiting,    ///< moved, not delivered yet
    delivered,
    deadAgain,
    returned,   ///< undone
    discarded,  ///< by this operation, or later as a dead letter
    trimmed,    ///< finished so long ago that the log does not hold it any more
};

struct OperationEventRow {
    std::uint64_t position = 0;  ///< in the operation's set, from 0
    Pointer pointer;
    OperationFate fate = OperationFate::planned;
    SkipReason reason = SkipReason::none;
    std::uint32_t attempts = 0;  ///< since it was moved
    Outcome lastOutcome = Outcome::delivered;
    std::uint16_t lastStatus = 0;
    // As long as the event is in the log; else empty:
    UserKey user = {};
    std::string eventId = {};
    std::string type = {};
};

/// The events of an operation in the order of its set, from a position on.
struct OperationEventQuery {
    OperationId operation;
    std::uint64_t from = 0;
    std::uint32_t limit = 256;
};

struct OperationEventPage {
    std::vector<OperationEventRow> rows;
    bool complete = false;
    std::string error = {};
    bool interrupted = false;
};

/// Dead letters to plan a rewind or discard of: exactly those named, or all that match.
using RewindScope = std::variant<std::vector<Pointer>, DeadLetterFilter>;

/// What a rewind would do at one destination.
struct PlanForDestination {
    DestinationId destination;
    std::uint64_t events = 0;
    std::uint64_t lanes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rewoundBefore = 0;      ///< events in their second life or a later one
    std::uint64_t mayHaveBeenReceived = 0;  ///< last outcome unknown
    std::uint64_t lanesPassed = 0;        ///< lanes that delivered later events already
    std::uint64_t laterDelivered = 0;     ///< events that these lanes delivered
};

/// A frozen set and what is known of it. Made before anything moves.
struct RewindPlan {
    std::string error;             ///< not empty: there is no plan, and why
    WallMicros plannedAt = 0;
    OperationId lastOperation;     ///< newest one in the store
    std::vector<Pointer> pointers;  ///< in order of the log
    std::uint64_t notDead = 0;     ///< of those named, no dead letters (any more)
    std::vector<PlanForDestination> destinations;
    /// Lanes that delivered events after the first dead letter of the set, with that dead letter.
    std::vector<std::pair<LaneKey, Sequence>> passed;

    [[nodiscard]] PlanForDestination total() const;
};

/// Everything of some lanes from an event on.
struct LanePlan {
    std::string error;
    WallMicros plannedAt = 0;
    OperationId lastOperation;
    std::vector<LaneToRewind> lanes;
    std::uint64_t dead = 0;
    std::uint64_t delivered = 0;  ///< will be sent again
    std::uint64_t waiting = 0;    ///< stay in their places behind them
    std::uint64_t trimmed = 0;    ///< lanes of which the log does not hold everything any more
};

/// Reads the store on a connection of its own, for one thread at a time. Calls block; only short
/// read transactions are held, pages have `limits::kPageRows` rows and about `limits::kPageBytes`
/// at most. A page that failed has a text for the operator in `error`; one that is merely empty has
/// none. A reader outlives neither the engine nor its data directory.
class PageReader {
public:
    virtual ~PageReader() = default;
    virtual DeadLetterPage deadLetters(const DeadLetterQuery& query) = 0;
    virtual AttemptPage attempts(const AttemptQuery& query) = 0;
    virtual std::optional<EventRow> event(Sequence sequence) = 0;
    /// The payload that goes to this destination, if somebody edited it: the newest one.
    virtual std::optional<std::string> editedPayload(Pointer pointer) = 0;
    virtual LaneEventPage laneEvents(const LaneEventQuery& query) = 0;
    /// By what the sender calls itself and the event.
    virtual FoundEvents findEvents(const std::string& source, const std::string& id) = 0;
    virtual QuarantinePage quarantine(const QuarantineQuery& query) = 0;
    /// One rejected event with its body; nothing if it is not kept (any more).
    virtual std::optional<QuarantineRow> quarantined(QuarantineId id) = 0;
    virtual OperationPage operations(const OperationQuery& query) = 0;
    virtual OperationEventPage operationEvents(const OperationEventQuery& query) = 0;
    /// Freezes the set and says what a rewind of it would do. Reads the log from the oldest event
    /// of the set on: at millions of events this takes seconds.
    virtual RewindPlan planRewind(const RewindScope& scope) = 0;
    /// The rest of these lanes, each from an event on.
    virtual LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) = 0;
    /// Dead letters that match and died at `since` or later: those that a plan does not have.
    virtual std::uint64_t countDeadSince(const DeadLetterFilter& filter, WallMicros since) = 0;
    /// Any thread. Ends the call that runs, which then returns what it has, without an error. It
    /// does nothing to a call that begins later: whoever interrupts one that may not have begun
    /// yet does so again until it is back.
    virtual void interrupt() = 0;
};

}  // namespace lanes
