// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/snapshot.h"

#include <algorithm>
#include <bit>

namespace lanes {

namespace {
constexpr Micros kFirstBound = 250;  // microseconds: a loopback answer on a fast machine

constexpr Micros upperBound(std::size_t bucket) { return kFirstBound << bucket; }
}  // namespace

void LatencyHistogram::add(Micros latency) {
    const auto units = static_cast<std::uint64_t>(std::max<Micros>(latency, 0) / kFirstBound);
    const auto bucket = static_cast<std::size_t>(std::bit_width(units));
    ++counts[std::min(bucket, kBuckets - 1)];
    sum += std::max<Micros>(latency, 0);
}

std::uint64_t LatencyHistogram::total() const {
    std::uint64_t all = 0;
    for (const auto count : counts) all += count;
    return all;
}

Micros LatencyHistogram::percentile(double share) const {
    const auto all = total();
    if (all == 0) return 0;
    const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(all);
    double below = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        const auto here = static_cast<double>(counts[bucket]);
        if (here > 0 && below + here >= wanted) {
            const auto low = static_cast<double>(bucket == 0 ? 0 : upperBound(bucket - 1));
            const auto high = static_cast<double>(upperBound(bucket));
            return static_cast<Micros>(low + (high - low) * (wanted - below) / here);
        }
        below += here;
    }
    return upperBound(kBuckets - 1);
}

LatencyHistogram LatencyHistogram::since(const LatencyHistogram& earlier) const {
    LatencyHistogram difference;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
        difference.counts[bucket] =
            counts[bucket] - std::min(counts[bucket], earlier.counts[bucket]);
    difference.sum = sum - std::min(sum, earlier.sum);
    return difference;
}

Micros drainEstimate(const DestinationSnapshot& destination, std::uint64_t events,
                     std::uint64_t lanes, double rateLimit) {
    const Micros answer = destination.latency.percentile(0.5);
    const auto waiting = static_cast<double>(destination.counters.waiting + events);
    if (answer <= 0 || waiting == 0) return 0;
    const double allowed = std::max(
        1.0, std::min(destination.knownGood > 0 ? destination.knownGood : destination.budget,
                      static_cast<double>(destination.maxInFlight)));
    // One lane has one request in flight, so more slots than lanes do not help.
    const double used =
        std::min(allowed, std::max(1.0, static_cast<double>(destination.lanes + lanes)));
    const double each = static_cast<double>(answer) / used;
    const double paced = rateLimit > 0 ? static_cast<double>(kSecond) / rateLimit : 0;
    return static_cast<Micros>(waiting * std::max(each, paced));
}

}  // namespace lanes
