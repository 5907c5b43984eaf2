// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/store_inbox.h"

#include <utility>

namespace lanes {

StoreInbox::Contents StoreInbox::take() {
    const std::lock_guard lock(m_mutex);
    m_woken = false;
    return std::exchange(m_contents, {});
}

void StoreInbox::committed(CommitReport report) {
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        m_contents.commits.push_back(std::move(report));
        wake = !std::exchange(m_woken, true);
    }
    if (wake) m_wake();
}

void StoreInbox::statusChanged(StoreStatus status) {
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        m_contents.statuses.push_back(std::move(status));
        wake = !std::exchange(m_woken, true);
    }
    if (wake) m_wake();
}

}  // namespace lanes
