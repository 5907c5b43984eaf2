// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstddef>
#include <unordered_set>

namespace lanes {

/// Notices that a destination does not accept our credentials: 401 or 403 for at least five lanes
/// and for at least nine tenths of all lanes that were tried within 30 s. It looks from the first
/// such answer on, so that a destination that accepts everybody costs nothing.
class CredentialWatch {
public:
    static constexpr Micros kPeriod = 30 * kSecond;
    static constexpr std::size_t kFewestLanes = 5;

    /// An attempt of a lane ended. True if the credentials are not accepted.
    bool ended(UserId lane, int status, Micros now);
    void reset();

private:
    /// More others than this, and nine tenths would take more refused lanes than are worth keeping.
    static constexpr std::size_t kMostOthers = 100;
    static constexpr std::size_t kMostRefused = 10 * kMostOthers;

    bool m_watching = false;
    bool m_hopeless = false;  // too many others in this period
    Micros m_began = 0;
    std::unordered_set<UserId> m_refused;  // by the last answer of each lane
    std::unordered_set<UserId> m_others;
};

}  // namespace lanes
