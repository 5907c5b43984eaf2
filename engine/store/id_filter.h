// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::store {

/// Says of most ids that are not among those it was given that they are not: a Bloom filter whose
/// bits of one id are all in one line of the processor's cache. Two bytes for each id that it has
/// room for; full, it is wrong about one new id in a thousand. It takes more than that, and is
/// wrong more often then.
class IdFilter {
public:
    explicit IdFilter(std::size_t ids);

    void add(std::uint64_t hash);
    /// False: it was certainly not given.
    [[nodiscard]] bool mayHold(std::uint64_t hash) const;

private:
    static constexpr std::size_t kLineBits = 512;
    struct alignas(kLineBits / 8) Line {
        std::array<std::uint64_t, kLineBits / 64> words{};
    };

    /// Hashes of neighbours in a sorted run are in neighbouring lines.
    [[nodiscard]] std::size_t lineOf(std::uint64_t hash) const {
        return m_shift < 64 ? hash >> m_shift : 0;
    }

    std::vector<Line> m_lines;  // a power of two
    int m_shift = 64;
};

}  // namespace lanes::store
