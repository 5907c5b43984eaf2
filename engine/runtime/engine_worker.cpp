// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_worker.h"

#include "engine/delivery/http_transport.h"
#include "engine/delivery/request_builder.h"
#include "engine/intake/intake_server.h"
#include "engine/payload_check.h"
#include "engine/runtime/pointer_pipe.h"
#include "engine/store/sqlite_store.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <deque>
#include <future>
#include <random>
#include <type_traits>
#include <utility>

namespace lanes {

namespace {

constexpr int kPublishInterval = 1000 / limits::kSnapshotsPerSecond;  // ms
constexpr int kLookPause = 4;                                          // ms, a slice is 1 ms
constexpr int kDrainLimit = 2000;                                      // ms, attempts in flight
constexpr int kLastAnswers = 20;                                       // ms
constexpr std::size_t kPointersAhead = 8;
constexpr Micros kUnreadIsNews = 3 * kSecond;  // the kernel tries again after one
constexpr int kFaultRetryAfter = 5;                                    // s, told to senders

std::uint64_t seedOf(const EngineOptions& options) {
    if (options.seed != 0) return options.seed;
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

EngineWorker::EngineWorker(EngineOptions options, SnapshotSlot& slot)
    : m_options(std::move(options)),
      m_slot(slot),
      m_clock(m_options.demonstration ? m_options.clockScale : 1.0),
      m_kernel(seedOf(m_options), &m_laneMemory),
      m_cache(limits::kPayloadCacheBytes),
      m_inbox([this] {
          QMetaObject::invokeMethod(this, [this] { storeSpoke(); }, Qt::QueuedConnection);
      }),
      m_expiry(m_options.deadLetterRetention, m_options.steadyClock),
      m_filtered(scanPorts()),
      m_imports(m_options.dataDirectory, importPorts()),
      m_senders(senderPorts()),
      m_wake(this),
      m_publish(this),
      m_tend(this),
      m_stopLimit(this) {
    m_wake.setSingleShot(true);
    m_wake.setTimerType(Qt::PreciseTimer);
    m_stopLimit.setSingleShot(true);
    m_publish.setInterval(kPublishInterval);
    connect(&m_wake, &QTimer::timeout, this, [this] { run(input::TimePassed{}); });
    connect(&m_publish, &QTimer::timeout, this, [this] {
        // Also the heartbeat: it finds out that the machine slept.
        (void)m_clock.now();
        if (m_clock.woke()) run(input::Woke{});
        expireDeadLetters();
        publish();
    });
    connect(&m_tend, &QTimer::timeout, this, &EngineWorker::tend);
    connect(&m_stopLimit, &QTimer::timeout, this, &EngineWorker::finishStop);
}

EngineWorker::~EngineWorker() {
    m_deliveryThread.quit();
    m_deliveryThread.wait();
}

// --- Life cycle

void EngineWorker::start() {
    publish();
    openTransport();
    if (!openStore()) return;
    emit destinationsChanged(m_kernel.destinations());
    for (const auto& config : m_kernel.destinations())
        QMetaObject::invokeMethod(
            m_transport, [transport = m_transport, config] { transport->setDestination(config); });
    setLifecycle(Lifecycle::running);
    if (m_options.intakeEnabled && !openIntake()) return;
    m_publish.start();
    run(input::TimePassed{});
    publish();
}

bool EngineWorker::openStore() {
    StoreOptions options;
    options.directory = m_options.dataDirectory;
    m_store = std::make_unique<SqliteStore>(options, m_inbox);
    Recovery recovery;
    PointerPipe pipe;
    recovery.pending = [&](const PendingPointer& pending) { pipe.give(pending); };
    recovery.progress = [&](double share) { pipe.tell(share); };
    setLifecycle(Lifecycle::recovering);
    auto opening = std::async(std::launch::async, [&] {
        auto opened = m_store->open(recovery);
        pipe.end();
        return opened;
    });
    bool told = false;
    const auto tellDestinations = [&] {
        if (std::exchange(told, true)) return;
        m_kernel.recoverIds(recovery.lastOperation, recovery.lastDestination,
                            recovery.lastSequence);
        for (const auto& destination : recovery.destinations)
            m_kernel.recoverDestination(destination, m_clock.now());
    };
    placePointers(pipe, tellDestinations);
    const auto opened = opening.get();
    (void)m_clock.now();
    (void)m_clock.woke();  // a long recovery is no sleep
    if (!opened.ok()) {
        m_store.reset();
        m_damaged = opened.error().code == Error::Code::damaged;
        fail(opened.error().detail);
        return false;
    }
    tellDestinations();
    m_kernel.recoverOperations(recovery.operations, m_clock.now());
    m_edited.insert(recovery.versions.begin(), recovery.versions.end());
    m_senders.begin(std::move(recovery.sources), recovery.lastSource, recovery.quarantined);
    m_reader = m_store->openEventReader();
    if (!m_reader) {
        m_store.reset();
        fail("The events in " + m_options.dataDirectory +
             " cannot be read; check the disk and the permissions, and start the program again.");
        return false;
    }
    return true;
}

/// The first pointer comes when all else that recovery tells is there.
void EngineWorker::placePointers(PointerPipe& pipe, const std::function<void()>& atTheFirst) {
    // A lane may lie anywhere in memory: it is on its way while those before it are taken in.
    std::deque<PendingPointer> ahead;
    const auto recoverFirst = [&] {
        m_kernel.recoverPointer(ahead.front());
        ahead.pop_front();
    };
    for (bool ended = false; !ended;) {
        const auto step = pipe.take();
        ended = step.ended;
        if (!step.batch.empty()) atTheFirst();
        for (const auto& pending : step.batch) {
            m_kernel.expectPointer(pending);
            ahead.push_back(pending);
            if (ahead.size() > kPointersAhead) recoverFirst();
        }
        if (step.progress == m_progress) continue;
        m_progress = step.progress;
        (void)m_clock.now();
        publish();
    }
    while (!ahead.empty()) recoverFirst();
}

void EngineWorker::openTransport() {
    m_transport = new HttpTransport;
    m_transport->moveToThread(&m_deliveryThread);
    connect(&m_deliveryThread, &QThread::finished, m_transport, &QObject::deleteLater);
    connect(m_transport, &HttpTransport::finished, this, &EngineWorker::attemptsFinished,
            Qt::QueuedConnection);
    m_deliveryThread.setObjectName(QStringLiteral("delivery"));
    m_deliveryThread.start();
}

void EngineWorker::fail(const std::string& reason) {
    m_failure = reason;
    setLifecycle(Lifecycle::failed);
}

void EngineWorker::setLifecycle(Lifecycle lifecycle) {
    m_lifecycle = lifecycle;
    publish();
    emit lifecycleChanged(lifecycle);
}

void EngineWorker::stop() {
    if (m_lifecycle == Lifecycle::draining || m_lifecycle == Lifecycle::stopped) return;
    if (m_lifecycle != Lifecycle::running) {
        finishStop();
        return;
    }
    m_imports.stop();
    setLifecycle(Lifecycle::draining);
    if (m_intake)
        m_intake->setRefusing(IntakeRefusal{kFaultRetryAfter, "The program is about to stop."});
    m_stopLimit.start(kDrainLimit);
    run(input::Draining{});
    flush();
    checkDrained();
}

/// Nothing in flight and nobody waiting for an answer: the rest can be closed. A moment is left for
/// the last answers to leave their sockets.
void EngineWorker::checkDrained() {
    if (m_lifecycle != Lifecycle::draining || !m_stopLimit.isActive()) return;
    if (m_kernel.inFlight() > 0 || (m_intake && m_intake->pendingRequests() > 0)) return;
    m_stopLimit.start(std::min(kLastAnswers, m_stopLimit.remainingTime()));
}

void EngineWorker::finishStop() {
    m_stopLimit.stop();
    m_wake.stop();
    m_publish.stop();
    m_tend.stop();
    m_intake.reset();
    // What is still in flight ends with what is known of it; its report arrives before `stop`
    // returns to the delivery thread's loop, so it is in our queue after it.
    if (m_transport != nullptr && m_deliveryThread.isRunning()) {
        QMetaObject::invokeMethod(
            m_transport, [transport = m_transport] { transport->stop(); },
            Qt::BlockingQueuedConnection);
        QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
        flush();
        m_deliveryThread.quit();
        m_deliveryThread.wait();
        m_transport = nullptr;
    }
    m_reader.reset();
    if (m_store) m_store->close();
    if (m_lifecycle != Lifecycle::failed) setLifecycle(Lifecycle::stopped);
    publish();
    emit stopped();
}

// --- Turns

Moment EngineWorker::moment() { return {m_clock.now(), EngineClock::wall()}; }

void EngineWorker::run(Input input) {
    if (!m_store) return;
    m_kernel.step(std::move(input), moment(), m_effects);
    scheduleFlush();
}

/// All steps of one turn of the event loop share one batch.
void EngineWorker::scheduleFlush() {
    if (std::exchange(m_flushScheduled, true)) return;
    QMetaObject::invokeMethod(this, &EngineWorker::flush, Qt::QueuedConnection);
}

void EngineWorker::flush() {
    m_flushScheduled = false;
    if (!m_store || m_transport == nullptr) return;
    Effects effects = std::exchange(m_effects, {});
    for (const auto& config : effects.destinations)
        QMetaObject::invokeMethod(
            m_transport, [transport = m_transport, config] { transport->setDestination(config); });
    for (const auto id : effects.removed)
        QMetaObject::invokeMethod(
            m_transport, [transport = m_transport, id] { transport->removeDestination(id); });
    if (!effects.destinations.empty() || !effects.removed.empty())
        emit destinationsChanged(m_kernel.destinations());
    for (const auto& version : effects.writes.versions) m_edited.insert(version.pointer);
    if (!effects.writes.empty() || effects.writes.ticket != 0)
        m_store->submit(std::move(effects.writes));
    m_starts.insert(m_starts.end(), effects.starts.begin(), effects.starts.end());
    if (!m_startScheduled) startSome();
    // Whoever hears that a command is done finds its effect in the snapshot; and no request that
    // was decided before a pause is sent after its answer.
    if (!effects.done.empty()) {
        while (!m_starts.empty()) startSome();
        publish();
    }
    for (const auto& done : effects.done) emit commandFinished(done.id, done.result);
    schedule();
}

std::string EngineWorker::whyNot(const EditAndRewind& edit) {
    const auto event = eventOf(edit.pointer.sequence);
    if (event == nullptr)
        return "There is no event " + std::to_string(edit.pointer.sequence.value) +
               " in the log (any more).";
    return payloadProblem(event->contentType, edit.payload);
}

void EngineWorker::schedule() {
    if (m_lifecycle != Lifecycle::running) return;
    const auto next = m_kernel.nextWakeup(m_clock.now());
    if (next == DestinationHealth::kNever) {
        m_wake.stop();
        return;
    }
    m_wake.start(m_clock.realMillisecondsUntil(next));
}

void EngineWorker::attemptsFinished(const std::vector<AttemptResult>& results) {
    for (const auto& result : results) {
        input::AttemptFinished finished{result};
        finished.result.duration = m_clock.scaled(result.duration);
        run(std::move(finished));
    }
    checkDrained();
}

// --- Store

void EngineWorker::storeSpoke() {
    auto contents = m_inbox.take();
    if (!m_store) return;
    for (const auto& status : contents.statuses) storeStatus(status);
    for (const auto& report : contents.commits) {
        input::EventsAccepted accepted;
        for (const auto& commit : report.intakes) stored(commit, accepted);
        if (!accepted.events.empty()) run(std::move(accepted));
        if (report.ticket != 0) run(input::StoreCommitted{report.ticket});
        for (const auto& commit : report.intakes)
            if (m_intake) m_intake->finish(commit);
    }
    checkDrained();
}

void EngineWorker::storeStatus(const StoreStatus& status) {
    m_storeStatus = status;
    run(input::StoreWritable{status.writable});
    if (m_intake && m_lifecycle == Lifecycle::running) {
        if (status.writable)
            m_intake->setRefusing(std::nullopt);
        else
            m_intake->setRefusing(IntakeRefusal{kFaultRetryAfter, status.fault});
    }
    m_imports.setStoreFault(status.writable ? std::string() : status.fault);
    publish();
}

// --- Commands and questions

void EngineWorker::obey(CommandId id, Command command) {
    CommandResult refusal;
    if (m_lifecycle != Lifecycle::running) {
        refusal.error = "The engine is not running, so nothing was changed.";
    } else if (const auto* scale = std::get_if<SetClockScale>(&command)) {
        if (!m_options.demonstration)
            refusal.error = "The clock can be scaled in the demonstration only.";
        else if (scale->scale < 1 || scale->scale > 2160)
            refusal.error = "The clock runs from 1 to 2160 times as fast.";
        else
            m_clock.setScale(scale->scale);
        emit commandFinished(id, refusal);
        schedule();
        return;
    } else if (const auto* backup = std::get_if<BackUp>(&command)) {
        return backUp(id, *backup);
    } else if (std::holds_alternative<CancelBackup>(command)) {
        m_store->cancelBackup();
    } else if (const auto* start = std::get_if<StartImport>(&command)) {
        return m_imports.start(id, *start);
    } else if (std::holds_alternative<CancelImport>(command)) {
        return m_imports.cancel(id);
    } else if (const auto* source = std::get_if<SetSource>(&command)) {
        return m_senders.obey(id, *source);
    } else if (const auto* remove = std::get_if<RemoveSource>(&command)) {
        return m_senders.obey(id, *remove);
    } else if (const auto* retry = std::get_if<RetryQuarantined>(&command)) {
        return m_senders.obey(id, *retry);
    } else if (const auto* discard = std::get_if<DiscardQuarantined>(&command)) {
        return m_senders.obey(id, *discard);
    } else {
        if (const auto* edit = std::get_if<EditAndRewind>(&command)) refusal.error = whyNot(*edit);
        if (const auto* settings = std::get_if<SetDestination>(&command))
            refusal.error = settingsProblem(settings->config);
        if (refusal.ok()) return run(input::CommandGiven{id, std::move(command)});
    }
    emit commandFinished(id, refusal);
}

void EngineWorker::backUp(CommandId id, const BackUp& command) {
    m_store->backUp({command.file, command.replace}, [this, id](const Result<BackupReport>& made) {
        CommandResult result;
        if (!made) result.error = made.error().detail;
        QMetaObject::invokeMethod(
            this,
            [this, id, result] {
                publish();
                emit commandFinished(id, result);
            },
            Qt::QueuedConnection);
    });
}

void EngineWorker::readLanes(const LanePageRequest& request) {
    if (m_lifecycle != Lifecycle::running) return;
    const bool filtered = !request.filter.isEverything();
    auto page = filtered ? m_filtered.page(request) : m_kernel.page(request, m_clock.now());
    addTexts(page.rows);
    emit lanesRead(page);
    const bool more = page.readiness < 1 || m_filtered.isLooking();
    if (!m_tend.isActive() || more) m_tend.start(more ? 0 : kPublishInterval);
}

void EngineWorker::tend() {
    if (m_kernel.tendOrders(m_clock.now())) return m_tend.setInterval(0);
    if (!m_filtered.step()) return m_tend.setInterval(kPublishInterval);
    // While requests are under way the look takes a fifth of the thread's time at most.
    m_tend.setInterval(m_kernel.inFlight() > 0 ? kLookPause : 0);
}

LaneScanPorts EngineWorker::scanPorts() {
    LaneScanPorts ports;
    ports.next = [this](DeliveryKernel::LaneWalk& walk, std::size_t most) {
        return m_kernel.next(walk, most, m_clock.now());
    };
    ports.lanesOfUser = [this](UserId user, DestinationId destination) {
        LanePageRequest request;
        request.user = user;
        request.destination = destination;
        return m_kernel.page(request, m_clock.now()).rows;
    };
    ports.row = [this](LaneKey key) { return m_kernel.row(key, m_clock.now()); };
    ports.addTexts = [this](std::vector<LaneRow>& rows) { addTexts(rows); };
    return ports;
}

void EngineWorker::watchLanes(std::vector<LaneKey> keys) {
    if (keys.size() > limits::kWatchedLanes) keys.resize(limits::kWatchedLanes);
    m_watched = std::move(keys);
}

void EngineWorker::addTexts(std::vector<LaneRow>& rows) {
    std::vector<Sequence> missing;
    for (auto& row : rows) {
        if (const auto event = m_cache.find(row.head)) {
            row.user = event->user;
            row.eventId = event->id;
            row.type = event->type;
            row.acceptedAt = event->acceptedAt;
        } else {
            missing.push_back(row.head);
        }
    }
    if (missing.empty()) return;
    // Without the payloads, which may be large and are of no use to a list.
    std::unordered_map<Sequence, EventTexts> found;
    for (auto& texts : m_reader->readTexts(missing)) found[texts.sequence] = std::move(texts);
    for (auto& row : rows) {
        const auto texts = found.find(row.head);
        if (texts == found.end()) continue;
        row.user = texts->second.user;
        row.eventId = texts->second.id;
        row.type = texts->second.type;
        row.acceptedAt = texts->second.acceptedAt;
    }
}

void EngineWorker::expireDeadLetters() {
    if (m_lifecycle != Lifecycle::running || m_options.demonstration) return;
    const auto now = m_clock.now();
    const auto question = m_expiry.due(now, EngineClock::wall());
    if (!question) return;
    const auto answer = m_reader->deadBefore(*question);
    m_expiry.found(answer, now);
    if (!answer.pointers.empty())
        run(input::DeadLettersExpired{answer.pointers, m_expiry.retention()});
}

std::unique_ptr<PageReader> EngineWorker::openPageReader() const {
    return m_store->openPageReader();
}

// --- Snapshots

void EngineWorker::fillSnapshot(EngineSnapshot& snapshot) {
    const auto now = m_clock.now();
    snapshot.lifecycle = m_lifecycle;
    snapshot.failure = m_failure;
    snapshot.damaged = m_damaged;
    snapshot.recoveryProgress = m_progress;
    snapshot.at = EngineClock::wall();
    snapshot.engineTime = now;
    snapshot.clockScale = m_clock.scale();
    if (m_lifecycle == Lifecycle::running || m_lifecycle == Lifecycle::draining ||
        m_lifecycle == Lifecycle::stopped)
        m_kernel.describe(now, snapshot);
    if (m_store) snapshot.store = m_store->stats();
    snapshot.store.writable = m_storeStatus.writable;
    snapshot.store.fault = m_storeStatus.fault;
    if (snapshot.store.fault.empty() && m_unreadAt && m_clock.now() - *m_unreadAt < kUnreadIsNews)
        snapshot.store.fault = "An event cannot be read from the log in " +
                               m_options.dataDirectory +
                               "; check the disk. What waits for that goes on by itself.";
    if (m_intake) snapshot.intake = m_intake->snapshot();
    if (m_intake) snapshot.sources = m_intake->sources();
    snapshot.intake.error = m_intakeError;
    snapshot.intake.quarantined = m_senders.quarantined();
    snapshot.fileImport = m_imports.snapshot();
}

void EngineWorker::publish() {
    auto snapshot = std::make_shared<EngineSnapshot>();
    fillSnapshot(*snapshot);
    snapshot->number = ++m_snapshots;
    for (const auto key : m_watched) {
        if (m_lifecycle != Lifecycle::running) break;
        auto row = m_kernel.row(key, snapshot->engineTime);
        if (row && row->head) snapshot->watched.push_back(std::move(*row));
    }
    addTexts(snapshot->watched);
    if (m_slot.put(std::move(snapshot))) emit snapshotPublished();
}

}  // namespace lanes
