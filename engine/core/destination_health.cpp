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
constexpr std::uint32_t kPacedSamples = 10;  // below one slot, where samples are rare
constexpr double kOverloadShare = 0.01;
constexpr double kLargestBackground = 0.25;  // more is no noise, whatever causes it
constexpr double kKeepRecent = 0.8;          // with each round
constexpr double kKeepBackground = 0.9;      // with each breath or quiet round
constexpr double kCrowded = 1.6;      // latency over the calm latency
constexpr double kStrongestCut = 0.7;
constexpr double kGrowth = 0.1;       // of the window a second
// Below one slot samples are rare: cuts go to what gets through at once, growth is careful.
constexpr double kPacedGrowth = 0.05;
constexpr double kStrongestPacedCut = 0.85;
constexpr std::uint32_t kFailuresToDegrade = 5;
constexpr Micros kSilenceToDegrade = kSecond;
constexpr Micros kRelapse = 10 * kSecond;
constexpr Micros kBreathPause = 30 * kSecond;
constexpr int kBreathShare = 10;  // a breath may take a tenth of the time
constexpr Micros kShowCut = 10 * kSecond;
constexpr Micros kPeakWindow = 5 * kSecond;
constexpr double kMostTokens = 10;
constexpr double kTokensPerSuccess = 0.1;

double seconds(Micros time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

std::string slots(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", value < 1 ? 3 : value < 10 ? 1 : 0, value);
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

/// "9 of 52".
std::string ofText(std::uint32_t part, std::uint32_t all) {
    return std::to_string(part) + " of " + std::to_string(all);
}

std::string milliseconds(double time) {
    return std::to_string(static_cast<int>(time * 1000)) + " ms";
}

}  // namespace

void DestinationHealth::Tally::succeed(double latency) {
    ++successes;
    logLatency += std::log(latency);
}

void DestinationHealth::Tally::fail(const HealthSample& sample) {
    if (!overload(sample.outcome)) {
        ++otherFailures;
        return;
    }
    ++overloads;
    if (sample.outcome == Outcome::throttled) ++throttled;
    if (sample.status == 0) ++unanswered;
}

std::string DestinationHealth::Tally::overloadText() const {
    const char* what = unanswered * 2 > overloads  ? " got no answer"
                       : throttled * 2 > overloads ? " were answered 429"
                                                   : " were answered overloaded";
    std::string text = ofText(overloads, samples()) + what;
    if (ordinary > 0) text += ", of which " + std::to_string(ordinary) + " are usual";
    return text;
}

void DestinationHealth::Share::add(const Tally& tally, double keep) {
    overloads = keep * overloads + tally.doubtful();
    samples = keep * samples + tally.samples();
}

std::uint32_t DestinationHealth::Share::allowance(std::uint32_t of) const {
    // Chance alone brings two standard deviations more now and then.
    const double expected = value() * of;
    return static_cast<std::uint32_t>(expected + 2 * std::sqrt(expected) + 0.5);
}

DestinationHealth::DestinationHealth(const HealthSettings& settings, Micros now)
    : m_largest(settings.largestWindow),
      m_window(std::min(kFirstWindow, settings.largestWindow)),
      m_good(std::min(settings.knownGood, settings.largestWindow)),
      m_tokensAt(now),
      m_ramping(settings.ramp),
      m_lastSuccess(now),
      m_breathDue(now + kBreathPause),
      m_peakBegan(now),
      m_breathAllowed(now),
      m_highest(m_good) {
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

Micros DestinationHealth::pacedStart() const {
    return m_lastStart + static_cast<Micros>(m_latency / limit() * kSecond);
}

bool DestinationHealth::slotFree(Micros now) const {
    if (limit() >= 1) return m_inFlight + heldSlots(now) + 1 <= limit();
    return m_inFlight == 0 && now >= pacedStart();
}

bool DestinationHealth::mayStart(Micros now) const {
    if (now < m_silentUntil || now < m_pace.next()) return false;
    if (m_degraded) return now >= m_lastProbe + kProbeInterval && m_inFlight < m_largest;
    return slotFree(now);
}

Micros DestinationHealth::nextChange(Micros now) const {
    if (now < m_silentUntil) return m_silentUntil;
    Micros next = kNever;
    const auto consider = [&](Micros at) {
        if (at > now) next = std::min(next, at);
    };
    consider(m_pace.next());
    if (m_degraded) {
        consider(m_lastProbe + kProbeInterval);
        return next;
    }
    if (limit() < 1) {
        consider(pacedStart());
    } else {
        const auto firstHeld = std::upper_bound(m_held.begin(), m_held.end(), now);
        if (firstHeld != m_held.end()) consider(*firstHeld);
    }
    if (m_failures >= kFailuresToDegrade) consider(m_lastSuccess + kSilenceToDegrade);
    return next;
}

std::uint64_t DestinationHealth::started(Micros now) {
    ++m_inFlight;
    m_lastStart = now;
    m_pace.take(now);
    m_round.peak = std::max(m_round.peak, m_inFlight);
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

void DestinationHealth::withdrawn(bool patientLane) {
    CHECK(m_inFlight > 0);
    --m_inFlight;
    if (patientLane) m_tokens = std::min(kMostTokens, m_tokens + 1);
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
    if (!m_breath) {
        m_round.succeed(latency);
    } else if (inCalm(sample)) {
        m_breath->calm.succeed(latency);
        if (m_breath->calm.successes >= m_breath->wanted) endBreath(now);
    }
}

HealthEvent DestinationHealth::fail(const HealthSample& sample, Micros now) {
    if (sample.firstAttempt) {
        m_held.push_back(now + kHeldSlotTime);
        if (!m_breath) {
            m_round.fail(sample);
        } else if (inCalm(sample)) {
            m_breath->calm.fail(sample);
            if (m_breath->calm.overloads > m_breath->wanted) giveUpBreath(now);
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
    m_quiet.reset();
    m_recent = {};
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
    m_quiet.reset();
    m_recent = {};
    m_held.clear();
    m_breathDue = now + kBreathPause;
    m_highest = m_good;
    beginRound(now);
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
    m_highest = std::min(m_highest, m_largest);
    if (m_window > m_largest) setWindow(m_largest, "in-flight limit set to " + slots(m_largest));
}

void DestinationHealth::advance(Micros now, bool lanesWait) {
    dropHeldSlots(now);
    if (m_degraded) return;
    // All that was tried failed, and nothing is under way that could tell otherwise.
    if (lanesWait && m_inFlight == 0 && now >= m_silentUntil &&
        m_failures >= kFailuresToDegrade && now - m_lastSuccess >= kSilenceToDegrade)
        return degrade(now);
    if (!lanesWait && m_inFlight == 0) m_ramping = false;
    // Who waits for the rate limit with a slot free would gain nothing from a larger window.
    if (lanesWait && !(now < m_pace.next() && slotFree(now))) m_round.limited = true;
    if (m_breath) {
        if (!m_breath->measuring && m_inFlight <= m_breath->half) {
            m_breath->measuring = true;
            m_breath->calm.began = now;
        }
        return;
    }
    std::uint32_t wanted = kRoundSamples;
    if (slowStart())
        wanted = std::max(kSlowStartSamples, static_cast<std::uint32_t>(m_window));
    else if (m_window < 1)
        wanted = kPacedSamples;
    if (now - m_round.began >= kShortestRound && m_round.samples() >= wanted) endRound(now);
}

void DestinationHealth::beginRound(Micros now) {
    m_round = Tally{};
    m_round.began = now;
    m_round.peak = m_inFlight;
}

void DestinationHealth::endRound(Micros now) {
    Tally round = m_round;
    beginRound(now);
    m_recent.add(round, kKeepRecent);
    learnFrom(round);
    round.ordinary = std::min(round.doubtful(), m_background.allowance(round.samples()));
    const std::uint32_t excess = round.overloads - round.ordinary;
    const double latency =
        round.successes > 0 ? std::exp(round.logLatency / round.successes) : m_latency;
    // A single request at a time crowds nobody.
    const bool crowded = !slowStart() && m_window >= 1 && m_calmLatency &&
                         latency > kCrowded * *m_calmLatency;
    const bool crowdedAtFloor = crowded && m_window <= m_floor;
    if (excess > kOverloadShare * round.samples()) {
        cut(now, round, excess);
    } else {
        m_lastGood = m_window;
        if (crowded && !crowdedAtFloor)
            ease(round, latency);
        else if (!crowded && round.limited && excess == 0)
            grow(round, now - std::clamp(m_silentUntil, round.began, now));
    }
    m_highest = std::max(m_highest, m_window);
    if (!slowStart() || !round.limited) m_ramping = false;
    if (slowStart()) return;
    if (crowded ? crowdedAtFloor : breathDue(round, now)) breathe(now);
}

/// A round in which half the window was enough tells as much as a breath. It counts when the next
/// one ends as quietly, because it may have been the beginning of an outage.
void DestinationHealth::learnFrom(const Tally& round) {
    const bool mayBeNoise = round.doubtful() <= kLargestBackground * round.samples();
    if (m_quiet && mayBeNoise) learn(*m_quiet);
    m_quiet.reset();
    if (mayBeNoise && !round.limited && round.peak <= m_window / 2) m_quiet = round;
}

void DestinationHealth::learn(const Tally& calm) {
    m_background.add(calm, kKeepBackground);
    // Where the background alone is more than what is cut for, the cuts were a mistake: back up.
    if (m_background.value() > kOverloadShare) m_good = std::max(m_good, m_highest);
}

void DestinationHealth::cut(Micros now, const Tally& round, double excess) {
    // One at a time, what gets through is what there is room for.
    const double less = m_window >= 1
                            ? std::min(excess, m_window / 2)
                            : m_window * std::min(kStrongestPacedCut, excess / round.samples());
    const double floor = std::max(std::min(1.0, m_latency), kSmallestWindow);
    const double to = std::min(m_window, std::max(m_window - less, floor));
    m_lastCut = now;
    setWindow(to, "cut " + slots(m_window) + " to " + slots(to) + ": " + round.overloadText());
    m_good = std::min(m_good, m_window);
}

void DestinationHealth::ease(const Tally& round, double latency) {
    const double factor = std::max(kStrongestCut, kCrowded * *m_calmLatency / latency);
    const double to = std::max(m_floor, m_window * factor);
    setWindow(to, "eased " + slots(m_window) + " to " + slots(to) + ": " +
                      ofText(round.successes, round.samples()) + " succeeded and took " +
                      milliseconds(latency) + ", calm are " + milliseconds(*m_calmLatency));
    m_good = std::min(m_good, m_window);
}

/// `well`: time of the round, without that in which the destination was silent.
void DestinationHealth::grow(const Tally& round, Micros well) {
    const bool slow = slowStart();
    if (round.otherFailures > (slow ? 0.5 : 0.2) * round.samples()) return;
    if (!slow && m_window >= m_largest) return;
    const double growth = m_window < 1 ? kPacedGrowth : kGrowth;
    const double to =
        slow ? std::min(m_good, 2 * m_window)
             : std::min(m_largest, m_window * (1 + growth * std::min(1.0, seconds(well))));
    std::string reason = (slow ? "doubled " : "grown ") + slots(m_window) + " to " + slots(to) +
                         ": lanes wait, " + ofText(round.successes, round.samples()) +
                         " succeeded";
    if (round.overloads > 0) reason += ", " + round.overloadText();
    setWindow(to, std::move(reason));
    m_good = std::max(m_good, m_window);
}

/// Now and then; and at once when cuts have halved the window: is what remains at a quarter of the
/// requests of our making? Below one slot only such a doubt is a reason.
bool DestinationHealth::breathDue(const Tally& round, Micros now) const {
    if (!round.limited) return false;
    const bool doubt = m_recent.value() > kOverloadShare;
    return (now >= m_breathDue && (doubt || m_window >= 1)) ||
           (now >= m_breathAllowed && doubt && m_window <= m_highest / 2);
}

void DestinationHealth::breathe(Micros now) {
    Breath breath;
    breath.calm.began = now;
    breath.half = std::max(m_window / 2, kSmallestWindow);
    breath.wanted = std::max(kRoundSamples, static_cast<std::uint32_t>(breath.half));
    m_breath = breath;
}

/// Only requests that started in the calm tell what calm is.
bool DestinationHealth::inCalm(const HealthSample& sample) const {
    return m_breath && m_breath->measuring && sample.startedAt >= m_breath->calm.began;
}

void DestinationHealth::endBreath(Micros now) {
    const Tally calm = m_breath->calm;
    m_calmLatency = std::exp(calm.logLatency / calm.successes);
    m_floor = m_breath->half;
    breathed(now);
    beginRound(now);
    // With half the window a share may fall. If it rises, it is too early to tell.
    const bool telling = calm.doubtful() <= m_recent.allowance(calm.samples());
    if (m_recent.value() > kLargestBackground)
        m_background = {};
    else if (telling)
        learn(calm);
    m_recent.add(calm, kKeepRecent);
    if (telling)
        m_highest = std::max(m_window, m_good);
    else
        m_breathAllowed = now;
}

/// What refuses more than half of little is down, or nearly so.
void DestinationHealth::giveUpBreath(Micros now) {
    m_round = m_breath->calm;
    breathed(now);
    endRound(now);
}

void DestinationHealth::breathed(Micros now) {
    m_breathAllowed = now + kBreathShare * (now - m_breath->calm.began);
    m_breathDue = std::max(now + kBreathPause, m_breathAllowed);
    m_breath.reset();
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
