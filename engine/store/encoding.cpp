// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/encoding.h"

namespace lanes::store {

void putNumber(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

void putSigned(std::string& out, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    putNumber(out, (bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void putText(std::string& out, std::string_view text) {
    putNumber(out, text.size());
    out.append(text);
}

std::uint64_t ByteReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (m_rest.empty()) break;
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return m_good ? value : 0;
    }
    m_good = false;
    m_rest = {};
    return 0;
}

std::int64_t ByteReader::signedNumber() {
    const std::uint64_t folded = number();
    return static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
}

std::string_view ByteReader::text() {
    const std::uint64_t size = number();
    if (size > m_rest.size()) {
        m_good = false;
        m_rest = {};
        return {};
    }
    const auto result = m_rest.substr(0, static_cast<std::size_t>(size));
    m_rest.remove_prefix(static_cast<std::size_t>(size));
    return result;
}

std::string encodeTargets(const std::vector<Target>& targets) {
    std::string out;
    for (const auto& target : targets) {
        putNumber(out, target.destination.value);
        putSigned(out, target.clock);
    }
    return out;
}

bool decodeTargets(std::string_view bytes, std::vector<Target>& targets) {
    targets.clear();
    ByteReader reader(bytes);
    while (reader.good() && !reader.finished()) {
        const auto id = static_cast<std::uint32_t>(reader.number());
        const Micros clock = reader.signedNumber();
        if (reader.good()) targets.push_back({DestinationId(id), clock});
    }
    return reader.finished();
}

std::string encodeTexts(const std::vector<std::string>& texts) {
    std::string out;
    for (const auto& text : texts) putText(out, text);
    return out;
}

bool decodeTexts(std::string_view bytes, std::vector<std::string>& texts) {
    texts.clear();
    ByteReader reader(bytes);
    while (reader.good() && !reader.finished()) {
        const auto text = reader.text();
        if (reader.good()) texts.emplace_back(text);
    }
    return reader.finished();
}

std::uint64_t stableHash(std::string_view bytes, std::uint64_t seed) {
    std::uint64_t hash = 0xcbf29ce484222325 ^ seed;
    for (const char c : bytes) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    // The mix of splitmix64: FNV alone leaves the high bits of short keys alike.
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    return hash ^ (hash >> 31);
}

std::uint64_t eventHash(std::string_view source, std::string_view id) {
    return stableHash(id, stableHash(source));
}

}  // namespace lanes::store
