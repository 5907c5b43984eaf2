// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/core/zipf.h"
#include "engine/lab.h"

#include <cstdint>

namespace lanes::sim {

/// Arrivals at random. Two with the same seed are alike, so that all senders get the same events.
class LabTraffic {
public:
    /// `users` must outlive it; it is large, so one is shared.
    LabTraffic(const LabScenario& scenario, const Zipf& users, std::uint64_t seed)
        : m_users(&users), m_random(seed), m_meanGap(1 / scenario.arrivals()) {
        advance();
    }

    [[nodiscard]] Micros at() const { return static_cast<Micros>(m_at); }
    [[nodiscard]] std::uint32_t user() const { return m_user; }
    void advance() {
        m_at += m_random.exponential(m_meanGap) * static_cast<double>(kSecond);
        m_user = m_users->pick(m_random);
    }

private:
    const Zipf* m_users;
    Random m_random;
    double m_meanGap;
    double m_at = 0;  // a fraction of a microsecond matters at 5,000 a second
    std::uint32_t m_user = 0;
};

}  // namespace lanes::sim
