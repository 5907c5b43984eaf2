// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/queries.h"
#include "engine/store/connection.h"

#include <string>

namespace lanes::store {

/// Reads one event with its destinations; a helper of both readers below, with kept statements.
class EventRows {
public:
    explicit EventRows(SQLite::Database& database);
    /// Throws SQLite::Exception.
    [[nodiscard]] std::optional<EventRow> read(Sequence sequence);

private:
    SQLite::Statement m_query;
};

class SqliteEventReader final : public EventReader {
public:
    explicit SqliteEventReader(Connection connection);
    std::optional<EventRow> read(Sequence sequence) override;

private:
    Connection m_database;
    EventRows m_events;
};

class SqlitePageReader final : public PageReader {
public:
    explicit SqlitePageReader(Connection connection);
    DeadLetterPage deadLetters(const DeadLetterQuery& query) override;
    AttemptPage attempts(const AttemptQuery& query) override;
    std::optional<EventRow> event(Sequence sequence) override;
    std::vector<OperationRow> operations(OperationId before, std::uint32_t limit) override;
    void interrupt() override;

private:
    Connection m_database;
    EventRows m_events;
    SQLite::Statement m_deadByTime;
    SQLite::Statement m_deadByDestination;
    SQLite::Statement m_deadByUser;
    SQLite::Statement m_attempts;
    SQLite::Statement m_attemptsOfDestination;
    SQLite::Statement m_attemptsOfEvent;
    SQLite::Statement m_operations;
};

}  // namespace lanes::store
