// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/workload.h"

namespace lanes::sim {

namespace {
constexpr std::uint64_t kLargestBatch = 5;
constexpr double kMeanBatch = (1 + static_cast<double>(kLargestBatch)) / 2;
constexpr double kAgainShare = 0.02;
constexpr std::size_t kRecent = 50;
}  // namespace

Workload::Workload(std::uint64_t seed, std::uint32_t users, double skew)
    : m_random(seed), m_users(users, skew) {}

Micros Workload::nextGap(double eventsPerSecond) {
    const double seconds = m_random.exponential(kMeanBatch / eventsPerSecond);
    return 1 + static_cast<Micros>(seconds * static_cast<double>(kSecond));
}

std::vector<NewEvent> Workload::nextBatch(WallMicros at) {
    std::vector<NewEvent> batch;
    const std::uint64_t count = 1 + m_random.below(kLargestBatch);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!m_recent.empty() && m_random.chance(kAgainShare))
            batch.push_back(m_recent[m_random.below(m_recent.size())]);
        else
            batch.push_back(make(at));
    }
    return batch;
}

NewEvent Workload::make(WallMicros at) {
    NewEvent event;
    event.source = "simulation";
    event.id = std::to_string(++m_made);
    event.userId = UserId(std::uint64_t{m_users.pick(m_random)} + 1);
    event.user = {UserKey::Kind::user, std::to_string(event.userId.value)};
    event.type = m_random.chance(0.2) ? "other.type" : "some.type";
    event.acceptedAt = at;
    m_recent.push_back(event);
    if (m_recent.size() > kRecent) m_recent.pop_front();
    return event;
}

}  // namespace lanes::sim
