// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_mark.h"

#include "engine/store/encoding.h"

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace lanes::store {

namespace {

using Words = std::array<std::uint64_t, 3>;  // two positions and their hash

std::uint64_t hashOf(const Words& words) {
    return stableHash({reinterpret_cast<const char*>(words.data()), 2 * sizeof words[0]});
}

}  // namespace

LogMark::LogMark(const std::string& path)
    : m_descriptor(::open((path + kMarkSuffix).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}

LogMark::~LogMark() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

LogPositions LogMark::read() const {
    Words words{};
    const auto size = ::pread(m_descriptor, words.data(), sizeof words, 0);
    if (size != static_cast<ssize_t>(sizeof words) || words[2] != hashOf(words)) return {};
    return {words[0], words[1]};
}

void LogMark::write(const LogPositions& positions) const {
    Words words{positions.sequence, positions.journal, 0};
    words[2] = hashOf(words);
    (void)!::pwrite(m_descriptor, words.data(), sizeof words, 0);
}

Error logEndsEarly(const std::string& path, const LogPositions& found,
                   const LogPositions& marked) {
    return {Error::Code::damaged,
            "the last commits are missing in the data file " + path + ": it ends at event " +
                std::to_string(found.sequence) + " and journal row " +
                std::to_string(found.journal) + ", but event " +
                std::to_string(marked.sequence) + " and journal row " +
                std::to_string(marked.journal) + " were stored. Its write-ahead log " + path +
                "-wal is missing or of another time: put the right one beside it. If an older "
                "copy was put there on purpose, remove " +
                path + kMarkSuffix};
}

}  // namespace lanes::store
