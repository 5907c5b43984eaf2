// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

// The words of the program as types. A strong id cannot be passed where another is meant; all of
// them are plain values that move freely between threads.
namespace lanes {

/// A number with a meaning. `Tag` only makes the type distinct. 0 means "none" everywhere.
template <typename Tag, typename Rep>
struct StrongId {
    Rep value = 0;

    constexpr StrongId() = default;
    constexpr explicit StrongId(Rep v) : value(v) {}
    constexpr explicit operator bool() const { return value != 0; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

/// Position in the event log: rising in order of acceptance, never reused; gaps are allowed.
using Sequence = StrongId<struct SequenceTag, std::uint64_t>;
/// A destination, for the whole life of a data directory.
using DestinationId = StrongId<struct DestinationTag, std::uint32_t>;
/// 64-bit fingerprint of a typed user key (see `UserKey`). Two users with the same fingerprint
/// would share a lane, which costs one of them speed and neither of them order.
using UserId = StrongId<struct UserTag, std::uint64_t>;
/// One attempt to deliver, unique while the process lives.
using AttemptId = StrongId<struct AttemptTag, std::uint64_t>;
/// One act of an operator, for the whole life of a data directory.
using OperationId = StrongId<struct OperationTag, std::uint64_t>;
/// A sender with write keys of its own, for the whole life of a data directory.
using SourceId = StrongId<struct SourceTag, std::uint32_t>;
/// A rejected event that is kept for mending, for the whole life of a data directory; rising.
using QuarantineId = StrongId<struct QuarantineTag, std::uint64_t>;
/// One command given to the engine, unique while the process lives.
using CommandId = StrongId<struct CommandTag, std::uint64_t>;

/// Microseconds of engine time: starts at 0 with the engine, never goes back, stands still while
/// the machine sleeps, and may be scaled in a demonstration. For intervals only.
using Micros = std::int64_t;
/// Microseconds since 1970-01-01T00:00:00Z. For display and records only, never for intervals.
using WallMicros = std::int64_t;

inline constexpr Micros kMillisecond = 1'000;
inline constexpr Micros kSecond = 1'000'000;
inline constexpr Micros kMinute = 60 * kSecond;
inline constexpr Micros kHour = 60 * kMinute;

/// Who an event is about. The kind is part of the key: user "1", anonymous "1" and no user at all
/// are three lanes. Events without a user order with nothing: each is in a lane of its own.
struct UserKey {
    enum class Kind : std::uint8_t { none = 0, user = 1, anonymous = 2 };
    Kind kind = Kind::none;
    std::string text;

    friend bool operator==(const UserKey&, const UserKey&) = default;
};

/// A lane is one (destination, user).
struct LaneKey {
    DestinationId destination;
    UserId user;

    friend constexpr auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

/// One event on its way to one destination.
struct Pointer {
    DestinationId destination;
    Sequence sequence;

    friend constexpr auto operator<=>(const Pointer&, const Pointer&) = default;
};

/// How an attempt ended.
enum class Outcome : std::uint8_t {
    delivered = 0,    ///< final status 200..299
    refused = 1,      ///< 4xx about this event
    throttled = 2,    ///< 429
    overloaded = 3,   ///< 502, 503, 504, 408, or our own deadline passed
    failed = 4,       ///< other 5xx, 1xx as final, 3xx, anything that is not a valid status
    unreachable = 5,  ///< no HTTP answer and nothing was sent: DNS, refused, TLS
    unknown = 6,      ///< the request may have arrived, no final status was read
};

/// What made an attempt start.
enum class Cause : std::uint8_t { automatic = 0, probe = 1, rewind = 2, lastChance = 3 };

/// State of a destination, as shown.
enum class HealthState : std::uint8_t { healthy, throttled, degraded, recovering, paused };

/// State of a lane, as shown. A lane that is `ready` waits for a slot of its destination.
enum class LaneState : std::uint8_t { ready, inFlight, committing, backingOff, held };

}  // namespace lanes

template <typename Tag, typename Rep>
struct std::hash<lanes::StrongId<Tag, Rep>> {
    std::size_t operator()(lanes::StrongId<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
