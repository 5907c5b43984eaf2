// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/stored_ids.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanes::store {

namespace {

constexpr std::size_t kSmallest = 1u << 16;
constexpr std::size_t kLargest = 1u << 23;
/// A filter of which so much less is left is made anew.
constexpr std::size_t kShrunk = 16;

}  // namespace

void StoredIds::Generation::add(std::int64_t run, std::span<const IndexEntry> entries) {
    for (const auto& entry : entries) filter.add(entry.key);
    given += entries.size();
    const auto place = std::find_if(runs.begin(), runs.end(),
                                    [run](const Run& other) { return other.number >= run; });
    runs.insert(place, {run, entries.size()});
}

std::size_t StoredIds::Generation::left() const {
    std::size_t ids = 0;
    for (const auto& run : runs) ids += run.ids;
    return ids;
}

StoredIds::StoredIds(SQLite::Database& database, Memory&& known)
    : m_reader(database, IndexKind::ids) {
    const auto runs = m_reader.runs();
    // A run is never changed in its place, so one that has its number and its size is the same.
    const auto isThere = [&runs](const Run& run) {
        return std::any_of(runs.begin(), runs.end(), [&run](const IndexRun& other) {
            return other.number == run.number && other.entries == run.ids;
        });
    };
    std::vector<std::pair<std::int64_t, std::vector<IndexEntry>>> unknown;
    for (const auto& run : runs) {
        const bool knows = std::any_of(known.begin(), known.end(), [&run](const auto& generation) {
            return std::any_of(generation.runs.begin(), generation.runs.end(),
                               [&run](const Run& other) {
                                   return other.number == run.number && other.ids == run.entries;
                               });
        });
        if (!knows && known.empty())
            add(run.number, m_reader.read(run));
        else if (!knows)
            unknown.emplace_back(run.number, m_reader.read(run));
    }
    if (known.empty()) return;
    m_generations = std::move(known);
    for (auto& generation : m_generations)
        std::erase_if(generation.runs, [&](const Run& run) { return !isThere(run); });
    std::erase_if(m_generations, [](const auto& generation) { return generation.runs.empty(); });
    for (const auto& [run, entries] : unknown) add(run, entries);
}

std::size_t StoredIds::runs() const {
    std::size_t runs = 0;
    for (const auto& generation : m_generations) runs += generation.runs.size();
    return runs;
}

void StoredIds::add(std::int64_t run, std::span<const IndexEntry> entries) {
    for (const auto& generation : m_generations)
        for (const auto& known : generation.runs)
            if (known.number == run) return;
    const bool full = m_generations.empty() || m_generations.back().given + entries.size() >
                                                   m_generations.back().size;
    if (full) {
        std::size_t before = 0;
        for (const auto& generation : m_generations) before += generation.left();
        const auto size = std::clamp(std::bit_ceil(before + 1), kSmallest, kLargest);
        m_generations.emplace_back(std::max(size, std::bit_ceil(entries.size())));
    }
    m_generations.back().add(run, entries);
}

void StoredIds::apply(const Change& change) {
    Generation* home = nullptr;
    for (auto& generation : m_generations) {
        const auto gone = std::erase_if(generation.runs, [&](const Run& run) {
            return std::find(change.gone.begin(), change.gone.end(), run.number) !=
                   change.gone.end();
        });
        if (gone > 0 && home == nullptr) home = &generation;
    }
    if (home == nullptr) return;
    if (change.run != 0) home->add(change.run, change.entries);
    std::erase_if(m_generations, [](const auto& generation) { return generation.runs.empty(); });
    shrink();
}

void StoredIds::shrink() {
    for (std::size_t n = 0; n + 1 < m_generations.size(); ++n) {
        auto& one = m_generations[n];
        const auto* next = n + 2 < m_generations.size() ? &m_generations[n + 1] : nullptr;
        if (next != nullptr && one.left() + next->left() > kLargest / kShrunk) next = nullptr;
        if (next == nullptr && (one.size <= kSmallest || one.left() > one.size / kShrunk)) continue;
        one = rebuilt(one, next);
        if (next != nullptr)
            m_generations.erase(m_generations.begin() + static_cast<std::ptrdiff_t>(n) + 1);
        return;  // another one with the next change
    }
}

StoredIds::Generation StoredIds::rebuilt(const Generation& one, const Generation* next) {
    Generation result(std::max(2 * (one.left() + (next != nullptr ? next->left() : 0)), kSmallest));
    std::vector<Run> runs = one.runs;
    if (next != nullptr) runs.insert(runs.end(), next->runs.begin(), next->runs.end());
    for (const auto& known : runs) {
        for (const auto& run : m_reader.runs())
            if (run.number == known.number) result.add(run.number, m_reader.read(run));
    }
    return result;
}

std::vector<std::uint64_t> StoredIds::find(std::uint64_t hash) {
    std::vector<std::uint64_t> rows;
    for (const auto& generation : m_generations) {
        if (!generation.filter.mayHold(hash)) continue;
        for (const auto& run : generation.runs) {
            const auto found = m_reader.upFrom(run.number, hash, 0, IndexReader::kLastRow);
            rows.insert(rows.end(), found.begin(), found.end());
        }
    }
    return rows;
}

}  // namespace lanes::store
