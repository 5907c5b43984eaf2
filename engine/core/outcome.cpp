// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/transport.h"

namespace lanes {

namespace {

Outcome classifyStatus(int status) {
    if (status >= 200 && status <= 299) return Outcome::delivered;
    switch (status) {
    case 429:
        return Outcome::throttled;
    case 408:
    case 502:
    case 503:
    case 504:
        return Outcome::overloaded;
    default:
        return status >= 400 && status <= 499 ? Outcome::refused : Outcome::failed;
    }
}

}  // namespace

Outcome classify(const AttemptResult& result) {
    using Reach = AttemptResult::Reach;
    switch (result.reach) {
    case Reach::answered:
        return classifyStatus(result.status);
    case Reach::notMade:
    case Reach::notSent:
        return Outcome::unreachable;
    case Reach::partlySent:
    case Reach::sent:
        return result.deadline ? Outcome::overloaded : Outcome::unknown;
    }
    return Outcome::unknown;
}

}  // namespace lanes
