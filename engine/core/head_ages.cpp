// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/head_ages.h"

#include "engine/core/check.h"

#include <algorithm>
#include <numeric>

namespace lanes {

void HeadAges::add(ClockTenths clock) {
    const auto minute = clock / kMinuteTenths;
    if (m_counts.empty()) m_first = minute;
    if (minute < m_first) {
        m_counts.insert(m_counts.begin(), m_first - minute, 0);
        m_first = minute;
    }
    if (minute - m_first >= m_counts.size()) m_counts.resize(minute - m_first + 1);
    ++m_counts[minute - m_first];
}

void HeadAges::remove(ClockTenths clock) {
    const auto place = clock / kMinuteTenths - m_first;
    CHECK(place < m_counts.size() && m_counts[place] > 0);
    --m_counts[place];
    while (!m_counts.empty() && m_counts.front() == 0) {
        m_counts.pop_front();
        ++m_first;
    }
    while (!m_counts.empty() && m_counts.back() == 0) m_counts.pop_back();
}

std::uint64_t HeadAges::before(ClockTenths clock) const {
    const auto minute = clock / kMinuteTenths;
    if (m_counts.empty() || minute < m_first) return 0;
    const auto count = std::min<std::size_t>(minute - m_first + 1, m_counts.size());
    return std::accumulate(m_counts.begin(), m_counts.begin() + static_cast<std::ptrdiff_t>(count),
                           std::uint64_t{0});
}

}  // namespace lanes
