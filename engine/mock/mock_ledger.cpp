// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/mock_ledger.h"

#include <algorithm>
#include <functional>

namespace lanes::mock {

std::size_t MockLedger::Mix::operator()(const LaneAndSequence& key) const noexcept {
    const std::size_t lane = std::hash<std::string>{}(key.first);
    return lane ^ (std::hash<std::uint64_t>{}(key.second) * 0x9e3779b97f4a7c15);
}

void MockLedger::arrived(const Delivery& delivery, std::int64_t now) {
    ++m_counts.requests;
    if (delivery.rewind) ++m_counts.rewinds;
    countSecond(now);
}

void MockLedger::countSecond(std::int64_t now) {
    const std::int64_t slice = now / kSliceMs;
    const std::int64_t passed = std::min(slice - m_slice, kSlices);
    for (std::int64_t i = 1; i <= passed; ++i) {
        auto& expired = m_slices[static_cast<std::size_t>((m_slice + i) % kSlices)];
        m_inSecond -= expired;
        expired = 0;
    }
    m_slice = std::max(m_slice, slice);
    ++m_slices[static_cast<std::size_t>(m_slice % kSlices)];
    ++m_inSecond;
    m_counts.peakPerSecond = std::max(m_counts.peakPerSecond, m_inSecond);
}

void MockLedger::accepted(const Delivery& delivery) {
    ++m_counts.accepted;
    if (delivery.lane.empty()) return;
    if (!remember(delivery)) {
        ++m_counts.duplicates;
        return;
    }
    const auto [last, isNew] = m_last.try_emplace(delivery.lane, delivery.sequence);
    if (isNew) {
        m_laneAge.push_back(delivery.lane);
        if (m_laneAge.size() > kLanes) {
            m_last.erase(m_laneAge.front());
            m_laneAge.pop_front();
        }
        return;
    }
    if (delivery.sequence < last->second && !delivery.rewind) ++m_counts.orderViolations;
    last->second = std::max(last->second, delivery.sequence);
}

bool MockLedger::remember(const Delivery& delivery) {
    LaneAndSequence key{delivery.lane, delivery.sequence};
    if (!m_known.insert(key).second) return false;
    m_knownAge.push_back(std::move(key));
    if (m_knownAge.size() > kAccepted) {
        m_known.erase(m_knownAge.front());
        m_knownAge.pop_front();
    }
    return true;
}

void MockLedger::note(const Delivery& delivery, std::uint16_t status, WallMicros at) {
    m_log.push_front(
        {at, delivery.lane, delivery.sequence, delivery.attempt, delivery.type, status});
    if (m_log.size() > kLogLines) m_log.pop_back();
}

}  // namespace lanes::mock
