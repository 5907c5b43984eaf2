// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanes::store {

/// Entries of an index that is filled later than the rows it points to. New ones gather; when
/// there are enough, they are frozen, sorted and written a slice at a time, so that no commit
/// waits for a whole run. `mark` is the position in the log up to which a finished run holds.
template <typename Entry>
class SortedRun {
public:
    void add(const Entry& entry, std::uint64_t mark) {
        m_gathering.push_back(entry);
        m_gatheringMark = std::max(m_gatheringMark, mark);
    }
    /// Takes the newest entries back, all but the first `size` of those that gather.
    void shrink(std::size_t size, std::uint64_t mark) {
        m_gathering.resize(size);
        m_gatheringMark = mark;
    }
    [[nodiscard]] std::size_t gathered() const { return m_gathering.size(); }
    [[nodiscard]] bool empty() const { return m_gathering.empty() && m_frozen.empty(); }
    [[nodiscard]] bool writing() const { return !m_frozen.empty(); }

    /// Starts to write what has gathered; only when nothing is being written.
    void freeze() {
        m_frozen.swap(m_gathering);
        std::sort(m_frozen.begin(), m_frozen.end());
        m_mark = m_gatheringMark;
        m_written = 0;
    }
    [[nodiscard]] std::span<const Entry> slice(std::size_t limit) const {
        const auto rest = std::span<const Entry>(m_frozen).subspan(m_written);
        return rest.first(std::min(limit, rest.size()));
    }
    /// What is still to be written, sorted.
    [[nodiscard]] std::span<const Entry> rest() const { return slice(m_frozen.size()); }
    [[nodiscard]] std::span<const Entry> frozen() const { return m_frozen; }
    [[nodiscard]] std::span<const Entry> gathering() const { return m_gathering; }
    /// Whether a slice of this size is the last one of the run.
    [[nodiscard]] bool ends(std::size_t size) const { return m_written + size == m_frozen.size(); }
    [[nodiscard]] std::uint64_t mark() const { return m_mark; }
    [[nodiscard]] std::uint64_t gatheringMark() const { return m_gatheringMark; }
    /// After the commit that holds the slice.
    void advance(std::size_t size) {
        m_written += size;
        if (m_written < m_frozen.size()) return;
        m_frozen = std::vector<Entry>();  // a run that is done holds no memory
        m_written = 0;  // slices of the empty run are empty, while the other run is still written
    }

private:
    std::vector<Entry> m_gathering;
    std::vector<Entry> m_frozen;
    std::size_t m_written = 0;
    std::uint64_t m_gatheringMark = 0;
    std::uint64_t m_mark = 0;
};

}  // namespace lanes::store
