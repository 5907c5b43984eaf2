// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Another program on the data file: `lock_holder FILE immediate|exclusive|alone|reader`. It says
// "held" once it holds what it is asked for, and ends with its input.
#include <cstdio>
#include <cstring>
#include <sqlite3.h>

namespace {

bool exec(sqlite3* database, const char* sql) {
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return true;
    std::fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
    return false;
}

bool hold(sqlite3* database, const char* what) {
    if (std::strcmp(what, "immediate") == 0) return exec(database, "BEGIN IMMEDIATE");
    if (std::strcmp(what, "exclusive") == 0) return exec(database, "BEGIN EXCLUSIVE");
    if (std::strcmp(what, "alone") == 0)
        return exec(database, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
    return exec(database, "BEGIN; SELECT COUNT(*) FROM journal");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    sqlite3* database = nullptr;
    if (sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) return 1;
    sqlite3_busy_timeout(database, 5000);
    if (!hold(database, argv[2])) return 1;
    std::puts("held");
    std::fflush(stdout);
    while (std::getchar() != EOF) {}
    exec(database, "ROLLBACK");
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_close(database);
    return 0;
}
