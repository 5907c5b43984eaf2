// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/violations.h"
#include "engine/types.h"

#include <cstdint>
#include <vector>

namespace lanes::sim {

/// The part of the auditor that watches how fast one destination is asked, from the outside: it
/// sees requests and answers and knows nothing of windows and slots. Its rules:
///
/// - "P8": whoever comes back is asked gently. After a start, a resume, a wake or an answer of life
///   from the dead, requests in flight begin with one and double at most, not oftener than every
///   200 ms and every five answers; or there is no more than one a second.
/// - "probe": a destination is certainly given up when five requests in a row failed and it has not
///   shown life for a second; from then on it is asked once a second until it does.
/// - "turn": meanwhile no lane is asked twice, with the same event, while another one that could
///   be was not.
/// - "retry-after": a lane is not asked before the time that its own answer named.
/// - "silence": when two lanes are told to wait within five seconds, none is asked until then.
///
/// Where the engine may know better (an answer of life to a request from before), it is given the
/// benefit of the doubt.
class PaceAuditor {
public:
    /// A failed lane waits for no longer than this before it waits for its destination only:
    /// 8 s and a fifth, rounded up to the engine's ticks.
    static constexpr Micros kLongestBackoff = 9'800 * kMillisecond;

    /// A destination that nobody asked yet.
    void begin(Micros now);
    /// Started again, resumed or awake: one request first.
    void comeBack(Micros now);
    /// Many events came back at once.
    void massRewind(Micros now) {
        if (!m_dead) comeBack(now);
    }
    /// It may have begun anew, for a reason that is not seen from here.
    void doubt(Micros now);
    /// The process died: it knows nothing of what was before, and nothing is in flight.
    void crashed();
    /// Turns are counted anew: something changed about who may be asked.
    void restartTurns(Micros now) { m_turnsSince = now; }

    /// From this time on the lane waits for nothing but its destination; kNever: it does not.
    /// From `until` on its head may be given up, because its window is over.
    void waits(UserId user, Micros since, Micros until) {
        at(user).readySince = since;
        at(user).readyUntil = until;
    }
    /// The lane has another head, which has not had its turn.
    void newHead(UserId user) { at(user).turnAt = -1; }
    void started(UserId user, Violations& violations);
    /// What was started came to nothing, and no request was sent.
    void withdrawn(UserId user);
    /// `number` of the attempt in its life; `retryAfter` < 0 if the answer named none.
    void ended(UserId user, std::uint32_t number, int status, Micros retryAfter, Micros now);

    static constexpr Micros kNever = INT64_MAX;

private:
    struct Lane {
        Micros readySince = kNever;
        Micros readyUntil = kNever;
        Micros askedAt = -1;     ///< last start
        Micros turnAt = -1;      ///< last start with the present head
        Micros quietUntil = 0;   ///< its own Retry-After
    };

    [[nodiscard]] Lane& at(UserId user);
    void checkTurn(UserId user, const Lane& lane, Violations& violations) const;
    [[nodiscard]] bool tooMany(Micros now) const;

    std::vector<Lane> m_lanes;  ///< by user
    Micros m_turnsSince = 0;
    Micros m_lastStart = -kHour;
    // Retry-After of the destination.
    UserId m_lastAsker;
    Micros m_lastAskedAt = -kHour;
    Micros m_silentUntil = 0;
    // Given up.
    std::uint32_t m_failures = 0;  ///< in a row, that the engine cannot have overlooked
    Micros m_aliveSince = 0;       ///< last sign of life, or reason to begin anew
    bool m_dead = false;
    Micros m_deadSince = 0;
    // Coming back.
    bool m_gentle = false;
    Micros m_gentleSince = 0;
    std::uint32_t m_answers = 0;   ///< to requests since then
    std::uint32_t m_inFlight = 0;  ///< of requests since then
};

}  // namespace lanes::sim
