// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/queries.h"
#include "engine/store/connection.h"
#include "engine/store/journal_history.h"
#include "engine/store/lane_event_reader.h"
#include "engine/store/store_options.h"

#include <atomic>
#include <functional>
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

/// Reads what was put in place of a payload, as the above.
class EditedPayloads {
public:
    explicit EditedPayloads(SQLite::Database& database);
    /// The newest one. Throws SQLite::Exception.
    [[nodiscard]] std::optional<std::string> read(Pointer pointer);

private:
    SQLite::Statement m_query;
};

class SqliteEventReader final : public EventReader {
public:
    explicit SqliteEventReader(Connection connection);
    std::optional<EventRow> read(Sequence sequence) override;
    std::optional<EventRow> readFor(Pointer pointer) override;
    [[nodiscard]] bool failed() const override { return m_failed; }
    std::vector<EventTexts> readTexts(const std::vector<Sequence>& sequences) override;
    DeadBefore deadBefore(const DeadBefore::Query& query) override;
    void readAll(const std::vector<Sequence>& sequences,
                 const std::function<bool(EventRow)>& take) override;

private:
    Connection m_database;
    EventRows m_events;
    EditedPayloads m_edited;
    SQLite::Statement m_texts;
    SQLite::Statement m_content;
    bool m_failed = false;
};

class SqlitePageReader final : public PageReader {
public:
    SqlitePageReader(Connection connection, StoreOptions options);
    DeadLetterPage deadLetters(const DeadLetterQuery& query) override;
    AttemptPage attempts(const AttemptQuery& query) override;
    std::optional<EventRow> event(Sequence sequence) override;
    std::optional<std::string> editedPayload(Pointer pointer) override;
    LaneEventPage laneEvents(const LaneEventQuery& query) override;
    FoundEvents findEvents(const std::string& source, const std::string& id) override;
    QuarantinePage quarantine(const QuarantineQuery& query) override;
    std::optional<QuarantineRow> quarantined(QuarantineId id) override;
    OperationPage operations(const OperationQuery& query) override;
    OperationEventPage operationEvents(const OperationEventQuery& query) override;
    RewindPlan planRewind(const RewindScope& scope) override;
    LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) override;
    std::uint64_t countDeadSince(const DeadLetterFilter& filter, WallMicros since) override;
    void interrupt() override;

private:
    /// Runs a question; what it throws becomes the error of the answer.
    template <typename Answer, typename Read>
    Answer ask(Read read);

    const StoreOptions m_options;
    std::atomic<bool> m_interrupted = false;
    Connection m_database;
    EventRows m_events;
    EditedPayloads m_edited;
    JournalHistory m_history;
    LaneEventReader m_laneEvents;
};

}  // namespace lanes::store
