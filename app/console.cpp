// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "app/application.h"
#include "app/control_client.h"
#include "app/demo_cast.h"
#include "app/signal_handler.h"
#include "app/words.h"
#include "ui/common/preferences.h"
#include "ui/common/theme.h"
#include "ui/damage_choices.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QMessageBox>
#include <QProcess>
#include <QThread>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace lanes::app {

namespace {

/// The retry window of the demonstration's warehouse: short, so that a faster clock shows dead
/// letters within a minute.
constexpr Micros kDemoWindow = 20 * kMinute;
constexpr double kDemoEventsPerSecond = 20;

/// How long the first instance may take from its lock to its socket.
constexpr int kRaiseTries = 50;
constexpr std::chrono::milliseconds kRaiseWait{100};

/// As given on the command line, else as preferred.
ui::Theme themeOf(std::optional<Theme> theme) {
    if (!theme) return ui::Preferences::theme();
    switch (*theme) {
        case Theme::system: return ui::Theme::system;
        case Theme::light: return ui::Theme::light;
        case Theme::dark: return ui::Theme::dark;
    }
    return ui::Theme::system;
}

void complain(const std::string& text) {
    std::cerr << "rivora-lanes: " << oneLine(text) << std::endl;
}

/// There is an instance already: its window is what the user wants to see.
Exit raiseOther(const std::string& directory, const InstanceLock::Held& held) {
    const auto found = findDataDirectory(directory);
    if (const auto* place = std::get_if<DataDirectory>(&found)) {
        for (int tried = 0; tried < kRaiseTries; ++tried) {
            ControlClient client;
            if (client.connectTo(*place, std::chrono::seconds(1))) {
                const auto answer = client.call({"raise", {}}, std::chrono::seconds(5));
                if (answer.ok() && answer.result.value("raised", Json()) == true) {
                    std::cout << "Rivora Lanes is running on " << directory
                              << " already; its window was brought to the front." << std::endl;
                    return Exit::good;
                }
                break;
            }
            QThread::msleep(static_cast<unsigned long>(kRaiseWait.count()));
        }
    }
    complain(inUseText(directory, held));
    return Exit::fault;
}

/// Does what was chosen about a damaged data file, while the window shows that it is busy. The
/// engine has failed, so its directory is free.
class DamageCare : public QObject {
public:
    DamageCare(ui::DamageChoices& choices, std::string directory, const DataCare& care)
        : m_choices(choices), m_directory(std::move(directory)), m_care(care) {
        connect(&choices, &ui::DamageChoices::restoreWanted, this, [this](const QString& file) {
            begin(tr("The backup is being checked and put in place."), [this, file] {
                return outcome(m_care.restore(m_directory, file.toStdString()));
            });
        });
        connect(&choices, &ui::DamageChoices::salvageWanted, this, [this] {
            begin(tr("What is readable is being kept."), [this] {
                const auto result = m_care.salvage(m_directory);
                const auto* report = std::get_if<SalvageReport>(&result);
                if (report != nullptr && !report->complete()) (void)keepReport(*report);
                return outcome(result);
            });
        });
        connect(&choices, &ui::DamageChoices::emptyWanted, this, [this] {
            begin(tr("The damaged files are being moved aside."), [this]() -> Outcome {
                const auto result = m_care.startEmpty(m_directory);
                const auto* error = std::get_if<std::string>(&result);
                if (error != nullptr) return {false, *error};
                return {true, "The damaged files are in " +
                                  std::get<SetAsideReport>(result).place + "."};
            });
        });
        connect(&choices, &ui::DamageChoices::quitWanted, qApp, &QApplication::quit);
    }
    ~DamageCare() override {
        if (m_thread.joinable()) m_thread.join();
    }

    /// The data file is another one now: the engine is to be started again.
    [[nodiscard]] bool done() const { return m_done; }

private:
    struct Outcome {
        bool done = false;
        std::string text;
    };

    template <typename Report>
    static Outcome outcome(const std::variant<Report, std::string>& result) {
        if (const auto* error = std::get_if<std::string>(&result)) return {false, *error};
        return {true, toText(std::get<Report>(result))};
    }
    static QString tr(const char* text) {
        return QCoreApplication::translate("lanes::app::DamageCare", text);
    }

    void begin(const QString& text, std::function<Outcome()> work) {
        if (m_thread.joinable()) m_thread.join();
        m_choices.showBusy(text);
        m_thread = std::thread([this, work = std::move(work)] {
            auto outcome = work();
            QMetaObject::invokeMethod(
                this, [this, outcome] { end(outcome); }, Qt::QueuedConnection);
        });
    }
    void end(const Outcome& outcome) {
        const auto text = QString::fromStdString(outcome.text);
        if (!outcome.done) return m_choices.showFailure(text);
        QMessageBox message(QMessageBox::Information, tr("Done"), text, QMessageBox::Ok,
                            m_choices.window());
        message.setTextFormat(Qt::PlainText);
        message.exec();
        m_done = true;
        QApplication::quit();
    }

    ui::DamageChoices& m_choices;
    const std::string m_directory;
    const DataCare& m_care;
    std::thread m_thread;
    bool m_done = false;
};

}  // namespace

std::string displayProblem() {
#ifdef Q_OS_LINUX
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return {};
    return "there is no display (DISPLAY and WAYLAND_DISPLAY are not set); without one these work: "
           "rivora-lanes headless, rivora-lanes demo --headless";
#else
    return {};
#endif
}

void openingDisplay() {
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString&) {
        if (type != QtFatalMsg) return;
        std::string named;
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            if (qEnvironmentVariableIsSet(name))
                named += (named.empty() ? "" : ", ") + std::string(name) + "=" +
                         qEnvironmentVariable(name).toStdString();
        complain("the display cannot be opened (" + named +
                 "); without one these work: rivora-lanes headless, rivora-lanes demo --headless");
        std::_Exit(static_cast<int>(Exit::usage));
    });
}

void displayOpened() {
    qInstallMessageHandler(nullptr);
}

namespace {

/// One life of the engine with its window. \param again whether another one is to follow
Exit runOnce(const ApplicationOptions& wanted, const RunConsole& command, const Parts& parts,
             bool& again) {
    Application core(wanted, parts);
    std::unique_ptr<DemoCast> cast;
    auto exit = Exit::good;
    core.onReady([&] {
        const auto snapshot = core.engine().snapshot();
        if (!snapshot->intake.listening) complain(snapshot->intake.error);
        if (!command.demo) return;
        cast = std::make_unique<DemoCast>(core.engine(), *core.mocks(), demoRoles(kDemoWindow));
        cast->assemble([&](const std::string& error) {
            if (!error.empty()) return complain(error);
            cast->setTraffic(kDemoEventsPerSecond);
        });
    });
    // The window stays and shows what is wrong; the exit code tells scripts.
    core.onFailed([&](const std::string& reason) {
        complain(reason);
        exit = Exit::fault;
    });
    const auto started = core.start();
    if (const auto* held = std::get_if<InstanceLock::Held>(&started))
        return raiseOther(wanted.dataDirectory, *held);
    if (const auto* error = std::get_if<std::string>(&started)) {
        complain(*error);
        return Exit::fault;
    }
    auto window = std::make_unique<ui::MainWindow>(core.engine(), core.mocks());
    core.control().onRaise([&window] {
        if (window->isMinimized()) window->showNormal();
        window->show();
        window->raise();
        window->activateWindow();
    });
    window->keepHistoryIn(
        QString::fromStdString(core.directory().path + "/console-history"));
    window->setDataDirectory(QString::fromStdString(core.directory().path));
    QObject::connect(window.get(), &ui::MainWindow::demoWanted, window.get(), [] {
        if (!QProcess::startDetached(QCoreApplication::applicationFilePath(),
                                     {QStringLiteral("--demo")}))
            complain("the demonstration could not be started; try: rivora-lanes --demo");
    });
    DamageCare care(window->damageChoices(), core.directory().path, parts.care);
    window->show();
    SignalHandler signalHandler([] { QApplication::quit(); });
    const int code = QApplication::exec();
    again = care.done();
    window->releaseStore();
    window.reset();
    cast.reset();
    core.stop();
    return code == 0 ? exit : Exit::fault;
}

}  // namespace

Exit runConsole(QApplication& application, const Options& options, const RunConsole& command,
                const Parts& parts) {
    ApplicationOptions wanted;
    wanted.dataDirectory =
        options.dataDirectory.empty()
            ? defaultDataDirectory(command.demo ? DataKind::demo : DataKind::regular)
            : options.dataDirectory;
    wanted.mode = command.demo ? "demo" : "console";
    wanted.port = command.listenPort.value_or(command.demo ? std::uint16_t{0} : kDefaultPort);
    wanted.withMocks = command.demo;
    if (!command.configFile.empty()) {
        auto read = readConfigFile(command.configFile);
        if (const auto* error = std::get_if<std::string>(&read)) {
            complain(*error);
            return Exit::usage;
        }
        wanted.changes = std::get<Changes>(std::move(read));
    }
    ui::applyTheme(application, themeOf(command.theme));
    Exit exit = Exit::good;
    for (bool again = true; again;) {
        again = false;
        exit = runOnce(wanted, command, parts, again);
    }
    return exit;
}

}  // namespace lanes::app
