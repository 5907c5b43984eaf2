// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/lane_directory.h"

#include "engine/core/check.h"
#include "engine/core/fetch_ahead.h"

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

/// Finalizer of MurmurHash3 (public domain): spreads neighbouring keys over the table.
std::uint64_t mix(std::uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccd;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53;
    return key ^ (key >> 33);
}

std::uint32_t nextBucket(std::uint32_t at, std::uint32_t size) {
    return at + 1 == size ? 0 : at + 1;
}

}  // namespace

LaneDirectory::Hash LaneDirectory::hashOf(DestinationSlot destination, UserId user) {
    return {mix(user.value ^ (std::uint64_t{destination} * 0x9e3779b97f4a7c15))};
}

LaneDirectory::Hash LaneDirectory::hashOf(LaneIndex lane) const {
    const Lane& record = m_lanes[lane];
    return hashOf(record.destination, record.user);
}

LaneIndex LaneDirectory::find(DestinationSlot destination, UserId user) const {
    if (!m_shards) return kNoLane;
    const auto hash = hashOf(destination, user);
    const Shard& shard = m_shards[hash.shard()];
    if (shard.size == 0) return kNoLane;
    const auto tag = hash.tag();
    auto at = hash.home(shard);
    for (std::uint32_t seen = 0; seen < shard.size; ++seen, at = nextBucket(at, shard.size)) {
        const Bucket& bucket = shard.buckets[at];
        for (std::size_t i = 0; i < Bucket::kLanes; ++i) {
            if (bucket.tags[i] != tag) continue;
            const Lane& lane = m_lanes[bucket.lanes[i]];
            if (lane.user == user && lane.destination == destination) return bucket.lanes[i];
        }
        if (bucket.passed == 0) break;
    }
    return kNoLane;
}

void LaneDirectory::expect(DestinationSlot destination, UserId user) const {
    if (!m_shards) return;
    const auto hash = hashOf(destination, user);
    const Shard& shard = m_shards[hash.shard()];
    if (shard.size > 0) fetchAhead(&shard.buckets[hash.home(shard)]);
}

LaneIndex LaneDirectory::candidate(DestinationSlot destination, UserId user) const {
    if (!m_shards) return kNoLane;
    const auto hash = hashOf(destination, user);
    const Shard& shard = m_shards[hash.shard()];
    if (shard.size == 0) return kNoLane;
    const Bucket& bucket = shard.buckets[hash.home(shard)];
    const auto found = std::find(bucket.tags.begin(), bucket.tags.end(), hash.tag());
    if (found == bucket.tags.end()) return kNoLane;
    return bucket.lanes[static_cast<std::size_t>(found - bucket.tags.begin())];
}

void LaneDirectory::put(Shard& shard, Hash hash, LaneIndex lane) {
    auto at = hash.home(shard);
    for (;; at = nextBucket(at, shard.size)) {
        Bucket& bucket = shard.buckets[at];
        const auto free = std::find(bucket.tags.begin(), bucket.tags.end(), std::uint8_t{0});
        if (free != bucket.tags.end()) {
            *free = hash.tag();
            bucket.lanes[static_cast<std::size_t>(free - bucket.tags.begin())] = lane;
            return;
        }
        if (bucket.passed < 255) ++bucket.passed;
    }
}

void LaneDirectory::add(LaneIndex lane) {
    if (!m_shards) m_shards = std::make_unique<Shard[]>(kShards);
    const auto hash = hashOf(lane);
    Shard& shard = m_shards[hash.shard()];
    // Seven eighths full at most.
    if ((shard.used + 1) * 8 > std::uint64_t{shard.size} * Bucket::kLanes * 7)
        resize(shard, shard.size + std::max(1u, shard.size / 2));
    put(shard, hash, lane);
    ++shard.used;
}

void LaneDirectory::remove(LaneIndex lane) {
    const auto hash = hashOf(lane);
    Shard& shard = m_shards[hash.shard()];
    CHECK(shard.used > 0);
    for (auto at = hash.home(shard);; at = nextBucket(at, shard.size)) {
        Bucket& bucket = shard.buckets[at];
        const auto found = std::find(bucket.lanes.begin(), bucket.lanes.end(), lane);
        const auto i = static_cast<std::size_t>(found - bucket.lanes.begin());
        if (i < Bucket::kLanes && bucket.tags[i] != 0) {
            bucket.tags[i] = 0;
            break;
        }
        CHECK(bucket.passed > 0);
        if (bucket.passed < 255) --bucket.passed;
    }
    --shard.used;
    // Below a quarter it shrinks to a half, so that it neither grows nor shrinks again soon.
    if (std::uint64_t{shard.used} * 4 < std::uint64_t{shard.size} * Bucket::kLanes)
        resize(shard, (shard.used * 2 + Bucket::kLanes - 1) / Bucket::kLanes);
}

/// Builds one shard anew. It reads the key of each of its lanes, a few ahead of the hand.
void LaneDirectory::resize(Shard& shard, std::uint32_t size) {
    if (size == shard.size) return;
    Shard fresh{size > 0 ? std::make_unique<Bucket[]>(size) : nullptr, size, shard.used};
    for (std::uint32_t at = 0; at < shard.size; ++at) {
        if (at + 1 < shard.size) {
            const Bucket& next = shard.buckets[at + 1];
            for (std::size_t i = 0; i < Bucket::kLanes; ++i)
                if (next.tags[i] != 0) fetchAhead(&m_lanes[next.lanes[i]]);
        }
        const Bucket& bucket = shard.buckets[at];
        for (std::size_t i = 0; i < Bucket::kLanes; ++i)
            if (bucket.tags[i] != 0) put(fresh, hashOf(bucket.lanes[i]), bucket.lanes[i]);
    }
    shard = std::move(fresh);
}

std::size_t LaneDirectory::bytes() const {
    if (!m_shards) return 0;
    std::size_t buckets = 0;
    for (std::size_t i = 0; i < kShards; ++i) buckets += m_shards[i].size;
    return kShards * sizeof(Shard) + buckets * sizeof(Bucket);
}

}  // namespace lanes
