// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/engine.h"

#include <QTemporaryDir>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes::bench {

/// The whole engine on a log of its own: kernel, store with its syncs, transport. What it delivers
/// was accepted before it started and is read back from the log, so that nothing but delivering is
/// measured, and that at its hardest.
class EngineLoad {
public:
    /// \param destinations each with a name of its own; they get ids from 1 and are paused.
    EngineLoad(std::vector<DestinationConfig> destinations, int users, int eventsEach);
    ~EngineLoad();
    EngineLoad(const EngineLoad&) = delete;
    EngineLoad& operator=(const EngineLoad&) = delete;

    void set(const DestinationConfig& config) { obey(SetDestination{config}); }
    void resume(DestinationId id) { obey(ResumeDestination{id, "bench"}); }
    /// Returns when nothing is in flight any more.
    void pause(DestinationId id);

    /// Deliveries a second while `received` (which any thread may count) goes on by `requests`,
    /// once the window is open.
    [[nodiscard]] double perSecond(const std::function<std::uint64_t()>& received, int warmUp,
                                   int requests);
    /// Stops the engine and proves from its log that all was delivered in order, each attempt being
    /// one of `requests` that arrived.
    void prove(std::uint64_t requests);

private:
    void obey(Command command);
    static void waitUntil(const std::function<bool()>& condition, const char* what);

    QTemporaryDir m_directory;
    std::unique_ptr<Engine> m_engine;
};

}  // namespace lanes::bench
