// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/request_pace.h"
#include "engine/types.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

// The shared health of a destination: one window of slots. A delivery in flight holds a slot; the
// failure of a first attempt keeps its slot for half a second more. The window grows while
// deliveries succeed and lanes wait; it shrinks when the destination says "too much" or becomes
// slower than it needs to be. Five failures in a row without a success for a second mean
// degraded: one probe a second. The first answer that proves life ends that, and the window starts
// again from one slot, doubling up to the level that was known to be good.
//
// It looks only at first attempts and at the kind of failure, so that failures which do not depend
// on the rate (poison users, random errors) do not shrink it. Of those that sound like "too much",
// only what exceeds the destination's background counts: the share that it refuses even when it
// gets half of what it copes with. A share that halving the window does not lower is not of our
// making. A 429 is: it says so itself.
namespace lanes {

struct HealthSettings {
    double largestWindow = 64;  ///< requests in flight at most
    double knownGood = 16;      ///< level that slow start doubles up to
    bool ramp = false;          ///< begin with one slot: after a start or a resume
};

/// One finished attempt, as health sees it.
struct HealthSample {
    std::uint64_t epoch = 0;      ///< as returned by `started`
    Outcome outcome = Outcome::delivered;
    /// The head's first in its life or since the recovery, and not of a patient lane: what fails
    /// again says nothing new.
    bool firstAttempt = true;
    bool patientLane = false;     ///< it needs a retry token: its head failed before
    bool othersWait = false;      ///< another lane waits for a slot
    Micros startedAt = 0;
    Micros latency = 0;
    std::uint16_t status = 0;
};

/// What a sample or the passing of time did to the destination as a whole.
enum class HealthEvent : std::uint8_t { none, degraded, recovered };

struct WindowChange {
    double from = 0;
    double to = 0;
    std::string reason;
};

class DestinationHealth {
public:
    static constexpr Micros kNever = INT64_MAX;

    DestinationHealth(const HealthSettings& settings, Micros now);

    [[nodiscard]] bool mayStart(Micros now) const;
    /// Earliest time after `now` at which time alone may make `mayStart` true or ends a round.
    [[nodiscard]] Micros nextChange(Micros now) const;
    /// Counts a request in flight; the answer goes into `HealthSample::epoch`.
    std::uint64_t started(Micros now);
    /// A retry token for a lane that failed four times or more.
    [[nodiscard]] bool hasRetryToken(Micros now) const;
    void takeRetryToken(Micros now);

    HealthEvent finished(const HealthSample& sample, Micros now);
    /// Takes back a `started` that came to nothing for a reason of ours: it says nothing about the
    /// destination. A patient lane's token comes back.
    void withdrawn(bool patientLane);
    /// Ends rounds, and degrades when all that was tried has failed for long enough. `lanesWait`:
    /// lanes were ready that got no slot.
    void advance(Micros now, bool lanesWait);
    /// No request before `until`, probes included: Retry-After of the destination.
    void silence(Micros until);
    /// After a start, a resume, a wake or a mass rewind: from one slot up to the known good level.
    void ramp(Micros now, const std::string& reason);
    void setLargestWindow(double slots);
    /// At most so many requests a second, evenly, probes included; 0 = no limit. Waiting for it is
    /// no reason for the window to grow.
    void setRateLimit(double requestsPerSecond) { m_pace.setRate(requestsPerSecond); }

    [[nodiscard]] bool degraded() const { return m_degraded; }
    /// Not known to be well again: degraded, or on the way up after a recovery, start or resume.
    [[nodiscard]] bool recovering() const { return m_degraded || m_ramping; }
    /// Rises with each recovery and each ramp.
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; }
    /// Never `paused`: that is no matter of health.
    [[nodiscard]] HealthState state(Micros now, bool lanesWait) const;
    [[nodiscard]] double window() const { return m_window; }
    [[nodiscard]] double knownGood() const { return m_good; }
    [[nodiscard]] std::uint32_t inFlight() const { return m_inFlight; }
    [[nodiscard]] Micros silentUntil() const { return m_silentUntil; }
    [[nodiscard]] Micros nextProbe() const {
        return std::max(m_lastProbe + kProbeInterval, m_pace.next());
    }
    [[nodiscard]] const WindowChange& lastChange() const { return m_lastChange; }
    /// Rises with each change of the window.
    [[nodiscard]] std::uint64_t changes() const { return m_changes; }

    static constexpr Micros kProbeInterval = kSecond;

private:
    /// Results that came in since something began. Failures of first attempts only.
    struct Tally {
        Micros began = 0;
        std::uint32_t successes = 0;
        double logLatency = 0;            // sum over the successes
        std::uint32_t overloads = 0;
        std::uint32_t otherFailures = 0;
        std::uint32_t throttled = 0;      // of the overloads: 429
        std::uint32_t unanswered = 0;     // of the overloads: no answer at all
        std::uint32_t peak = 0;           // of the requests in flight
        std::uint32_t ordinary = 0;       // of the overloads: those that come at any rate
        bool limited = false;             // lanes waited for a slot
        [[nodiscard]] std::uint32_t samples() const {
            return successes + overloads + otherFailures;
        }
        /// Overloads that may come at any rate.
        [[nodiscard]] std::uint32_t doubtful() const { return overloads - throttled; }
        void succeed(double latency);
        void fail(const HealthSample& sample);
        /// "9 of 52 were answered 429".
        [[nodiscard]] std::string overloadText() const;
    };
    /// A stretch with half the window, which shows what is not of our making: how long an answer
    /// takes when it is calm, and which share is refused all the same.
    struct Breath {
        bool measuring = false;
        double half = 0;
        std::uint32_t wanted = 0;
        Tally calm;
    };
    /// Which part of the results said "too much", a 429 apart; the latest count most.
    struct Share {
        double overloads = 0;
        double samples = 0;
        void add(const Tally& tally, double keep);
        [[nodiscard]] double value() const { return samples > 0 ? overloads / samples : 0; }
        /// How many of so many samples would be no more than this share.
        [[nodiscard]] std::uint32_t allowance(std::uint32_t of) const;
    };

    [[nodiscard]] bool slowStart() const { return m_window < m_good; }
    [[nodiscard]] double limit() const { return m_breath ? m_breath->half : m_window; }
    [[nodiscard]] bool slotFree(Micros now) const;
    /// Below one slot: when the next request may start.
    [[nodiscard]] Micros pacedStart() const;
    [[nodiscard]] double heldSlots(Micros now) const;
    [[nodiscard]] double tokens(Micros now) const;
    void dropHeldSlots(Micros now);
    void succeed(const HealthSample& sample, Micros now);
    HealthEvent fail(const HealthSample& sample, Micros now);
    void degrade(Micros now);
    void recover(Micros now);
    void restart(Micros now, const std::string& reason);
    void beginRound(Micros now);
    void endRound(Micros now);
    void learnFrom(const Tally& round);
    void learn(const Tally& calm);
    void cut(Micros now, const Tally& round, double excess);
    void ease(const Tally& round, double latency);
    void grow(const Tally& round, Micros well);
    [[nodiscard]] bool breathDue(const Tally& round, Micros now) const;
    void breathe(Micros now);
    [[nodiscard]] bool inCalm(const HealthSample& sample) const;
    void endBreath(Micros now);
    void giveUpBreath(Micros now);
    void breathed(Micros now);
    void setWindow(double slots, std::string reason);
    void notePeak(Micros now);
    [[nodiscard]] double recentPeak() const;

    double m_largest;
    double m_window;
    double m_good;
    double m_lastGood = 8;      // window at the end of the last round without overload
    double m_latency = 0.1;     // seconds, smoothed, of successes
    std::optional<double> m_calmLatency;  // seconds, when not crowded
    double m_floor = 1;
    std::uint32_t m_failures = 0;  // in a row
    std::uint64_t m_epoch = 1;
    double m_tokens = 5;
    Micros m_tokensAt;
    bool m_degraded = false;
    bool m_ramping;
    Micros m_degradedAt = 0;
    Micros m_recoveredAt = -3600 * kSecond;
    Micros m_lastProbe = -3600 * kSecond;
    Micros m_lastSuccess;
    Micros m_lastStart = -3600 * kSecond;
    Micros m_lastCut = -3600 * kSecond;
    Micros m_silentUntil = 0;
    Micros m_breathDue;
    std::uint32_t m_inFlight = 0;
    std::deque<Micros> m_held;  // when slots held by failures fall free, rising
    // Peak of requests in flight in this and the previous five seconds.
    Micros m_peakBegan;
    std::uint32_t m_peak = 0;
    std::uint32_t m_previousPeak = 0;
    RequestPace m_pace;
    Tally m_round;
    std::optional<Breath> m_breath;
    Micros m_breathAllowed;     // breaths may take a tenth of the time at most
    double m_highest;           // window, or level known to be good, since the last breath
    Share m_recent;      // of the last rounds
    Share m_background;  // what the destination refuses at any rate: in breaths and quiet rounds
    std::optional<Tally> m_quiet;  // the last round, if the background can be learned from it
    WindowChange m_lastChange;
    std::uint64_t m_changes = 0;
};

}  // namespace lanes
