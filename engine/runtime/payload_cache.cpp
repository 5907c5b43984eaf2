// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/payload_cache.h"

#include <utility>

namespace lanes {

namespace {

constexpr std::size_t kOverhead = 320;  // of the maps and strings around one event

std::size_t bytesOf(const SentEvent& event) {
    return kOverhead + event.source.size() + event.user.text.size() + event.id.size() +
           event.type.size() + event.contentType.size() +
           (event.payload ? event.payload->size() : 0);
}

}  // namespace

void PayloadCache::put(Sequence sequence, std::shared_ptr<const SentEvent> event) {
    const auto size = bytesOf(*event);
    if (size > m_capacity) return;
    const auto [at, fresh] = m_events.try_emplace(sequence, std::move(event));
    if (!fresh) return;
    m_bytes += size;
    m_order.push_back(sequence);
    while (m_bytes > m_capacity) {
        const auto oldest = m_events.find(m_order.front());
        m_order.pop_front();
        m_bytes -= bytesOf(*oldest->second);
        m_events.erase(oldest);
    }
}

std::shared_ptr<const SentEvent> PayloadCache::find(Sequence sequence) const {
    const auto found = m_events.find(sequence);
    return found == m_events.end() ? nullptr : found->second;
}

}  // namespace lanes
