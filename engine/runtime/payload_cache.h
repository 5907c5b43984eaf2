// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/types.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

namespace lanes {

/// What is needed of an event to deliver it and to show its lane.
struct CachedEvent {
    UserKey user;
    std::string id;
    std::string type;
    std::string contentType;
    std::shared_ptr<const std::string> payload;
    WallMicros acceptedAt = 0;

    [[nodiscard]] std::size_t bytes() const;
};

/// Events that were accepted or read a short while ago, so that most deliveries need no read.
/// First in, first out, bounded in bytes. One thread.
class PayloadCache {
public:
    explicit PayloadCache(std::size_t capacity) : m_capacity(capacity) {}

    void put(Sequence sequence, CachedEvent event);
    /// Null if it is not there; valid until the next `put`.
    [[nodiscard]] const CachedEvent* find(Sequence sequence) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    std::size_t m_capacity;
    std::size_t m_bytes = 0;
    std::unordered_map<Sequence, CachedEvent> m_events;
    std::deque<Sequence> m_order;
};

}  // namespace lanes
