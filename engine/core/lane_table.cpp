// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/lane_table.h"

#include "engine/core/check.h"

namespace lanes {

namespace {

constexpr std::size_t kSmallestIndex = 64;
constexpr DestinationSlot kFree = 0xffff;  // destination of a record that is not in use

/// Finalizer of MurmurHash3 (public domain): spreads neighbouring keys over the index.
std::uint64_t mix(std::uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccd;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53;
    return key ^ (key >> 33);
}

}  // namespace

LaneTable::LaneTable() : m_index(kSmallestIndex, kNoLane) {}

std::size_t LaneTable::home(DestinationSlot destination, UserId user) const {
    const auto key = user.value ^ (std::uint64_t{destination} * 0x9e3779b97f4a7c15);
    return static_cast<std::size_t>(mix(key)) & (m_index.size() - 1);
}

LaneIndex LaneTable::find(DestinationSlot destination, UserId user) const {
    const auto mask = m_index.size() - 1;
    for (auto at = home(destination, user); m_index[at] != kNoLane; at = (at + 1) & mask) {
        const Lane& lane = (*this)[m_index[at]];
        if (lane.user == user && lane.destination == destination) return m_index[at];
    }
    return kNoLane;
}

LaneIndex LaneTable::findOrAdd(DestinationSlot destination, UserId user) {
    if (const auto found = find(destination, user); found != kNoLane) return found;
    if ((m_size + 1) * 10 > m_index.size() * 7) resizeIndex(m_index.size() * 2);

    LaneIndex lane = m_freeLane;
    if (lane != kNoLane) {
        m_freeLane = (*this)[lane].after;
    } else {
        lane = m_indexEnd++;
        CHECK(lane != kNoLane);
        if (lane / kChunk == m_chunks.size()) m_chunks.push_back(std::make_unique<Lane[]>(kChunk));
    }
    Lane& record = (*this)[lane];
    record = Lane{};
    record.user = user;
    record.destination = destination;
    ++m_size;

    const auto mask = m_index.size() - 1;
    auto at = home(destination, user);
    while (m_index[at] != kNoLane) at = (at + 1) & mask;
    m_index[at] = lane;
    return lane;
}

void LaneTable::remove(LaneIndex lane) {
    Lane& record = (*this)[lane];
    CHECK(!record.head && record.rest == 0 && record.destination != kFree);
    const auto mask = m_index.size() - 1;
    auto hole = home(record.destination, record.user);
    while (m_index[hole] != lane) hole = (hole + 1) & mask;
    // Close the gap: an entry moves back unless its home lies after the hole.
    for (auto at = (hole + 1) & mask; m_index[at] != kNoLane; at = (at + 1) & mask) {
        const Lane& other = (*this)[m_index[at]];
        const auto wanted = home(other.destination, other.user);
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            m_index[hole] = m_index[at];
            hole = at;
        }
    }
    m_index[hole] = kNoLane;
    record = Lane{};
    record.destination = kFree;
    record.after = m_freeLane;
    m_freeLane = lane;
    if (--m_size == 0) releaseAll();
}

bool LaneTable::inUse(LaneIndex lane) const {
    return lane < m_indexEnd && (*this)[lane].destination != kFree;
}

std::size_t LaneTable::bytes() const {
    return m_chunks.size() * kChunk * sizeof(Lane) + m_index.capacity() * sizeof(LaneIndex) +
           m_blocks.capacity() * sizeof(Block);
}

void LaneTable::resizeIndex(std::size_t buckets) {
    std::vector<LaneIndex> old(buckets, kNoLane);
    old.swap(m_index);
    const auto mask = m_index.size() - 1;
    for (const auto lane : old) {
        if (lane == kNoLane) continue;
        auto at = home((*this)[lane].destination, (*this)[lane].user);
        while (m_index[at] != kNoLane) at = (at + 1) & mask;
        m_index[at] = lane;
    }
}

// Without a single lane all memory goes back, so that a burst does not stay for ever.
void LaneTable::releaseAll() {
    m_chunks.clear();
    m_chunks.shrink_to_fit();
    m_blocks.clear();
    m_blocks.shrink_to_fit();
    m_index.assign(kSmallestIndex, kNoLane);
    m_index.shrink_to_fit();
    m_freeLane = kNoLane;
    m_freeBlock = kNoLane;
    m_indexEnd = 0;
}

std::uint32_t LaneTable::newBlock() {
    if (m_freeBlock == kNoLane) {
        m_blocks.emplace_back();
        return static_cast<std::uint32_t>(m_blocks.size() - 1);
    }
    const auto block = m_freeBlock;
    m_freeBlock = m_blocks[block].next;
    m_blocks[block] = Block{};
    return block;
}

void LaneTable::freeBlock(std::uint32_t block) {
    m_blocks[block].next = m_freeBlock;
    m_freeBlock = block;
}

void LaneTable::append(LaneIndex lane, LaneEntry entry) {
    auto last = (*this)[lane].lastBlock;
    if (last == kNoLane || m_blocks[last].begin + m_blocks[last].count == Block::kEntries) {
        const auto block = newBlock();
        if (last == kNoLane)
            (*this)[lane].firstBlock = block;
        else
            m_blocks[last].next = block;
        (*this)[lane].lastBlock = last = block;
    }
    Block& block = m_blocks[last];
    block.put(block.count, entry);
    ++block.count;
    ++(*this)[lane].rest;
}

void LaneTable::Block::insertAt(std::size_t i, LaneEntry entry) {
    if (begin > 0 && (i == 0 || begin + count == kEntries)) {
        --begin;
        for (std::size_t k = 0; k < i; ++k) entries[begin + k] = entries[begin + k + 1];
    } else {
        for (std::size_t k = count; k > i; --k) entries[begin + k] = entries[begin + k - 1];
    }
    put(i, entry);
    ++count;
}

void LaneTable::insert(LaneIndex lane, LaneEntry entry) {
    Lane& record = (*this)[lane];
    const auto last = record.lastBlock;
    if (last == kNoLane || m_blocks[last].at(m_blocks[last].count - 1u).sequence < entry.sequence) {
        append(lane, entry);  // the common case, at no cost of the lane's length
        return;
    }
    std::uint32_t previous = kNoLane;
    auto current = record.firstBlock;
    // The block that the entry belongs into is the first whose last entry is larger.
    while (m_blocks[current].at(m_blocks[current].count - 1u).sequence < entry.sequence) {
        previous = current;
        current = m_blocks[current].next;
    }
    std::size_t position = 0;
    while (m_blocks[current].at(position).sequence < entry.sequence) ++position;
    CHECK(m_blocks[current].at(position).sequence != entry.sequence);

    if (m_blocks[current].count == Block::kEntries) {
        // Full: what stands before the position moves to a block of its own in front of it.
        const auto fresh = newBlock();
        Block& full = m_blocks[current];
        Block& front = m_blocks[fresh];
        for (std::size_t i = 0; i < position; ++i) front.put(i, full.at(i));
        front.put(position, entry);
        front.count = static_cast<std::uint8_t>(position + 1);
        full.begin = static_cast<std::uint8_t>(full.begin + position);
        full.count = static_cast<std::uint8_t>(full.count - position);
        front.next = current;
        if (previous == kNoLane)
            record.firstBlock = fresh;
        else
            m_blocks[previous].next = fresh;
    } else {
        m_blocks[current].insertAt(position, entry);
    }
    ++record.rest;
}

LaneEntry LaneTable::front(LaneIndex lane) const {
    const auto first = (*this)[lane].firstBlock;
    CHECK(first != kNoLane);
    return m_blocks[first].at(0);
}

LaneEntry LaneTable::popFront(LaneIndex lane) {
    const auto entry = front(lane);
    Lane& record = (*this)[lane];
    const auto first = record.firstBlock;
    Block& block = m_blocks[first];
    ++block.begin;
    --record.rest;
    if (--block.count == 0) {
        record.firstBlock = block.next;
        if (block.next == kNoLane) record.lastBlock = kNoLane;
        freeBlock(first);
    }
    return entry;
}

}  // namespace lanes
