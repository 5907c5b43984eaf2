// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

/// Picks 0 .. count - 1 with weights 1, 1/2^skew, 1/3^skew, ...: a few users make most of the
/// events, as in real traffic. Skew 0 makes all alike. Eight bytes a user, one binary search each.
class Zipf {
public:
    Zipf(std::uint32_t count, double skew) {
        m_cumulative.reserve(std::max<std::uint32_t>(count, 1));
        double sum = 0;
        for (std::uint32_t rank = 1; rank <= std::max<std::uint32_t>(count, 1); ++rank) {
            sum += std::pow(static_cast<double>(rank), -skew);
            m_cumulative.push_back(sum);
        }
    }

    [[nodiscard]] std::uint32_t pick(Random& random) const {
        const double point = random.unit() * m_cumulative.back();
        const auto found = std::upper_bound(m_cumulative.begin(), m_cumulative.end(), point);
        const auto index = static_cast<std::size_t>(found - m_cumulative.begin());
        return static_cast<std::uint32_t>(std::min(index, m_cumulative.size() - 1));
    }

private:
    std::vector<double> m_cumulative;
};

}  // namespace lanes
