// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_commands.h"
#include "app/data_directory.h"

#include <QLocalServer>
#include <QObject>

#include <chrono>
#include <string>

namespace lanes::app {

struct ControlLimits {
    int connections = 32;  ///< at once; scripts that ask in parallel, not a service
    std::chrono::milliseconds idleTime{30'000};  ///< until a request, and for a whole request
    /// Until what was planned is moved; after that a plan is too old anyway.
    std::chrono::milliseconds planTime{600'000};
};

/// The local socket of a running instance. Only the user who runs it may connect (mode 0600); one
/// request at a time on a connection; too long lines and idle connections are closed.
class ControlServer : public QObject {
public:
    ControlServer(ControlCommands& commands, ControlLimits limits, QObject* parent = nullptr);
    ~ControlServer() override;

    /// Listens; empty text if it does. To be called only by the owner of the directory's lock,
    /// because a socket that is left over from a crash is removed.
    [[nodiscard]] std::string listen(const DataDirectory& directory);
    void close();

private:
    void accept();

    ControlCommands& m_commands;
    ControlLimits m_limits;
    QLocalServer m_server;
    int m_open = 0;
};

}  // namespace lanes::app
