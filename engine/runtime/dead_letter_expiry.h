// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"
#include "engine/types.h"

#include <optional>

namespace lanes {

/// When to look for dead letters past their retention, and which ones next: a few at a time, from
/// the oldest on. Their age is the one thing that is measured with the wall clock, and what is
/// discarded does not come back, so a clock that was set lately is not believed.
class DeadLetterExpiry {
public:
    /// \param steady for how long the wall clock must have gone like the engine's before.
    DeadLetterExpiry(Micros retention, Micros steady)
        : m_retention(retention), m_steady(steady) {}

    /// The next question, if it is time for one; `found` tells the answer.
    [[nodiscard]] std::optional<DeadBefore::Query> due(Micros now, WallMicros wall);
    void found(const DeadBefore& answer, Micros now);

    [[nodiscard]] Micros retention() const { return m_retention; }

private:
    const Micros m_retention;
    const Micros m_steady;
    std::optional<Micros> m_offset;  ///< wall clock less engine time, as it was seen
    Micros m_steadySince = 0;
    Micros m_next = 0;
    DeadBefore::Place m_place;
};

}  // namespace lanes
