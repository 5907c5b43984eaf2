// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/packed.h"
#include "engine/types.h"

#include <algorithm>
#include <cstdint>

namespace lanes {

using LaneIndex = std::uint32_t;
inline constexpr LaneIndex kNoLane = 0xffffffff;

/// Position of a destination in the kernel's list; never reused while the kernel lives.
using DestinationSlot = std::uint16_t;
inline constexpr DestinationSlot kNoDestination = 0xffff;

/// Retry clocks inside lanes are counted in tenths of a second: 32 bits last 13 years.
using ClockTenths = std::uint32_t;
inline constexpr Micros kClockUnit = 100 * kMillisecond;
[[nodiscard]] constexpr ClockTenths tenths(Micros clock) {
    return static_cast<ClockTenths>(clock / kClockUnit);
}

/// What is kept in memory of a lane that has something to deliver. Millions of them is the normal
/// case, so every bit has its use.
struct Lane {
    Packed<UserId, 8> user;
    Packed<Sequence, 6> head;      ///< 0: no event; such a lane exists only while it is held
    Packed<Sequence, 6> previous;  ///< last event that left; 0 if the record does not know one
    ClockTenths headClock = 0;
    std::uint32_t rest : 28 = 0;     ///< events behind the head
    std::uint32_t failures : 4 = 0;  ///< of the head in a row, saturating; sets the back-off
    std::uint32_t last = kNoLane;    ///< place of the last event behind the head
    std::uint32_t place = kNoLane;   ///< in the chain that it waits in; kNoLane: in none
    std::uint32_t tick = 0;          ///< backing off: when it is due; in flight: when it started
    DestinationSlot destination = 0;  ///< kNoDestination: the record is free
    std::uint16_t attempts = 0;       ///< of the head in this life, saturating
    std::uint16_t lastStatus : 10 = 0;  ///< of the head; 0: none was read
    std::uint16_t turn : 6 = 0;  ///< in which its head was asked last; 0: in none
    std::uint8_t triedEpoch = 0;  ///< low bits of the destination's epoch at the last attempt
    LaneState state : 3 = LaneState::ready;
    Outcome lastOutcome : 3 = Outcome::delivered;
    bool ownRefusal : 1 = false;  ///< backs off for a reason of its own, not the destination's
    bool patient : 1 = false;     ///< stands in the queue of lanes that need a retry token

    /// Turns are numbered from 1 to this one and from 1 again.
    static constexpr std::uint32_t kLastTurn = 63;

    void setStatus(std::uint32_t status) { lastStatus = std::min(status, 999u) & 0x3ffu; }
    void setTurn(std::uint32_t number) { turn = number & kLastTurn; }
    void setFailures(std::uint32_t count) { failures = std::min(count, 15u) & 15u; }

    [[nodiscard]] std::uint32_t link() const { return place; }
    void setLink(std::uint32_t next) { place = next; }
};
static_assert(sizeof(Lane) == 48);

}  // namespace lanes
