// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <string>
#include <string_view>
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
/// Memory of an event on its way into the store, besides its body: counted with the bytes above, so
/// that a great many tiny events are no way around the limit.
inline constexpr std::size_t kPendingEventBytes = 512;
/// Results of attempts that wait for their commit; beyond it no attempt starts. Ten times what one
/// group takes while a disk is quick, and 40 MB of response texts at most while it is not.
inline constexpr std::size_t kPendingResults = 10'000;
/// Lines and bytes of one step of a file import, of which one waits for its commit while the next
/// is read. Half of what the store takes into one commit, so that a sender over HTTP never waits
/// for more than one commit longer beside an import.
inline constexpr std::size_t kImportBatchLines = 1'000;
inline constexpr std::size_t kImportBatchBytes = 1u << 20;
/// Bytes of a rejected line that its report repeats: enough to find and mend it by.
inline constexpr std::size_t kImportReportedBytes = 4u << 10;
/// Files whose import is remembered: a few hundred bytes each, the longest unused are forgotten.
inline constexpr std::size_t kImportRecords = 1'000;
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
/// Lanes that a filtered list of lanes looks at, and heads whose texts it reads, between two other
/// things that the engine does: a millisecond at most, or deliveries would wait for the view. And
/// the lanes that fit and are kept in their order; of more only the number is known.
inline constexpr std::size_t kScanLanes = 500;
inline constexpr std::size_t kScanTexts = 32;
inline constexpr std::size_t kScanKept = 2'000;
/// Rows of one page of any list; bytes of its texts after which it ends early: a page of attempts
/// with whole answers has one; and how long one call looks for rows that no index finds, so that a
/// page is there within 20 ms and the next question waits for nobody.
inline constexpr std::size_t kPageRows = 256;
inline constexpr std::size_t kPageBytes = 4u << 20;
inline constexpr Micros kPageTime = 10 * kMillisecond;
/// Events that one rewind command moves at most in one step of the kernel.
inline constexpr std::size_t kRewindChunk = 500;
/// Rewinds, discards and undos at once, each with its set in memory; and of these, those that ride
/// on the snapshot.
inline constexpr std::size_t kOperations = 1000;
inline constexpr std::size_t kShownOperations = 20;
/// A head is near its death so long before its window ends, or in the last quarter of a window
/// that is shorter than four times this: time enough to mend a destination or to pause it.
inline constexpr Micros kNearDeath = 4 * kHour;
/// Events of one lane that a lane rewind moves: they go into one commit.
inline constexpr std::size_t kLaneRewind = 100'000;
/// Events from which on a rewind counts as a mass rewind: the destination is ramped up.
inline constexpr std::size_t kMassRewind = 100;
/// Lanes of one destination that operators hold at once: each rides in memory.
inline constexpr std::size_t kHeldLanes = 10'000;
/// Bytes of a note on a dead letter: a sentence or two, with the number of a ticket. And the dead
/// letters that get one at once: with whole notes they are 5 MB of one commit.
inline constexpr std::size_t kNoteBytes = 1000;
inline constexpr std::size_t kNotesAtOnce = 5'000;
/// How long dead letters are kept, and for how long the wall clock, by which that is measured,
/// must not have been set before: a wrong one is set right within minutes.
inline constexpr Micros kDeadLetterRetention = 90 * 24 * kHour;
inline constexpr Micros kSteadyClock = kHour;
/// How long the record of an operation is kept, though some of its events may still be there.
inline constexpr Micros kOperationRetention = 90 * 24 * kHour;
/// Largest interval between two steps of the engine that counts as running; a longer one is sleep.
inline constexpr Micros kWakeGap = 5 * kSecond;
/// How often the retry clocks are persisted while events wait.
inline constexpr Micros kClockPersistInterval = 5 * kSecond;
/// Bytes of a client certificate with its chain, and of its key: a chain of five is 10 KiB.
inline constexpr std::size_t kCertificateBytes = 64u << 10;
/// Bytes of a user name, a password and a token: the longest tokens, signed ones, have 4 KiB.
inline constexpr std::size_t kUserNameBytes = 255;
inline constexpr std::size_t kCredentialBytes = 8u << 10;
/// Senders with write keys of their own, and keys of one of them: two while it moves to a new one.
inline constexpr std::size_t kSources = 1000;
inline constexpr std::size_t kSourceKeys = 4;
/// Rejected events that are kept for mending; then the oldest go. And bytes that are kept of each:
/// SDKs send 32 KiB at most, and a whole quarantine of the largest has 320 MB.
inline constexpr std::size_t kQuarantined = 5'000;
inline constexpr std::size_t kQuarantinedBytes = 64u << 10;
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

/// What a delivery carries.
enum class BodyFormat : std::uint8_t {
    asReceived = 0,             ///< the payload, byte for byte
    cloudEventsBinary = 1,      ///< the payload, and what is known of the event in ce-* headers
    cloudEventsStructured = 2,  ///< a CloudEvents envelope in JSON with the payload in it
};

/// How the program logs in at a destination, besides its signatures.
struct Authentication {
    enum class Scheme : std::uint8_t { none = 0, basic = 1, bearer = 2 };
    Scheme scheme = Scheme::none;
    std::string user;    ///< of basic; without a colon
    std::string secret;  ///< the password of basic, the token of bearer

    friend bool operator==(const Authentication&, const Authentication&) = default;
};

/// How the program and a destination with https prove who they are.
struct TlsIdentity {
    std::string certificate;  ///< PEM, and its chain after it; empty = the program shows none
    std::string key;          ///< PEM of its private key, without a password
    /// SHA-256 of the destination's certificate, 64 lower-case hexadecimal digits; this alone is
    /// accepted, whoever has signed it. Empty: what the system trusts.
    std::string pin;

    friend bool operator==(const TlsIdentity&, const TlsIdentity&) = default;
};

/// Who passes the connections to a destination on.
struct ProxyConfig {
    std::string url;  ///< http://host:port or socks5://host:port, no user information; empty = none
    std::string user;
    std::string password;

    friend bool operator==(const ProxyConfig&, const ProxyConfig&) = default;
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
    /// 169.254.0.0/16 and fe80::/10; with a proxy, of the proxy: the destination's address is not
    /// known here then.
    bool allowLinkLocal = false;
    BodyFormat body = BodyFormat::asReceived;
    Authentication authentication = {};
    TlsIdentity tls = {};
    ProxyConfig proxy = {};

    friend bool operator==(const DestinationConfig&, const DestinationConfig&) = default;
};

/// A sender with write keys of its own, so that each can be changed or withdrawn without others.
/// Its events are told apart from those of other senders with the same ids.
struct SourceConfig {
    SourceId id;       ///< 0 when it is new; the engine gives it one
    std::string name;  ///< unique, 1 .. 64 characters of [A-Za-z0-9._-], not that of a format
    /// Of each key its `writeKeyHash`; every one opens, none if it is empty.
    std::vector<std::string> keys;
    WallMicros addedAt = 0;  ///< set by the engine
    std::string addedBy;

    friend bool operator==(const SourceConfig&, const SourceConfig&) = default;
};

/// As that of a destination.
[[nodiscard]] std::string validate(const SourceConfig& config);

/// Empty if the settings are good, else a sentence that names the field and what it takes. Whether
/// a certificate can be read is not looked at; the engine does when it takes the settings.
[[nodiscard]] std::string validate(const DestinationConfig& config);

/// The fingerprint of a certificate as people copy it, with capitals and colons, in the form of
/// TlsIdentity; anything else as it is.
[[nodiscard]] std::string tidyPin(std::string text);

/// Whether a header of that name, in any case, mostly carries something secret.
[[nodiscard]] bool isCredential(std::string_view headerName);

/// What the engine is started with.
struct EngineOptions {
    std::string dataDirectory;     ///< created with mode 0700 if missing
    std::uint16_t intakePort = 7420;  ///< 0 = any free port
    bool intakeEnabled = true;
    bool demonstration = false;  ///< allows a scaled clock
    double clockScale = 1.0;  ///< engine seconds per real second, 1 .. 2160; demonstration only
    std::uint64_t seed = 0;   ///< of the jitter; 0 = from the system
    /// After it a dead letter is discarded, but never one that holds a lane, whose lane is held or
    /// that a rewind is going to move. Not in the demonstration, whose clock is scaled.
    Micros deadLetterRetention = limits::kDeadLetterRetention;
    Micros steadyClock = limits::kSteadyClock;  ///< for how long before that
};

}  // namespace lanes
