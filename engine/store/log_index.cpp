// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_index.h"

#include <algorithm>
#include <bit>

namespace lanes::store {

void IdPlaces::put(std::uint64_t hash, std::size_t place) {
    const auto mask = m_places.size() - 1;
    auto at = hash & mask;
    while (m_places[at] != 0) at = (at + 1) & mask;
    m_places[at] = static_cast<std::uint32_t>(place + 1);
}

/// Adds the last one of them; those before it are there already, unless the table is made anew.
void IdPlaces::add(std::span<const IndexEntry> entries) {
    constexpr std::size_t kSmallest = 1024;
    if (entries.size() * 2 > m_places.size()) {
        const auto size = std::max(kSmallest, m_places.size() * 2);
        m_places.assign(std::max(size, std::bit_ceil(entries.size() * 2)), 0);
        m_count = 0;
    }
    for (; m_count < entries.size(); ++m_count) put(entries[m_count].key, m_count);
}

void LogIndex::know(std::uint64_t hash, std::uint64_t sequence) {
    auto& ids = of(IndexKind::ids);
    ids.add({hash, sequence});
    m_places.add(ids.gathering());
}

void LogIndex::forgetUnconfirmed() {
    auto& ids = of(IndexKind::ids);
    if (m_confirmed == ids.gathered()) return;
    ids.shrink(m_confirmed);
    m_places.clear();
    m_places.add(ids.gathering());
}

std::vector<std::uint64_t> LogIndex::recent(std::uint64_t hash) const {
    std::vector<std::uint64_t> result;
    const auto& ids = run(IndexKind::ids);
    m_places.forEach(ids.gathering(), hash, [&](std::uint64_t row) { result.push_back(row); });
    const auto frozen = ids.frozen();
    auto found = std::lower_bound(frozen.begin(), frozen.end(), IndexEntry{hash, 0});
    for (; found != frozen.end() && found->key == hash; ++found) result.push_back(found->row);
    return result;
}

std::vector<std::uint64_t> LogIndex::freshSequences() const {
    std::vector<std::uint64_t> result;
    const auto& history = run(IndexKind::history);
    for (const auto entries : {history.frozen(), history.gathering()}) {
        for (const auto& entry : entries) result.push_back(entry.key);
    }
    std::sort(result.begin(), result.end());
    return result;
}

bool LogIndex::empty() const {
    return std::all_of(m_runs.begin(), m_runs.end(), [](const auto& run) { return run.empty(); });
}

bool LogIndex::writing() const {
    return std::any_of(m_runs.begin(), m_runs.end(), [](const auto& run) { return run.writing(); });
}

std::size_t LogIndex::gathered() const {
    std::size_t entries = 0;
    for (const auto& run : m_runs) entries += run.gathered();
    return entries;
}

void LogIndex::freeze(bool everything) {
    for (const auto kind : kIndexKinds) {
        auto& run = of(kind);
        const auto enough = kind == IndexKind::ids ? m_idRun : std::min(m_idRun, kRunEntries);
        if (run.writing() || run.gathered() < (everything ? 1 : enough)) continue;
        run.freeze();
        if (kind != IndexKind::ids) continue;
        m_places.clear();
        m_confirmed = 0;
    }
}

void LogIndex::advance(const Slices& slices) {
    for (std::size_t n = 0; n < m_runs.size(); ++n) m_runs[n].advance(slices.entries[n]);
}

}  // namespace lanes::store
