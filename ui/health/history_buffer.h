// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What the health graphs remember: buckets of one second for a quarter of an hour, of ten seconds
// for three hours, of a minute for a day and of ten minutes for a fortnight, for each destination
// and for all together. Snapshots carry cumulative counters; what happened between two of them is
// spread over the time between them, so that a missed snapshot loses nothing. Where nothing was
// seen there is no bucket: a gap stays a gap.
//
// Bounds: at most 900 + 1080 + 1440 + 2016 buckets of about 150 bytes, so 800 kB a destination.
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
    HealthState state = HealthState::healthy;  ///< 1 s: the last one seen; longer: the worst one
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
    /// Takes in a shorter bucket.
    void merge(const Bucket& shorter);
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
    /// In the place of what is there; rising, at most the capacity.
    void set(std::deque<Bucket> buckets) { m_buckets = std::move(buckets); }

private:
    std::int64_t m_width;
    std::size_t m_capacity;
    std::deque<Bucket> m_buckets;
};

enum class Resolution : std::uint8_t { second, tenSeconds, minute, tenMinutes };

/// Of each resolution, in seconds.
struct HistoryLevel {
    std::int64_t width;
    std::int64_t span;
    [[nodiscard]] constexpr std::size_t capacity() const {
        return static_cast<std::size_t>(span / width);
    }
};
inline constexpr std::size_t kHistoryLevels = 4;
inline constexpr std::array<HistoryLevel, kHistoryLevels> kHistory{
    {{1, 15 * 60}, {10, 3 * 3600}, {60, 24 * 3600}, {600, 14 * 24 * 3600}}};
[[nodiscard]] constexpr HistoryLevel levelOf(Resolution resolution) {
    return kHistory[static_cast<std::size_t>(resolution)];
}
/// The finest that still has [from, to) and does not need more buckets for it than a screen has
/// pixels. `now` is the newest second.
[[nodiscard]] Resolution resolutionFor(double from, double to, double now);

/// The budget changes of a destination that are still told on hovering; the oldest go first.
inline constexpr std::size_t kBudgetChanges = 200;

/// Something that the console saw and that no store records: a mock destination that was told to
/// behave otherwise.
struct HistoryNote {
    WallMicros at = 0;
    DestinationId destination;  ///< that goes there; 0 = none
    std::string name;           ///< of the mock
    std::string text;           ///< how it behaves from now on, as the window says it

    friend bool operator==(const HistoryNote&, const HistoryNote&) = default;
};
/// Those that are kept; the oldest go first.
inline constexpr std::size_t kHistoryNotes = 200;

class HistoryBuffer {
public:
    /// What outlives the program: the two coarse levels of each destination, and up to which
    /// second the finer level has been taken into them. By destination; 0 = all together. And the
    /// notes.
    struct Kept {
        struct Series {
            std::deque<Bucket> buckets;
            std::int64_t folded = 0;
        };
        struct Track {
            Series minutes;
            Series tenMinutes;
        };
        std::map<std::uint32_t, Track> tracks;
        std::deque<HistoryNote> notes;  ///< oldest first
    };
    [[nodiscard]] Kept kept() const;
    /// In the first minute. What is of no destination of the engine goes with the next snapshot.
    void restore(Kept kept);

    /// Of this moment or a later one than the last.
    void note(HistoryNote note);
    /// Oldest first.
    [[nodiscard]] const std::deque<HistoryNote>& notes() const { return m_notes; }

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
        std::array<BucketSeries, kHistoryLevels> levels{
            BucketSeries(kHistory[0].width, kHistory[0].capacity()),
            BucketSeries(kHistory[1].width, kHistory[1].capacity()),
            BucketSeries(kHistory[2].width, kHistory[2].capacity()),
            BucketSeries(kHistory[3].width, kHistory[3].capacity())};
        /// Of each level: buckets of the finer one that begin before this second are in it.
        std::array<std::int64_t, kHistoryLevels> folded{};
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
    std::deque<HistoryNote> m_notes;
    std::uint64_t m_number = 0;
    WallMicros m_at = 0;
    Micros m_engineTime = 0;
    bool m_running = false;
};

/// How bad a state is, for the worst of several: healthy, paused, throttled, recovering, degraded.
[[nodiscard]] int severity(HealthState state);

}  // namespace lanes::ui
