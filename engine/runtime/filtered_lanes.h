// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/runtime/lane_scan.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanes {

/// The lane list of a filter, kept while somebody asks for its pages: what the last whole look
/// found, while the next one is under way. There is one question at a time; another one ends it.
class FilteredLanes {
public:
    using Clock = std::chrono::steady_clock;

    explicit FilteredLanes(LaneScanPorts ports) : m_ports(std::move(ports)) {}

    /// What is known now, the lanes as they stand now. Rows lack texts that nothing decided by.
    [[nodiscard]] LanePage page(const LanePageRequest& request,
                                Clock::time_point now = Clock::now());
    /// Looks on for one slice; false if there is nothing to look at.
    bool step(Clock::time_point now = Clock::now());
    [[nodiscard]] bool isLooking() const { return m_scan != nullptr; }

private:
    struct Found {
        LaneLook look;
        double readiness = 1.0;
        std::vector<LaneRow> rows;
    };

    void begin(Clock::time_point now);
    void keep();
    [[nodiscard]] bool asksTheSame(const LanePageRequest& request) const;

    const LaneScanPorts m_ports;
    LanePageRequest m_question;
    std::unique_ptr<LaneScan> m_scan;
    std::unique_ptr<Found> m_found;  ///< by the last look
    Clock::time_point m_began;
    Clock::time_point m_again;       ///< not before
    Clock::time_point m_askedAt;
};

}  // namespace lanes
