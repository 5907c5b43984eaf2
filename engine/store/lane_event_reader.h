// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/connection.h"
#include "engine/store/index_runs.h"
#include "engine/store/journal_history.h"
#include "engine/store/page_budget.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes::store {

/// Events by their user and by their id, through the sorted runs and the ends of the log after
/// them. Throws SQLite::Exception.
class LaneEventReader {
public:
    /// \param history is brought up to date here, and outlives this.
    LaneEventReader(SQLite::Database& database, JournalHistory& history);

    /// Reads on until the page is full or complete or the budget is spent; away from `before` the
    /// rows come in falling order. Those that were found before an error stay in the page.
    void read(const LaneEventQuery& query, PageBudget& budget, LaneEventPage& page);
    [[nodiscard]] std::vector<Sequence> find(const std::string& source, const std::string& id);

private:
    /// Sequences between two that may hold events of a user: a run, or with number 0 the log after
    /// the runs.
    struct Stretch {
        std::int64_t run = 0;
        std::uint64_t low = 0;  ///< both inclusive
        std::uint64_t high = 0;
    };

    [[nodiscard]] std::vector<Stretch> stretches();
    /// The next sequences of the user in a stretch, away from `place`.
    [[nodiscard]] std::vector<std::uint64_t> sequencesIn(const Stretch& stretch, UserId user,
                                                         std::uint64_t place, bool down,
                                                         std::int64_t limit);
    bool readStretch(const Stretch& stretch, const LaneEventQuery& query, bool down,
                     PageBudget& budget, LaneEventPage& page);
    [[nodiscard]] std::optional<LaneEventRow> row(Sequence sequence, DestinationId destination);

    SQLite::Database& m_database;
    IndexReader m_users;
    IndexReader m_ids;
    SQLite::Statement m_inTail;
    SQLite::Statement m_inTailDown;
    SQLite::Statement m_event;
    JournalHistory& m_history;
};

}  // namespace lanes::store
