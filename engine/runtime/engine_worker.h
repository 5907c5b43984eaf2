// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/commands.h"
#include "engine/config.h"
#include "engine/core/delivery_kernel.h"
#include "engine/core/effects.h"
#include "engine/core/store.h"
#include "engine/core/transport.h"
#include "engine/queries.h"
#include "engine/runtime/dead_letter_expiry.h"
#include "engine/runtime/engine_clock.h"
#include "engine/runtime/filtered_lanes.h"
#include "engine/runtime/huge_pages.h"
#include "engine/runtime/import_desk.h"
#include "engine/runtime/payload_cache.h"
#include "engine/runtime/sender_desk.h"
#include "engine/runtime/snapshot_slot.h"
#include "engine/runtime/store_inbox.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanes {

class HttpTransport;
class IntakeServer;
class PointerPipe;
class SqliteStore;
struct IntakeCommit;
struct IntakeSubmission;

/// The engine thread: the only owner of the kernel. It turns what happens outside into inputs of
/// the kernel, and the kernel's effects into writes, attempts, answers and snapshots. All that
/// happened in one turn of the event loop becomes one batch of the store.
///
/// All functions but the constructor and `openPageReader` run on the engine thread.
class EngineWorker : public QObject {
    Q_OBJECT

public:
    /// \param slot where snapshots go; it must outlive the worker.
    EngineWorker(EngineOptions options, SnapshotSlot& slot);
    ~EngineWorker() override;

    void start();
    /// `stopped` follows, within two seconds and the time of the last commit.
    void stop();
    void obey(CommandId id, Command command);
    void readLanes(const LanePageRequest& request);
    void watchLanes(std::vector<LaneKey> keys);
    /// Any thread, once \ref lifecycleChanged has said running.
    [[nodiscard]] std::unique_ptr<PageReader> openPageReader() const;

Q_SIGNALS:
    void snapshotPublished();
    void lifecycleChanged(lanes::Lifecycle lifecycle);
    void commandFinished(lanes::CommandId id, const lanes::CommandResult& result);
    void lanesRead(const lanes::LanePage& page);
    void destinationsChanged(const std::vector<lanes::DestinationConfig>& destinations);
    void writeKeyLoaded(const std::string& key);
    void stopped();

private:
    bool openStore();
    void placePointers(PointerPipe& pipe, const std::function<void()>& atTheFirst);
    bool openIntake();
    void openTransport();
    [[nodiscard]] ImportDeskPorts importPorts();
    [[nodiscard]] SenderDeskPorts senderPorts();
    void fail(const std::string& reason);
    void setLifecycle(Lifecycle lifecycle);
    void checkDrained();
    void finishStop();

    void storeSpoke();
    void storeStatus(const StoreStatus& status);
    void stored(const IntakeCommit& commit, input::EventsAccepted& accepted);
    void submitted(IntakeSubmission submission);
    void attemptsFinished(const std::vector<AttemptResult>& results);

    void run(Input input);
    void flush();
    void startSome();
    bool readAhead(const std::vector<StartAttempt>& starts);
    void remember(EventRow row);
    void scheduleFlush();
    void schedule();
    void tend();
    void publish();
    [[nodiscard]] std::shared_ptr<const SentEvent> eventOf(Sequence sequence);
    /// As it goes to one destination; nothing if it cannot be read.
    [[nodiscard]] std::optional<AttemptRequest> requestOf(const StartAttempt& start);
    /// Why the payload of an edit cannot be taken; empty if it can.
    [[nodiscard]] std::string whyNot(const EditAndRewind& edit);
    void backUp(CommandId id, const BackUp& command);
    /// What the kernel does not know of the heads.
    void addTexts(std::vector<LaneRow>& rows);
    [[nodiscard]] LaneScanPorts scanPorts();
    void expireDeadLetters();
    void fillSnapshot(EngineSnapshot& snapshot);
    [[nodiscard]] Moment moment();

    EngineOptions m_options;
    SnapshotSlot& m_slot;
    EngineClock m_clock;
    HugePages m_laneMemory;
    DeliveryKernel m_kernel;
    Effects m_effects;
    PayloadCache m_cache;  // what was accepted, shared by the destinations
    /// Events whose payload was replaced at one destination, by hand and therefore few.
    std::set<Pointer> m_edited;
    StoreInbox m_inbox;
    std::unique_ptr<SqliteStore> m_store;
    std::unique_ptr<EventReader> m_reader;
    DeadLetterExpiry m_expiry;
    FilteredLanes m_filtered;
    std::unique_ptr<IntakeServer> m_intake;
    ImportDesk m_imports;
    SenderDesk m_senders;
    QThread m_deliveryThread;
    HttpTransport* m_transport = nullptr;  // lives on m_deliveryThread
    QTimer m_wake;
    QTimer m_publish;
    QTimer m_tend;
    QTimer m_stopLimit;
    /// Attempts that the kernel has started and the transport does not have yet.
    std::deque<StartAttempt> m_starts;
    bool m_startScheduled = false;
    bool m_flushScheduled = false;
    Lifecycle m_lifecycle = Lifecycle::starting;
    std::string m_failure;
    bool m_damaged = false;
    double m_progress = 0;
    std::uint64_t m_snapshots = 0;
    std::string m_intakeError;
    std::vector<LaneKey> m_watched;
    StoreStatus m_storeStatus;
    std::optional<Micros> m_unreadAt;  // when an event could last not be read
    /// What was given to the store, until it has answered: the events go to the cache then.
    struct OnTheWay {
        std::vector<std::shared_ptr<const SentEvent>> events;
        std::uint64_t quarantined = 0;
    };
    std::unordered_map<std::uint64_t, OnTheWay> m_onTheirWay;
};

}  // namespace lanes
