// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/import_desk.h"

#include "engine/intake/event_fields.h"
#include "engine/runtime/engine_clock.h"

#include <utility>

namespace lanes {

namespace {

std::string whyNot(const StartImport& command) {
    if (command.path.empty() || command.path.front() != '/')
        return "The path of the file must be absolute.";
    if (command.path.find('\0') != std::string::npos ||
        command.reportPath.find('\0') != std::string::npos)
        return "There is no such path.";
    if (!command.reportPath.empty() && command.reportPath.front() != '/')
        return "The path of the report must be absolute.";
    if (hasControl(command.source) || command.source.size() > limits::kEventIdBytes)
        return "The source is a name of at most " + std::to_string(limits::kEventIdBytes) +
               " bytes without control characters.";
    return {};
}

}  // namespace

ImportDesk::ImportDesk(std::string dataDirectory, ImportDeskPorts ports)
    : m_directory(std::move(dataDirectory)), m_ports(std::move(ports)) {}

void ImportDesk::start(CommandId id, const StartImport& command) {
    CommandResult refusal;
    refusal.error = whyNot(command);
    if (m_import && snapshot().active())
        refusal.error = "An import is running already, of " + snapshot().file +
                        "; wait for its end, or cancel it.";
    if (!refusal.ok()) return m_ports.answer(id, refusal);
    m_last = snapshot();
    ++m_number;
    // What an import says that is over by now is not heard.
    const auto post = [this, number = m_number](std::function<void()> action) {
        m_ports.post([this, number, action = std::move(action)] {
            if (m_import && number == m_number) action();
        });
    };
    ImportPorts ports;
    ports.submit = [this, post](std::shared_ptr<const ImportBatch> batch) {
        post([this, batch = std::move(batch)] { take(batch); });
    };
    ports.opened = [this, post, id](const std::string& error) {
        post([this, id, error] { opened(id, error); });
    };
    // The snapshot tells; it is published often enough.
    ports.ended = [] {};
    ports.wallClock = [] { return EngineClock::wall(); };
    m_import.reset();
    m_import = std::make_unique<FileImport>(m_number, command, m_directory, std::move(ports));
    m_import->setStoreFault(m_storeFault);
    m_import->start();
}

void ImportDesk::opened(CommandId id, const std::string& error) {
    CommandResult result;
    result.error = error;
    if (result.ok()) {
        result.importNumber = m_number;
        result.underWay = true;
    } else {
        m_import.reset();
    }
    m_ports.answer(id, result);
}

void ImportDesk::cancel(CommandId id) {
    CommandResult result;
    if (m_import && snapshot().active())
        m_import->cancel();
    else
        result.error = "No import is running.";
    m_ports.answer(id, result);
}

void ImportDesk::stop() {
    if (!m_import) return;
    m_last = m_import->snapshot();
    m_import.reset();
    if (!m_last.active()) return;
    m_last.state = ImportState::cancelled;
    m_last.error.clear();
}

void ImportDesk::take(const std::shared_ptr<const ImportBatch>& batch) {
    m_rejected.clear();
    WriteBatch write;
    write.events.reserve(batch->events.size());
    for (const ImportedEvent& imported : batch->events) {
        std::vector<DestinationId> named;
        std::string unknown;
        for (const std::string& name : imported.destinations) {
            if (const auto destination = m_ports.findDestination(name))
                named.push_back(*destination);
            else
                unknown = name;
        }
        if (!unknown.empty()) {
            auto fault = unknownDestination(unknown);
            RejectedLine line = imported.line;
            line.code = std::move(fault.code);
            line.detail = std::move(fault.detail);
            m_rejected.push_back(std::move(line));
            continue;
        }
        write.events.push_back(imported.event);
        write.events.back().targets = m_ports.route(imported.event.type, named);
    }
    if (write.events.empty()) {
        m_import->settle({true, 0, 0, std::exchange(m_rejected, {})});
        return;
    }
    write.intake = ++m_lastMark;
    m_ports.submit(std::move(write));
}

void ImportDesk::stored(const IntakeCommit& commit, input::EventsAccepted& accepted) {
    ImportOutcome outcome;
    outcome.stored = commit.stored;
    for (const StoredEvent& event : commit.events) {
        ++(event.duplicate ? outcome.duplicates : outcome.accepted);
        if (!event.duplicate && !event.targets.empty())
            accepted.events.push_back({event.sequence, event.user, event.targets});
    }
    if (!m_import || commit.intake != m_lastMark) return;  // of an import that is over
    outcome.rejected = std::exchange(m_rejected, {});
    m_import->settle(std::move(outcome));
}

void ImportDesk::setStoreFault(const std::string& fault) {
    m_storeFault = fault;
    if (m_import) m_import->setStoreFault(fault);
}

ImportSnapshot ImportDesk::snapshot() const {
    return m_import ? m_import->snapshot() : m_last;
}

}  // namespace lanes
