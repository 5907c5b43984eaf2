// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/id_filter.h"

#include <algorithm>
#include <bit>

namespace lanes::store {

namespace {

constexpr int kBits = 7;  // of an id
constexpr std::size_t kIdsOfLine = 32;

/// Calls f(word, mask) for each bit of an id. The line takes the high bits of the hash, so these
/// are mixed from the low ones.
template <typename F>
void forEachBit(std::uint64_t hash, F f) {
    std::uint64_t bits = hash * 0x9e3779b97f4a7c15;
    bits ^= bits >> 32;
    for (int n = 0; n < kBits; ++n, bits >>= 9)
        f(bits >> 6 & 7, std::uint64_t{1} << (bits & 63));
}

}  // namespace

IdFilter::IdFilter(std::size_t ids)
    : m_lines(std::bit_ceil(std::max<std::size_t>(ids / kIdsOfLine, 1))),
      m_shift(64 - std::countr_zero(m_lines.size())) {}

void IdFilter::add(std::uint64_t hash) {
    auto& line = m_lines[lineOf(hash)];
    forEachBit(hash, [&](std::size_t word, std::uint64_t mask) { line.words[word] |= mask; });
}

bool IdFilter::mayHold(std::uint64_t hash) const {
    const auto& line = m_lines[lineOf(hash)];
    std::uint64_t missing = 0;
    forEachBit(hash, [&](std::size_t word, std::uint64_t mask) {
        missing |= mask & ~line.words[word];
    });
    return missing == 0;
}

}  // namespace lanes::store
