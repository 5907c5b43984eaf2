// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/test_delivery.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lanes {

/// The delivery engine as the rest of the program sees it. It lives on the thread that made it
/// (the GUI thread); its work is done on threads of its own, and only values cross over. No call
/// blocks, except `stop`, which returns when the store is closed.
///
/// Life cycle: starting -> recovering -> running -> draining -> stopped; or failed, with the
/// reason in the snapshot.
class Engine : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    virtual void start() = 0;
    /// Ends intake, lets attempts in flight finish for at most two seconds, commits, checkpoints
    /// and closes.
    virtual void stop() = 0;

    /// The newest state; never null. Immutable, so it may be kept and read on any thread.
    [[nodiscard]] virtual std::shared_ptr<const EngineSnapshot> snapshot() const = 0;
    /// Answered by `commandFinished` with the id that is returned.
    virtual CommandId submit(Command command) = 0;
    /// Answered by `lanesRead`. A newer request with the same token supersedes an older one.
    virtual void readLanes(LanePageRequest request) = 0;
    /// Names the lanes (at most `limits::kWatchedLanes`) whose state rides on each snapshot.
    virtual void watchLanes(std::vector<LaneKey> keys) = 0;
    /// A reader on a connection of its own; null until the life cycle is running.
    [[nodiscard]] virtual std::unique_ptr<PageReader> openPageReader() const = 0;
    /// Sends one test event as these settings say, whatever their name and id: at once, also while
    /// the destination is paused, outside lanes, counters and log. Answered by `testFinished`.
    virtual CommandId sendTest(DestinationConfig config) = 0;
    /// Gives up a test that runs; it is answered as cancelled. Others are left alone.
    virtual void cancelTest(CommandId test) = 0;
    /// Settings of a destination as last seen by the engine; secrets included.
    [[nodiscard]] virtual std::vector<DestinationConfig> destinations() const = 0;
    /// Write key for the intake, from the data directory.
    [[nodiscard]] virtual std::string writeKey() const = 0;

signals:
    /// A newer snapshot is there. At most `limits::kSnapshotsPerSecond` times a second.
    void snapshotPublished();
    void lifecycleChanged(lanes::Lifecycle lifecycle);
    void commandFinished(lanes::CommandId id, const lanes::CommandResult& result);
    void lanesRead(const lanes::LanePage& page);
    void testFinished(lanes::CommandId test, const lanes::TestResult& result);
};

/// Makes the engine. The data directory is opened by `start`, not here.
[[nodiscard]] std::unique_ptr<Engine> makeEngine(EngineOptions options);

}  // namespace lanes

Q_DECLARE_METATYPE(lanes::CommandResult)
Q_DECLARE_METATYPE(lanes::LanePage)
Q_DECLARE_METATYPE(lanes::TestResult)
