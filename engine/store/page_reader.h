// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/queries.h"
#include "engine/store/connection.h"
#include "engine/store/store_options.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

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
    std::optional<EventRow> readFor(Pointer pointer) override;
    [[nodiscard]] bool failed() const override { return m_failed; }

private:
    Connection m_database;
    EventRows m_events;
    SQLite::Statement m_version;
    bool m_failed = false;
};

class SqlitePageReader final : public PageReader {
public:
    SqlitePageReader(Connection connection, StoreOptions options);
    DeadLetterPage deadLetters(const DeadLetterQuery& query) override;
    AttemptPage attempts(const AttemptQuery& query) override;
    std::optional<EventRow> event(Sequence sequence) override;
    std::vector<OperationRow> operations(OperationId before, std::uint32_t limit) override;
    OperationEventPage operationEvents(const OperationEventQuery& query) override;
    RewindPlan planRewind(const RewindScope& scope) override;
    LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) override;
    std::uint64_t countDeadSince(const DeadLetterFilter& filter, WallMicros since) override;
    void interrupt() override;

private:
    const StoreOptions m_options;
    std::atomic<bool> m_interrupted = false;
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
