// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_facade.h"

#include "engine/runtime/large_blocks.h"

#include <QMetaType>

#include <algorithm>
#include <utility>

namespace lanes {

EngineFacade::EngineFacade(EngineOptions options)
    : m_options(std::move(options)), m_worker(new EngineWorker(m_options, m_slot)) {
    giveLargeBlocksBack();
    qRegisterMetaType<CommandId>();
    qRegisterMetaType<CommandResult>();
    qRegisterMetaType<LanePage>();
    qRegisterMetaType<Lifecycle>();
    qRegisterMetaType<TestResult>();
    connect(&m_tests, &TestDesk::finished, this, &Engine::testFinished);
    m_thread.setObjectName(QStringLiteral("engine"));
    m_worker->moveToThread(&m_thread);
    connect(m_worker, &EngineWorker::snapshotPublished, this, [this] {
        m_slot.told();
        emit snapshotPublished();
    });
    connect(m_worker, &EngineWorker::lifecycleChanged, this, [this](Lifecycle lifecycle) {
        if (lifecycle == Lifecycle::running) m_readable = true;
        emit lifecycleChanged(lifecycle);
    });
    connect(m_worker, &EngineWorker::commandFinished, this, &Engine::commandFinished);
    connect(m_worker, &EngineWorker::lanesRead, this, &Engine::lanesRead);
    connect(m_worker, &EngineWorker::destinationsChanged, this,
            [this](const std::vector<DestinationConfig>& all) { m_destinations = all; });
    connect(m_worker, &EngineWorker::writeKeyLoaded, this,
            [this](const std::string& key) { m_writeKey = key; });
    // Direct: the engine thread ends its own loop when all is closed.
    connect(
        m_worker, &EngineWorker::stopped, m_worker, [this] { m_thread.quit(); },
        Qt::DirectConnection);
}

EngineFacade::~EngineFacade() {
    stop();
    delete m_worker;
}

void EngineFacade::start() {
    if (std::exchange(m_started, true)) return;
    m_thread.start();
    QMetaObject::invokeMethod(m_worker, &EngineWorker::start, Qt::QueuedConnection);
}

void EngineFacade::stop() {
    m_tests.stop();
    if (!m_thread.isRunning()) return;
    QMetaObject::invokeMethod(m_worker, &EngineWorker::stop, Qt::QueuedConnection);
    m_thread.wait();
}

std::shared_ptr<const EngineSnapshot> EngineFacade::snapshot() const { return m_slot.latest(); }

CommandId EngineFacade::submit(Command command) {
    const CommandId id(++m_lastCommand);
    if (!m_thread.isRunning()) {
        CommandResult result;
        result.error = "The engine is not running, so nothing was changed.";
        QMetaObject::invokeMethod(
            this, [this, id, result] { emit commandFinished(id, result); }, Qt::QueuedConnection);
        return id;
    }
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, id, command = std::move(command)] { worker->obey(id, command); },
        Qt::QueuedConnection);
    return id;
}

void EngineFacade::readLanes(LanePageRequest request) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request] { worker->readLanes(request); },
        Qt::QueuedConnection);
}

void EngineFacade::watchLanes(std::vector<LaneKey> keys) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, keys = std::move(keys)] { worker->watchLanes(keys); },
        Qt::QueuedConnection);
}

CommandId EngineFacade::sendTest(DestinationConfig config) {
    const CommandId id(++m_lastCommand);
    m_tests.send(id, std::move(config));
    return id;
}

void EngineFacade::cancelTest(CommandId test) { m_tests.cancel(test); }

std::unique_ptr<PageReader> EngineFacade::openPageReader() const {
    return m_readable ? m_worker->openPageReader() : nullptr;
}

std::vector<DestinationConfig> EngineFacade::destinations() const { return m_destinations; }

std::string EngineFacade::writeKey() const { return m_writeKey; }

std::unique_ptr<Engine> makeEngine(EngineOptions options) {
    return std::make_unique<EngineFacade>(std::move(options));
}

}  // namespace lanes
