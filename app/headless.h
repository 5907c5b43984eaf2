// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application.h"
#include "app/command_line.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <ostream>
#include <string>

namespace lanes::app {

/// Engine and intake until a signal comes. Says where the intake is, then the state once a second.
class Headless : public QObject {
public:
    Headless(const Options& options, const RunHeadless& command, Parts parts, std::ostream& out,
             std::ostream& err);

    /// Runs the event loop of the application object, which must exist.
    [[nodiscard]] Exit run();

private:
    void ready();
    void tick();
    void end(Exit exit);
    void complain(const std::string& text);

    RunHeadless m_command;
    std::string m_dataDirectory;
    bool m_json;
    Parts m_parts;
    std::ostream& m_out;
    std::ostream& m_err;
    std::unique_ptr<Application> m_application;
    QTimer m_second;
    QElapsedTimer m_sinceTick;
    DeliveryCounters m_before;
    std::string m_fault;
};

/// One line for a terminal: counts, rates since the state before, and who is not healthy.
[[nodiscard]] std::string statusLine(const EngineSnapshot& snapshot, const DeliveryCounters& before,
                                     double seconds);

}  // namespace lanes::app
