// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/config_file.h"
#include "app/control_commands.h"
#include "app/control_server.h"
#include "app/data_directory.h"
#include "app/parts.h"
#include "app/single_instance.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace lanes::app {

struct ApplicationOptions {
    std::string dataDirectory;
    std::string mode;        ///< as in InstanceFacts
    std::uint16_t port = 0;  ///< of the intake
    double clockScale = 1.0;
    bool withMocks = false;
    Changes changes;  ///< of the configuration file; done before it is ready
};

/// One instance on one data directory: lock, engine, control socket and, in a demonstration, the
/// mock destinations. It owns the order in which they start and stop; whoever has a window closes
/// it before `stop`.
class Application : public QObject {
public:
    struct Started {};
    using StartResult = std::variant<Started, InstanceLock::Held, std::string>;

    Application(ApplicationOptions options, Parts parts);
    ~Application() override;

    /// Called once, when the engine runs, the configuration is done and the intake listens or has
    /// said why it does not (see the snapshot).
    void onReady(std::function<void()> ready) { m_ready = std::move(ready); }
    /// Called once, with a sentence, instead of `onReady` or later.
    void onFailed(std::function<void(std::string)> failed) { m_failed = std::move(failed); }

    [[nodiscard]] StartResult start();
    /// Ends intake and deliveries in order and returns when the store is closed. Twice is once.
    void stop();

    [[nodiscard]] Engine& engine() { return *m_engine; }
    [[nodiscard]] MockControl* mocks() { return m_mocks.get(); }  ///< null unless withMocks
    [[nodiscard]] ControlCommands& control() { return *m_control; }
    [[nodiscard]] const DataDirectory& directory() const { return m_directory; }

private:
    void lifecycleChanged(Lifecycle lifecycle);
    void applyChanges();
    void changeFinished(CommandId id, const CommandResult& result);
    void becomeReady();
    void fail(std::string reason);

    ApplicationOptions m_options;
    Parts m_parts;
    std::function<void()> m_ready;
    std::function<void(std::string)> m_failed;
    DataDirectory m_directory;
    InstanceLock m_lock;
    std::unique_ptr<MockControl> m_mocks;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<ControlCommands> m_control;
    std::unique_ptr<ControlServer> m_server;
    std::map<CommandId, std::string> m_changing;  // names by the command that is on its way
    bool m_running = false;
};

/// "data directory DIR is in use by pid N ..." for those who find it held.
[[nodiscard]] std::string inUseText(const std::string& directory, const InstanceLock::Held& held);

}  // namespace lanes::app
