// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"

#include <functional>
#include <mutex>
#include <vector>

namespace lanes {

/// Carries the store's words from its writer thread to the engine thread: they are collected, and
/// the engine is woken once for all of them.
class StoreInbox : public StoreListener {
public:
    /// `wake` is called on the store's thread, once until the next `take`.
    explicit StoreInbox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    struct Contents {
        std::vector<CommitReport> commits;
        std::vector<StoreStatus> statuses;
    };
    [[nodiscard]] Contents take();

    void committed(CommitReport report) override;
    void statusChanged(StoreStatus status) override;

private:
    std::function<void()> m_wake;
    std::mutex m_mutex;
    Contents m_contents;
    bool m_woken = false;
};

}  // namespace lanes
