// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/delivery_kernel.h"
#include "engine/filter.h"
#include "engine/queries.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lanes {

/// What a look at the lanes needs of its owner, which has the kernel.
struct LaneScanPorts {
    std::function<DeliveryKernel::LaneStretch(DeliveryKernel::LaneWalk&, std::size_t most)> next;
    /// At a destination, or (0) at all of them: a page of them at most.
    std::function<std::vector<LaneRow>(UserId, DestinationId)> lanesOfUser;
    std::function<std::optional<LaneRow>(LaneKey)> row;
    /// What the kernel does not know of the heads, read from the store.
    std::function<void(std::vector<LaneRow>&)> addTexts;
};

/// One look at the lanes of an order for those that fit a filter, in slices that cost a millisecond
/// at most: `limits::kScanLanes` lanes, or the texts of `limits::kScanTexts` heads. Texts are read
/// only where they decide. A filter for one user begins with the lanes of that user.
class LaneScan {
public:
    /// \param ports must outlive it.
    LaneScan(const LanePageRequest& request, const LaneScanPorts& ports);

    /// One slice; false if there is nothing more to look at.
    bool step();
    [[nodiscard]] const LaneLook& look() const { return m_look; }
    [[nodiscard]] double readiness() const { return m_readiness; }
    /// The first ones that fit, in their order, as they were when they were looked at.
    [[nodiscard]] const std::vector<LaneRow>& rows() const { return m_rows; }

private:
    void begin();
    void takeUser(const std::string& user);
    void take(std::vector<LaneRow> rows);
    void readTexts();
    [[nodiscard]] Match judge(const LaneRow& row, bool hasTexts);
    void settle();

    const LaneScanPorts& m_ports;
    const std::vector<Filter> m_conditions;
    DeliveryKernel::LaneWalk m_walk;
    bool m_ofUser = false;  ///< the lanes are those of a user, and all at hand
    LaneLook m_look;
    double m_readiness = 1.0;
    std::vector<LaneRow> m_rows;
    std::vector<LaneRow> m_slice;     ///< looked at now, in order
    std::vector<Match> m_judgements;  ///< of each
    std::vector<std::size_t> m_open;  ///< places in the slice whose texts decide, last one first
    bool m_last = false;              ///< nothing comes after the slice
};

}  // namespace lanes
