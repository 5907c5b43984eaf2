// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/index_block.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanes::store {

/// Entries of an index that is filled later than the rows it points to. New ones gather, in the
/// order of their rows; when there are enough, they are frozen, sorted and written a slice at a
/// time, so that no commit waits for a whole run. Readers of the file see a run when it is
/// finished, so the frozen entries stay here until then.
class SortedRun {
public:
    void add(const IndexEntry& entry) { m_gathering.push_back(entry); }
    /// Takes the newest entries back, all but the first `size` of those that gather.
    void shrink(std::size_t size) { m_gathering.resize(size); }
    [[nodiscard]] std::span<const IndexEntry> gathering() const { return m_gathering; }
    [[nodiscard]] std::size_t gathered() const { return m_gathering.size(); }
    [[nodiscard]] bool empty() const { return m_gathering.empty() && m_frozen.empty(); }
    [[nodiscard]] bool writing() const { return !m_frozen.empty(); }

    /// Starts to write what has gathered; only when nothing is being written.
    void freeze() {
        m_frozen.swap(m_gathering);
        m_firstRow = m_frozen.front().row;
        m_lastRow = m_frozen.back().row;
        std::sort(m_frozen.begin(), m_frozen.end());
    }
    [[nodiscard]] std::span<const IndexEntry> frozen() const { return m_frozen; }
    /// How many of them, from the first on, are in the file.
    [[nodiscard]] std::size_t written() const { return m_written; }
    /// Rows of the frozen entries.
    [[nodiscard]] std::uint64_t firstRow() const { return m_firstRow; }
    [[nodiscard]] std::uint64_t lastRow() const { return m_lastRow; }
    /// After the commit that holds so many more.
    void advance(std::size_t size) {
        m_written += size;
        if (m_written < m_frozen.size()) return;
        m_frozen = std::vector<IndexEntry>();  // a run that is done holds no memory
        m_written = 0;
    }

private:
    std::vector<IndexEntry> m_gathering;
    std::vector<IndexEntry> m_frozen;
    std::size_t m_written = 0;
    std::uint64_t m_firstRow = 0;
    std::uint64_t m_lastRow = 0;
};

}  // namespace lanes::store
