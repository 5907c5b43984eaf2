// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/filtered_lanes.h"

#include "engine/config.h"

#include <algorithm>

namespace lanes {

namespace {
using namespace std::chrono_literals;
/// A look that took long is made again less often: a twentieth of the time goes into looks.
constexpr auto kLeastPause = 2s;
constexpr int kPauseForTime = 19;
/// The view asks twice a second; where it does not, nobody sees what is found.
constexpr auto kKept = 60s;
constexpr auto kUnseen = 5s;
}  // namespace

bool FilteredLanes::asksTheSame(const LanePageRequest& request) const {
    return request.filter == m_question.filter && request.order == m_question.order &&
           request.descending == m_question.descending &&
           request.destination == m_question.destination;
}

LanePage FilteredLanes::page(const LanePageRequest& request, Clock::time_point now) {
    const bool same = asksTheSame(request);
    m_askedAt = now;
    if (!same) {
        m_scan.reset();
        m_found.reset();
    }
    m_question = request;
    if (!request.look) {
        if (m_scan && !m_found) keep();  // a part is better than nothing
        m_scan.reset();
    } else if (!m_scan && (!m_found || !m_found->look.complete || now >= m_again)) {
        begin(now);
    }
    LanePage page;
    page.request = request;
    const Found none;
    const auto& look = m_found ? m_found->look : m_scan ? m_scan->look() : none.look;
    const auto& rows = m_found ? m_found->rows : m_scan ? m_scan->rows() : none.rows;
    page.look = look;
    page.readiness = m_found ? m_found->readiness : m_scan ? m_scan->readiness() : 1.0;
    page.total = rows.size();
    const auto first = std::min<std::size_t>(request.offset, rows.size());
    const auto limit = std::min<std::size_t>(request.limit, limits::kPageRows);
    const auto last = std::min(first + limit, rows.size());
    for (auto place = first; place < last; ++place) {
        auto row = m_ports.row(rows[place].key);
        // One that drained meanwhile stays as it was: the view marks it.
        page.rows.push_back(row && row->head ? std::move(*row) : rows[place]);
    }
    return page;
}

void FilteredLanes::begin(Clock::time_point now) {
    if (m_found && !m_found->look.complete) m_found.reset();
    m_scan = std::make_unique<LaneScan>(m_question, m_ports);
    m_began = now;
}

void FilteredLanes::keep() {
    m_found = std::make_unique<Found>(Found{m_scan->look(), m_scan->readiness(), m_scan->rows()});
}

bool FilteredLanes::step(Clock::time_point now) {
    const auto unseen = now - m_askedAt;
    if (unseen > kKept) m_found.reset();
    if (!m_scan) return false;
    if (unseen > kUnseen) {
        m_scan.reset();
        return false;
    }
    if (m_scan->step()) return true;
    keep();
    m_scan.reset();
    m_again = now + std::max<Clock::duration>(kLeastPause, (now - m_began) * kPauseForTime);
    return false;
}

}  // namespace lanes
