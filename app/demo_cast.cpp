// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo_cast.h"

#include "app/destination_change.h"

#include <algorithm>
#include <utility>

namespace lanes::app {

std::vector<DemoRole> demoRoles(Micros warehouseWindow) {
    MockBehaviour billing;
    billing.errorShare = 0.02;
    return {{"crm", {}}, {"billing", billing}, {"warehouse", {}, warehouseWindow}};
}

DemoCast::DemoCast(Engine& engine, MockControl& mocks, std::vector<DemoRole> roles, QObject* parent)
    : QObject(parent), m_engine(engine), m_mocks(mocks), m_roles(std::move(roles)) {
    connect(&engine, &Engine::commandFinished, this,
            [this](CommandId id, const CommandResult& result) {
                if (m_open.erase(id) == 0 || !m_done) return;
                if (!result.ok() || m_open.empty()) std::exchange(m_done, nullptr)(result.error);
            });
}

void DemoCast::assemble(std::function<void(std::string)> done) {
    m_done = std::move(done);
    const auto known = m_engine.destinations();
    std::uint64_t seed = 0;
    for (const auto& role : m_roles) {
        const auto old = std::find_if(known.begin(), known.end(),
                                      [&](const auto& config) { return config.name == role.name; });
        auto config = old == known.end() ? DestinationConfig{} : *old;
        config.name = role.name;
        config.policy.window = role.window;
        if (config.secrets.empty()) config.secrets = {generateSecret()};
        // Each run listens on new ports; what still waits from the last one goes there.
        config.url = m_mocks.addMock(role.name, role.behaviour, config.secrets.front(), ++seed, 0);
        m_open.insert(m_engine.submit(SetDestination{config}));
    }
}

void DemoCast::setTraffic(double eventsPerSecond) {
    TrafficShape shape;
    shape.running = eventsPerSecond > 0;
    shape.eventsPerSecond = eventsPerSecond;
    m_mocks.setTraffic(shape, m_engine.snapshot()->intake.port, m_engine.writeKey());
}

}  // namespace lanes::app
