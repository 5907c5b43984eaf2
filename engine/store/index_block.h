// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What an index is made of on the disk: the sorted entries of a run in blocks of about a hundred.
namespace lanes::store {

/// What is looked for, and the row of the log that has it.
struct IndexEntry {
    std::uint64_t key = 0;
    std::uint64_t row = 0;
    friend auto operator<=>(const IndexEntry&, const IndexEntry&) = default;
};

/// Entries from `from` on and before `until`. The blocks of a run have no gap: the first is from
/// zero on, the last has no end, so whoever looks for anything finds a block that must have it.
struct IndexBlock {
    IndexEntry from;
    std::optional<IndexEntry> until;
    std::vector<IndexEntry> entries;  ///< rising

    [[nodiscard]] bool covers(const IndexEntry& entry) const {
        return from <= entry && (!until || entry < *until);
    }
};

/// Where a block is; its sum holds for no other place.
struct BlockPlace {
    int kind = 0;
    std::int64_t run = 0;
    IndexEntry from;
};

/// The first entries of `rest`, as many as go into a block; how many there are depends on nothing
/// but them, so that a run that is written again gets the same blocks.
/// \param firstRow the lowest row of the run
[[nodiscard]] std::size_t encodeBlock(std::span<const IndexEntry> rest, const BlockPlace& place,
                                      std::uint64_t firstRow, std::string& bytes);
[[nodiscard]] std::uint64_t sumOf(const BlockPlace& place, std::string_view bytes);
/// False if the bytes are not those that were written at this place.
[[nodiscard]] bool decodeBlock(std::string_view bytes, std::uint64_t sum, const BlockPlace& place,
                               IndexBlock& block);

}  // namespace lanes::store
