// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/rates.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lanes::ui {

namespace {

constexpr Micros kSpan = kMinute;
constexpr Micros kEvery = kSecond;

struct Sums {
    std::uint64_t accepted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t attempts = 0;
    std::uint64_t good = 0;
    LatencyHistogram latency;
};

void add(Sums& sums, const DestinationSnapshot& d) {
    sums.accepted += d.counters.accepted;
    sums.delivered += d.counters.delivered;
    sums.attempts += d.attempts;
    sums.good += d.outcomes[static_cast<std::size_t>(Outcome::delivered)];
    for (std::size_t i = 0; i < LatencyHistogram::kBuckets; ++i)
        sums.latency.counts[i] += d.latency.counts[i];
}

/// A counter never goes back, but a destination may have been removed in between.
double grown(std::uint64_t from, std::uint64_t to) {
    return to > from ? static_cast<double>(to - from) : 0.0;
}

/// The destination, or where it would stand.
auto firstFrom(const std::vector<DestinationSnapshot>& all, DestinationId id) {
    return std::lower_bound(
        all.begin(), all.end(), id,
        [](const DestinationSnapshot& d, DestinationId wanted) { return d.id < wanted; });
}

Rates between(const Sums& from, const Sums& to, Micros span) {
    Rates rates;
    if (span <= 0) return rates;
    const double minutes = static_cast<double>(span) / kMinute;
    const double attempts = grown(from.attempts, to.attempts);
    const double good = grown(from.good, to.good);
    rates.known = true;
    rates.inPerMinute = grown(from.accepted, to.accepted) / minutes;
    rates.outPerMinute = grown(from.delivered, to.delivered) / minutes;
    rates.attemptsPerMinute = attempts / minutes;
    rates.attempted = attempts > 0;
    rates.errorShare = attempts > 0 && attempts > good ? (attempts - good) / attempts : 0;
    const auto latency = to.latency.since(from.latency);
    rates.answered = latency.total() > 0;
    rates.median = latency.percentile(0.5);
    rates.slow = latency.percentile(0.95);
    return rates;
}

}  // namespace

void RateTracker::add(std::shared_ptr<const EngineSnapshot> snapshot) {
    if (!snapshot) return;
    Micros now = m_newest.at;
    if (m_newest.snapshot) {
        const Micros passed = snapshot->engineTime - m_newest.snapshot->engineTime;
        now += static_cast<Micros>(static_cast<double>(std::max<Micros>(0, passed)) /
                                   std::max(1.0, snapshot->clockScale));
    }
    m_newest = {now, snapshot};
    if (m_samples.empty() || now - m_samples.back().at >= kEvery)
        m_samples.push_back({now, std::move(snapshot)});
    while (m_samples.size() > 2 && now - m_samples[1].at >= kSpan) m_samples.pop_front();
}

Rates RateTracker::of(DestinationId destination) const {
    if (m_samples.empty()) return {};
    const auto* newest = m_newest.snapshot->find(destination);
    if (!newest) return {};
    // A destination that is younger than the span is measured since it was first seen.
    for (const auto& sample : m_samples) {
        const auto* oldest = sample.snapshot->find(destination);
        if (!oldest) continue;
        Sums from;
        Sums to;
        lanes::ui::add(from, *oldest);
        lanes::ui::add(to, *newest);
        return between(from, to, m_newest.at - sample.at);
    }
    return {};
}

std::vector<float> RateTracker::trend(DestinationId destination) const {
    std::vector<float> values;
    for (std::size_t i = 1; i < m_samples.size(); ++i) {
        const auto& from = m_samples[i - 1];
        const auto& to = m_samples[i];
        // Both stand by their ids, so that one way through them pairs them.
        const auto& before = from.snapshot->destinations;
        const auto& after = to.snapshot->destinations;
        double delivered = 0;
        auto old = firstFrom(before, destination);
        for (auto d = firstFrom(after, destination); d != after.end(); ++d) {
            if (destination && d->id != destination) break;
            while (old != before.end() && old->id < d->id) ++old;
            if (old != before.end() && old->id == d->id)
                delivered += grown(old->counters.delivered, d->counters.delivered);
        }
        const auto seconds = static_cast<double>(to.at - from.at) / kSecond;
        values.push_back(seconds > 0 ? static_cast<float>(delivered / seconds) : 0);
    }
    return values;
}

Rates RateTracker::ofAll() const {
    if (m_samples.empty()) return {};
    Sums from;
    Sums to;
    for (const auto& d : m_newest.snapshot->destinations) {
        lanes::ui::add(to, d);
        if (const auto* oldest = m_samples.front().snapshot->find(d.id))
            lanes::ui::add(from, *oldest);
    }
    return between(from, to, m_newest.at - m_samples.front().at);
}

}  // namespace lanes::ui
