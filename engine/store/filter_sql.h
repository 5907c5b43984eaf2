// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/filter.h"
#include "engine/store/connection.h"
#include "engine/store/sql_text.h"

#include <string>
#include <vector>

namespace lanes::store {

/// A condition on a row: its text, and the values of its question marks.
struct FilterSql {
    std::string text;
    std::vector<SqlValue> values;
};

/// A filter as a condition on rows of `dead_letters`, or of `journal j`; "true" for everything.
/// What lies in other tables is a subquery, which SQLite holds against a row last. A field that the
/// list does not have fits nothing. Ages are told from `now`.
[[nodiscard]] FilterSql sqlOf(const Filter& filter, FilterList list, WallMicros now);

/// Teaches a connection how texts are compared by `sqlOf`: by parts, and in any case.
void addTextFits(SQLite::Database& database);

}  // namespace lanes::store
