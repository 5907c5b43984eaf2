// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words.h"

#include <QDateTime>

namespace lanes::app {

const char* word(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered: return "delivered";
        case Outcome::refused: return "refused";
        case Outcome::throttled: return "throttled";
        case Outcome::overloaded: return "overloaded";
        case Outcome::failed: return "failed";
        case Outcome::unreachable: return "unreachable";
        case Outcome::unknown: return "unknown";
    }
    return "unknown";
}

const char* word(Cause cause) {
    switch (cause) {
        case Cause::automatic: return "automatic";
        case Cause::probe: return "probe";
        case Cause::rewind: return "rewind";
        case Cause::lastChance: return "last chance";
    }
    return "automatic";
}

const char* word(HealthState state) {
    switch (state) {
        case HealthState::healthy: return "healthy";
        case HealthState::throttled: return "throttled";
        case HealthState::degraded: return "degraded";
        case HealthState::recovering: return "recovering";
        case HealthState::paused: return "paused";
    }
    return "healthy";
}

const char* word(LaneState state) {
    switch (state) {
        case LaneState::ready: return "ready";
        case LaneState::inFlight: return "in flight";
        case LaneState::committing: return "committing";
        case LaneState::backingOff: return "backing off";
        case LaneState::held: return "held";
    }
    return "ready";
}

const char* word(Lifecycle lifecycle) {
    switch (lifecycle) {
        case Lifecycle::starting: return "starting";
        case Lifecycle::recovering: return "recovering";
        case Lifecycle::running: return "running";
        case Lifecycle::draining: return "draining";
        case Lifecycle::stopped: return "stopped";
        case Lifecycle::failed: return "failed";
    }
    return "starting";
}

const char* word(ImportState state) {
    switch (state) {
        case ImportState::none: return "none";
        case ImportState::running: return "running";
        case ImportState::waiting: return "waiting";
        case ImportState::finished: return "finished";
        case ImportState::cancelled: return "cancelled";
        case ImportState::failed: return "failed";
    }
    return "";
}

const char* word(UserKey::Kind kind) {
    switch (kind) {
        case UserKey::Kind::none: return "none";
        case UserKey::Kind::user: return "user";
        case UserKey::Kind::anonymous: return "anonymous";
    }
    return "none";
}

const char* word(EventForm form) {
    switch (form) {
        case EventForm::native: return "native";
        case EventForm::segment: return "segment";
        case EventForm::cloudEvent: return "cloudevent";
    }
    return "";
}

const char* word(OperationKind kind) {
    switch (kind) {
        case OperationKind::setting: return "setting";
        case OperationKind::rewind: return "rewind";
        case OperationKind::rewindLanes: return "lane rewind";
        case OperationKind::discard: return "discard";
        case OperationKind::undo: return "undo";
        case OperationKind::expire: return "expire";
    }
    return "setting";
}

const char* word(OperationState state) {
    switch (state) {
        case OperationState::finished: return "finished";
        case OperationState::moving: return "moving";
        case OperationState::tracing: return "tracing";
        case OperationState::delivering: return "delivering";
        case OperationState::stopped: return "stopped";
    }
    return "finished";
}

const char* word(OperationFate fate) {
    switch (fate) {
        case OperationFate::planned: return "not moved yet";
        case OperationFate::skipped: return "skipped";
        case OperationFate::waiting: return "waiting";
        case OperationFate::delivered: return "delivered";
        case OperationFate::deadAgain: return "dead again";
        case OperationFate::returned: return "returned";
        case OperationFate::discarded: return "discarded";
        case OperationFate::trimmed: return "no longer kept";
    }
    return "not moved yet";
}

const char* word(SkipReason reason) {
    switch (reason) {
        case SkipReason::none: return "";
        case SkipReason::notDead: return "it is no dead letter any more";
        case SkipReason::unknown: return "its destination is gone";
        case SkipReason::waiting: return "it waits in its lane already";
        case SkipReason::tried: return "it was tried already";
        case SkipReason::kept: return "its lane is held, or it is about to be rewound";
    }
    return "";
}

std::string isoTime(WallMicros at) {
    if (at == 0) return {};
    return QDateTime::fromMSecsSinceEpoch(at / kMillisecond, Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toStdString();
}

std::string shortNumber(double number) {
    return QString::number(number, 'g', 12).toStdString();
}

std::string oneLine(std::string text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x20 || byte == 0x7f) text[at] = ' ';
        // The C1 controls are 0xc2 0x80..0x9f in UTF-8; a terminal obeys some of them.
        if (byte == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
            text[at] = text[at + 1] = ' ';
    }
    return text;
}

}  // namespace lanes::app
