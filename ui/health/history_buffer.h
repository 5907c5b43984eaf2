// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What the health graphs remember: buckets of one second for a quarter of an hour and of ten
// seconds for three hours, for each destination and for all together. Snapshots carry cumulative
// counters; what happened between two of them is spread over the time between them, so that a
// missed snapshot loses nothing. Where nothing was seen there is no bucket: a gap stays a gap.
//
// Bounds: at most 900 + 1080 buckets of about 150 bytes a destination, so 300 kB each.
namespace lanes::ui {

/// A quantity that was looked at several times in a bucket.
struct Gauge {
    double sum = 0;
    float min = 0;
    float max = 0;
    std::uint32_t count = 0;

    void add(double value);
    void merge(const Gauge& other);
    [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / count; }
};

struct Bucket {
    std::int64_t start = 0;  ///< seconds since the epoch, a multiple of the bucket's width
    float covered = 0;       ///< seconds of the bucket that were watched
    HealthState state = HealthState::healthy;  ///< 1 s: the last one seen; 10 s: the worst one
    // What happened in the watched part:
    double accepted = 0;
    double delivered = 0;
    double attempts = 0;
    double errors = 0;  ///< attempts that did not deliver
    // Lowest and highest second of it, where the bucket is longer: a spike must not vanish in a
    // mean.
    float inLow = 0;
    float inHigh = 0;
    float outLow = 0;
    float outHigh = 0;
    std::uint32_t seconds = 0;  ///< whole seconds that these come from
    // What was seen:
    Gauge inFlight;
    Gauge budget;
    Gauge backlog;

    [[nodiscard]] double inPerSecond() const { return covered > 0 ? accepted / covered : 0; }
    [[nodiscard]] double outPerSecond() const { return covered > 0 ? delivered / covered : 0; }
    /// 0..1; none without an attempt: there is nothing to say then.
    [[nodiscard]] std::optional<double> errorShare() const;
    /// Takes in a bucket of one second.
    void merge(const Bucket& second);
};

/// A series of buckets, oldest first; missing ones are gaps.
class BucketSeries {
public:
    BucketSeries(std::int64_t width, std::size_t capacity) : m_width(width), m_capacity(capacity) {}

    [[nodiscard]] std::int64_t width() const { return m_width; }
    [[nodiscard]] const std::deque<Bucket>& buckets() const { return m_buckets; }
    /// The bucket that `second` falls into; made if it is not there. `second` may lie only a little
    /// before the newest one: of what is older than all buckets nothing is kept.
    Bucket* at(std::int64_t second);
    /// Forgets what lies at or after `second`: the wall clock was set back.
    void dropFrom(std::int64_t second);

private:
    std::int64_t m_width;
    std::size_t m_capacity;
    std::deque<Bucket> m_buckets;
};

enum class Resolution { second, tenSeconds };

inline constexpr std::int64_t kFineSpan = 15 * 60;        ///< seconds
inline constexpr std::int64_t kCoarseSpan = 3 * 60 * 60;  ///< seconds
inline constexpr std::int64_t kCoarseWidth = 10;          ///< seconds

/// The budget changes of a destination that are still told on hovering; the oldest go first.
inline constexpr std::size_t kBudgetChanges = 200;

class HistoryBuffer {
public:
    /// Takes in a snapshot. One that is not newer than the last is ignored.
    void add(const EngineSnapshot& snapshot);

    /// Buckets that overlap [from, to) in seconds since the epoch; `destination` 0 = all together.
    [[nodiscard]] std::vector<Bucket> range(DestinationId destination, Resolution resolution,
                                            std::int64_t from, std::int64_t to) const;
    /// The newest bucket of a second that is over; none if the engine is not watched now.
    [[nodiscard]] std::optional<Bucket> lastClosed(DestinationId destination) const;
    /// Oldest first. Empty for all together: budgets belong to one destination.
    [[nodiscard]] const std::deque<BudgetChange>& budgetChanges(DestinationId destination) const;

    /// Start of the oldest second that is remembered; 0 before the first snapshot.
    [[nodiscard]] std::int64_t oldestSecond() const;
    /// Wall time of the newest snapshot; 0 before the first one.
    [[nodiscard]] WallMicros newest() const { return m_at; }
    /// Start of the second that is not over yet.
    [[nodiscard]] std::int64_t openSecond() const { return m_at / kSecond; }

private:
    struct Counters {
        std::uint64_t accepted = 0;
        std::uint64_t delivered = 0;
        std::uint64_t attempts = 0;
        std::uint64_t errors = 0;
    };
    struct Track {
        BucketSeries fine{1, kFineSpan};
        BucketSeries coarse{kCoarseWidth, kCoarseSpan / kCoarseWidth};
        std::int64_t folded = 0;  ///< seconds before this one are in the coarse series
        std::optional<Counters> before;
        std::deque<BudgetChange> changes;
    };
    struct Seen {
        Counters during;  ///< what happened since the snapshot before
        double inFlight = 0;
        double budget = 0;
        double backlog = 0;
        HealthState state = HealthState::healthy;
    };

    [[nodiscard]] bool continues(const EngineSnapshot& snapshot) const;
    void setBack(std::int64_t second);
    void record(Track& track, const Seen& seen, WallMicros from, WallMicros to);
    static void fold(Track& track, std::int64_t openSecond);
    [[nodiscard]] const Track* find(DestinationId destination) const;

    std::map<std::uint32_t, Track> m_tracks;  ///< by destination; 0 = all together
    std::uint64_t m_number = 0;
    WallMicros m_at = 0;
    Micros m_engineTime = 0;
    bool m_running = false;
};

/// How bad a state is, for the worst of several: healthy, paused, throttled, recovering, degraded.
[[nodiscard]] int severity(HealthState state);

}  // namespace lanes::ui
