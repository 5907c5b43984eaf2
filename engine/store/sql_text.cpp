// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/sql_text.h"

namespace lanes::store {

SQLite::Statement SqlText::statement(SQLite::Database& database) const {
    SQLite::Statement query(database, m_text);
    for (int index = 1; const auto& value : m_values) {
        if (const auto* number = std::get_if<std::int64_t>(&value))
            query.bind(index++, *number);
        else
            query.bind(index++, std::get<std::string>(value));
    }
    return query;
}

}  // namespace lanes::store
