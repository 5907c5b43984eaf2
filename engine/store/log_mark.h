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

    /// Zeros if it says nothing.
    [[nodiscard]] LogPositions read() const;
    /// A mark that cannot be written stays as it is: that it says too little does no harm.
    void write(const LogPositions& positions) const;

private:
    int m_descriptor = -1;
};

/// The sentence for a log that ends before its mark.
[[nodiscard]] Error logEndsEarly(const std::string& path, const LogPositions& found,
                                 const LogPositions& marked);

}  // namespace lanes::store
