// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/state_words.h"

namespace lanes {

const char* stateWord(Lifecycle lifecycle) {
    switch (lifecycle) {
        case Lifecycle::starting: return "starting";
        case Lifecycle::recovering: return "recovering";
        case Lifecycle::running: return "running";
        case Lifecycle::draining: return "draining";
        case Lifecycle::stopped: return "stopped";
        case Lifecycle::failed: return "failed";
    }
    return "";
}

const char* stateWord(HealthState state) {
    switch (state) {
        case HealthState::healthy: return "healthy";
        case HealthState::throttled: return "throttled";
        case HealthState::degraded: return "degraded";
        case HealthState::recovering: return "recovering";
        case HealthState::paused: return "paused";
    }
    return "";
}

const char* stateWord(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered: return "delivered";
        case Outcome::refused: return "refused";
        case Outcome::throttled: return "throttled";
        case Outcome::overloaded: return "overloaded";
        case Outcome::failed: return "failed";
        case Outcome::unreachable: return "unreachable";
        case Outcome::unknown: return "unknown";
    }
    return "";
}

}  // namespace lanes
