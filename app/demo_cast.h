// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"

#include <QObject>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lanes::app {

/// A mock destination of the demonstration.
struct DemoRole {
    std::string name;
    MockBehaviour behaviour;
    Micros window = 72 * kHour;
};

/// The roles of the demonstration: a CRM, a billing service that fails now and then, and a
/// warehouse, whose short window lets dead letters be seen.
[[nodiscard]] std::vector<DemoRole> demoRoles(Micros warehouseWindow);

/// Puts the roles on stage: starts a mock for each, and makes or updates the destination of its
/// name with the mock's address and a secret. Mock i is role i.
class DemoCast : public QObject {
public:
    DemoCast(Engine& engine, MockControl& mocks, std::vector<DemoRole> roles,
             QObject* parent = nullptr);

    /// The engine must be running. `done` gets a sentence, or none when all are there.
    void assemble(std::function<void(std::string)> done);
    /// Real events over HTTP to the engine's own intake; a rate of 0 stops them.
    void setTraffic(double eventsPerSecond);

private:
    Engine& m_engine;
    MockControl& m_mocks;
    std::vector<DemoRole> m_roles;
    std::set<CommandId> m_open;
    std::function<void(std::string)> m_done;
};

}  // namespace lanes::app
