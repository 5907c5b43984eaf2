// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_mark.h"

#include "engine/store/encoding.h"

#include <SQLiteCpp/Column.h>

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace lanes::store {

namespace {

using Words = std::array<std::uint64_t, 4>;  // the content and its hash

std::uint64_t hashOf(const Words& words) {
    return stableHash({reinterpret_cast<const char*>(words.data()), 3 * sizeof words[0]});
}

/// The event of the mark is not there; after retention this cannot be told.
bool hasOtherEvent(SQLite::Database& database, const LogMark::Content& marked) {
    SQLite::Statement query(database, "SELECT source, id FROM events WHERE seq=?");
    query.bind(1, toColumn(marked.rows.sequence));
    return marked.event != 0 && query.executeStep() &&
           eventHash(asView(query.getColumn(0)), asView(query.getColumn(1))) != marked.event;
}

}  // namespace

LogMark::LogMark(const std::string& path)
    : m_descriptor(::open((path + kMarkSuffix).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}

LogMark::~LogMark() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

LogMark::Content LogMark::read() const {
    Words words{};
    const auto size = ::pread(m_descriptor, words.data(), sizeof words, 0);
    if (size != static_cast<ssize_t>(sizeof words) || words[3] != hashOf(words)) return {};
    return {{words[0], words[1]}, words[2]};
}

LogMark::Content LogMark::readBeside(const std::string& path) {
    return LogMark(::open((path + kMarkSuffix).c_str(), O_RDONLY | O_CLOEXEC)).read();
}

void LogMark::write(const Content& content) const {
    Words words{content.rows.sequence, content.rows.journal, content.event, 0};
    words[3] = hashOf(words);
    (void)!::pwrite(m_descriptor, words.data(), sizeof words, 0);
}

Result<Nothing> checkMark(SQLite::Database& database, const std::string& path,
                          const LogPositions& found) {
    const auto marked = LogMark(path).read();
    const auto& rows = marked.rows;
    if (found.sequence >= rows.sequence && found.journal >= rows.journal &&
        !hasOtherEvent(database, marked))
        return Nothing{};
    return Error{Error::Code::damaged,
                 "the last commits are missing in the data file " + path +
                     ": it ends at event " + std::to_string(found.sequence) +
                     " and journal row " + std::to_string(found.journal) + ", but event " +
                     std::to_string(rows.sequence) + " and journal row " +
                     std::to_string(rows.journal) + " were stored. Its write-ahead log " + path +
                     "-wal is missing or of another time: put the right one beside it. " +
                     whatToDo(path)};
}

}  // namespace lanes::store
