// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string>
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

struct OperationRow {
    OperationId id;
    WallMicros at = 0;
    std::string who;
    std::string action;  ///< "rewind", "discard", "pause", "resume", "set destination", ...
    std::string scope;
    std::string reason;
    std::uint64_t asked = 0;
    std::uint64_t done = 0;
    std::uint64_t skipped = 0;
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
    virtual void interrupt() = 0;
};

}  // namespace lanes
