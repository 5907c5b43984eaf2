// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

namespace lanes {

/// Pending pointers on their way from the thread that reads the log to the one that puts them into
/// lanes: reading and placing take about as long, so a start takes half the time of both. Holds a
/// few batches at most. One thread gives, one takes.
class PointerPipe {
public:
    using Batch = std::vector<PendingPointer>;

    /// Giving thread; waits while the pipe is full.
    void give(const PendingPointer& pointer);
    /// Giving thread: how much is read, 0..1.
    void tell(double progress);
    /// Giving thread: nothing more comes.
    void end();

    struct Step {
        Batch batch;
        double progress = 0;
        bool ended = false;
    };
    /// Taking thread: waits for the next batch, news of the progress, or the end.
    [[nodiscard]] Step take();

private:
    static constexpr std::size_t kBatch = 1024;   // pointers
    static constexpr std::size_t kBatches = 16;

    void giveBatch();

    Batch m_filling;  ///< of the giving thread
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Batch> m_batches;
    double m_progress = 0;
    double m_toldProgress = 0;
    bool m_ended = false;
};

}  // namespace lanes
