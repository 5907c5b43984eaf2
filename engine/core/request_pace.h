// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <algorithm>
#include <cmath>

namespace lanes {

/// A limit on requests a second: a bucket of tokens, one for each request, that is so small that
/// the pace is even.
class RequestPace {
public:
    /// 0 = no limit. What was saved up under the old limit stays.
    void setRate(double requestsPerSecond) {
        m_rate = requestsPerSecond;
        m_tokens = m_rate > 0 ? std::min(m_tokens, burst()) : burst();
    }
    /// The first time from which on one more request is within the limit.
    [[nodiscard]] Micros next() const {
        if (!(m_rate > 0) || m_tokens >= 1) return 0;
        return m_at + static_cast<Micros>(std::ceil((1 - m_tokens) / m_rate * kSecond));
    }
    void take(Micros now) {
        if (!(m_rate > 0)) return;
        const double earned = m_rate * static_cast<double>(now - m_at) / kSecond;
        m_tokens = std::min(burst(), m_tokens + earned) - 1;
        m_at = now;
    }

private:
    /// What is due in a tenth of a second may come at once.
    [[nodiscard]] double burst() const { return std::max(1.0, m_rate / 10); }

    double m_rate = 0;
    double m_tokens = 1;
    Micros m_at = 0;
};

}  // namespace lanes
