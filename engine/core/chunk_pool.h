// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/check.h"
#include "engine/core/fetch_ahead.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <vector>

namespace lanes {

/// A chunk has the size of a huge page of the usual processors, so that memory which is made of
/// such pages wastes nothing; without them it is a size like any other.
inline constexpr std::size_t kChunkBytes = 2 * 1024 * 1024;

/// Small items of one kind, named by their index, in chunks: growth never copies and costs one
/// chunk at most. Places are taken from the lowest chunk that has any, so that after a burst the
/// high chunks empty by themselves; an empty chunk is given back, the last one apart.
///
/// T has `std::uint32_t link() const` and `setLink`, which the pool uses while a place is free.
template <typename T, std::uint32_t kChunk = kChunkBytes / sizeof(T)>
class ChunkPool {
    static_assert(std::is_trivially_destructible_v<T>);

public:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xffffffff;

    explicit ChunkPool(std::pmr::memory_resource* memory) : m_memory(memory) {}
    ~ChunkPool() {
        for (auto& chunk : m_items) giveBack(chunk);
    }
    ChunkPool(const ChunkPool&) = delete;
    ChunkPool& operator=(const ChunkPool&) = delete;

    [[nodiscard]] T& operator[](Index index) {
        return *std::launder(reinterpret_cast<T*>(&m_items[index / kChunk][index % kChunk]));
    }
    [[nodiscard]] const T& operator[](Index index) const {
        return *std::launder(
            reinterpret_cast<const T*>(&m_items[index / kChunk][index % kChunk]));
    }

    /// A place with a fresh item.
    Index take() {
        if (m_current == kNone || !m_chunks[m_current].hasRoom()) useLowestChunk();
        Chunk& chunk = m_chunks[m_current];
        Index index = chunk.free;
        if (index != kNone) {
            chunk.free = (*this)[index].link();
            // The place after this one was left long ago: it is on its way until it is needed.
            if (chunk.free != kNone) fetchAhead(&(*this)[chunk.free]);
        } else {
            index = m_current * kChunk + chunk.made++;
        }
        ++chunk.used;
        ++m_used;
        if (!chunk.hasRoom()) mark(m_current, false);
        ::new (static_cast<void*>(&m_items[index / kChunk][index % kChunk])) T();
        return index;
    }

    void give(Index index) {
        const auto number = index / kChunk;
        Chunk& chunk = m_chunks[number];
        CHECK(chunk.used > 0);
        (*this)[index].setLink(chunk.free);
        chunk.free = index;
        --chunk.used;
        --m_used;
        // Where there is no room elsewhere the chunk will be needed again soon.
        if (chunk.used == 0 && m_used < (m_present - 1) * std::size_t{kChunk})
            release(number);
        else
            mark(number, true);
    }

    [[nodiscard]] std::size_t used() const { return m_used; }
    /// Every index in use is below.
    [[nodiscard]] Index end() const { return static_cast<Index>(m_items.size() * kChunk); }
    /// Whether a place can be looked at: it is in use, or it is free and its chunk is still there.
    [[nodiscard]] bool made(Index index) const {
        const auto number = index / kChunk;
        return number < m_items.size() && index % kChunk < m_chunks[number].made;
    }
    [[nodiscard]] std::size_t bytes() const {
        return m_present * sizeof(Place) * kChunk + m_items.capacity() * sizeof(m_items[0]) +
               m_chunks.capacity() * sizeof(Chunk) + m_open.capacity() * sizeof(m_open[0]);
    }

private:
    struct alignas(T) Place {
        std::byte bytes[sizeof(T)];
    };
    struct Chunk {
        Index free = kNone;      // places given back
        std::uint32_t made = 0;  // places from here on were never taken; 0: not allocated
        std::uint32_t used = 0;
        [[nodiscard]] bool hasRoom() const { return free != kNone || made < kChunk; }
    };

    /// Whether a chunk has room, in a bit set that is quick to search from below.
    void mark(std::uint32_t number, bool open) {
        auto& word = m_open[number / 64];
        const auto bit = std::uint64_t{1} << (number % 64);
        word = open ? word | bit : word & ~bit;
    }

    void useLowestChunk() {
        for (std::uint32_t word = 0; word < m_open.size(); ++word) {
            if (m_open[word] == 0) continue;
            m_current = word * 64 + static_cast<std::uint32_t>(std::countr_zero(m_open[word]));
            return;
        }
        std::uint32_t number = 0;
        while (number < m_items.size() && m_items[number] != nullptr) ++number;
        CHECK(number < kNone / kChunk);
        if (number == m_items.size()) {
            m_items.push_back(nullptr);
            m_chunks.emplace_back();
            m_open.resize((m_items.size() + 63) / 64);
        }
        m_items[number] =
            static_cast<Place*>(m_memory->allocate(kChunk * sizeof(Place), alignof(Place)));
        ++m_present;
        mark(number, true);
        m_current = number;
    }

    void release(std::uint32_t number) {
        giveBack(m_items[number]);
        m_chunks[number] = Chunk();
        mark(number, false);
        --m_present;
        if (m_current == number) m_current = kNone;
        while (m_items.back() == nullptr) {
            m_items.pop_back();
            m_chunks.pop_back();
        }
    }

    void giveBack(Place*& chunk) {
        if (chunk != nullptr) m_memory->deallocate(chunk, kChunk * sizeof(Place), alignof(Place));
        chunk = nullptr;
    }

    std::pmr::memory_resource* m_memory;
    std::vector<Place*> m_items;  // null: given back
    std::vector<Chunk> m_chunks;
    std::vector<std::uint64_t> m_open;
    std::uint32_t m_current = kNone;  // chunk that places are taken from until it is full
    std::size_t m_present = 0;        // chunks
    std::size_t m_used = 0;
};

}  // namespace lanes
