// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/connection.h"
#include "engine/store/sql_text.h"

#include <string>
#include <vector>

namespace lanes::store {

/// Columns by which an index finds dead letters.
enum class DeadColumn {
    none,
    destination,
    user,
    type,
    eventId,
    outcome,
    status,
    firstTried,
    attempts,
    diedAt,
};

/// One condition of a filter.
struct FilterTerm {
    DeadColumn column = DeadColumn::none;  ///< none: every row has to be looked at
    bool equal = false;                    ///< fixes the column to one value
    std::string sql;
    std::vector<SqlValue> values;          ///< of its question marks
};

/// The same filter with as much of `rest` in its other fields as they can say: by these, rows are
/// found. Ages are told from `now`.
[[nodiscard]] DeadLetterFilter narrowed(DeadLetterFilter filter, WallMicros now);

/// What restricts; conditions with OR stand alone, because they would keep the indexes out.
[[nodiscard]] std::vector<FilterTerm> termsOf(const DeadLetterFilter& filter, WallMicros now);

/// `<select> FROM dead_letters WHERE ...` of what is listed and matches, with everything bound.
/// The connection needs `addTextFits`. Throws SQLite::Exception.
[[nodiscard]] SQLite::Statement deadLettersThat(SQLite::Database& database,
                                                const std::string& select,
                                                const DeadLetterFilter& filter,
                                                WallMicros now);

}  // namespace lanes::store
