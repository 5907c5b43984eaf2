// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/page_reader.h"

#include "engine/config.h"
#include "engine/store/dead_letter_filter.h"
#include "engine/store/encoding.h"
#include "engine/store/lane_planner.h"
#include "engine/store/operation_reader.h"
#include "engine/store/operation_records.h"
#include "engine/store/rewind_planner.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>

namespace lanes::store {

namespace {

// Every page is a range of one index in its order: no OFFSET and no OR, which would scan.
#define DEAD_COLUMNS                                                                          \
    "SELECT destination, seq, user_id, user_kind, user, event_id, type, accepted_at, died_at," \
    " first_tried_at, attempts, life, last_outcome, last_status, last_error, reason, bytes"    \
    " FROM dead_letters "
constexpr const char* kDeadByTime =
    DEAD_COLUMNS "WHERE rewound_by=0 AND (died_at, destination, seq) < (?1, ?2, ?3)"
                 " ORDER BY died_at DESC, destination DESC, seq DESC LIMIT ?4";
constexpr const char* kDeadByDestination =
    DEAD_COLUMNS "WHERE rewound_by=0 AND destination=?2 AND (died_at, seq) < (?1, ?3)"
                 " ORDER BY died_at DESC, seq DESC LIMIT ?4";
constexpr const char* kDeadByUser =
    DEAD_COLUMNS "WHERE rewound_by=0 AND user=?5 AND (?6=0 OR destination=?6)"
                 " AND (died_at, destination, seq) < (?1, ?2, ?3)"
                 " ORDER BY died_at DESC, destination DESC, seq DESC LIMIT ?4";
#undef DEAD_COLUMNS

#define ATTEMPT_COLUMNS                                                                    \
    "SELECT j.id, j.destination, j.seq, j.attempt, j.life, j.at, j.duration, j.outcome,"    \
    " j.status, j.error, j.response, j.cause, j.operation "
constexpr const char* kAttempts =
    ATTEMPT_COLUMNS "FROM journal j WHERE j.id<?1 AND j.kind=0 ORDER BY j.id DESC LIMIT ?2";
constexpr const char* kAttemptsOfDestination =
    ATTEMPT_COLUMNS "FROM journal j INDEXED BY journal_by_destination"
                    " WHERE j.destination=?3 AND j.id<?1 AND j.kind=0"
                    " ORDER BY j.id DESC LIMIT ?2";
// The sorted runs hold the history up to their mark, the journal itself what came after it. The
// cross joins keep the planner from walking the journal first for the sake of the order.
constexpr const char* kAttemptsOfEvent =
    "WITH mark(value) AS (SELECT value FROM marks WHERE name='history'),"
    " found(id) AS (SELECT h.id FROM history_runs r"
    "   CROSS JOIN history h ON h.run=r.run AND h.seq=?3"
    "   WHERE r.low<=?3 AND r.high>=?3 AND h.id<=(SELECT value FROM mark)"
    " UNION ALL SELECT id FROM journal WHERE id>(SELECT value FROM mark) AND seq=?3) "
    ATTEMPT_COLUMNS
    "FROM found CROSS JOIN journal j ON j.id=found.id"
    " WHERE j.id<?1 AND j.kind=0 AND (?4=0 OR j.destination=?4) ORDER BY j.id DESC LIMIT ?2";
#undef ATTEMPT_COLUMNS

DeadLetterRow deadLetterRow(const SQLite::Statement& query) {
    DeadLetterRow row;
    row.pointer = {DestinationId(query.getColumn(0).getUInt()),
                   Sequence(asUnsigned(query.getColumn(1)))};
    row.userId = UserId(asUnsigned(query.getColumn(2)));
    row.user.kind = static_cast<UserKey::Kind>(query.getColumn(3).getInt());
    row.user.text = query.getColumn(4).getString();
    row.eventId = query.getColumn(5).getString();
    row.type = query.getColumn(6).getString();
    row.acceptedAt = query.getColumn(7).getInt64();
    row.diedAt = query.getColumn(8).getInt64();
    row.firstTriedAt = query.getColumn(9).getInt64();
    row.attempts = query.getColumn(10).getUInt();
    row.life = query.getColumn(11).getUInt();
    row.lastOutcome = static_cast<Outcome>(query.getColumn(12).getInt());
    row.lastStatus = static_cast<std::uint16_t>(query.getColumn(13).getInt());
    row.lastError = query.getColumn(14).getString();
    row.reason = query.getColumn(15).getString();
    row.bytes = asUnsigned(query.getColumn(16));
    return row;
}

AttemptRow attemptRow(const SQLite::Statement& query) {
    AttemptRow row;
    row.position = asUnsigned(query.getColumn(0));
    row.pointer = {DestinationId(query.getColumn(1).getUInt()),
                   Sequence(asUnsigned(query.getColumn(2)))};
    row.number = query.getColumn(3).getUInt();
    row.life = query.getColumn(4).getUInt();
    row.startedAt = query.getColumn(5).getInt64();
    row.duration = query.getColumn(6).getInt64();
    row.outcome = static_cast<Outcome>(query.getColumn(7).getInt());
    row.status = static_cast<std::uint16_t>(query.getColumn(8).getInt());
    row.error = query.getColumn(9).getString();
    row.response = query.getColumn(10).getString();
    row.cause = static_cast<Cause>(query.getColumn(11).getInt());
    row.operation = OperationId(asUnsigned(query.getColumn(12)));
    return row;
}

int pageRows(std::uint32_t limit) {
    return static_cast<int>(std::min<std::size_t>(limit, limits::kPageRows));
}

std::int64_t positionBefore(std::uint64_t before) {
    return before == 0 ? std::numeric_limits<std::int64_t>::max() : toColumn(before);
}

}  // namespace

EventRows::EventRows(SQLite::Database& database)
    : m_query(database, "SELECT e.id, e.user_kind, e.user, p.user, e.type, e.content_type,"
                        " e.payload, e.accepted_at, p.targets FROM events e"
                        " LEFT JOIN pointers p ON p.seq=e.seq WHERE e.seq=?") {}

std::optional<EventRow> EventRows::read(Sequence sequence) {
    m_query.reset();
    const ResetOnExit reset(m_query);
    m_query.bind(1, toColumn(sequence.value));
    if (!m_query.executeStep()) return std::nullopt;
    EventRow row;
    row.sequence = sequence;
    row.id = m_query.getColumn(0).getString();
    row.user.kind = static_cast<UserKey::Kind>(m_query.getColumn(1).getInt());
    row.user.text = m_query.getColumn(2).getString();
    row.userId = UserId(asUnsigned(m_query.getColumn(3)));
    row.type = m_query.getColumn(4).getString();
    row.contentType = m_query.getColumn(5).getString();
    row.payload = m_query.getColumn(6).getString();
    row.acceptedAt = m_query.getColumn(7).getInt64();
    std::vector<Target> targets;
    if (!decodeTargets(asView(m_query.getColumn(8)), targets)) return std::nullopt;
    for (const auto& target : targets) row.destinations.push_back(target.destination);
    return row;
}

SqliteEventReader::SqliteEventReader(Connection connection)
    : m_database(std::move(connection)),
      m_events(*m_database),
      m_version(*m_database, "SELECT payload FROM event_versions WHERE seq=? AND destination=?"
                             " ORDER BY operation DESC LIMIT 1") {}

std::optional<EventRow> SqliteEventReader::read(Sequence sequence) {
    m_failed = false;
    try {
        return m_events.read(sequence);
    } catch (const SQLite::Exception&) {
        m_failed = true;
        return std::nullopt;
    }
}

std::optional<EventRow> SqliteEventReader::readFor(Pointer pointer) {
    m_failed = false;
    try {
        auto row = m_events.read(pointer.sequence);
        m_version.reset();
        const ResetOnExit reset(m_version);
        m_version.bind(1, toColumn(pointer.sequence.value));
        m_version.bind(2, pointer.destination.value);
        if (row && m_version.executeStep()) row->payload = m_version.getColumn(0).getString();
        return row;
    } catch (const SQLite::Exception&) {
        m_failed = true;
        return std::nullopt;
    }
}

SqlitePageReader::SqlitePageReader(Connection connection, StoreOptions options)
    : m_options(std::move(options)),
      m_database(std::move(connection)),
      m_events(*m_database),
      m_deadByTime(*m_database, kDeadByTime),
      m_deadByDestination(*m_database, kDeadByDestination),
      m_deadByUser(*m_database, kDeadByUser),
      m_attempts(*m_database, kAttempts),
      m_attemptsOfDestination(*m_database, kAttemptsOfDestination),
      m_attemptsOfEvent(*m_database, kAttemptsOfEvent),
      m_operations(*m_database,
                   std::string(kOperationColumns) + "WHERE id<? ORDER BY id DESC LIMIT ?") {}

DeadLetterPage SqlitePageReader::deadLetters(const DeadLetterQuery& query) {
    DeadLetterPage page;
    const bool byUser = !query.userText.empty();
    auto& statement = byUser                ? m_deadByUser
                      : query.destination ? m_deadByDestination
                                            : m_deadByTime;
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    const int limit = pageRows(query.limit);
    try {
        statement.reset();
        const ResetOnExit reset(statement);
        statement.bind(1, query.after ? query.after->diedAt : kLast);
        if (!byUser && query.destination) {
            statement.bind(2, query.destination.value);
        } else {
            statement.bind(2, query.after ? query.after->pointer.destination.value : kLast);
        }
        statement.bind(3, query.after ? toColumn(query.after->pointer.sequence.value) : kLast);
        statement.bind(4, limit);
        if (byUser) {
            statement.bindNoCopy(5, query.userText);
            statement.bind(6, query.destination.value);
        }
        while (statement.executeStep()) page.rows.push_back(deadLetterRow(statement));
        page.complete = page.rows.size() < static_cast<std::size_t>(limit);
    } catch (const SQLite::Exception&) {
        page.complete = false;  // interrupted, or not readable for now
    }
    return page;
}

AttemptPage SqlitePageReader::attempts(const AttemptQuery& query) {
    AttemptPage page;
    const int limit = pageRows(query.limit);
    auto& statement = query.sequence      ? m_attemptsOfEvent
                      : query.destination ? m_attemptsOfDestination
                                          : m_attempts;
    try {
        statement.reset();
        const ResetOnExit reset(statement);
        statement.bind(1, positionBefore(query.before));
        statement.bind(2, limit);
        if (query.sequence) {
            statement.bind(3, toColumn(query.sequence.value));
            statement.bind(4, query.destination.value);
        } else if (query.destination) {
            statement.bind(3, query.destination.value);
        }
        while (statement.executeStep()) page.rows.push_back(attemptRow(statement));
        page.complete = page.rows.size() < static_cast<std::size_t>(limit);
    } catch (const SQLite::Exception&) {
        page.complete = false;
    }
    return page;
}

std::optional<EventRow> SqlitePageReader::event(Sequence sequence) {
    try {
        return m_events.read(sequence);
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

std::vector<OperationRow> SqlitePageReader::operations(OperationId before, std::uint32_t limit) {
    std::vector<OperationRow> rows;
    try {
        m_operations.reset();
        const ResetOnExit reset(m_operations);
        m_operations.bind(1, positionBefore(before.value));
        m_operations.bind(2, pageRows(limit));
        while (m_operations.executeStep()) rows.push_back(operationRow(m_operations));
    } catch (const SQLite::Exception&) {
        return rows;
    }
    return rows;
}

OperationEventPage SqlitePageReader::operationEvents(const OperationEventQuery& query) {
    try {
        return readOperationEvents(*m_database, query);
    } catch (const SQLite::Exception&) {
        return {};
    }
}

RewindPlan SqlitePageReader::planRewind(const RewindScope& scope) {
    m_interrupted = false;
    try {
        return makeRewindPlan(
            {*m_database, m_options.now(), m_options.retention, m_interrupted}, scope);
    } catch (const SQLite::Exception& exception) {
        RewindPlan plan;
        plan.error = planError(exception, m_database->getFilename());
        return plan;
    }
}

LanePlan SqlitePageReader::planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) {
    m_interrupted = false;
    try {
        return makeLanePlan(
            {*m_database, m_options.now(), m_options.retention, m_interrupted}, from);
    } catch (const SQLite::Exception& exception) {
        LanePlan plan;
        plan.error = planError(exception, m_database->getFilename());
        return plan;
    }
}

std::uint64_t SqlitePageReader::countDeadSince(const DeadLetterFilter& filter,
                                               WallMicros since) {
    DeadLetterFilter later = filter;
    later.diedFrom = std::max(filter.diedFrom, since);
    try {
        auto query = deadLettersThat(*m_database, "SELECT COUNT(*)", later);
        return query.executeStep() ? asUnsigned(query.getColumn(0)) : 0;
    } catch (const SQLite::Exception&) {
        return 0;
    }
}

void SqlitePageReader::interrupt() {
    m_interrupted = true;
    sqlite3_interrupt(m_database->getHandle());
}

}  // namespace lanes::store
