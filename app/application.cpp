// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"

#include <algorithm>
#include <utility>

namespace lanes::app {

Application::Application(ApplicationOptions options, Parts parts)
    : m_options(std::move(options)), m_parts(std::move(parts)) {}

Application::~Application() {
    stop();
}

Application::StartResult Application::start() {
    auto opened = openDataDirectory(m_options.dataDirectory);
    if (auto* error = std::get_if<std::string>(&opened)) return std::move(*error);
    m_directory = std::get<DataDirectory>(opened);
    auto taken = InstanceLock::take(m_directory);
    if (auto* error = std::get_if<std::string>(&taken)) return std::move(*error);
    if (auto* held = std::get_if<InstanceLock::Held>(&taken)) return *held;
    m_lock = std::get<InstanceLock>(std::move(taken));

    if (m_options.withMocks) m_mocks = m_parts.makeMockControl();
    EngineOptions options;
    options.dataDirectory = m_directory.path;
    options.intakePort = m_options.port;
    options.demonstration = m_options.withMocks;
    options.clockScale = m_options.clockScale;
    m_engine = m_parts.makeEngine(options);
    m_control = std::make_unique<ControlCommands>(*m_engine,
                                                  InstanceFacts{m_directory.path, m_options.mode});
    m_server = std::make_unique<ControlServer>(*m_control, ControlLimits{});
    if (auto error = m_server->listen(m_directory); !error.empty()) {
        m_server.reset();
        m_control.reset();
        m_engine.reset();
        return error;
    }
    connect(m_engine.get(), &Engine::lifecycleChanged, this, &Application::lifecycleChanged);
    connect(m_engine.get(), &Engine::commandFinished, this, &Application::changeFinished);
    connect(m_engine.get(), &Engine::snapshotPublished, this, &Application::becomeReady);
    m_engine->start();
    return Started{};
}

void Application::stop() {
    if (!m_engine) return;
    m_engine->disconnect(this);
    if (m_mocks) m_mocks->setTraffic({}, 0, {});
    m_server.reset();
    m_control.reset();  // with its reader, which must not outlive the engine
    m_engine->stop();
    m_engine.reset();
    m_mocks.reset();
    m_lock.release();
}

void Application::lifecycleChanged(Lifecycle lifecycle) {
    if (lifecycle == Lifecycle::failed) return fail(m_engine->snapshot()->failure);
    if (lifecycle != Lifecycle::running || m_running) return;
    m_running = true;
    applyChanges();
    becomeReady();
}

void Application::applyChanges() {
    const auto known = m_engine->destinations();
    for (const auto& change : m_options.changes) {
        const auto old = std::find_if(known.begin(), known.end(), [&](const auto& config) {
            return config.name == change.name;
        });
        const auto config = changed(old == known.end() ? DestinationConfig{} : *old, change);
        if (const auto error = validate(config); !error.empty())
            return fail("destination \"" + change.name + "\" of the configuration file: " + error);
        // An unchanged one is left alone, so that a restart is no operation.
        if (old != known.end() && config == *old) continue;
        m_changing.emplace(m_engine->submit(SetDestination{config}), change.name);
    }
}

void Application::changeFinished(CommandId id, const CommandResult& result) {
    const auto found = m_changing.find(id);
    if (found == m_changing.end()) return;
    const auto name = std::move(found->second);
    m_changing.erase(found);
    if (!result.ok())
        return fail("destination \"" + name + "\" of the configuration file: " + result.error);
    becomeReady();
}

void Application::becomeReady() {
    if (!m_running || !m_changing.empty() || !m_ready) return;
    const auto snapshot = m_engine->snapshot();
    if (!snapshot->intake.listening && snapshot->intake.error.empty()) return;
    std::exchange(m_ready, nullptr)();
}

void Application::fail(std::string reason) {
    if (reason.empty()) reason = "the engine stopped; see --log-rules \"lanes.*=true\".";
    m_ready = nullptr;
    if (auto failed = std::exchange(m_failed, nullptr)) failed(std::move(reason));
}

std::string inUseText(const std::string& directory, const InstanceLock::Held& held) {
    auto text = "data directory " + directory + " is in use";
    if (held.pid != 0) text += " by pid " + std::to_string(held.pid);
    return text + "; operate that instance (rivora-lanes status), or give another --data-dir.";
}

}  // namespace lanes::app
