// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/page_reader.h"

#include "engine/store/attempt_pages.h"
#include "engine/store/dead_letter_filter.h"
#include "engine/store/dead_letter_pages.h"
#include "engine/store/encoding.h"
#include "engine/store/filter_sql.h"
#include "engine/store/lane_planner.h"
#include "engine/store/operation_reader.h"
#include "engine/store/page_budget.h"
#include "engine/store/rewind_planner.h"
#include "engine/store/sender_records.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>

namespace lanes::store {

std::string pageError(const SQLite::Exception& exception, const std::string& path) {
    if (exception.getErrorCode() == SQLITE_INTERRUPT) return {};
    return describe(exception, path).detail;
}

EventRows::EventRows(SQLite::Database& database)
    : m_query(database, "SELECT e.id, e.user_kind, e.user, p.user, e.type, e.content_type,"
                        " e.payload, e.accepted_at, p.targets, e.source FROM events e"
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
    row.source = m_query.getColumn(9).getString();
    std::vector<Target> targets;
    if (!decodeTargets(asView(m_query.getColumn(8)), targets)) return std::nullopt;
    for (const auto& target : targets) row.destinations.push_back(target.destination);
    return row;
}

EditedPayloads::EditedPayloads(SQLite::Database& database)
    : m_query(database, "SELECT payload FROM event_versions WHERE seq=? AND destination=?"
                        " ORDER BY operation DESC LIMIT 1") {}

std::optional<std::string> EditedPayloads::read(Pointer pointer) {
    m_query.reset();
    const ResetOnExit reset(m_query);
    m_query.bind(1, toColumn(pointer.sequence.value));
    m_query.bind(2, pointer.destination.value);
    if (!m_query.executeStep()) return std::nullopt;
    return m_query.getColumn(0).getString();
}

SqliteEventReader::SqliteEventReader(Connection connection)
    : m_database(std::move(connection)),
      m_events(*m_database),
      m_edited(*m_database),
      m_texts(*m_database, "SELECT user_kind, user, id, type, accepted_at FROM events WHERE seq=?"),
      m_content(*m_database, "SELECT id, user_kind, user, type, content_type, payload,"
                             " accepted_at, source FROM events WHERE seq=?") {}

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
        if (row) {
            if (auto edited = m_edited.read(pointer)) row->payload = std::move(*edited);
        }
        return row;
    } catch (const SQLite::Exception&) {
        m_failed = true;
        return std::nullopt;
    }
}

std::vector<EventTexts> SqliteEventReader::readTexts(const std::vector<Sequence>& sequences) {
    std::vector<EventTexts> all;
    all.reserve(sequences.size());
    try {
        const ReadTransaction moment(*m_database);
        for (const auto sequence : sequences) {
            m_texts.reset();
            const ResetOnExit reset(m_texts);
            m_texts.bind(1, toColumn(sequence.value));
            if (!m_texts.executeStep()) continue;
            EventTexts texts;
            texts.sequence = sequence;
            texts.user.kind = static_cast<UserKey::Kind>(m_texts.getColumn(0).getInt());
            texts.user.text = m_texts.getColumn(1).getString();
            texts.id = m_texts.getColumn(2).getString();
            texts.type = m_texts.getColumn(3).getString();
            texts.acceptedAt = m_texts.getColumn(4).getInt64();
            all.push_back(std::move(texts));
        }
    } catch (const SQLite::Exception&) {
        return all;  // a row without its texts is still a row
    }
    return all;
}

DeadBefore SqliteEventReader::deadBefore(const DeadBefore::Query& query) {
    DeadBefore found;
    try {
        SQLite::Statement rows(*m_database,
                               "SELECT died_at, destination, seq FROM dead_letters"
                               " INDEXED BY dead_by_time WHERE rewound_by=0 AND died_at<?"
                               " AND (died_at, destination, seq) > (?, ?, ?)"
                               " ORDER BY died_at, destination, seq LIMIT ?");
        rows.bind(1, query.diedBefore);
        rows.bind(2, query.after.diedAt);
        rows.bind(3, query.after.pointer.destination.value);
        rows.bind(4, toColumn(query.after.pointer.sequence.value));
        rows.bind(5, static_cast<std::int64_t>(query.limit));
        while (rows.executeStep()) {
            found.last.diedAt = rows.getColumn(0).getInt64();
            found.last.pointer = {DestinationId(rows.getColumn(1).getUInt()),
                                  Sequence(asUnsigned(rows.getColumn(2)))};
            found.pointers.push_back(found.last.pointer);
        }
        found.complete = found.pointers.size() < query.limit;
    } catch (const SQLite::Exception&) {
        found.complete = true;  // the next pass tries again
    }
    return found;
}

void SqliteEventReader::readAll(const std::vector<Sequence>& sequences,
                                const std::function<bool(EventRow)>& take) {
    try {
        const ReadTransaction moment(*m_database);
        const ResetOnExit reset(m_content);
        for (const auto sequence : sequences) {
            m_content.reset();
            m_content.bind(1, toColumn(sequence.value));
            if (!m_content.executeStep()) continue;
            EventRow row;
            row.sequence = sequence;
            row.id = m_content.getColumn(0).getString();
            row.user.kind = static_cast<UserKey::Kind>(m_content.getColumn(1).getInt());
            row.user.text = m_content.getColumn(2).getString();
            row.type = m_content.getColumn(3).getString();
            row.contentType = m_content.getColumn(4).getString();
            row.payload = m_content.getColumn(5).getString();
            row.acceptedAt = m_content.getColumn(6).getInt64();
            row.source = m_content.getColumn(7).getString();
            if (!take(std::move(row))) return;
        }
    } catch (const SQLite::Exception&) {
        return;  // what was read is good
    }
}

SqlitePageReader::SqlitePageReader(Connection connection, StoreOptions options)
    : m_options(std::move(options)),
      m_database(std::move(connection)),
      m_events(*m_database),
      m_edited(*m_database),
      m_history(*m_database),
      m_laneEvents(*m_database, m_history) {
    addTextFits(*m_database);
}

template <typename Answer, typename Read>
Answer SqlitePageReader::ask(Read read) {
    m_interrupted = false;
    Answer answer;
    try {
        read(answer);
    } catch (const SQLite::Exception& exception) {
        answer.error = pageError(exception, m_database->getFilename());
    }
    answer.interrupted = m_interrupted;
    return answer;
}

DeadLetterPage SqlitePageReader::deadLetters(const DeadLetterQuery& query) {
    return ask<DeadLetterPage>([&](DeadLetterPage& page) {
        PageBudget budget(query.limit, m_interrupted);
        readDeadLetters(*m_database, query, m_options.now(), budget, page);
    });
}

AttemptPage SqlitePageReader::attempts(const AttemptQuery& query) {
    return ask<AttemptPage>([&](AttemptPage& page) {
        PageBudget budget(query.limit, m_interrupted);
        readAttempts(*m_database, m_history, query, m_options.now(), budget, page);
    });
}

std::optional<EventRow> SqlitePageReader::event(Sequence sequence) {
    try {
        return m_events.read(sequence);
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

std::optional<std::string> SqlitePageReader::editedPayload(Pointer pointer) {
    try {
        return m_edited.read(pointer);
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

LaneEventPage SqlitePageReader::laneEvents(const LaneEventQuery& query) {
    auto answer = ask<LaneEventPage>([&](LaneEventPage& page) {
        PageBudget budget(query.limit, m_interrupted);
        m_laneEvents.read(query, budget, page);
    });
    if (query.before) std::reverse(answer.rows.begin(), answer.rows.end());
    return answer;
}

FoundEvents SqlitePageReader::findEvents(const std::string& source, const std::string& id) {
    return ask<FoundEvents>(
        [&](FoundEvents& found) { found.sequences = m_laneEvents.find(source, id); });
}

QuarantinePage SqlitePageReader::quarantine(const QuarantineQuery& query) {
    return ask<QuarantinePage>(
        [&](QuarantinePage& page) { page = readQuarantine(*m_database, query); });
}

std::optional<QuarantineRow> SqlitePageReader::quarantined(QuarantineId id) {
    try {
        return readQuarantined(*m_database, id);
    } catch (const SQLite::Exception&) {
        return std::nullopt;
    }
}

OperationPage SqlitePageReader::operations(const OperationQuery& query) {
    return ask<OperationPage>(
        [&](OperationPage& page) { page = readOperations(*m_database, query); });
}

OperationEventPage SqlitePageReader::operationEvents(const OperationEventQuery& query) {
    return ask<OperationEventPage>(
        [&](OperationEventPage& page) { page = readOperationEvents(*m_database, query); });
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
        auto query = deadLettersThat(*m_database, "SELECT COUNT(*)", later, m_options.now());
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
