// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/pace_auditor.h"

#include <algorithm>
#include <string>

namespace lanes::sim {

namespace {

constexpr std::uint32_t kFailuresInRow = 5;
constexpr Micros kSignOfLife = kSecond;
constexpr Micros kProbeGap = kSecond;
constexpr Micros kShared = 5 * kSecond;
/// Further failures of a lane may be overlooked while other lanes wait: they say nothing new.
constexpr std::uint32_t kTellingAttempts = 1;
constexpr Micros kDoubling = 200 * kMillisecond;
constexpr std::uint32_t kAnswersToDouble = 5;
/// No engine has more requests in flight than 2 to this power.
constexpr std::int64_t kDoublings = 8;

std::string lane(UserId user) { return "the lane of user " + std::to_string(user.value); }

std::string seconds(Micros time) {
    return std::to_string(static_cast<double>(time) / static_cast<double>(kSecond)) + " s";
}

/// It answered about the event, so it lives.
bool alive(int status) {
    return (status >= 200 && status <= 299) ||
           (status >= 400 && status <= 499 && status != 408 && status != 429);
}

}  // namespace

PaceAuditor::Lane& PaceAuditor::at(UserId user) {
    if (m_lanes.size() <= user.value) m_lanes.resize(user.value + 1);
    return m_lanes[user.value];
}

void PaceAuditor::begin(Micros now) {
    doubt(now);
    m_gentle = false;
}

void PaceAuditor::doubt(Micros now) {
    m_failures = 0;
    m_aliveSince = now;
    m_dead = false;
}

void PaceAuditor::comeBack(Micros now) {
    doubt(now);
    m_gentle = true;
    m_gentleSince = now;
    m_answers = 0;
    m_inFlight = 0;
}

void PaceAuditor::crashed() {
    for (Lane& lane : m_lanes) lane.quietUntil = 0;
    m_lastAskedAt = -kHour;
    m_silentUntil = 0;
}

bool PaceAuditor::tooMany(Micros now) const {
    if (!m_gentle || now - m_lastStart >= kProbeGap) return false;
    const std::int64_t doublings =
        std::min<std::int64_t>(m_answers / kAnswersToDouble, (now - m_gentleSince) / kDoubling);
    return doublings < kDoublings && m_inFlight + 1 > (1u << doublings);
}

void PaceAuditor::started(UserId user, Violations& violations) {
    const Micros now = violations.now();
    Lane& mine = at(user);
    if (now < mine.quietUntil)
        violations.add("retry-after", lane(user) + " was asked " +
                                          seconds(mine.quietUntil - now) +
                                          " before the time that its answer named");
    if (now < m_silentUntil)
        violations.add("silence", lane(user) + " was asked " + seconds(m_silentUntil - now) +
                                      " before the destination wanted to be asked");
    if (m_dead) {
        if (m_lastStart > m_deadSince && now - m_lastStart < kProbeGap)
            violations.add("probe", lane(user) + " was asked " + seconds(now - m_lastStart) +
                                        " after another one, of a destination that does not "
                                        "answer");
        checkTurn(user, mine, violations);
    } else if (tooMany(now)) {
        violations.add("P8", "request " + std::to_string(m_inFlight + 1) + " at once, " +
                                 seconds(now - m_gentleSince) + " and " +
                                 std::to_string(m_answers) +
                                 " answers after the destination came back");
    }
    ++m_inFlight;
    m_lastStart = now;
    mine.askedAt = mine.turnAt = now;
    mine.readySince = kNever;
}

void PaceAuditor::checkTurn(UserId user, const Lane& mine, Violations& violations) const {
    const Micros before = mine.turnAt;
    if (before <= std::max(m_deadSince, m_turnsSince)) return;
    for (std::size_t other = 0; other < m_lanes.size(); ++other) {
        const Lane& its = m_lanes[other];
        if (its.readySince >= before || its.askedAt >= before || its.quietUntil >= before) continue;
        if (its.readyUntil <= violations.now()) continue;
        violations.add("turn", lane(user) + " was asked twice in " +
                                   seconds(violations.now() - before) + " while " +
                                   lane(UserId(other)) + " waited since " +
                                   seconds(violations.now() - its.readySince) + " ago");
        return;
    }
}

void PaceAuditor::withdrawn(UserId user) {
    if (m_gentle && at(user).askedAt >= m_gentleSince && m_inFlight > 0) --m_inFlight;
}

void PaceAuditor::ended(UserId user, std::uint32_t number, int status, Micros retryAfter,
                        Micros now) {
    Lane& mine = at(user);
    const Micros began = mine.askedAt;
    if (m_gentle && began >= m_gentleSince && m_inFlight > 0) {
        ++m_answers;
        --m_inFlight;
    }
    if (retryAfter >= 0) {
        mine.quietUntil = now + retryAfter;
        if (m_lastAsker != user && now - m_lastAskedAt <= kShared)
            m_silentUntil = std::max(m_silentUntil, now + retryAfter);
        m_lastAsker = user;
        m_lastAskedAt = now;
    }
    if (alive(status)) {
        const bool fromTheDead = m_dead && began > m_deadSince;
        m_dead = false;
        m_failures = 0;
        m_aliveSince = now;
        if (fromTheDead) comeBack(now);
        return;
    }
    if (m_dead || began <= m_aliveSince || number > kTellingAttempts) return;
    if (++m_failures < kFailuresInRow || now - m_aliveSince < kSignOfLife) return;
    m_dead = true;
    m_gentle = false;
    m_deadSince = now;
}

}  // namespace lanes::sim
