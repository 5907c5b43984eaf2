// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/tried_blocks.h"

#include "engine/store/encoding.h"

#include <algorithm>

namespace lanes::store {

namespace {

using Entries = std::vector<std::pair<std::uint64_t, TriedPointer>>;

std::string encode(const Entries& entries) {
    std::string bytes;
    std::uint64_t before = 0;
    for (const auto& [sequence, tried] : entries) {
        putNumber(bytes, sequence - before);
        putNumber(bytes, tried.attempts);
        putNumber(bytes, tried.life);
        putNumber(bytes, tried.operation.value);
        putSigned(bytes, tried.clock);
        putNumber(bytes, static_cast<std::uint64_t>(tried.lastOutcome));
        putNumber(bytes, tried.lastStatus);
        putNumber(bytes, tried.firstAttempt);
        putNumber(bytes, tried.lastAttempt);
        before = sequence;
    }
    bytes.shrink_to_fit();
    return bytes;
}

bool decode(std::string_view bytes, Entries& entries) {
    ByteReader reader(bytes);
    std::uint64_t sequence = 0;
    while (reader.good() && !reader.finished()) {
        sequence += reader.number();
        TriedPointer tried;
        tried.attempts = static_cast<std::uint32_t>(reader.number());
        tried.life = static_cast<std::uint32_t>(reader.number());
        tried.operation = OperationId(reader.number());
        tried.clock = reader.signedNumber();
        tried.lastOutcome = static_cast<Outcome>(reader.number());
        tried.lastStatus = static_cast<std::uint16_t>(reader.number());
        tried.firstAttempt = reader.number();
        tried.lastAttempt = reader.number();
        if (!reader.good()) break;
        entries.emplace_back(sequence, tried);
    }
    return reader.finished();
}

}  // namespace

void TriedBlocks::open(std::uint64_t block) const {
    if (block == m_open) return;
    close();
    m_open = block;
    m_entries.clear();
    if (const auto found = m_blocks.find(block); found != m_blocks.end())
        (void)decode(found->second, m_entries);  // our own bytes, or checked when loaded
}

void TriedBlocks::close() const {
    if (!std::exchange(m_touched, false)) return;
    if (m_entries.empty())
        m_blocks.erase(m_open);
    else
        m_blocks[m_open] = encode(m_entries);
}

std::vector<TriedBlocks::Entry>::iterator TriedBlocks::place(std::uint64_t sequence) const {
    return std::lower_bound(m_entries.begin(), m_entries.end(), sequence,
                            [](const Entry& entry, std::uint64_t s) { return entry.first < s; });
}

const TriedPointer* TriedBlocks::find(std::uint64_t sequence) const {
    if (m_blocks.empty() && m_entries.empty()) return nullptr;
    open(sequence / kSequences);
    const auto found = place(sequence);
    return found != m_entries.end() && found->first == sequence ? &found->second : nullptr;
}

TriedPointer& TriedBlocks::operator[](std::uint64_t sequence) {
    open(sequence / kSequences);
    m_touched = true;
    m_changed.insert(m_open);
    auto found = place(sequence);
    if (found == m_entries.end() || found->first != sequence)
        found = m_entries.insert(found, {sequence, {}});
    return found->second;
}

void TriedBlocks::erase(std::uint64_t sequence) {
    if (find(sequence) == nullptr) return;
    m_entries.erase(place(sequence));
    m_touched = true;
    m_changed.insert(m_open);
}

const std::string& TriedBlocks::bytes(std::uint64_t block) const {
    static const std::string none;
    close();
    const auto found = m_blocks.find(block);
    return found == m_blocks.end() ? none : found->second;
}

bool TriedBlocks::restore(std::uint64_t block, std::string_view bytes) {
    Entries entries;
    if (!decode(bytes, entries) || entries.empty()) return false;
    const bool apart = entries.front().first / kSequences != block ||
                       entries.back().first / kSequences != block;
    if (apart) return false;
    open(kNone);
    m_blocks[block] = bytes;
    return true;
}

bool TriedBlocks::load(std::string_view bytes) {
    Entries entries;
    if (!decode(bytes, entries)) return false;
    for (const auto& [sequence, tried] : entries) (*this)[sequence] = tried;
    return true;
}

}  // namespace lanes::store
