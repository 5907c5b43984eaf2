// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Every limit of the engine, with unit, default and reason; and the settings of a destination.
namespace lanes {

namespace limits {
/// Bytes of one event as received. Segment allows 32 KiB, webhooks advise 20 kB; 1 MiB is generous.
inline constexpr std::size_t kEventBytes = 1u << 20;
/// Bytes of one intake request: a batch of a few large events.
inline constexpr std::size_t kIntakeBodyBytes = 4u << 20;
/// Bytes of a user key and of an event id: they are repeated in every list and log.
inline constexpr std::size_t kUserKeyBytes = 1024;
inline constexpr std::size_t kEventIdBytes = 256;
/// Bytes of an event type: a dotted name.
inline constexpr std::size_t kEventTypeBytes = 256;
/// Events in one intake request: one answer must fit a commit.
inline constexpr std::size_t kEventsPerRequest = 10'000;
/// Bytes of a response that are read (then the connection is closed) and that are kept.
inline constexpr std::size_t kResponseReadBytes = 64u << 10;
inline constexpr std::size_t kResponseKeptBytes = 4u << 10;
/// Bytes of a header block, both directions: common servers allow 8 to 16 KiB.
inline constexpr std::size_t kHeaderBytes = 16u << 10;
/// Intake connections at once; and how long a header and a body may take (a slow client is not
/// allowed to hold a connection for ever).
inline constexpr int kIntakeConnections = 128;
inline constexpr Micros kIntakeHeaderTime = 10 * kSecond;
inline constexpr Micros kIntakeBodyTime = 30 * kSecond;
/// Bytes of events accepted for storing but not yet committed; beyond it intake answers 503.
inline constexpr std::size_t kIntakePendingBytes = 64u << 20;
/// Idle time after which a delivery connection is closed: servers close theirs after 5 to 75 s.
inline constexpr Micros kIdleConnectionTime = 15 * kSecond;
/// Bytes of payloads kept in memory for lanes whose head was just accepted or just failed.
inline constexpr std::size_t kPayloadCacheBytes = 64u << 20;
/// Bytes of the write-ahead log after which a checkpoint restarts it.
inline constexpr std::uint64_t kWalBytes = 64u << 20;
/// Bytes of the write-ahead log, kept from starting anew by a reader, from which on no event is
/// taken: minutes of a busy intake, and the disk does not fill while nobody looks.
inline constexpr std::uint64_t kStuckWalBytes = 1u << 30;
/// Bytes that must be free on the disk, besides 2 %: room for the results of what is in flight.
inline constexpr std::uint64_t kDiskReserveBytes = 64u << 20;
/// Snapshots a second that the engine publishes at most; the eye needs no more.
inline constexpr int kSnapshotsPerSecond = 4;
/// Lanes whose live state rides on the snapshot.
inline constexpr std::size_t kWatchedLanes = 100;
/// Rows of one page of any list.
inline constexpr std::size_t kPageRows = 256;
/// Events that one rewind command moves at most in one step of the kernel.
inline constexpr std::size_t kRewindChunk = 500;
/// Rewinds, discards and undos at once, each with its set in memory; and of these, those that ride
/// on the snapshot.
inline constexpr std::size_t kOperations = 1000;
inline constexpr std::size_t kShownOperations = 20;
/// Events of one lane that a lane rewind moves: they go into one commit.
inline constexpr std::size_t kLaneRewind = 100'000;
/// Events from which on a rewind counts as a mass rewind: the destination is ramped up.
inline constexpr std::size_t kMassRewind = 100;
/// Lanes of one destination that operators hold at once: each rides in memory.
inline constexpr std::size_t kHeldLanes = 10'000;
/// Largest interval between two steps of the engine that counts as running; a longer one is sleep.
inline constexpr Micros kWakeGap = 5 * kSecond;
/// How often the retry clocks are persisted while events wait.
inline constexpr Micros kClockPersistInterval = 5 * kSecond;
/// Destinations of one data directory: each costs a window of counters in every snapshot.
inline constexpr std::size_t kDestinations = 1000;
}  // namespace limits

/// What becomes of the rest of a lane after its head was dead-lettered.
enum class AfterDeadLetter : std::uint8_t {
    goOn = 0,  ///< the next event becomes the head
    hold = 1,  ///< later events of that user wait until the dead letter is rewound or discarded
};

/// The part of a destination's settings that the kernel decides with.
struct DeliveryPolicy {
    /// Retry window in active time, 1 min .. 30 d; 72 h is the product's promise.
    Micros window = 72 * kHour;
    /// Requests in flight at most, 1 .. 256.
    std::uint32_t maxInFlight = 64;
    AfterDeadLetter afterDeadLetter = AfterDeadLetter::goOn;
    /// Requests a second at most, probes included, 0.01 .. 10,000; 0 = no limit of ours.
    double rateLimit = 0;
    /// Whether operators may change the payload of a dead letter before they rewind it.
    bool allowEdits = false;
    /// Statuses that dead-letter an event at once instead of being retried.
    std::vector<std::uint16_t> deadLetterStatuses;

    friend bool operator==(const DeliveryPolicy&, const DeliveryPolicy&) = default;
};

/// A destination as an operator defines it.
struct DestinationConfig {
    DestinationId id;  ///< 0 when it is new; the engine gives it one
    std::string name;  ///< unique, 1 .. 64 characters of [A-Za-z0-9._-]
    std::string url;   ///< http or https, no user information
    DeliveryPolicy policy;
    /// Standard Webhooks secrets ("whsec_" + base64 of 24 .. 64 bytes); every one signs.
    std::vector<std::string> secrets;
    /// Additional headers, checked by `validate`.
    std::vector<std::pair<std::string, std::string>> headers;
    /// Event types that go here; empty means all.
    std::vector<std::string> eventTypes;
    Micros connectTimeout = 10 * kSecond;  ///< 100 ms .. 120 s
    Micros attemptTimeout = 30 * kSecond;  ///< connect, send, answer; 100 ms .. 600 s
    bool allowLinkLocal = false;           ///< 169.254.0.0/16 and fe80::/10

    friend bool operator==(const DestinationConfig&, const DestinationConfig&) = default;
};

/// Empty if the settings are good, else one sentence that names the field and what it takes.
[[nodiscard]] std::string validate(const DestinationConfig& config);

/// What the engine is started with.
struct EngineOptions {
    std::string dataDirectory;     ///< created with mode 0700 if missing
    std::uint16_t intakePort = 7420;  ///< 0 = any free port
    bool intakeEnabled = true;
    bool demonstration = false;  ///< allows a scaled clock
    double clockScale = 1.0;  ///< engine seconds per real second, 1 .. 2160; demonstration only
    std::uint64_t seed = 0;   ///< of the jitter; 0 = from the system
};

}  // namespace lanes
