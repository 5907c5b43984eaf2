// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/transport.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>

namespace lanes {

/// Events that were accepted or read a short while ago, so that most deliveries need no read.
/// First in, first out, bounded in bytes. One thread.
class PayloadCache {
public:
    explicit PayloadCache(std::size_t capacity) : m_capacity(capacity) {}

    void put(Sequence sequence, std::shared_ptr<const SentEvent> event);
    /// Null if it is not there.
    [[nodiscard]] std::shared_ptr<const SentEvent> find(Sequence sequence) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    std::size_t m_capacity;
    std::size_t m_bytes = 0;
    std::unordered_map<Sequence, std::shared_ptr<const SentEvent>> m_events;
    std::deque<Sequence> m_order;
};

}  // namespace lanes
