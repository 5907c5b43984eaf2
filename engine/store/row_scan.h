// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanes::store {

/// Rows of a long scan by SQLite's own calls, which cost a third of SQLiteCpp's for each column.
class RowScan {
public:
    /// \param sql a query with one parameter, which gets `from`.
    RowScan(SQLite::Database& database, const char* sql, std::uint64_t from)
        : m_database(database) {
        check(sqlite3_prepare_v2(database.getHandle(), sql, -1, &m_query, nullptr));
        restart(from);
    }
    ~RowScan() { sqlite3_finalize(m_query); }
    RowScan(const RowScan&) = delete;
    RowScan& operator=(const RowScan&) = delete;

    void restart(std::uint64_t from) {
        sqlite3_reset(m_query);
        sqlite3_bind_int64(m_query, 1, toColumn(from));
    }
    bool next() {
        const int code = sqlite3_step(m_query);
        if (code == SQLITE_ROW) return true;
        check(code == SQLITE_DONE ? SQLITE_OK : code);
        return false;
    }
    template <typename T>
    [[nodiscard]] T number(int column) {
        return static_cast<T>(sqlite3_column_int64(m_query, column));
    }
    /// Of a text or a blob; anything else there is damage. Valid until the next row.
    [[nodiscard]] std::string_view bytes(int column) {
        const int type = sqlite3_column_type(m_query, column);
        if (type != SQLITE_BLOB && type != SQLITE_TEXT)
            throw SQLite::Exception("a number is where bytes were written", SQLITE_CORRUPT);
        const auto* data = static_cast<const char*>(sqlite3_column_blob(m_query, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_query, column));
        return data == nullptr ? std::string_view{} : std::string_view(data, size);
    }

private:
    void check(int code) const {
        if (code != SQLITE_OK) throw SQLite::Exception(m_database.getHandle(), code);
    }

    SQLite::Database& m_database;
    sqlite3_stmt* m_query = nullptr;
};

}  // namespace lanes::store
