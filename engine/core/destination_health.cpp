// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/destination_health.h"

#include "engine/core/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lanes {

namespace {

constexpr double kFirstWindow = 8;
constexpr double kSmallestGood = 2;
constexpr double kSmallestWindow = 0.01;  // a request every hundred latencies
constexpr Micros kHeldSlotTime = kSecond / 2;
constexpr Micros kShortestRound = 200 * kMillisecond;
constexpr std::uint32_t kRoundSamples = 40;
constexpr std::uint32_t kSlowStartSamples = 5;
constexpr double kOverloadShare = 0.01;
constexpr double kCrowded = 1.6;      // latency over the calm latency
constexpr double kStrongestCut = 0.7;
constexpr double kGrowth = 0.1;       // of the window a second
constexpr std::uint32_t kFailuresToDegrade = 5;
constexpr Micros kSilenceToDegrade = kSecond;
constexpr Micros kRelapse = 10 * kSecond;
constexpr Micros kBreathPause = 30 * kSecond;
constexpr Micros kShowCut = 10 * kSecond;
constexpr Micros kPeakWindow = 5 * kSecond;
constexpr double kMostTokens = 10;
constexpr double kTokensPerSuccess = 0.1;

double seconds(Micros time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

std::string slots(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.1f" : "%.0f", value);
    return text;
}

bool overload(Outcome outcome) {
    switch (outcome) {
    case Outcome::throttled:
    case Outcome::overloaded:
    case Outcome::unreachable:
    case Outcome::unknown:
        return true;
    case Outcome::delivered:
    case Outcome::refused:
    case Outcome::failed:
        return false;
    }
    return false;
}

}  // namespace

DestinationHealth::DestinationHealth(const HealthSettings& settings, Micros now)
    : m_largest(settings.largestWindow),
      m_window(std::min(kFirstWindow, settings.largestWindow)),
      m_good(std::min(settings.knownGood, settings.largestWindow)),
      m_tokensAt(now),
      m_ramping(settings.ramp),
      m_lastSuccess(now),
      m_breathDue(now + kBreathPause),
      m_peakBegan(now) {
    m_round.began = now;
    if (settings.ramp) ramp(now, "start");
}

double DestinationHealth::heldSlots(Micros now) const {
    const auto firstHeld = std::upper_bound(m_held.begin(), m_held.end(), now);
    return static_cast<double>(m_held.end() - firstHeld);
}

void DestinationHealth::dropHeldSlots(Micros now) {
    while (!m_held.empty() && m_held.front() <= now) m_held.pop_front();
}

bool DestinationHealth::mayStart(Micros now) const {
    if (now < m_silentUntil) return false;
    if (m_degraded) return now >= m_lastProbe + kProbeInterval && m_inFlight < m_largest;
    if (limit() >= 1) return m_inFlight + heldSlots(now) + 1 <= limit();
    return m_inFlight == 0 &&
           now >= m_lastStart + static_cast<Micros>(m_latency / limit() * kSecond);
}

Micros DestinationHealth::nextChange(Micros now) const {
    if (now < m_silentUntil) return m_silentUntil;
    Micros next = kNever;
    const auto consider = [&](Micros at) {
        if (at > now) next = std::min(next, at);
    };
    if (m_degraded) {
        consider(m_lastProbe + kProbeInterval);
    } else if (limit() < 1) {
        consider(m_lastStart + static_cast<Micros>(m_latency / limit() * kSecond) + 1);
    } else {
        const auto firstHeld = std::upper_bound(m_held.begin(), m_held.end(), now);
        if (firstHeld != m_held.end()) consider(*firstHeld);
    }
    return next;
}

std::uint64_t DestinationHealth::started(Micros now) {
    ++m_inFlight;
    m_lastStart = now;
    if (m_degraded) m_lastProbe = now;
    notePeak(now);
    return m_epoch;
}

double DestinationHealth::tokens(Micros now) const {
    return std::min(kMostTokens, m_tokens + seconds(now - m_tokensAt));
}

bool DestinationHealth::hasRetryToken(Micros now) const { return tokens(now) >= 1; }

void DestinationHealth::takeRetryToken(Micros now) {
    m_tokens = tokens(now) - 1;
    m_tokensAt = now;
}

HealthEvent DestinationHealth::finished(const HealthSample& sample, Micros now) {
    CHECK(m_inFlight > 0);
    --m_inFlight;
    dropHeldSlots(now);
    if (sample.epoch != m_epoch) return HealthEvent::none;
    const bool aliveProbe =
        sample.outcome == Outcome::delivered || sample.outcome == Outcome::refused;
    if (m_degraded) {
        if (aliveProbe && sample.startedAt >= m_degradedAt) {
            recover(now);
            return HealthEvent::recovered;
        }
        return HealthEvent::none;
    }
    if (sample.outcome == Outcome::refused) {
        // The destination answered: it is alive, and this is no matter of its health.
        m_failures = 0;
        m_lastSuccess = now;
        return HealthEvent::none;
    }
    if (sample.outcome == Outcome::delivered) {
        succeed(sample, now);
        return HealthEvent::none;
    }
    return fail(sample, now);
}

void DestinationHealth::succeed(const HealthSample& sample, Micros now) {
    m_failures = 0;
    m_lastSuccess = now;
    m_tokens = std::min(kMostTokens, tokens(now) + kTokensPerSuccess);
    m_tokensAt = now;
    const double latency = std::max(seconds(sample.latency), 1e-6);
    m_latency = 0.95 * m_latency + 0.05 * latency;
    if (m_breath) {
        measureBreath(sample, now);
    } else {
        ++m_round.successes;
        m_round.logLatency += std::log(latency);
    }
}

HealthEvent DestinationHealth::fail(const HealthSample& sample, Micros now) {
    if (sample.firstAttempt) {
        m_held.push_back(now + kHeldSlotTime);
        if (overload(sample.outcome)) {
            ++m_round.overloads;
            if (sample.outcome == Outcome::throttled) ++m_round.throttled;
            if (sample.status == 0) ++m_round.unanswered;
        } else {
            ++m_round.otherFailures;
        }
    }
    if (sample.patientLane && sample.othersWait) return HealthEvent::none;
    ++m_failures;
    if (m_failures < kFailuresToDegrade || now - m_lastSuccess < kSilenceToDegrade)
        return HealthEvent::none;
    degrade(now);
    return HealthEvent::degraded;
}

void DestinationHealth::degrade(Micros now) {
    const double good = std::max(kSmallestGood, std::min(m_lastGood, recentPeak()));
    const bool relapse = now - m_recoveredAt <= kRelapse;
    m_good = relapse ? std::max(kSmallestGood, std::min(m_good, good) / 2) : good;
    m_good = std::min(m_good, m_largest);
    m_degraded = true;
    m_ramping = false;
    m_degradedAt = now;
    m_lastProbe = now;
    m_breath.reset();
    m_held.clear();
    setWindow(1, "degraded: " + std::to_string(m_failures) +
                     " failures in a row and no success for a second; one probe a second");
}

void DestinationHealth::recover(Micros now) {
    m_degraded = false;
    m_recoveredAt = now;
    restart(now, "recovered: a probe was answered; up from one slot to " + slots(m_good));
}

void DestinationHealth::restart(Micros now, const std::string& reason) {
    ++m_epoch;
    m_ramping = true;
    m_failures = 0;
    m_lastSuccess = now;
    m_calmLatency.reset();
    m_breath.reset();
    m_held.clear();
    m_breathDue = now + kBreathPause;
    m_round = Round{};
    m_round.began = now;
    setWindow(1, reason);
}

void DestinationHealth::ramp(Micros now, const std::string& reason) {
    if (m_degraded) return;  // its own recovery will ramp
    restart(now, reason + ": up from one slot to " + slots(m_good));
}

void DestinationHealth::silence(Micros until) { m_silentUntil = std::max(m_silentUntil, until); }

void DestinationHealth::setLargestWindow(double largest) {
    m_largest = largest;
    m_good = std::min(m_good, m_largest);
    if (m_window > m_largest) setWindow(m_largest, "in-flight limit set to " + slots(m_largest));
}

void DestinationHealth::advance(Micros now, bool lanesWait) {
    dropHeldSlots(now);
    if (m_degraded) return;
    if (!lanesWait && m_inFlight == 0) m_ramping = false;
    if (lanesWait) m_round.limited = true;
    if (m_breath) {
        if (!m_breath->measuring && m_inFlight <= m_breath->half) {
            m_breath->measuring = true;
            m_breath->began = now;
        }
        return;
    }
    const auto wanted =
        slowStart() ? std::max<std::uint32_t>(kSlowStartSamples,
                                              static_cast<std::uint32_t>(m_window))
                    : kRoundSamples;
    if (now - m_round.began >= kShortestRound && m_round.samples() >= wanted) endRound(now);
}

void DestinationHealth::endRound(Micros now) {
    const Round round = m_round;
    m_round = Round{};
    m_round.began = now;
    growOrShrink(now, round);
    if (!slowStart()) m_ramping = false;
}

void DestinationHealth::growOrShrink(Micros now, const Round& round) {
    const double firsts = round.samples();
    const double overloadShare = round.overloads / firsts;
    const double otherShare = round.otherFailures / firsts;
    const double latency =
        round.successes > 0 ? std::exp(round.logLatency / round.successes) : m_latency;

    if (overloadShare > kOverloadShare) {
        const double cut = std::min<double>(round.overloads, m_window / 2);
        const double to =
            std::max({m_window - cut, std::min(1.0, m_latency), kSmallestWindow});
        m_lastCut = now;
        const auto count = std::to_string(round.overloads) + " of " +
                           std::to_string(round.samples());
        const char* what = round.unanswered * 2 > round.overloads  ? " got no answer"
                           : round.throttled * 2 > round.overloads ? " were answered 429"
                                                                   : " were answered overloaded";
        const auto before = m_window;
        setWindow(to, "cut " + slots(before) + " to " + slots(to) + ": " + count + what);
        m_good = std::min(m_good, m_window);
        return;
    }
    m_lastGood = m_window;

    const bool slow = slowStart();
    if (!slow && m_calmLatency && latency > kCrowded * *m_calmLatency) {
        if (m_window > m_floor) {
            const double factor =
                std::max(kStrongestCut, kCrowded * *m_calmLatency / latency);
            const double to = std::max(m_floor, m_window * factor);
            setWindow(to, "eased to " + slots(to) + ": answers take " +
                              std::to_string(static_cast<int>(latency * 1000)) + " ms, calm are " +
                              std::to_string(static_cast<int>(*m_calmLatency * 1000)) + " ms");
            m_good = std::min(m_good, m_window);
        } else {
            breathe(now);
        }
        return;
    }
    if (!round.limited || round.overloads > 0) return;
    if (otherShare <= (slow ? 0.5 : 0.2)) {
        if (slow) {
            const double to = std::min(m_good, 2 * m_window);
            setWindow(to, "doubled to " + slots(to) + ": " + std::to_string(round.successes) +
                              " deliveries succeeded");
        } else if (m_window < m_largest) {
            // Time in which the destination was silent is no time in which all went well.
            const Micros since = std::clamp(m_silentUntil, round.began, now);
            const double grown =
                m_window + std::max(kGrowth * m_window, kGrowth * std::min(1.0, m_window)) *
                               std::min(1.0, seconds(now - since));
            const double to = std::min(m_largest, grown);
            setWindow(to, "grown to " + slots(to) + ": lanes wait and all is well");
            m_good = std::max(m_good, m_window);
        }
    }
    if (!slow && now >= m_breathDue) breathe(now);
}

void DestinationHealth::breathe(Micros now) {
    Breath breath;
    breath.began = now;
    breath.half = std::max(m_window / 2, kSmallestWindow);
    breath.wanted = std::max(kRoundSamples, static_cast<std::uint32_t>(m_window / 2));
    m_breath = breath;
}

void DestinationHealth::measureBreath(const HealthSample& sample, Micros now) {
    Breath& breath = *m_breath;
    // Only requests that started in the calm tell what calm is.
    if (!breath.measuring || sample.startedAt < breath.began) return;
    ++breath.successes;
    breath.logLatency += std::log(std::max(seconds(sample.latency), 1e-6));
    if (breath.successes < breath.wanted) return;
    m_calmLatency = std::exp(breath.logLatency / breath.successes);
    m_floor = breath.half;
    m_breathDue = now + std::max(kBreathPause, 10 * (now - breath.began));
    m_breath.reset();
    m_round = Round{};
    m_round.began = now;
}

void DestinationHealth::setWindow(double to, std::string reason) {
    to = std::min(to, m_largest);
    if (to == m_window && !m_degraded && !m_ramping) return;
    m_lastChange = {m_window, to, std::move(reason)};
    m_window = to;
    ++m_changes;
}

void DestinationHealth::notePeak(Micros now) {
    if (now - m_peakBegan >= kPeakWindow) {
        m_previousPeak = now - m_peakBegan < 2 * kPeakWindow ? m_peak : 0;
        m_peak = 0;
        m_peakBegan = now;
    }
    m_peak = std::max(m_peak, m_inFlight);
}

double DestinationHealth::recentPeak() const { return std::max(m_peak, m_previousPeak); }

HealthState DestinationHealth::state(Micros now, bool lanesWait) const {
    if (m_degraded) return HealthState::degraded;
    if (now - m_lastCut <= kShowCut) return HealthState::throttled;
    if (m_ramping && slowStart() && lanesWait) return HealthState::recovering;
    return HealthState::healthy;
}

}  // namespace lanes
