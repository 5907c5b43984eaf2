// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/lane_scan.h"

#include "engine/config.h"
#include "engine/user_id.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes {

LaneScan::LaneScan(const LanePageRequest& request, const LaneScanPorts& ports)
    : m_ports(ports), m_conditions(request.filter.conditions()) {
    m_walk.order = request.order;
    m_walk.descending = request.descending;
    m_walk.destination = request.destination;
    begin();
}

void LaneScan::begin() {
    m_look = {};
    m_look.complete = false;
    m_look.fittingWithout.assign(m_conditions.size(), 0);
    m_rows.clear();
    const std::string* user = nullptr;
    for (const auto& condition : m_conditions) {
        if (!condition.isIndexed(FilterList::lanes)) continue;
        const auto& term = condition.term();
        if (term.field == FilterField::destination && !m_walk.destination)
            m_walk.destination = DestinationId(static_cast<std::uint32_t>(term.low));
        // Events without a user are each in a lane of its own.
        if (term.field == FilterField::user && !term.parts.front().empty())
            user = &term.parts.front();
    }
    if (user != nullptr) takeUser(*user);
}

void LaneScan::takeUser(const std::string& user) {
    std::vector<LaneRow> lanes;
    for (const auto kind : {UserKey::Kind::user, UserKey::Kind::anonymous}) {
        auto found = m_ports.lanesOfUser(fingerprint({kind, user}, {}), m_walk.destination);
        std::move(found.begin(), found.end(), std::back_inserter(lanes));
    }
    m_ofUser = true;
    m_last = true;
    m_look.lanes = lanes.size();
    take(std::move(lanes));
}

bool LaneScan::step() {
    if (m_look.complete) return false;
    if (!m_open.empty()) {
        readTexts();
    } else if (!m_last && !m_ofUser) {
        auto stretch = m_ports.next(m_walk, limits::kScanLanes);
        if (stretch.anew) begin();
        m_readiness = stretch.readiness;
        m_look.lanes = stretch.lanes;
        if (m_readiness < 1) return true;
        m_last = stretch.complete;
        take(std::move(stretch.rows));
    }
    if (m_open.empty()) settle();
    return !m_look.complete;
}

void LaneScan::take(std::vector<LaneRow> rows) {
    m_slice = std::move(rows);
    m_judgements.clear();
    m_open.clear();
    for (std::size_t n = 0; n < m_slice.size(); ++n) {
        m_judgements.push_back(judge(m_slice[n], false));
        if (m_judgements.back() == Match::open) m_open.push_back(n);
    }
    std::reverse(m_open.begin(), m_open.end());
}

void LaneScan::readTexts() {
    const auto count = std::min(m_open.size(), limits::kScanTexts);
    std::vector<LaneRow> rows;
    for (std::size_t n = 0; n < count; ++n) rows.push_back(m_slice[m_open[m_open.size() - 1 - n]]);
    m_ports.addTexts(rows);
    for (auto& row : rows) {
        const auto place = m_open.back();
        m_open.pop_back();
        m_judgements[place] = judge(row, true);
        m_slice[place] = std::move(row);
    }
}

Match LaneScan::judge(const LaneRow& row, bool hasTexts) {
    auto result = Match::yes;
    std::size_t against = 0;
    std::size_t place = 0;
    for (std::size_t n = 0; n < m_conditions.size() && against < 2; ++n) {
        const auto one = match(m_conditions[n], row, hasTexts);
        if (one == Match::open && against == 0) result = Match::open;
        if (one != Match::no) continue;
        result = Match::no;
        place = n;
        ++against;
    }
    if (against == 1) ++m_look.fittingWithout[place];
    return result;
}

/// The slice is looked at: what fits goes to the others.
void LaneScan::settle() {
    m_look.looked += m_slice.size();
    for (std::size_t n = 0; n < m_slice.size(); ++n) {
        if (m_judgements[n] != Match::yes) continue;
        for (auto& without : m_look.fittingWithout) ++without;
        if (++m_look.fitting <= limits::kScanKept) m_rows.push_back(std::move(m_slice[n]));
    }
    m_slice.clear();
    m_judgements.clear();
    m_look.complete = m_last;
}

}  // namespace lanes
