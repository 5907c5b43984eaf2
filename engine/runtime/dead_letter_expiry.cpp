// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/dead_letter_expiry.h"

#include <cstdlib>

namespace lanes {

namespace {
/// Dead letters of one question: a few milliseconds of reading, and one operation of the record.
constexpr std::size_t kChunk = 2'000;
constexpr Micros kBetweenChunks = 10 * kSecond;
constexpr Micros kBetweenPasses = 10 * kMinute;
/// What the two clocks may go apart without one having been set.
constexpr Micros kDrift = 5 * kSecond;
}  // namespace

std::optional<DeadBefore::Query> DeadLetterExpiry::due(Micros now, WallMicros wall) {
    const Micros offset = wall - now;
    if (!m_offset || std::abs(offset - *m_offset) > kDrift) {
        m_offset = offset;
        m_steadySince = now;
    }
    if (now - m_steadySince < m_steady || now < m_next) return std::nullopt;
    return DeadBefore::Query{wall - m_retention, m_place, kChunk};
}

void DeadLetterExpiry::found(const DeadBefore& answer, Micros now) {
    // What is kept this time is asked for again with the next pass.
    m_place = answer.complete ? DeadBefore::Place{} : answer.last;
    m_next = now + (answer.complete ? kBetweenPasses : kBetweenChunks);
}

}  // namespace lanes
