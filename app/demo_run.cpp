// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo_run.h"

#include "app/signal_handler.h"
#include "app/words.h"

#include <QCoreApplication>
#include <QDir>

#include <utility>

namespace lanes::app {

DemoRun::DemoRun(const Options& options, const RunDemo& command, Parts parts,
                 std::unique_ptr<DemoCamera> camera, std::ostream& out, std::ostream& err)
    : m_dataDirectory(options.dataDirectory),
      m_json(options.json),
      m_length(command.length),
      m_parts(std::move(parts)),
      m_camera(std::move(camera)),
      m_out(out),
      m_err(err) {}

Exit DemoRun::run() {
    auto directory = m_dataDirectory;
    if (directory.empty()) {
        m_temporary = std::make_unique<QTemporaryDir>(QDir::tempPath() +
                                                      QStringLiteral("/rivora-lanes-demo-XXXXXX"));
        if (!m_temporary->isValid()) {
            fail("no temporary directory can be made (" + m_temporary->errorString().toStdString() +
                 "); give one with --data-dir.");
            return Exit::fault;
        }
        directory = m_temporary->path().toStdString();
    }
    if (!start(directory)) return Exit::fault;
    SignalHandler signalHandler([this] { interrupted(); });
    const auto code = static_cast<Exit>(QCoreApplication::exec());
    if (m_camera) m_camera->close();
    m_story.reset();
    m_application->stop();
    return code == Exit::good ? conclude(directory) : code;
}

bool DemoRun::start(const std::string& directory) {
    ApplicationOptions options;
    options.dataDirectory = directory;
    options.mode = "demo";
    options.clockScale = storyClockScale(m_length);
    options.withMocks = true;
    m_application = std::make_unique<Application>(options, m_parts);
    m_application->onReady([this] { play(); });
    m_application->onFailed([this](const std::string& reason) {
        fail(reason);
        leave(Exit::fault);
    });
    const auto started = m_application->start();
    if (const auto* held = std::get_if<InstanceLock::Held>(&started))
        fail(inUseText(directory, *held));
    if (const auto* error = std::get_if<std::string>(&started)) fail(*error);
    return std::holds_alternative<Application::Started>(started);
}

void DemoRun::play() {
    const auto snapshot = m_application->engine().snapshot();
    if (!snapshot->intake.listening) {
        fail(snapshot->intake.error);
        return leave(Exit::fault);
    }
    if (m_camera) m_camera->open(*m_application);
    DemoStory::Listener listener;
    listener.told = [this](const std::string& line) {
        if (!m_json) m_out << line << std::endl;
    };
    listener.moment = [this](const std::string& moment) {
        if (!m_camera) return;
        // A moment lasts until its pictures are taken.
        m_story->hold();
        m_camera->take(moment, [this](const std::string& error) {
            if (!error.empty()) fail(error);
            m_story->goOn();
        });
    };
    listener.ended = [this](const std::string& error) { storyEnded(error); };
    m_story = std::make_unique<DemoStory>(*m_application, m_length, std::move(listener));
    m_story->start();
}

void DemoRun::storyEnded(const std::string& error) {
    if (!error.empty()) {
        fail(error);
        return leave(Exit::fault);
    }
    m_report = m_story->report();
    leave(m_failed ? Exit::fault : Exit::good);
}

void DemoRun::interrupted() {
    fail("the demonstration was ended before its report.");
    leave(Exit::fault);
}

Exit DemoRun::conclude(const std::string& directory) {
    const auto result = m_parts.verify(directory);
    if (const auto* error = std::get_if<std::string>(&result)) {
        fail(*error);
        return Exit::fault;
    }
    const auto& verified = std::get<VerifyReport>(result);
    m_report.orderViolations += verified.orderViolations;
    if (verified.orderViolations > 0)
        m_report.broken.push_back(std::to_string(verified.orderViolations) +
                                  " deliveries are out of order in the store (P2)");
    if (verified.unbalanced > 0)
        m_report.broken.push_back("the counts of the store do not add up (P7)");
    m_out << (m_json ? oneLineJson(toJson(m_report)) + "\n" : toText(m_report)) << std::flush;
    return m_report.broken.empty() ? Exit::good : Exit::checkFailed;
}

void DemoRun::fail(const std::string& text) {
    m_failed = true;
    m_err << "rivora-lanes: " << oneLine(text) << std::endl;
}

void DemoRun::leave(Exit exit) {
    QMetaObject::invokeMethod(
        this, [exit] { QCoreApplication::exit(static_cast<int>(exit)); }, Qt::QueuedConnection);
}

}  // namespace lanes::app
