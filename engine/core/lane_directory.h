// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/chunk_pool.h"
#include "engine/core/lane.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lanes {

using LanePool = ChunkPool<Lane>;

/// Finds a lane by its key: a hash table of 6 to 9 bytes a lane. A bucket is one cache line with
/// one byte of hash beside each lane, so that a look-up reads one line here and one record, the
/// right one. The table is in shards that grow by half and shrink on their own: no single event
/// ever waits for the whole table to be built anew.
class LaneDirectory {
public:
    explicit LaneDirectory(const LanePool& lanes) : m_lanes(lanes) {}
    LaneDirectory(const LaneDirectory&) = delete;
    LaneDirectory& operator=(const LaneDirectory&) = delete;

    [[nodiscard]] LaneIndex find(DestinationSlot destination, UserId user) const;
    /// Its key must not be there yet.
    void add(LaneIndex lane);
    void remove(LaneIndex lane);

    /// Starts to fetch what `find` will read first.
    void expect(DestinationSlot destination, UserId user) const;
    /// A lane that `find` will look at, usually the right one; kNoLane if there is none.
    [[nodiscard]] LaneIndex candidate(DestinationSlot destination, UserId user) const;

    [[nodiscard]] std::size_t bytes() const;

private:
    struct alignas(64) Bucket {
        static constexpr std::uint32_t kLanes = 12;
        std::array<std::uint8_t, kLanes> tags{};  // 0: free
        /// Lanes at home here or before that stand in a bucket behind this one; stays at 255.
        std::uint8_t passed = 0;
        std::array<LaneIndex, kLanes> lanes{};
    };
    static_assert(sizeof(Bucket) == 64);
    struct Shard {
        std::unique_ptr<Bucket[]> buckets;
        std::uint32_t size = 0;  // buckets
        std::uint32_t used = 0;  // lanes
    };
    static constexpr std::size_t kShards = 1024;
    struct Hash {
        std::uint64_t bits;
        [[nodiscard]] std::size_t shard() const { return bits >> 54; }
        [[nodiscard]] std::uint32_t home(const Shard& shard) const {
            return static_cast<std::uint32_t>(((bits >> 22) & 0xffffffff) * shard.size >> 32);
        }
        [[nodiscard]] std::uint8_t tag() const {
            const auto low = static_cast<std::uint8_t>(bits);
            return low == 0 ? 1 : low;
        }
    };

    static Hash hashOf(DestinationSlot destination, UserId user);
    [[nodiscard]] Hash hashOf(LaneIndex lane) const;
    static void put(Shard& shard, Hash hash, LaneIndex lane);
    void resize(Shard& shard, std::uint32_t size);

    const LanePool& m_lanes;
    std::unique_ptr<Shard[]> m_shards;  // null: no lane yet
};

}  // namespace lanes
