// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <atomic>
#include <memory>

namespace lanes {

/// The newest snapshot, between the engine thread that writes and any thread that reads. Older
/// ones that nobody read are simply gone.
class SnapshotSlot {
public:
    SnapshotSlot() : m_latest(std::make_shared<const EngineSnapshot>()) {}

    /// True if the reader has taken the one before and should be told.
    bool put(std::shared_ptr<const EngineSnapshot> snapshot) {
        m_latest.store(std::move(snapshot));
        return !m_pending.exchange(true);
    }
    [[nodiscard]] std::shared_ptr<const EngineSnapshot> latest() const { return m_latest.load(); }
    /// The reader has been told.
    void told() { m_pending.store(false); }

private:
    std::atomic<std::shared_ptr<const EngineSnapshot>> m_latest;
    std::atomic<bool> m_pending{false};
};

}  // namespace lanes
