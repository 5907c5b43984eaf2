// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
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
enum class LaneOrder : std::uint8_t { headAge, backlog, attempts, nextAttempt, deadLettersIn };

/// One page of lanes: rows `offset` .. `offset + limit` of the given order.
struct LanePageRequest {
    std::uint64_t token = 0;  ///< returned with the page, so that stale answers can be dropped
    LaneOrder order = LaneOrder::headAge;
    bool descending = true;   ///< headAge: oldest first; backlog: largest first; and so on
    DestinationId destination;  ///< 0 = all
    std::uint64_t offset = 0;
    std::uint32_t limit = 256;
};

struct LanePage {
    LanePageRequest request;
    std::uint64_t total = 0;     ///< lanes of this order now
    double readiness = 1.0;      ///< below 1 while the engine is still building this order
    std::vector<LaneRow> rows;
};

/// Dead letters, newest death first; keyset paging by (diedAt, pointer).
struct DeadLetterQuery {
    DestinationId destination;  ///< 0 = all
    std::string userText;       ///< exact user text; empty = all
    struct Key {
        WallMicros diedAt = 0;
        Pointer pointer;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> after;   ///< the last row of the page before
    std::uint32_t limit = 256;
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

    [[nodiscard]] DeadLetterQuery::Key key() const { return {diedAt, pointer}; }
};

struct DeadLetterPage {
    std::vector<DeadLetterRow> rows;
    bool complete = false;  ///< no rows after these
};

/// Attempts, newest first; keyset paging by the position in the attempt log.
struct AttemptQuery {
    DestinationId destination;  ///< 0 = all
    Sequence sequence;          ///< 0 = all events
    std::uint64_t before = 0;   ///< attempt log position of the last row of the page before
    std::uint32_t limit = 256;
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
};

struct AttemptPage {
    std::vector<AttemptRow> rows;
    bool complete = false;
};

/// One event as it was accepted.
struct EventRow {
    Sequence sequence;
    std::string id;
    UserKey user;
    UserId userId;
    std::string type;
    std::string contentType;
    std::string payload;
    WallMicros acceptedAt = 0;
    std::vector<DestinationId> destinations;
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

    friend bool operator==(const DeadLetterFilter&, const DeadLetterFilter&) = default;
};

/// Whether a listed dead letter is meant. Letters beyond ASCII keep their case.
[[nodiscard]] bool matches(const DeadLetterFilter& filter, const DeadLetterRow& row);

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
/// read transactions are held. `interrupt` may be called from any thread and ends a running call,
/// which then returns what it has. A reader outlives neither the engine nor its data directory.
class PageReader {
public:
    virtual ~PageReader() = default;
    virtual DeadLetterPage deadLetters(const DeadLetterQuery& query) = 0;
    virtual AttemptPage attempts(const AttemptQuery& query) = 0;
    virtual std::optional<EventRow> event(Sequence sequence) = 0;
    /// Newest first, below `before` (0 = from the newest).
    virtual std::vector<OperationRow> operations(OperationId before, std::uint32_t limit) = 0;
    virtual OperationEventPage operationEvents(const OperationEventQuery& query) = 0;
    /// Freezes the set and says what a rewind of it would do. Reads the log from the oldest event
    /// of the set on: at millions of events this takes seconds.
    virtual RewindPlan planRewind(const RewindScope& scope) = 0;
    /// The rest of these lanes, each from an event on.
    virtual LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) = 0;
    /// Dead letters that match and died at `since` or later: those that a plan does not have.
    virtual std::uint64_t countDeadSince(const DeadLetterFilter& filter, WallMicros since) = 0;
    virtual void interrupt() = 0;
};

}  // namespace lanes
