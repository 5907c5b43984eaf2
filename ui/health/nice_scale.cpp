// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/nice_scale.h"

#include <algorithm>
#include <cmath>

namespace lanes::ui {

namespace {

/// Seconds for which a top that is too high is kept.
constexpr std::int64_t kPatience = 30;

}  // namespace

double NiceScale::ceiling(double value) {
    if (!(value > 0)) return 0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    // A hair of slack: 10.000000001 from a sum of fractions is 10.
    for (const double step : {1.0, 2.0, 4.0, 6.0, 8.0, 10.0})
        if (value <= step * power * 1.000001) return step * power;
    return 20.0 * power;
}

double NiceScale::fit(double maximum, std::int64_t second) {
    double wanted = std::max(m_least, ceiling(maximum));
    if (m_most > 0) wanted = std::min(wanted, m_most);
    if (wanted >= m_top) {
        m_top = wanted;
        m_neededAt = second;
    } else if (second - m_neededAt > kPatience) {
        m_top = wanted;
        m_neededAt = second;
    }
    return m_top;
}

}  // namespace lanes::ui
