// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/store/connection.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lanes::store {

/// Rows of an index that are looked at between two looks at the clock: a few milliseconds where
/// every row has to be read and compared with a text.
inline constexpr std::int64_t kSliceRows = 1'000;
/// The same where the payload of each is read as well, some of which have a megabyte.
inline constexpr std::int64_t kPayloadSliceRows = 50;

/// What one page may cost. A page that runs out of it says where the next one goes on.
class PageBudget {
public:
    /// \param interrupted is set by another thread and outlives this.
    PageBudget(std::uint32_t limit, const std::atomic<bool>& interrupted)
        : m_limit(std::min<std::size_t>(limit, limits::kPageRows)), m_interrupted(interrupted) {}

    [[nodiscard]] std::size_t limit() const { return m_limit; }
    /// Rows that may still come.
    [[nodiscard]] std::int64_t rowsLeft() const {
        return full() ? 0 : static_cast<std::int64_t>(m_limit - m_rows);
    }
    void addRow(std::size_t bytes) {
        ++m_rows;
        m_bytes += bytes;
        m_moved = true;
    }
    /// The page goes on behind where it began, even if it found nothing there.
    void move() { m_moved = true; }
    [[nodiscard]] bool full() const {
        return m_rows >= m_limit || m_bytes >= limits::kPageBytes;
    }
    /// Whether to look no further, though the page is not full. Time alone ends no page that has
    /// not moved yet: on a slow machine all the next ones would end there, too.
    [[nodiscard]] bool spent() const {
        const std::chrono::microseconds time(limits::kPageTime);
        return m_interrupted ||
               (m_moved && std::chrono::steady_clock::now() - m_began >= time);
    }

private:
    const std::size_t m_limit;
    const std::atomic<bool>& m_interrupted;
    const std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
    std::size_t m_rows = 0;
    std::size_t m_bytes = 0;
    bool m_moved = false;
};

/// Why a page could not be read; empty if it was only interrupted.
[[nodiscard]] std::string pageError(const SQLite::Exception& exception, const std::string& path);

}  // namespace lanes::store
