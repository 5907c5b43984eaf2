// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_buffer.h"

#include <algorithm>
#include <cmath>

namespace lanes::ui {

namespace {

/// A silence longer than this, during which the engine's own clock stood still, is sleep of the
/// machine or a stopped engine; a shorter one is a window that was busy.
constexpr Micros kSilence = 3 * kSecond;

/// The longest time over which counts are spread: a window that did not listen for longer has no
/// idea of when things happened.
constexpr Micros kSpread = 2 * kMinute;

/// The share of a second that has to be watched before its rate counts.
constexpr float kTelling = 0.5F;

bool isRunning(Lifecycle lifecycle) {
    switch (lifecycle) {
        case Lifecycle::running:
        case Lifecycle::draining: return true;
        case Lifecycle::starting:
        case Lifecycle::recovering:
        case Lifecycle::stopped:
        case Lifecycle::failed: return false;
    }
    return false;
}

std::int64_t floorTo(std::int64_t second, std::int64_t width) {
    return second - second % width;
}

}  // namespace

int severity(HealthState state) {
    switch (state) {
        case HealthState::healthy: return 0;
        case HealthState::paused: return 1;
        case HealthState::throttled: return 2;
        case HealthState::recovering: return 3;
        case HealthState::degraded: return 4;
    }
    return 0;
}

Resolution resolutionFor(double from, double to, double now) {
    constexpr double kMostBuckets = 2100;
    for (std::size_t level = 0; level + 1 < kHistoryLevels; ++level) {
        const bool there = from >= now - static_cast<double>(kHistory[level].span);
        const bool few = (to - from) / static_cast<double>(kHistory[level].width) <= kMostBuckets;
        if (there && few) return static_cast<Resolution>(level);
    }
    return Resolution::tenMinutes;
}

void Gauge::add(double value) {
    const auto rounded = static_cast<float>(value);
    min = count == 0 ? rounded : std::min(min, rounded);
    max = count == 0 ? rounded : std::max(max, rounded);
    sum += value;
    ++count;
}

void Gauge::merge(const Gauge& other) {
    if (other.count == 0) return;
    min = count == 0 ? other.min : std::min(min, other.min);
    max = count == 0 ? other.max : std::max(max, other.max);
    sum += other.sum;
    count += other.count;
}

std::optional<double> Bucket::errorShare() const {
    // Spread counts are fractions; what rounds to no attempt at all says nothing.
    if (attempts < 0.005) return std::nullopt;
    return std::clamp(errors / attempts, 0.0, 1.0);
}

void Bucket::merge(const Bucket& shorter) {
    Bucket other = shorter;
    // A second is its own lowest and highest one; the rate of a sliver of it would be chance.
    if (other.seconds == 0 && other.covered >= kTelling) {
        other.inLow = other.inHigh = static_cast<float>(other.inPerSecond());
        other.outLow = other.outHigh = static_cast<float>(other.outPerSecond());
        other.seconds = 1;
    }
    covered += other.covered;
    if (severity(other.state) > severity(state)) state = other.state;
    accepted += other.accepted;
    delivered += other.delivered;
    attempts += other.attempts;
    errors += other.errors;
    inFlight.merge(other.inFlight);
    budget.merge(other.budget);
    backlog.merge(other.backlog);
    if (other.seconds == 0) return;
    inLow = seconds == 0 ? other.inLow : std::min(inLow, other.inLow);
    inHigh = seconds == 0 ? other.inHigh : std::max(inHigh, other.inHigh);
    outLow = seconds == 0 ? other.outLow : std::min(outLow, other.outLow);
    outHigh = seconds == 0 ? other.outHigh : std::max(outHigh, other.outHigh);
    seconds += other.seconds;
}

Bucket* BucketSeries::at(std::int64_t second) {
    const std::int64_t start = floorTo(second, m_width);
    // From the end: the bucket that is wanted is the newest one or a few before it.
    auto position = m_buckets.end();
    while (position != m_buckets.begin() && std::prev(position)->start >= start) --position;
    if (position == m_buckets.end() || position->start != start) {
        const auto span = m_width * static_cast<std::int64_t>(m_capacity);
        if (!m_buckets.empty() && start <= m_buckets.back().start - span) return nullptr;
        Bucket bucket;
        bucket.start = start;
        position = m_buckets.insert(position, bucket);
        auto index = position - m_buckets.begin();
        const std::int64_t newest = m_buckets.back().start;
        for (; m_buckets.front().start <= newest - span; --index) m_buckets.pop_front();
        position = m_buckets.begin() + index;
    }
    return &*position;
}

void BucketSeries::dropFrom(std::int64_t second) {
    while (!m_buckets.empty() && m_buckets.back().start + m_width > second) m_buckets.pop_back();
}

bool HistoryBuffer::continues(const EngineSnapshot& snapshot) const {
    if (!m_running || snapshot.at < m_at || snapshot.engineTime < m_engineTime) return false;
    const Micros silent = snapshot.at - m_at;
    if (silent > kSpread) return false;
    return silent <= kSilence || snapshot.engineTime - m_engineTime >= silent / 2;
}

void HistoryBuffer::setBack(std::int64_t second) {
    for (auto& [id, track] : m_tracks) {
        // What a dropped bucket had from before that second is taken in once more.
        for (std::size_t level = 0; level < kHistoryLevels; ++level) {
            track.levels[level].dropFrom(second);
            track.folded[level] =
                std::min(track.folded[level], floorTo(second, kHistory[level].width));
        }
        std::erase_if(track.changes,
                      [second](const BudgetChange& c) { return c.at / kSecond >= second; });
    }
}

void HistoryBuffer::add(const EngineSnapshot& snapshot) {
    const bool restarted = snapshot.engineTime < m_engineTime;
    if (m_at != 0 && !restarted && snapshot.number <= m_number) return;
    const bool unbroken = continues(snapshot);
    if (m_at != 0 && snapshot.at / kSecond < m_at / kSecond) setBack(snapshot.at / kSecond);
    const WallMicros from = unbroken ? m_at : snapshot.at;
    const bool running = isRunning(snapshot.lifecycle);

    Seen all;
    for (const auto& d : snapshot.destinations) {
        Track& track = m_tracks[d.id.value];
        const auto delivered = d.outcomes[static_cast<std::size_t>(Outcome::delivered)];
        const Counters now{d.counters.accepted, d.counters.delivered, d.attempts,
                           d.attempts >= delivered ? d.attempts - delivered : 0};
        Seen seen{{}, static_cast<double>(d.inFlight), d.budget,
                  static_cast<double>(d.counters.waiting), d.health};
        if (unbroken && track.before) {
            // A counter that went back was started anew: from it there is nothing to subtract.
            const auto since = [](std::uint64_t later, std::uint64_t earlier) {
                return later >= earlier ? later - earlier : 0;
            };
            seen.during = {since(now.accepted, track.before->accepted),
                           since(now.delivered, track.before->delivered),
                           since(now.attempts, track.before->attempts),
                           since(now.errors, track.before->errors)};
        }
        track.before = now;
        if (running) record(track, seen, from, snapshot.at);
        if (d.lastChange.at != 0 &&
            (track.changes.empty() || track.changes.back() != d.lastChange)) {
            track.changes.push_back(d.lastChange);
            if (track.changes.size() > kBudgetChanges) track.changes.pop_front();
        }
        all.during.accepted += seen.during.accepted;
        all.during.delivered += seen.during.delivered;
        all.during.attempts += seen.during.attempts;
        all.during.errors += seen.during.errors;
        all.inFlight += seen.inFlight;
        all.budget += seen.budget;
        all.backlog += seen.backlog;
        if (severity(seen.state) > severity(all.state)) all.state = seen.state;
    }
    if (running) record(m_tracks[0], all, from, snapshot.at);
    // What was removed is forgotten, so that the number of tracks is that of the destinations. An
    // engine that is only starting does not know them yet.
    if (running) {
        std::erase_if(m_tracks, [&snapshot](const auto& entry) {
            return entry.first != 0 && snapshot.find(DestinationId(entry.first)) == nullptr;
        });
    }

    m_number = snapshot.number;
    m_at = snapshot.at;
    m_engineTime = snapshot.engineTime;
    m_running = running;
}

void HistoryBuffer::record(Track& track, const Seen& seen, WallMicros from, WallMicros to) {
    const std::int64_t open = to / kSecond;
    const auto length = static_cast<double>(to - from);
    for (std::int64_t second = from / kSecond; second <= open; ++second) {
        Bucket* bucket = track.levels[0].at(second);
        if (bucket == nullptr) continue;
        const Micros begin = std::max<Micros>(from, second * kSecond);
        const Micros end = std::min<Micros>(to, (second + 1) * kSecond);
        const double share = length > 0 ? static_cast<double>(end - begin) / length : 1.0;
        bucket->covered += static_cast<float>(end - begin) / static_cast<float>(kSecond);
        bucket->accepted += share * static_cast<double>(seen.during.accepted);
        bucket->delivered += share * static_cast<double>(seen.during.delivered);
        bucket->attempts += share * static_cast<double>(seen.during.attempts);
        bucket->errors += share * static_cast<double>(seen.during.errors);
        // A second that was passed over unseen shows what was seen at its end.
        if (second != from / kSecond || second == open) {
            bucket->inFlight.add(seen.inFlight);
            bucket->budget.add(seen.budget);
            bucket->backlog.add(seen.backlog);
            bucket->state = seen.state;
        }
    }
    fold(track, open);
}

void HistoryBuffer::fold(Track& track, std::int64_t openSecond) {
    for (std::size_t level = 1; level < kHistoryLevels; ++level) {
        const auto width = kHistory[level - 1].width;
        // Buckets that are not over are taken in later.
        const auto end = floorTo(openSecond, width);
        auto& folded = track.folded[level];
        if (folded >= end) continue;
        const auto& finer = track.levels[level - 1].buckets();
        auto first = finer.end();
        while (first != finer.begin() && std::prev(first)->start >= folded) --first;
        for (auto bucket = first; bucket != finer.end() && bucket->start < end; ++bucket)
            if (Bucket* into = track.levels[level].at(bucket->start)) into->merge(*bucket);
        folded = end;
    }
}

HistoryBuffer::Kept HistoryBuffer::kept() const {
    const auto series = [](const Track& track, Resolution resolution) {
        const auto level = static_cast<std::size_t>(resolution);
        return Kept::Series{track.levels[level].buckets(), track.folded[level]};
    };
    Kept kept;
    for (const auto& [id, track] : m_tracks)
        kept.tracks[id] = {series(track, Resolution::minute),
                           series(track, Resolution::tenMinutes)};
    kept.notes = m_notes;
    return kept;
}

void HistoryBuffer::restore(Kept kept) {
    const auto put = [](Track& track, Resolution resolution, Kept::Series& series) {
        const auto level = static_cast<std::size_t>(resolution);
        track.levels[level].set(std::move(series.buckets));
        track.folded[level] = series.folded;
    };
    for (auto& [id, series] : kept.tracks) {
        Track& track = m_tracks[id];
        put(track, Resolution::minute, series.minutes);
        put(track, Resolution::tenMinutes, series.tenMinutes);
    }
    m_notes = std::move(kept.notes);
}

void HistoryBuffer::note(HistoryNote note) {
    m_notes.push_back(std::move(note));
    const WallMicros oldest = m_notes.back().at - kHistory.back().span * kSecond;
    while (m_notes.size() > kHistoryNotes || m_notes.front().at < oldest) m_notes.pop_front();
}

const HistoryBuffer::Track* HistoryBuffer::find(DestinationId destination) const {
    const auto found = m_tracks.find(destination.value);
    return found == m_tracks.end() ? nullptr : &found->second;
}

std::vector<Bucket> HistoryBuffer::range(DestinationId destination, Resolution resolution,
                                         std::int64_t from, std::int64_t to) const {
    const Track* track = find(destination);
    if (track == nullptr) return {};
    const BucketSeries& series = track->levels[static_cast<std::size_t>(resolution)];
    const auto& buckets = series.buckets();
    const auto first = std::lower_bound(
        buckets.begin(), buckets.end(), from,
        [&series](const Bucket& b, std::int64_t second) {
            return b.start + series.width() <= second;
        });
    const auto last = std::lower_bound(
        first, buckets.end(), to,
        [](const Bucket& b, std::int64_t second) { return b.start < second; });
    return {first, last};
}

std::optional<Bucket> HistoryBuffer::lastClosed(DestinationId destination) const {
    const Track* track = find(destination);
    if (track == nullptr || !m_running) return std::nullopt;
    const auto& buckets = track->levels[0].buckets();
    for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
        if (bucket->start >= openSecond()) continue;
        // Only the second just before counts as "now".
        if (bucket->start != openSecond() - 1) return std::nullopt;
        return *bucket;
    }
    return std::nullopt;
}

std::int64_t HistoryBuffer::oldestSecond() const {
    const Track* all = find(DestinationId());
    if (all == nullptr) return 0;
    const auto& buckets = all->levels[0].buckets();
    return buckets.empty() ? 0 : buckets.front().start;
}

const std::deque<BudgetChange>& HistoryBuffer::budgetChanges(DestinationId destination) const {
    static const std::deque<BudgetChange> kNone;
    const Track* track = find(destination);
    return track == nullptr ? kNone : track->changes;
}

}  // namespace lanes::ui
