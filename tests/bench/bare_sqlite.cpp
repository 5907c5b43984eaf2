// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_sqlite.h"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

namespace lanes::bench {

namespace {

void expect(sqlite3* database, int code, int wanted) {
    if (code == wanted) return;
    std::fprintf(stderr, "rivora-lanes-bench: SQLite: %s\n", sqlite3_errmsg(database));
    std::exit(3);
}

void bindText(sqlite3_stmt* statement, int column, const std::string& text) {
    sqlite3_bind_text(statement, column, text.data(), static_cast<int>(text.size()),
                      SQLITE_STATIC);
}

}  // namespace

BareSqlite::BareSqlite(const std::string& path) {
    expect(m_database, sqlite3_open(path.c_str(), &m_database), SQLITE_OK);
    execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=FULL");
    execute(
        "CREATE TABLE events(seq INTEGER PRIMARY KEY, source TEXT, id TEXT, user_kind INTEGER,"
        " user TEXT, type TEXT, content_type TEXT, accepted_at INTEGER, payload BLOB);"
        "CREATE TABLE pointers(seq INTEGER PRIMARY KEY, user INTEGER, targets BLOB);"
        "CREATE TABLE journal(id INTEGER PRIMARY KEY, kind INTEGER, destination INTEGER,"
        " seq INTEGER, life INTEGER, attempt INTEGER, at INTEGER, duration INTEGER,"
        " outcome INTEGER, status INTEGER, cause INTEGER, operation INTEGER, clock INTEGER,"
        " first_tried_at INTEGER, error TEXT, reason TEXT, response BLOB)");
    m_event = prepare("INSERT INTO events VALUES(?1,'native',?2,1,?3,'bench.event',"
                      "'application/json',?4,?5)");
    m_pointer = prepare("INSERT INTO pointers VALUES(?1,?2,x'0100000000000000')");
    m_ack = prepare("INSERT INTO journal VALUES(NULL,0,1,?1,1,1,?2,5000,0,200,0,0,0,0,'','',x'')");
}

BareSqlite::~BareSqlite() {
    for (auto* statement : {m_event, m_pointer, m_ack}) sqlite3_finalize(statement);
    sqlite3_close(m_database);
}

void BareSqlite::execute(const char* sql) {
    expect(m_database, sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
}

sqlite3_stmt* BareSqlite::prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    expect(m_database, sqlite3_prepare_v2(m_database, sql, -1, &statement, nullptr), SQLITE_OK);
    return statement;
}

void BareSqlite::begin() { execute("BEGIN IMMEDIATE"); }

void BareSqlite::commit() { execute("COMMIT"); }

void BareSqlite::addEvent(std::int64_t sequence, const std::string& id, const std::string& user,
                          const std::string& payload) {
    sqlite3_bind_int64(m_event, 1, sequence);
    bindText(m_event, 2, id);
    bindText(m_event, 3, user);
    sqlite3_bind_int64(m_event, 4, 1'700'000'000'000'000 + sequence);
    sqlite3_bind_blob(m_event, 5, payload.data(), static_cast<int>(payload.size()), SQLITE_STATIC);
    expect(m_database, sqlite3_step(m_event), SQLITE_DONE);
    sqlite3_reset(m_event);
    sqlite3_bind_int64(m_pointer, 1, sequence);
    sqlite3_bind_int64(m_pointer, 2, sequence * 0x1e3779b97f4a7c15);
    expect(m_database, sqlite3_step(m_pointer), SQLITE_DONE);
    sqlite3_reset(m_pointer);
}

void BareSqlite::addAck(std::int64_t sequence) {
    sqlite3_bind_int64(m_ack, 1, sequence);
    sqlite3_bind_int64(m_ack, 2, 1'700'000'000'000'000 + sequence);
    expect(m_database, sqlite3_step(m_ack), SQLITE_DONE);
    sqlite3_reset(m_ack);
}

}  // namespace lanes::bench
