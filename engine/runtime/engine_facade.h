// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/engine.h"
#include "engine/runtime/engine_worker.h"
#include "engine/runtime/snapshot_slot.h"
#include "engine/runtime/test_desk.h"

#include <QThread>

namespace lanes {

/// The engine as its owner's thread sees it: everything is handed to the worker's thread, answers
/// come back as queued signals.
class EngineFacade final : public Engine {
    Q_OBJECT

public:
    explicit EngineFacade(EngineOptions options);
    ~EngineFacade() override;

    void start() override;
    void stop() override;
    [[nodiscard]] std::shared_ptr<const EngineSnapshot> snapshot() const override;
    CommandId submit(Command command) override;
    void readLanes(LanePageRequest request) override;
    void watchLanes(std::vector<LaneKey> keys) override;
    [[nodiscard]] std::unique_ptr<PageReader> openPageReader() const override;
    CommandId sendTest(DestinationConfig config) override;
    void cancelTest(CommandId test) override;
    [[nodiscard]] std::vector<DestinationConfig> destinations() const override;
    [[nodiscard]] std::string writeKey() const override;

private:
    SnapshotSlot m_slot;
    EngineOptions m_options;
    QThread m_thread;
    EngineWorker* m_worker;  // lives on m_thread
    TestDesk m_tests;
    bool m_started = false;
    bool m_readable = false;  // the store is open, or was: its file can be read
    std::uint64_t m_lastCommand = 0;
    std::vector<DestinationConfig> m_destinations;
    std::string m_writeKey;
};

}  // namespace lanes
