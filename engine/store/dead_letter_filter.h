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

/// What restricts; conditions with OR stand alone, because they would keep the indexes out.
[[nodiscard]] std::vector<FilterTerm> termsOf(const DeadLetterFilter& filter);

/// `<select> FROM dead_letters WHERE ...` of what is listed and matches, with everything bound.
/// Throws SQLite::Exception.
[[nodiscard]] SQLite::Statement deadLettersThat(SQLite::Database& database,
                                                const std::string& select,
                                                const DeadLetterFilter& filter);

}  // namespace lanes::store
