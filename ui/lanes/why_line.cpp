// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/why_line.h"

#include "ui/common/format.h"
#include "ui/common/time_display.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::WhyLine)
};

int asInt(std::uint64_t n) {
    return n > 2'000'000'000 ? 2'000'000'000 : static_cast<int>(n);
}

/// What waits behind the head, as a sentence of its own.
QString blocks(const LaneRow& lane) {
    if (lane.backlog <= 1) return Words::tr("Nothing waits behind it.");
    const auto behind = lane.backlog - 1;
    if (behind == 1) return Words::tr("Blocks one later event of this user.");
    return Words::tr("Blocks %Ln later events of this user.", nullptr, asInt(behind));
}

QString pausedLine(const DestinationSnapshot& destination, const TimeDisplay& times) {
    const QString since = times.text(destination.pausedAt);
    QString line;
    if (destination.pausedBySystem)
        line = Words::tr("Paused by the program at %1.").arg(since);
    else
        line = Words::tr("Paused by %1 at %2.").arg(plainLine(destination.pausedBy, 64), since);
    if (!destination.pauseReason.empty())
        line += QLatin1Char(' ') +
                Words::tr("Reason: %1.").arg(plainLine(destination.pauseReason, 160));
    if (destination.resumeAt != 0)
        line += QLatin1Char(' ') +
                Words::tr("It resumes by itself at %1.").arg(times.text(destination.resumeAt));
    return line + QLatin1Char(' ') + Words::tr("The retry clock stands still.");
}

/// By an operator, or by a dead letter under the policy that it keeps later events back.
QString heldLine(const LaneRow& lane, const TimeDisplay& times) {
    if (lane.heldAt == 0)
        return Words::tr(
            "Held: an earlier event of this user is a dead letter. Rewind or discard it to go on.");
    const QString by = plainLine(lane.heldBy, 64);
    const QString since = times.text(lane.heldAt) + QLatin1Char(' ') + times.zoneLabel();
    const QString line =
        lane.holdReason.empty()
            ? Words::tr("Held by %1 since %2.").arg(by, since)
            : Words::tr("Held by %1 since %2: %3.").arg(by, since, plainLine(lane.holdReason, 160));
    return line + QLatin1Char(' ') + Words::tr("Retry time stands still.");
}

/// Why a lane that is neither on its way nor held does not move, beginning with what it shares
/// with all lanes of its destination.
QString waitingLine(const LaneRow& lane, const DestinationSnapshot* destination) {
    const QString name = destination ? plainLine(destination->name, 64) : QString();
    const QString result = resultText(lane.lastOutcome, lane.lastStatus);
    if (destination && destination->health == HealthState::degraded) {
        const auto round = static_cast<Micros>(destination->lanes) * kSecond;
        return Words::tr(
                   "%1 is degraded: one probe a second over %2 lanes. This lane's turn comes "
                   "within about %3, or at once when the destination recovers (last result: "
                   "%4).")
            .arg(name, countText(destination->lanes), durationText(round), result);
    }
    if (destination && destination->silentFor > 0)
        return Words::tr("%1 asked for silence: %2 left of its Retry-After (last result: %3).")
            .arg(name, countdownText(destination->silentFor), result);
    if (lane.state == LaneState::backingOff) {
        if (lane.nextAttemptIn <= 0)
            return Words::tr("Retry %1 is due (%2).").arg(lane.attempts).arg(result);
        return Words::tr("Waiting %1 for retry %2 (%3).")
            .arg(countdownText(lane.nextAttemptIn))
            .arg(lane.attempts)
            .arg(result);
    }
    if (!destination) return Words::tr("Waits for a free slot.");
    const int slotCount = std::max(1, static_cast<int>(destination->budget));
    if (slotCount == 1) return Words::tr("Waits for the one slot that %1 has now.").arg(name);
    return Words::tr("Waits for one of the %1 slots that %2 has now.").arg(slotCount).arg(name);
}

}  // namespace

QString whyLine(const LaneRow& lane, const DestinationSnapshot* destination,
                const TimeDisplay& times) {
    QString why;
    const bool paused = destination && destination->health == HealthState::paused;
    switch (lane.state) {
        case LaneState::inFlight:
            why = Words::tr("Attempt %1 is in flight for %2.")
                      .arg(lane.attempts + 1)
                      .arg(durationText(lane.inFlightFor));
            if (paused)
                why += QLatin1Char(' ') + Words::tr("It will finish; the pause cuts nothing off.");
            if (lane.heldAt != 0) why += QLatin1Char(' ') + heldLine(lane, times);
            break;
        case LaneState::committing:
            why = Words::tr(
                "Its attempt has ended; the result is being made durable before anything "
                "follows.");
            break;
        case LaneState::held: why = heldLine(lane, times); break;
        case LaneState::ready:
        case LaneState::backingOff:
            why = paused ? pausedLine(*destination, times) : waitingLine(lane, destination);
            break;
    }
    return why + QLatin1Char(' ') + blocks(lane);
}

}  // namespace lanes::ui
