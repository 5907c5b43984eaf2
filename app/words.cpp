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

const char* word(UserKey::Kind kind) {
    switch (kind) {
        case UserKey::Kind::none: return "none";
        case UserKey::Kind::user: return "user";
        case UserKey::Kind::anonymous: return "anonymous";
    }
    return "none";
}

std::string isoTime(WallMicros at) {
    if (at == 0) return {};
    return QDateTime::fromMSecsSinceEpoch(at / kMillisecond, Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toStdString();
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
