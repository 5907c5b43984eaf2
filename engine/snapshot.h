// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/operations.h"
#include "engine/types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The small, hot state of the engine, published as an immutable value a few times a second.
// Counters are cumulative: whoever wants a rate subtracts two snapshots, so that a missed one
// loses nothing.
namespace lanes {

enum class Lifecycle : std::uint8_t { starting, recovering, running, draining, stopped, failed };

/// Cumulative counts of one destination over the whole life of the data directory.
/// accepted = delivered + waiting + dead + discarded, at every instant.
struct DeliveryCounters {
    std::uint64_t accepted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t waiting = 0;  ///< in lanes, in flight included
    std::uint64_t dead = 0;     ///< dead letters now
    std::uint64_t discarded = 0;

    [[nodiscard]] bool balanced() const {
        return accepted == delivered + waiting + dead + discarded;
    }
    DeliveryCounters& operator+=(const DeliveryCounters& other) {
        accepted += other.accepted;
        delivered += other.delivered;
        waiting += other.waiting;
        dead += other.dead;
        discarded += other.discarded;
        return *this;
    }
    friend bool operator==(const DeliveryCounters&, const DeliveryCounters&) = default;
};

/// Latency in buckets that double: bucket b holds latencies below 0.25 ms * 2^b; the last one all
/// that is longer. Mergeable by adding, so that percentiles of any range are right.
struct LatencyHistogram {
    static constexpr std::size_t kBuckets = 20;
    std::array<std::uint64_t, kBuckets> counts{};
    Micros sum = 0;  ///< of all latencies

    void add(Micros latency);
    /// Upper bound in microseconds of the bucket with the given share (0..1), interpolated; 0 if
    /// empty.
    [[nodiscard]] Micros percentile(double share) const;
    [[nodiscard]] std::uint64_t total() const;
    /// Counts since an earlier state of the same histogram.
    [[nodiscard]] LatencyHistogram since(const LatencyHistogram& earlier) const;
};

/// A change of the retry budget and what moved it.
struct BudgetChange {
    WallMicros at = 0;
    double from = 0;
    double to = 0;
    std::string reason;  ///< "cut 40 to 31: 9 of 52 answers were 503"

    friend bool operator==(const BudgetChange&, const BudgetChange&) = default;
};

struct DestinationSnapshot {
    DestinationId id;
    std::string name;
    std::string url;
    HealthState health = HealthState::healthy;
    DeliveryCounters counters;
    std::uint64_t lanes = 0;           ///< lanes with something to deliver
    std::uint64_t lanesBackingOff = 0; ///< of these, waiting for a retry
    std::uint32_t inFlight = 0;
    double budget = 0;                 ///< slots of the window
    double knownGood = 0;              ///< level that slow start doubles up to
    std::uint32_t maxInFlight = 0;
    // Cumulative since the engine started:
    std::uint64_t attempts = 0;        ///< finished
    std::array<std::uint64_t, 7> outcomes{};  ///< by Outcome
    std::uint64_t probes = 0;
    LatencyHistogram latency;          ///< of attempts that got an answer
    // Pause:
    std::string pausedBy;
    std::string pauseReason;
    WallMicros pausedAt = 0;           ///< 0 if not paused
    bool pausedBySystem = false;       ///< 410 or credentials
    WallMicros resumeAt = 0;           ///< paused: when it resumes by itself; 0 = it does not
    std::uint64_t lanesHeld = 0;       ///< by operators
    // Explanations:
    Micros silentFor = 0;              ///< Retry-After: time left, 0 if none
    Micros nextProbeIn = 0;            ///< degraded: time to the next probe
    BudgetChange lastChange;
    std::string lastError;             ///< text of the last attempt that did not deliver
    WallMicros lastDeliveredAt = 0;
    Micros window = 0;                 ///< retry window
    Micros clock = 0;                  ///< retry clock now, active time
    // Forecast:
    Micros nearDeath = 0;              ///< near the end of the window: so long before it
    std::uint64_t lanesNearDeath = 0;  ///< whose head gets there, to the minute
    Micros oldestHeadAge = 0;          ///< of all lanes, on the retry clock, to the minute
};

/// How long a destination needs at least for what waits there and `events` of `lanes` more, if it
/// answers as before; 0 = nothing waits, or nothing was answered yet. `rateLimit` is that of its
/// settings.
[[nodiscard]] Micros drainEstimate(const DestinationSnapshot& destination,
                                   std::uint64_t events = 0, std::uint64_t lanes = 0,
                                   double rateLimit = 0);

/// Live state of one lane. `user`, `eventId` and `type` are those of the head.
struct LaneRow {
    LaneKey key;
    UserKey user;
    Sequence head;
    std::string eventId;
    std::string type;
    LaneState state = LaneState::ready;
    std::uint64_t backlog = 0;
    WallMicros acceptedAt = 0;   ///< of the head
    Micros headAge = 0;          ///< on the retry clock
    Micros window = 0;           ///< retry window of the destination
    std::uint32_t attempts = 0;  ///< of the head, in this life
    std::uint32_t life = 1;
    Micros nextAttemptIn = -1;   ///< backing off: time left; -1 if none is set
    Micros deadLettersIn = 0;    ///< time left of the window on the retry clock
    Micros inFlightFor = -1;     ///< in flight: since; -1 if not
    std::optional<Outcome> lastOutcome;
    std::uint16_t lastStatus = 0;
    std::string heldBy;          ///< an operator who holds this lane; empty = nobody
    std::string holdReason;
    WallMicros heldAt = 0;
};

/// The backup that is being made, or the last one.
struct BackupStatus {
    bool running = false;
    std::string file;         ///< empty: none was made since the start
    double share = 0;         ///< 0..1 of the pages; at 1 and running it is being checked
    std::uint64_t bytes = 0;  ///< when it is finished
    Sequence lastEvent;       ///< in it, when it is finished
    std::string error;        ///< why it was not made; empty if it was, or runs
};

struct StoreSnapshot {
    bool writable = true;
    std::string fault;              ///< what is wrong and what to do; empty if nothing
    std::uint64_t commits = 0;
    LatencyHistogram commitLatency;
    std::uint64_t databaseBytes = 0;
    std::uint64_t walBytes = 0;
    Sequence lastSequence;
    BackupStatus backup;
};

struct IntakeSnapshot {
    bool listening = false;
    std::uint16_t port = 0;
    std::string error;
    std::uint64_t requests = 0;
    std::uint64_t acceptedEvents = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t conflicts = 0;  ///< of these, with another payload; the first one won
    std::uint64_t rejectedEvents = 0;
    std::uint64_t quarantined = 0;  ///< rejected events that are kept for mending
};

/// A sender with write keys of its own, and what came from it since the engine started.
struct SourceSnapshot {
    SourceConfig config;
    std::uint64_t accepted = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t rejected = 0;
    WallMicros lastRequestAt = 0;  ///< 0 = there was none
};

enum class ImportState : std::uint8_t {
    none,       ///< there was no import since the engine started
    running,
    waiting,    ///< the store cannot be written; it goes on by itself
    finished,   ///< the end of the file was reached and everything is durable
    cancelled,
    failed,
};

/// The import that is running, or the last one that was. `lines` = `skippedLines` + `blank` +
/// `accepted` + `duplicates` + `rejected`, all of which are durable or in the report.
struct ImportSnapshot {
    std::uint64_t number = 0;  ///< rises by one with each import; 0 = none
    ImportState state = ImportState::none;
    std::string file;
    std::uint64_t bytesRead = 0;   ///< of the file as it lies on the disk
    std::uint64_t bytesTotal = 0;  ///< size of the file; it may grow
    std::uint64_t lines = 0;         ///< from the beginning of the file
    std::uint64_t skippedLines = 0;  ///< of these, read by an import that had finished before
    std::uint64_t resumedAt = 0;     ///< of these, done when this import went on with another one
    std::uint64_t blank = 0;
    std::uint64_t accepted = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t rejected = 0;
    double linesPerSecond = 0;  ///< lately
    std::string report;         ///< file with the rejected lines; empty as long as there are none
    std::string error;  ///< failed: why; waiting: for what; finished: what could not be kept

    [[nodiscard]] bool active() const {
        return state == ImportState::running || state == ImportState::waiting;
    }
};

struct EngineSnapshot {
    std::uint64_t number = 0;       ///< rises by one with each publication
    Lifecycle lifecycle = Lifecycle::starting;
    std::string failure;            ///< why, if lifecycle is failed
    bool damaged = false;           ///< failed: the data file is damaged
    double recoveryProgress = 0;    ///< 0..1 while recovering
    WallMicros at = 0;
    Micros engineTime = 0;
    double clockScale = 1.0;
    DeliveryCounters totals;
    std::uint32_t inFlight = 0;
    std::uint64_t lanes = 0;
    std::vector<DestinationSnapshot> destinations;  ///< by id
    StoreSnapshot store;
    IntakeSnapshot intake;
    std::vector<SourceSnapshot> sources;  ///< by id
    ImportSnapshot fileImport;
    /// Rewinds, discards and undos that are not finished, the newest `limits::kShownOperations`.
    std::vector<OperationRow> operations;
    std::vector<LaneRow> watched;   ///< the lanes that the view named; gone ones are missing

    [[nodiscard]] const DestinationSnapshot* find(DestinationId id) const {
        for (const auto& d : destinations)
            if (d.id == id) return &d;
        return nullptr;
    }
};

}  // namespace lanes
