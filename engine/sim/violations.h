// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulation.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lanes::sim {

/// Broken promises as they are found, each with its time.
class Violations {
public:
    /// The first ones tell the story.
    static constexpr std::size_t kKept = 20;

    void setTime(Micros now) { m_now = now; }
    [[nodiscard]] Micros now() const { return m_now; }
    void add(const char* promise, std::string what) {
        if (m_list.size() < kKept) m_list.push_back({promise, std::move(what), m_now});
    }
    [[nodiscard]] const std::vector<SimulationViolation>& list() const { return m_list; }

private:
    Micros m_now = 0;
    std::vector<SimulationViolation> m_list;
};

}  // namespace lanes::sim
