// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless.h"
#include "app/signal_handler.h"
#include "tests/app/scripted_engine.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sstream>

using namespace lanes;
using namespace lanes::app;

class HeadlessTest : public QObject {
    Q_OBJECT

    /// Runs until `during`, called from the event loop, has had its way.
    Exit run(const RunHeadless& command, std::function<void(test::ScriptedEngine&)> script,
             std::function<void()> during) {
        Options options;
        options.dataDirectory = m_directory.filePath(QStringLiteral("data")).toStdString();
        Parts parts;
        parts.makeEngine = [&](const EngineOptions& wanted) {
            m_wanted = wanted;
            auto engine = std::make_unique<test::ScriptedEngine>();
            script(*engine);
            m_commands = &engine->commands;
            return engine;
        };
        m_out.str({});
        m_err.str({});
        Headless headless(options, command, parts, m_out, m_err);
        if (during) QTimer::singleShot(0, this, during);
        return headless.run();
    }
    void endSoon() {
        // The handler is there before the loop runs.
        QTimer::singleShot(50, this, [] { std::raise(SIGTERM); });
    }

private slots:
    void runsUntilTheSignal() {
        QCOMPARE(run(
                     {}, [](auto&) {}, [this] { endSoon(); }),
                 Exit::good);
        const auto said = m_out.str();
        QVERIFY2(said.find("listening on http://127.0.0.1:7420/v1/events") != std::string::npos,
                 said.c_str());
        QVERIFY2(said.find("write-key") != std::string::npos, said.c_str());
        QVERIFY2(said.find("key-for-tests") == std::string::npos, "the key itself was printed");
        QCOMPARE(m_err.str(), std::string());
    }

    void passesThePortOn() {
        RunHeadless command;
        command.listenPort = 0;
        QCOMPARE(run(
                     command, [](auto&) {}, [this] { endSoon(); }),
                 Exit::good);
        QCOMPARE(m_wanted.intakePort, std::uint16_t(0));
    }

    void saysWhyTheEngineFailed() {
        const auto exit = run({},
                              [](test::ScriptedEngine& engine) {
                                  engine.state.lifecycle = Lifecycle::failed;
                                  engine.state.failure = "the database is damaged; restore it.";
                              },
                              {});
        QCOMPARE(exit, Exit::fault);
        QCOMPARE(m_err.str(), std::string("rivora-lanes: the database is damaged; restore it.\n"));
    }

    void endsIfTheIntakeCannotListen() {
        const auto exit = run({},
                              [](test::ScriptedEngine& engine) {
                                  engine.state.intake.listening = false;
                                  engine.state.intake.error = "port 7420 is in use.";
                              },
                              {});
        QCOMPARE(exit, Exit::fault);
        QCOMPARE(m_err.str(), std::string("rivora-lanes: port 7420 is in use.\n"));
    }

    void refusesASecondInstance() {
        const auto place = std::get<DataDirectory>(
            openDataDirectory(m_directory.filePath(QStringLiteral("data")).toStdString()));
        const auto lock = InstanceLock::take(place);
        QCOMPARE(run({}, [](auto&) {}, {}), Exit::fault);
        const auto wanted =
            "is in use by pid " + std::to_string(QCoreApplication::applicationPid());
        QVERIFY2(m_err.str().find(wanted) != std::string::npos, m_err.str().c_str());
    }

    void addsAndUpdatesFromTheFile() {
        QFile file(m_directory.filePath(QStringLiteral("c.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("{'destinations': [{'name': 'old', 'inFlight': 2},"
                              " {'name': 'same', 'inFlight': 64},"
                              " {'name': 'new', 'url': 'http://h/'}]}")
                       .replace('\'', '"'));
        file.close();
        RunHeadless command;
        command.configFile = file.fileName().toStdString();
        std::vector<Command> given;
        const auto exit = run(
            command,
            [](test::ScriptedEngine& engine) {
                engine.addDestination(3, "old");
                engine.addDestination(4, "same");
            },
            [&] {
                QTimer::singleShot(50, this, [&] {
                    given = *m_commands;
                    std::raise(SIGTERM);
                });
            });
        QCOMPARE(exit, Exit::good);
        QCOMPARE(given.size(), std::size_t(2));
        const auto& old = std::get<SetDestination>(given[0]).config;
        QCOMPARE(old.id, DestinationId(3));
        QCOMPARE(old.policy.maxInFlight, 2u);
        QCOMPARE(old.url, std::string("http://127.0.0.1:9/old"));
        QCOMPARE(std::get<SetDestination>(given[1]).config.id, DestinationId());
    }

    void refusesABadFile() {
        RunHeadless command;
        command.configFile = m_directory.filePath(QStringLiteral("none.json")).toStdString();
        QCOMPARE(run(command, [](auto&) {}, {}), Exit::usage);
        QVERIFY(m_err.str().find("none.json") != std::string::npos);
    }

    void writesOneLine() {
        EngineSnapshot snapshot;
        snapshot.at = 1'000'000;
        snapshot.totals = {120, 100, 15, 5, 0};
        snapshot.lanes = 4;
        snapshot.inFlight = 3;
        DestinationSnapshot crm;
        crm.name = "crm";
        crm.health = HealthState::degraded;
        snapshot.destinations = {crm};
        QCOMPARE(statusLine(snapshot, {80, 80, 0, 0, 0}, 2.0),
                 std::string("1970-01-01T00:00:01.000Z  accepted 120 (20/s)  delivered 100 (10/s)  "
                             "waiting 15 in 4 lanes  in flight 3  dead 5  crm degraded"));
    }

private:
    QTemporaryDir m_directory;
    EngineOptions m_wanted;
    std::vector<Command>* m_commands = nullptr;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

QTEST_GUILESS_MAIN(HeadlessTest)
#include "headless_test.moc"
