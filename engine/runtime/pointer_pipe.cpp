// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/pointer_pipe.h"

#include <utility>

namespace lanes {

void PointerPipe::give(const PendingPointer& pointer) {
    if (m_filling.capacity() == 0) m_filling.reserve(kBatch);
    m_filling.push_back(pointer);
    if (m_filling.size() == kBatch) giveBatch();
}

void PointerPipe::giveBatch() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_batches.size() < kBatches; });
    m_batches.push_back(std::exchange(m_filling, {}));
    m_changed.notify_all();
}

void PointerPipe::end() {
    if (!m_filling.empty()) giveBatch();
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_changed.notify_all();
}

void PointerPipe::tell(double progress) {
    const std::lock_guard lock(m_mutex);
    m_progress = progress;
    m_changed.notify_all();
}

PointerPipe::Step PointerPipe::take() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] {
        return !m_batches.empty() || m_ended || m_progress != m_toldProgress;
    });
    Step step;
    step.progress = m_toldProgress = m_progress;
    if (!m_batches.empty()) {
        step.batch = std::move(m_batches.front());
        m_batches.pop_front();
        m_changed.notify_all();
    }
    step.ended = m_ended && m_batches.empty();
    return step;
}

}  // namespace lanes
