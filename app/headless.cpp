// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless.h"

#include "app/control_json.h"
#include "app/signal_handler.h"
#include "app/words.h"

#include <QCoreApplication>

#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace lanes::app {

namespace {

double rate(std::uint64_t now, std::uint64_t before, double seconds) {
    return seconds > 0 && now > before ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace

std::string statusLine(const EngineSnapshot& snapshot, const DeliveryCounters& before,
                       double seconds) {
    const auto& now = snapshot.totals;
    std::ostringstream line;
    line << isoTime(snapshot.at) << std::fixed << std::setprecision(0) << "  accepted "
         << now.accepted << " (" << rate(now.accepted, before.accepted, seconds)
         << "/s)  delivered " << now.delivered << " ("
         << rate(now.delivered, before.delivered, seconds) << "/s)  waiting " << now.waiting
         << " in " << snapshot.lanes << " lanes  in flight " << snapshot.inFlight << "  dead "
         << now.dead;
    for (const auto& state : snapshot.destinations)
        if (state.health != HealthState::healthy)
            line << "  " << state.name << " " << word(state.health);
    return line.str();
}

Headless::Headless(const Options& options, const RunHeadless& command, Parts parts,
                   std::ostream& out, std::ostream& err)
    : m_command(command),
      m_dataDirectory(options.dataDirectory),
      m_json(options.json),
      m_parts(std::move(parts)),
      m_out(out),
      m_err(err) {}

Exit Headless::run() {
    ApplicationOptions options;
    options.dataDirectory =
        m_dataDirectory.empty() ? defaultDataDirectory(DataKind::regular) : m_dataDirectory;
    options.mode = "headless";
    options.port = m_command.listenPort;
    if (!m_command.configFile.empty()) {
        auto read = readConfigFile(m_command.configFile);
        if (const auto* error = std::get_if<std::string>(&read)) {
            complain(*error);
            return Exit::usage;
        }
        options.changes = std::get<Changes>(std::move(read));
    }
    m_application = std::make_unique<Application>(options, m_parts);
    m_application->onReady([this] { ready(); });
    m_application->onFailed([this](const std::string& reason) {
        complain(reason);
        end(Exit::fault);
    });
    const auto started = m_application->start();
    if (const auto* held = std::get_if<InstanceLock::Held>(&started)) {
        complain(inUseText(options.dataDirectory, *held));
        return Exit::fault;
    }
    if (const auto* error = std::get_if<std::string>(&started)) {
        complain(*error);
        return Exit::fault;
    }
    SignalHandler signalHandler([this] { end(Exit::good); });
    const int code = QCoreApplication::exec();
    m_application->stop();
    return static_cast<Exit>(code);
}

void Headless::ready() {
    const auto snapshot = m_application->engine().snapshot();
    if (!snapshot->intake.listening) {
        complain(snapshot->intake.error);
        return end(Exit::fault);
    }
    const auto& path = m_application->directory().path;
    if (m_json) {
        Json line;
        line["listening"] = snapshot->intake.port;
        line["pid"] = QCoreApplication::applicationPid();
        line["data_dir"] = path;
        m_out << oneLineJson(line) << std::endl;
    } else {
        m_out << "listening on http://127.0.0.1:" << snapshot->intake.port
              << "/v1/events; the write key is printed by: rivora-lanes write-key --data-dir "
              << path << std::endl;
    }
    m_before = snapshot->totals;
    m_sinceTick.start();
    connect(&m_second, &QTimer::timeout, this, &Headless::tick);
    m_second.start(std::chrono::seconds(1));
}

void Headless::tick() {
    const auto snapshot = m_application->engine().snapshot();
    if (snapshot->store.fault != m_fault) {
        m_fault = snapshot->store.fault;
        complain(m_fault.empty() ? "the store can be written again." : m_fault);
    }
    const auto seconds = static_cast<double>(m_sinceTick.restart()) / 1000.0;
    if (!m_command.quiet) {
        if (m_json)
            m_out << oneLineJson(statusJson(*snapshot)) << std::endl;
        else
            m_out << statusLine(*snapshot, m_before, seconds) << std::endl;
    }
    m_before = snapshot->totals;
}

void Headless::end(Exit exit) {
    m_second.stop();
    // Queued, because a failure may be told before the loop runs, which would forget it.
    QMetaObject::invokeMethod(
        this, [exit] { QCoreApplication::exit(static_cast<int>(exit)); }, Qt::QueuedConnection);
}

void Headless::complain(const std::string& text) {
    m_err << "rivora-lanes: " << oneLine(text) << std::endl;
}

}  // namespace lanes::app
