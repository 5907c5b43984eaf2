// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/log_writer.h"

#include <string>

namespace lanes::store {

/// How far the log went, in a file of its own beside the data file. SQLite silently leaves out a
/// write-ahead log that is missing or not the right one, and with it the last commits; the mark
/// tells that they were there.
///
/// It is written after a commit is durable and never synced. So it says too little after a power
/// cut, but never too much; a torn one says nothing.
class LogMark {
public:
    explicit LogMark(const std::string& path);
    ~LogMark();
    LogMark(const LogMark&) = delete;
    LogMark& operator=(const LogMark&) = delete;

    struct Content {
        LogPositions rows;
        std::uint64_t event = 0;  ///< hash of the last event; 0 if it is not known
    };

    /// Zeros if it says nothing.
    [[nodiscard]] Content read() const;
    /// The same without making a mark where there is none.
    [[nodiscard]] static Content readBeside(const std::string& path);
    /// A mark that cannot be written stays as it is: that it says too little does no harm.
    void write(const Content& content) const;

private:
    explicit LogMark(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor = -1;
};

/// An error if the log ends before its mark, or has another event there. Throws
/// SQLite::Exception.
[[nodiscard]] Result<Nothing> checkMark(SQLite::Database& database, const std::string& path,
                                        const LogPositions& found);

}  // namespace lanes::store
