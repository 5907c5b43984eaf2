// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// Connections to the data file, and what SQLite's codes mean to an operator. SQLiteCpp throws;
// every public function of the store catches, so nothing leaves the library.
namespace lanes::store {

using Connection = std::unique_ptr<SQLite::Database>;

inline constexpr const char* kDataFile = "lanes.db";
inline constexpr const char* kMarkSuffix = "-mark";

[[nodiscard]] std::string dataFile(const std::string& directory);

/// The only connection that writes. Checkpoints happen only when asked for: with two connections
/// that checkpoint, SQLite 3.40.1 can lose committed frames. What can be read through it is
/// durable. Throws SQLite::Exception.
[[nodiscard]] Connection openForWriting(const std::string& path, int busyMilliseconds);
/// A connection that only reads and never checkpoints, also when it is the last one to close.
[[nodiscard]] Connection openForReading(const std::string& path);

/// The error as a sentence for an operator, with the code that a caller acts on.
[[nodiscard]] Error describe(const SQLite::Exception& exception, const std::string& path);
/// What an operator can do about a damaged set.
[[nodiscard]] std::string whatToDo(const std::string& path);
/// The sentence for a file that is not what it should be: what to keep together and what to do.
[[nodiscard]] Error damaged(const std::string& path, const std::string& what);

/// Ends the read transaction of a statement when a scope is left.
class ResetOnExit {
public:
    explicit ResetOnExit(SQLite::Statement& statement) : m_statement(statement) {}
    ~ResetOnExit() { m_statement.tryReset(); }
    ResetOnExit(const ResetOnExit&) = delete;
    ResetOnExit& operator=(const ResetOnExit&) = delete;

private:
    SQLite::Statement& m_statement;
};

/// One moment of the file, for a reader: until the end of a scope nothing changes.
class ReadTransaction {
public:
    /// Throws SQLite::Exception.
    explicit ReadTransaction(SQLite::Database& database);
    ~ReadTransaction();
    ReadTransaction(const ReadTransaction&) = delete;
    ReadTransaction& operator=(const ReadTransaction&) = delete;

private:
    SQLite::Database& m_database;
};

/// Unsigned numbers of ours as SQLite's signed ones, bit by bit, and back.
[[nodiscard]] constexpr std::int64_t toColumn(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}
/// The same in columns that SQLite has to order as unsigned ones.
[[nodiscard]] constexpr std::int64_t toOrdered(std::uint64_t value) {
    return toColumn(value ^ (std::uint64_t{1} << 63));
}
[[nodiscard]] constexpr std::uint64_t fromOrdered(std::int64_t column) {
    return static_cast<std::uint64_t>(column) ^ (std::uint64_t{1} << 63);
}
[[nodiscard]] inline std::uint64_t asUnsigned(const SQLite::Column& column) {
    return static_cast<std::uint64_t>(column.getInt64());
}
/// The bytes of a column without a copy; valid until the next step.
[[nodiscard]] inline std::string_view asView(const SQLite::Column& column) {
    const auto* bytes = static_cast<const char*>(column.getBlob());
    const int size = column.getBytes();
    return bytes == nullptr ? std::string_view{}
                            : std::string_view(bytes, static_cast<std::size_t>(size));
}

/// SQLite's own check of a file: "ok", or the first thing that is wrong. Reads all of it.
[[nodiscard]] std::string quickCheck(SQLite::Database& database);

/// One number out of a query that gives one row; `otherwise` if it gives none or null.
[[nodiscard]] std::int64_t queryNumber(SQLite::Database& database, const char* sql,
                                       std::int64_t otherwise = 0);

}  // namespace lanes::store
