// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/index_block.h"

#include "engine/store/encoding.h"

namespace lanes::store {

namespace {

/// A record of up to 1,002 bytes stays on its page, four of them fill one.
constexpr std::size_t kEntryBytes = 880;

}  // namespace

std::size_t encodeBlock(std::span<const IndexEntry> rest, const BlockPlace& place,
                        std::uint64_t firstRow, std::string& bytes) {
    std::string entries;
    IndexEntry before{place.from.key, 0};
    std::size_t count = 0;
    for (; count < rest.size() && entries.size() < kEntryBytes; ++count) {
        const auto& entry = rest[count];
        const bool sameKey = count > 0 && entry.key == before.key;
        putNumber(entries, entry.key - before.key);
        // The rows of one key rise; others are anywhere in the run.
        putNumber(entries, entry.row - (sameKey ? before.row : firstRow));
        before = entry;
    }
    bytes.clear();
    putNumber(bytes, count);
    putNumber(bytes, firstRow);
    putNumber(bytes, count < rest.size() ? 1 : 0);
    if (count < rest.size()) {
        putNumber(bytes, rest[count].key);
        putNumber(bytes, rest[count].row);
    }
    bytes += entries;
    return count;
}

std::uint64_t sumOf(const BlockPlace& place, std::string_view bytes) {
    std::string numbers;
    putNumber(numbers, static_cast<std::uint64_t>(place.kind));
    putNumber(numbers, static_cast<std::uint64_t>(place.run));
    putNumber(numbers, place.from.key);
    putNumber(numbers, place.from.row);
    return stableHash(bytes, stableHash(numbers));
}

bool decodeBlock(std::string_view bytes, std::uint64_t sum, const BlockPlace& place,
                 IndexBlock& block) {
    block.from = place.from;
    block.until.reset();
    block.entries.clear();
    if (sumOf(place, bytes) != sum) return false;
    ByteReader reader(bytes);
    const auto count = reader.number();
    const auto firstRow = reader.number();
    if (reader.number() != 0) {
        block.until.emplace();
        block.until->key = reader.number();
        block.until->row = reader.number();
    }
    if (count > bytes.size()) return false;  // an entry takes two bytes at least
    block.entries.reserve(count);
    IndexEntry before{place.from.key, 0};
    for (std::uint64_t n = 0; n < count; ++n) {
        const auto step = reader.number();
        const bool sameKey = n > 0 && step == 0;
        before = {before.key + step, reader.number() + (sameKey ? before.row : firstRow)};
        block.entries.push_back(before);
    }
    return reader.finished();
}

}  // namespace lanes::store
