// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/lab_destination.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lanes::sim {

namespace {

constexpr double kServiceSigma = 0.8326;  // the standard deviation is as large as the mean
constexpr Micros kFlapUp = 20 * kSecond;
constexpr Micros kFlapPeriod = 60 * kSecond;
constexpr double kPartialShare = 0.5;
constexpr double kSlowest = 0.01;  // of the speed; a phase may not stop the server for ever

LabAnswer quick(Outcome outcome, std::uint16_t status) {
    LabAnswer answer;
    answer.takes = LabDestination::kRoundTrip;
    answer.outcome = outcome;
    answer.status = status;
    return answer;
}

void noise(LabNoise kind, LabAnswer& answer) {
    switch (kind) {
    case LabNoise::error:
        answer.outcome = Outcome::failed;
        answer.status = 500;
        return;
    case LabNoise::overload:
        answer.outcome = Outcome::overloaded;
        answer.status = 503;
        return;
    case LabNoise::reset:
        answer.outcome = Outcome::unknown;
        answer.status = 0;
        return;
    }
}

}  // namespace

LabDestination::LabDestination(const LabScenario& scenario, std::uint64_t seed)
    : m_scenario(scenario),
      m_random(seed),
      // The mean of a log-normal is its median times exp(sigma^2 / 2).
      m_median(scenario.serviceSeconds / std::exp(kServiceSigma * kServiceSigma / 2)),
      m_freeAt(std::max(1u, scenario.workers), 0),
      m_tokens(scenario.bucketSize) {}

double LabDestination::openShare(const LabScenario& scenario, Micros now) {
    const Micros since = now - scenario.warmUp;
    if (since < 0 || since >= scenario.outageLength) return 1;
    switch (scenario.outage) {
    case LabOutage::refuse:
    case LabOutage::hang:
    case LabOutage::error:
        return 0;
    case LabOutage::partial:
        return kPartialShare;
    case LabOutage::flap:
        return since % kFlapPeriod < kFlapUp ? 1 : 0;
    }
    return 0;
}

LabAnswer LabDestination::request(Micros now, std::uint32_t user) {
    const double open = openShare(m_scenario, now + kRoundTrip / 2);
    if (open < 1 && !(open > 0 && m_random.chance(open))) return down(open);
    return serve(now, user);
}

LabAnswer LabDestination::down(double openShare) {
    if (openShare > 0 || m_scenario.outage == LabOutage::error) return quick(Outcome::failed, 500);
    if (m_scenario.outage == LabOutage::hang) {
        LabAnswer answer = quick(Outcome::overloaded, 0);
        answer.takes = kTimeOut;
        return answer;
    }
    return quick(Outcome::unreachable, 0);
}

LabAnswer LabDestination::serve(Micros now, std::uint32_t user) {
    const Micros arrival = now + kRoundTrip / 2;
    if (!takeToken(arrival)) {
        const auto status = m_scenario.bucketStatus;
        LabAnswer answer = quick(status == 429 ? Outcome::throttled : Outcome::overloaded, status);
        if (m_scenario.retryAfterSeconds >= 0)
            answer.retryAfter = m_scenario.retryAfterSeconds * kSecond;
        return answer;
    }
    while (!m_waiting.empty() && m_waiting.front() <= arrival) m_waiting.pop_front();
    const Micros begins = std::max(arrival, m_freeAt.front());
    if (begins > arrival) {
        if (m_waiting.size() >= m_scenario.queue) {
            // Saying no is work too. A server can owe as much of it as clients wait for at most.
            if (m_scenario.burn > 0 && begins - arrival < kTimeOut)
                occupy(begins + static_cast<Micros>(m_scenario.burn *
                                                    static_cast<double>(serviceTime(begins))));
            return quick(Outcome::overloaded, 503);
        }
        m_waiting.push_back(begins);
    }
    const Micros ends = begins + serviceTime(begins);
    occupy(ends);
    LabAnswer answer;
    answer.takes = ends - now + kRoundTrip / 2;
    if (answer.takes >= kTimeOut) {
        answer.takes = kTimeOut;
        answer.outcome = Outcome::overloaded;
        return answer;
    }
    answer.status = 200;
    if (m_scenario.poisoned(user)) {
        answer.outcome = Outcome::failed;
        answer.status = 500;
    } else if (m_scenario.noise > 0 && m_random.chance(m_scenario.noise)) {
        noise(m_scenario.noiseKind, answer);
    }
    return answer;
}

void LabDestination::occupy(Micros until) {
    std::pop_heap(m_freeAt.begin(), m_freeAt.end(), std::greater<>());
    m_freeAt.back() = until;
    std::push_heap(m_freeAt.begin(), m_freeAt.end(), std::greater<>());
}

bool LabDestination::takeToken(Micros arrival) {
    if (!(m_scenario.bucketRate > 0)) return true;
    const double earned = m_scenario.bucketRate * static_cast<double>(arrival - m_tokensAt) /
                          static_cast<double>(kSecond);
    m_tokens = std::min(m_scenario.bucketSize, m_tokens + earned);
    m_tokensAt = arrival;
    if (m_tokens < 1) return false;
    m_tokens -= 1;
    return true;
}

Micros LabDestination::serviceTime(Micros at) {
    const double speed = std::max(m_scenario.speed(at - recovery()), kSlowest);
    const double seconds = m_random.logNormal(m_median, kServiceSigma) / speed;
    return 1 + static_cast<Micros>(seconds * static_cast<double>(kSecond));
}

}  // namespace lanes::sim
