// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Compact bytes for columns that only this program reads. Numbers are LEB128, seven bits a byte;
// signed ones are folded first, so that small negative numbers stay short.
namespace lanes::store {

void putNumber(std::string& out, std::uint64_t value);
void putSigned(std::string& out, std::int64_t value);
void putText(std::string& out, std::string_view text);

/// Reads what the functions above wrote. After the first bad read `good` is false and every
/// further read gives zero, so that one check at the end is enough.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_rest(bytes) {}

    std::uint64_t number();
    std::int64_t signedNumber();
    std::string_view text();
    [[nodiscard]] bool good() const { return m_good; }
    /// Everything was read and nothing was bad.
    [[nodiscard]] bool finished() const { return m_good && m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_good = true;
};

[[nodiscard]] std::string encodeTargets(const std::vector<Target>& targets);
/// False if the bytes are damaged.
[[nodiscard]] bool decodeTargets(std::string_view bytes, std::vector<Target>& targets);

[[nodiscard]] std::string encodeTexts(const std::vector<std::string>& texts);
[[nodiscard]] bool decodeTexts(std::string_view bytes, std::vector<std::string>& texts);

/// 64-bit FNV-1a with a final mix. Its values are on disk: it never changes.
[[nodiscard]] std::uint64_t stableHash(std::string_view bytes, std::uint64_t seed = 0);
/// Hash of what makes an event unique.
[[nodiscard]] std::uint64_t eventHash(std::string_view source, std::string_view id);

}  // namespace lanes::store
