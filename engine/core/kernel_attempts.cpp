// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the end of an attempt means: for its lane, for the health of its destination, and whether
// it was the last one.
#include "engine/core/backoff.h"
#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"
#include "engine/core/saturated.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanes {

namespace {

constexpr Micros kRereads = 100;  // a second
constexpr Micros kSharedRetryAfter = 5 * kSecond;

std::string windowText(Micros window) {
    if (window % kHour == 0) return std::to_string(window / kHour) + " h";
    if (window % kMinute == 0) return std::to_string(window / kMinute) + " min";
    return std::to_string(window / kSecond) + " s";
}

}  // namespace

/// What every entry about the head of a lane says.
JournalEntry DeliveryKernel::headEntry(JournalKind kind, const Lane& lane) const {
    const auto* mark = markOf(lane);
    JournalEntry entry;
    entry.kind = kind;
    entry.pointer = pointerOf(lane);
    entry.user = lane.user;
    entry.life = mark != nullptr ? mark->life : 1;
    entry.operation = mark != nullptr ? mark->operation : OperationId();
    entry.attempt = lane.attempts;
    return entry;
}

JournalEntry DeliveryKernel::attemptEntry(const InFlight& flight, const Lane& lane,
                                          const AttemptResult& result, Outcome outcome) {
    auto entry = headEntry(JournalKind::attempt, lane);
    entry.at = flight.started.wall;
    entry.duration = result.duration;
    entry.outcome = outcome;
    entry.status = saturated<std::uint16_t>(static_cast<std::uint32_t>(std::max(result.status, 0)));
    entry.cause = flight.cause;
    entry.error = result.error;
    if (!result.location.empty()) entry.error += " (redirects to " + result.location + ")";
    entry.response = result.response;
    return entry;
}

void DeliveryKernel::finish(const AttemptResult& result) {
    const auto found = m_inFlight.find(result.attempt);
    CHECK(found != m_inFlight.end());
    const InFlight flight = found->second;
    m_inFlight.erase(found);

    Lane& lane = m_table[flight.lane];
    CHECK(lane.state == LaneState::inFlight);
    KernelDestination& d = destinationOf(lane);
    if (result.reach == AttemptResult::Reach::notMade) {
        takeBack(flight);
        return;
    }
    const auto outcome = classify(result);

    HealthSample sample;
    sample.epoch = flight.epoch;
    sample.outcome = outcome;
    sample.firstAttempt = flight.firstAttempt;
    sample.patientLane = flight.patient;
    sample.othersWait = !d.ready.empty();
    sample.startedAt = flight.started.now;
    sample.latency = result.duration;
    sample.status =
        saturated<std::uint16_t>(static_cast<std::uint32_t>(std::max(result.status, 0)));
    const bool wasDegraded = d.health.degraded();
    const auto event = d.health.finished(sample, m_moment.now);
    noteChange(d);

    ++d.attempts;
    ++d.outcomes[static_cast<std::size_t>(outcome)];
    if (result.status > 0) d.latency.add(result.duration);
    if (outcome != Outcome::delivered) d.lastError = result.error;

    lane.attempts = saturated<std::uint16_t>(lane.attempts + 1u);
    lane.lastOutcome = outcome;
    lane.setStatus(sample.status);
    setState(lane, LaneState::committing);
    laneChanged(flight.lane);
    auto entry = attemptEntry(flight, lane, result, outcome);
    Mark* const mark = findMark(pointerOf(lane));

    PendingCommit pending;
    pending.lane = flight.lane;
    pending.slot = lane.destination;
    pending.sequence = lane.head;
    pending.user = lane.user;
    if (outcome == Outcome::delivered) {
        pending.kind = PendingCommit::Kind::delivered;
        write(std::move(entry));
        countEnd(mark, OperationFate::delivered, true);
        pending.ticket = ticket();
        m_commits.push_back(pending);
    } else {
        const auto& atOnce = d.config.policy.deadLetterStatuses;
        const bool policy = std::find(atOnce.begin(), atOnce.end(), sample.status) != atOnce.end();
        const bool over = expired(d, lane);
        write(std::move(entry));
        if (result.retryAfter >= 0) askedToWait(d, lane, result.retryAfter);
        if (policy) {
            deadLetter(flight.lane, "status " + std::to_string(sample.status) +
                                        " is set to dead-letter at once");
        } else if (over) {
            windowOver(flight.lane);
        } else {
            // A failed probe says nothing about its lane, so it does not lengthen the back-off.
            if (!(wasDegraded && flight.cause == Cause::probe))
                lane.setFailures(lane.failures + 1u);
            auto delay = backoff(lane.failures, m_random);
            lane.ownRefusal = outcome == Outcome::refused || result.retryAfter >= 0;
            delay = std::max(delay, result.retryAfter);
            if (mark != nullptr && mark->operation && !mark->failing &&
                lane.attempts >= RunningOperation::kTracerAttempts) {
                mark->failing = true;
                if (auto* operation = findOperation(mark->operation)) {
                    operation->failing();
                    markDirty(*operation);
                }
            }
            pending.kind = PendingCommit::Kind::retry;
            pending.due = TimerQueue::tickAt(m_moment.now + delay);
            pending.epoch = d.health.epoch();
            pending.ticket = ticket();
            m_commits.push_back(pending);
        }
        if (sample.status == 410 && !d.state.paused)
            pause(d, "Rivora Lanes",
                  "the destination answered 410 Gone: it wants no more deliveries", true, 0);
    }
    if (result.status > 0) watchCredentials(d, lane.user, result.status);
    touch(lane.destination);
    if (event == HealthEvent::degraded) degraded(d);
    if (event == HealthEvent::recovered) recovered(lane.destination);
}

/// What was not made is no attempt: it is no word about the receiver and leaves no entry. The lane
/// tries again a second later, or later still where many wait for that: a disk that does not read
/// is not asked more than `kRereads` times a second.
void DeliveryKernel::takeBack(const InFlight& flight) {
    Lane& lane = m_table[flight.lane];
    KernelDestination& d = destinationOf(lane);
    d.health.withdrawn(flight.patient);
    if (flight.cause == Cause::probe) --d.probes;
    if (const auto* mark = markOf(lane); mark != nullptr && mark->operation && lane.attempts == 0)
        if (auto* operation = findOperation(mark->operation)) operation->notTried();
    // The last chance was this one: its window does not stay open for a disk that is not mended.
    if (flight.cause != Cause::lastChance) lane.triedEpoch = untriedEpoch(d);
    m_nextReread = std::max(m_nextReread + kSecond / kRereads, m_moment.now + kSecond);
    setState(lane, LaneState::committing);
    const auto tried = lane.head;
    reorderHead(flight.lane);
    if (lane.head != tried || standing(d, lane)) {
        makeReady(flight.lane);
    } else {
        lane.ownRefusal = true;
        backOff(flight.lane, TimerQueue::tickAt(m_nextReread));
    }
    touch(lane.destination);
}

/// Retry-After of one lane holds that lane; of two lanes within five seconds it silences the
/// whole destination.
void DeliveryKernel::askedToWait(KernelDestination& d, const Lane& lane, Micros retryAfter) {
    if (d.lastAsker != lane.user && m_moment.now - d.lastAskedAt <= kSharedRetryAfter)
        d.health.silence(m_moment.now + retryAfter);
    d.lastAsker = lane.user;
    d.lastAskedAt = m_moment.now;
    d.quiet[lane.user] = TimerQueue::tickAt(m_moment.now + retryAfter);
}

/// 0 if the lane need not wait because of a Retry-After.
TimerQueue::Tick DeliveryKernel::quietUntil(KernelDestination& d, UserId user) {
    if (d.quiet.empty()) return 0;
    const auto found = d.quiet.find(user);
    if (found == d.quiet.end()) return 0;
    if (Micros{found->second} * TimerQueue::kTick > m_moment.now) return found->second;
    d.quiet.erase(found);
    return 0;
}

void DeliveryKernel::watchCredentials(KernelDestination& d, UserId user, int status) {
    if (!d.credentials.ended(user, status, m_moment.now) || d.state.paused) return;
    d.credentials.reset();
    pause(d, "Rivora Lanes",
          "the destination answered " + std::to_string(status) +
              (status == 401 ? " Unauthorized" : " Forbidden") +
              " for nearly every user: it does not accept our credentials",
          true, 0);
}

/// The retry window of the head is over.
bool DeliveryKernel::expired(const KernelDestination& d, const Lane& lane) const {
    return tenths(d.clock(m_moment.now)) >= lane.headClock + tenths(d.config.policy.window);
}

/// As `expired`, but while the destination accepts deliveries a head that was not tried since its
/// recovery gets one last attempt first.
bool DeliveryKernel::expires(const KernelDestination& d, const Lane& lane) const {
    if (!expired(d, lane)) return false;
    const bool accepts = !d.health.degraded() && d.health.silentUntil() <= m_moment.now;
    return !accepts || lane.triedEpoch == static_cast<std::uint8_t>(d.health.epoch());
}

/// Ends the life of the head: it leaves when the journal says so durably.
void DeliveryKernel::deadLetter(LaneIndex lane, const std::string& reason) {
    Lane& record = m_table[lane];
    setState(record, LaneState::committing);
    laneChanged(lane);
    auto entry = headEntry(JournalKind::deadLettered, record);
    entry.at = m_moment.wall;
    entry.outcome = record.lastOutcome;
    entry.status = record.lastStatus;
    entry.reason = record.attempts == 0 ? reason + "; never tried" : reason;

    PendingCommit pending;
    pending.kind = PendingCommit::Kind::died;
    pending.lane = lane;
    pending.slot = record.destination;
    pending.sequence = record.head;
    pending.user = record.user;
    pending.life = entry.life;
    pending.attempts = record.attempts;
    write(std::move(entry));
    countEnd(findMark(pointerOf(record)), OperationFate::deadAgain, record.attempts > 0);
    pending.ticket = ticket();
    m_commits.push_back(pending);
}

void DeliveryKernel::windowOver(LaneIndex lane) {
    const auto window = destinationOf(m_table[lane]).config.policy.window;
    deadLetter(lane, "the retry window of " + windowText(window) + " is over");
}

}  // namespace lanes
