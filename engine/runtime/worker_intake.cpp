// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_worker.h"

#include "engine/intake/write_key.h"
#include "engine/runtime/metrics_page.h"
#include "engine/runtime/status_page.h"
#include "engine/store/sqlite_store.h"

#include <utility>

// How events come in: over HTTP, from files, and out of quarantine; from there to the store, and
// from its answer to the kernel and back to the sender.
namespace lanes {

bool EngineWorker::openIntake() {
    auto key = loadOrCreateWriteKey(m_options.dataDirectory);
    if (!key.ok()) {
        fail(key.error().detail);
        return false;
    }
    emit writeKeyLoaded(key.value());
    IntakePorts ports;
    ports.submit = [this](IntakeSubmission submission) { submitted(std::move(submission)); };
    ports.findDestination = [this](std::string_view name) {
        return m_kernel.findDestination(name);
    };
    ports.status = [this] {
        EngineSnapshot snapshot;
        fillSnapshot(snapshot);
        return statusPage(snapshot);
    };
    ports.metrics = [this] {
        EngineSnapshot snapshot;
        fillSnapshot(snapshot);
        return metricsPage(snapshot);
    };
    m_intake = std::make_unique<IntakeServer>(std::move(ports), key.value());
    m_intake->setSources(m_senders.sources());
    const auto listening = m_intake->listen(m_options.intakePort);
    m_intakeError = listening.ok() ? std::string() : listening.error().detail;
    return true;
}

ImportDeskPorts EngineWorker::importPorts() {
    ImportDeskPorts ports;
    ports.post = [this](std::function<void()> action) {
        QMetaObject::invokeMethod(this, std::move(action), Qt::QueuedConnection);
    };
    ports.submit = [this](WriteBatch batch) {
        flush();  // what the kernel wrote before goes first
        m_store->submit(std::move(batch));
    };
    ports.findDestination = [this](std::string_view name) {
        return m_kernel.findDestination(name);
    };
    ports.route = [this](const std::string& type, const std::vector<DestinationId>& named) {
        return m_kernel.route(type, named, m_clock.now());
    };
    ports.answer = [this](CommandId id, const CommandResult& result) {
        publish();  // whoever hears it finds the import in the snapshot
        emit commandFinished(id, result);
    };
    return ports;
}

SenderDeskPorts EngineWorker::senderPorts() {
    const auto imports = importPorts();
    SenderDeskPorts ports;
    ports.submit = imports.submit;
    ports.answer = imports.answer;
    ports.route = imports.route;
    ports.wallClock = [] { return EngineClock::wall(); };
    ports.openReader = [this] { return m_store ? m_store->openPageReader() : nullptr; };
    ports.readAgain = [this](const QuarantineRow& row, std::string body)
        -> std::variant<IntakeSubmission, EventRejection> {
        if (!m_intake)
            return EventRejection{0, "no_intake", "There is no intake here that could check it."};
        return m_intake->readAgain(row, std::move(body));
    };
    ports.sourcesChanged = [this](const std::vector<SourceConfig>& sources) {
        if (m_intake) m_intake->setSources(sources);
    };
    return ports;
}

void EngineWorker::submitted(IntakeSubmission submission) {
    const auto now = m_clock.now();
    std::vector<std::shared_ptr<const SentEvent>> events;
    events.reserve(submission.events.size());
    for (std::size_t i = 0; i < submission.events.size(); ++i) {
        auto& event = submission.events[i];
        event.targets = m_kernel.route(event.type, submission.named[i], now);
        events.push_back(std::make_shared<const SentEvent>(
            SentEvent{event.source, event.id, event.user, event.type, event.contentType,
                      std::make_shared<const std::string>(event.payload), event.acceptedAt}));
    }
    m_onTheirWay.emplace(submission.intake,
                         OnTheWay{std::move(events), submission.quarantined.size()});
    WriteBatch batch;
    batch.intake = submission.intake;
    batch.events = std::move(submission.events);
    batch.quarantined = std::move(submission.quarantined);
    // What the kernel wrote before goes first: a destination that was just added, say.
    flush();
    m_store->submit(std::move(batch));
}

void EngineWorker::stored(const IntakeCommit& commit, input::EventsAccepted& accepted) {
    if (ImportDesk::isOurs(commit.intake)) return m_imports.stored(commit, accepted);
    if (SenderDesk::isOurs(commit.intake)) return m_senders.stored(commit, accepted);
    const auto found = m_onTheirWay.find(commit.intake);
    if (found == m_onTheirWay.end()) return;
    auto [events, quarantined] = std::move(found->second);
    m_onTheirWay.erase(found);
    if (!commit.stored) return;
    m_senders.noteQuarantined(quarantined);
    for (std::size_t i = 0; i < commit.events.size() && i < events.size(); ++i) {
        const auto& event = commit.events[i];
        if (event.duplicate || event.targets.empty()) continue;
        accepted.events.push_back({event.sequence, event.user, event.targets});
        m_cache.put(event.sequence, std::move(events[i]));
    }
}

}  // namespace lanes
