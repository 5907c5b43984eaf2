// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/payload_cache.h"

#include <utility>

namespace lanes {

namespace {
constexpr std::size_t kOverhead = 256;  // of the maps and strings around one event
}

std::size_t CachedEvent::bytes() const {
    return kOverhead + user.text.size() + id.size() + type.size() + contentType.size() +
           (payload ? payload->size() : 0);
}

void PayloadCache::put(Sequence sequence, CachedEvent event) {
    const auto size = event.bytes();
    if (size > m_capacity) return;
    const auto [at, fresh] = m_events.try_emplace(sequence, std::move(event));
    if (!fresh) return;
    m_bytes += size;
    m_order.push_back(sequence);
    while (m_bytes > m_capacity) {
        const auto oldest = m_events.find(m_order.front());
        m_order.pop_front();
        m_bytes -= oldest->second.bytes();
        m_events.erase(oldest);
    }
}

const CachedEvent* PayloadCache::find(Sequence sequence) const {
    const auto found = m_events.find(sequence);
    return found == m_events.end() ? nullptr : &found->second;
}

}  // namespace lanes
