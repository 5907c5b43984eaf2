// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/data_care.h"
#include "app/data_directory.h"
#include "app/demo_run.h"
#include "app/destination_schema.h"
#include "app/diagnostics.h"
#include "app/headless.h"
#include "app/lab_run.h"
#include "app/logging.h"
#include "app/operations.h"
#include "app/simulation_run.h"
#include "app/store_check.h"
#include "app/words.h"
#include "engine/user_id.h"

#ifdef LANES_CONSOLE
#include "app/console.h"

#include <QApplication>
#include <QTemporaryDir>
#endif

#include <QCoreApplication>

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

namespace lanes::app {

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

void nameProgram() {
    QCoreApplication::setApplicationName(QStringLiteral("rivora-lanes"));
    QCoreApplication::setOrganizationName(QStringLiteral("Rivora"));
    QCoreApplication::setOrganizationDomain(QStringLiteral("rivora.io"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LANES_VERSION));
}

/// Secrets that were typed are visible to every user of the machine for as long as they stand in
/// the process's arguments.
void hideSecrets(int argc, char** argv) {
    for (int at = 1; at < argc; ++at)
        if (char* secret = std::strstr(argv[at], "whsec_"))
            std::memset(secret, '*', std::strlen(secret));
}

Parts realParts() {
    const auto salvage = [](const std::string& directory) {
        return salvageDataDirectory(directory, fingerprint);
    };
    return {makeEngine,
            makeMockControl,
            verifyDataDirectory,
            {backUpDataDirectory, restoreDataDirectory, salvage, startEmpty}};
}

void complain(const std::string& text) {
    std::cerr << "rivora-lanes: " << oneLine(text) << std::endl;
}

/// Null if no person sits at the terminal.
Confirm somebodyToAsk() {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) return nullptr;
    return [](const std::string& question) {
        std::cerr << oneLine(question) << " [y/N] " << std::flush;
        std::string line;
        return std::getline(std::cin, line) && (line == "y" || line == "yes");
    };
}

std::string directoryOf(const Options& options) {
    return options.dataDirectory.empty() ? defaultDataDirectory(DataKind::regular)
                                         : options.dataDirectory;
}

Exit verify(const Options& options) {
    const auto found = findDataDirectory(directoryOf(options));
    if (const auto* error = std::get_if<std::string>(&found)) {
        complain(*error);
        return Exit::fault;
    }
    const auto result = verifyDataDirectory(std::get<DataDirectory>(found).path);
    if (const auto* error = std::get_if<std::string>(&result)) {
        complain(*error);
        return Exit::fault;
    }
    const auto& report = std::get<VerifyReport>(result);
    std::cout << (options.json ? oneLineJson(toJson(report)) + "\n" : toText(report)) << std::flush;
    return report.clean() ? Exit::good : Exit::checkFailed;
}

CareOutput careOutput(const Options& options) {
    return {std::cout, std::cerr, options.json, ::isatty(STDERR_FILENO) != 0};
}

Exit diagnose(const Options& options) {
    const auto facts = diagnosticsJson(directoryOf(options));
    std::cout << (options.json ? oneLineJson(facts) + "\n" : diagnosticsText(facts)) << std::flush;
    return Exit::good;
}

#ifdef LANES_CONSOLE

Exit console(int argc, char** argv, const Options& options, const RunConsole& command) {
    if (const auto problem = displayProblem(); !problem.empty()) {
        complain(problem);
        return Exit::usage;
    }
    openingDisplay();
    QApplication application(argc, argv);
    displayOpened();
    QGuiApplication::setDesktopFileName(QStringLiteral("io.rivora.Lanes"));
    return runConsole(application, options, command, realParts());
}

Exit demoWithPictures(int argc, char** argv, const Options& options, const RunDemo& command) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // The window as it is at first, not as its user arranged it.
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
    // The platform without a screen complains about each thing that it cannot do.
    setUpLogging("default.warning=false;" + options.logRules);
    QApplication application(argc, argv);
    return DemoRun(options, command, realParts(), makeCamera(application, command.shotsDirectory),
                   std::cout, std::cerr)
        .run();
}

#else

Exit console(int, char**, const Options&, const RunConsole&) {
    complain(
        "this build has no window; these work: rivora-lanes headless, "
        "rivora-lanes demo --headless");
    return Exit::usage;
}

Exit demoWithPictures(int, char**, const Options&, const RunDemo&) {
    complain("this build has no window to take pictures of; leave --shots out.");
    return Exit::usage;
}

#endif

/// Makes the application object that the command needs, and runs it.
Exit run(int argc, char** argv, const Options& options) {
    const auto plain = [&](auto&& body) {
        QCoreApplication application(argc, argv);
        return body();
    };
    const Overloaded visitor{
        [&](const ShowHelp& help) {
            std::cout << help.text << std::flush;
            return Exit::good;
        },
        [&](const ShowVersion&) {
            std::cout << "rivora-lanes " LANES_VERSION << std::endl;
            return Exit::good;
        },
        [&](const ShowSchema&) {
            std::cout << kDestinationSchema << std::endl;
            return Exit::good;
        },
        [&](const ShowDiagnostics&) { return plain([&] { return diagnose(options); }); },
        [&](const RunConsole& command) { return console(argc, argv, options, command); },
        [&](const RunHeadless& command) {
            return plain([&] {
                return Headless(options, command, realParts(), std::cout, std::cerr).run();
            });
        },
        [&](const RunDemo& command) {
            if (!command.shotsDirectory.empty())
                return demoWithPictures(argc, argv, options, command);
            return plain([&] {
                return DemoRun(options, command, realParts(), nullptr, std::cout, std::cerr).run();
            });
        },
        [&](const VerifyStore&) { return plain([&] { return verify(options); }); },
        [&](const MakeBackup& command) {
            return plain([&] {
                return runBackup(command, directoryOf(options), realParts().care,
                                 careOutput(options));
            });
        },
        [&](const RestoreBackup& command) {
            return plain([&] {
                return runRestore(command, directoryOf(options), realParts().care,
                                  careOutput(options));
            });
        },
        [&](const SalvageStore&) {
            return plain([&] {
                return runSalvage(directoryOf(options), realParts().care, careOutput(options));
            });
        },
        [&](const PlayLab& command) {
            return runLabCommand(command, options.json, std::cout, std::cerr);
        },
        [&](const PlaySimulation& command) {
            const bool terminal = isatty(STDERR_FILENO) != 0;
            return runSimulationCommand(command, {options.json, terminal}, std::cout, std::cerr);
        },
        [&](const Operation& operation) {
            return plain([&] {
                return runOperation(operation, directoryOf(options), options.json, std::cout,
                                    std::cerr, somebodyToAsk());
            });
        },
    };
    return std::visit(visitor, options.action);
}

}  // namespace

}  // namespace lanes::app

int main(int argc, char** argv) {
    using namespace lanes::app;
    // A reader of the output that has left is no reason to drop what is in flight.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const auto read = readCommandLine(std::vector<std::string>(argv + 1, argv + argc));
        hideSecrets(argc, argv);
        if (const auto* error = std::get_if<UsageError>(&read)) {
            complain(error->text);
            return static_cast<int>(Exit::usage);
        }
        const auto& options = std::get<Options>(read);
        nameProgram();
        setUpLogging(options.logRules);
        return static_cast<int>(run(argc, argv, options));
    } catch (const std::exception& error) {
        complain(std::string("the program cannot go on (") + error.what() +
                 "); what was accepted is in the data directory.");
        return static_cast<int>(Exit::fault);
    }
}
