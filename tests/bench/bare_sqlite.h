// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace lanes::bench {

/// The fastest plain way to put the same rows into SQLite: the C API, prepared statements, rising
/// keys, no index, no duplicate check, WAL with synchronous=FULL. Ends the process on any error.
class BareSqlite {
public:
    explicit BareSqlite(const std::string& path);
    ~BareSqlite();
    BareSqlite(const BareSqlite&) = delete;
    BareSqlite& operator=(const BareSqlite&) = delete;

    void begin();
    void commit();
    /// Statements without rows.
    void execute(const char* sql);
    /// An event and its pointer to two destinations.
    void addEvent(std::int64_t sequence, const std::string& id, const std::string& user,
                  const std::string& payload);
    /// The journal row of a delivered attempt.
    void addAck(std::int64_t sequence);

private:
    sqlite3_stmt* prepare(const char* sql);

    sqlite3* m_database = nullptr;
    sqlite3_stmt* m_event = nullptr;
    sqlite3_stmt* m_pointer = nullptr;
    sqlite3_stmt* m_ack = nullptr;
};

}  // namespace lanes::bench
