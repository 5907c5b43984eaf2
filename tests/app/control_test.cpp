// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/running_instance.h"

#include <QDateTime>
#include <QFile>
#include <QTimer>

using namespace lanes;
using namespace lanes::app;

class ControlTest : public QObject, RunningInstance {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void isForItsOwnerOnly() {
        const auto rights = QFile::permissions(QString::fromStdString(m_place.socket));
        QVERIFY(!(rights &
                  (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
    }

    void replacesASocketThatACrashLeft() {
        m_server.reset();
        QFile left(QString::fromStdString(m_place.socket));
        QVERIFY(left.open(QIODevice::WriteOnly));
        m_server = std::make_unique<ControlServer>(*m_commands, ControlLimits{});
        QCOMPARE(m_server->listen(m_place), std::string());
        QCOMPARE(say(Operation{ShowStatus{}}).exit, Exit::good);
    }

    void saysThatNothingRuns() {
        m_server.reset();
        const auto said = say(Operation{ShowStatus{}});
        QCOMPARE(said.exit, Exit::fault);
        QVERIFY2(said.err.find("no instance is running on") != std::string::npos, said.err.c_str());
        QVERIFY2(said.err.find("rivora-lanes headless") != std::string::npos, said.err.c_str());
    }

    void tellsTheState() {
        m_engine->addDestination(1, "crm");
        m_engine->state.totals = {10, 6, 3, 1, 0};
        m_engine->state.destinations[0].health = HealthState::degraded;
        const auto text = say(Operation{ShowStatus{}});
        QVERIFY2(text.out.find("degraded") != std::string::npos, text.out.c_str());
        const auto json = Json::parse(say(Operation{ShowStatus{}}, true).out);
        QCOMPARE(json["accepted"].get<int>(), 10);
        QCOMPARE(json["destinations"][0]["name"].get<std::string>(), std::string("crm"));
        QCOMPARE(json["data_dir"].get<std::string>(), m_place.path);
    }

    void addsADestination() {
        PutDestination put;
        put.change.name = "crm";
        put.change.url = "http://127.0.0.1:9/";
        put.change.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
        const auto said = say(Operation{put}, true);
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(m_engine->commands.size(), std::size_t(1));
        const auto& set = std::get<SetDestination>(m_engine->commands[0]);
        QCOMPARE(set.config.secrets, *put.change.secrets);
        QVERIFY2(said.out.find("whsec_") == std::string::npos, "a typed secret was echoed");
    }

    void showsAGeneratedSecretOnce() {
        PutDestination put;
        put.change.name = "crm";
        put.change.url = "http://127.0.0.1:9/";
        put.change.secrets = {generateSecret()};
        put.secretWasGenerated = true;
        QVERIFY(say(Operation{put}).out.find(put.change.secrets->front()) != std::string::npos);
        m_engine->addDestination(1, "crm");
        m_engine->configs[0].secrets = *put.change.secrets;
        const auto list = say(Operation{ListDestinations{}}, true);
        QVERIFY2(list.out.find("whsec_") == std::string::npos, list.out.c_str());
    }

    void changesOnlyWhatIsGiven() {
        m_engine->addDestination(7, "crm");
        m_engine->configs[0].secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
        PutDestination put;
        put.isNew = false;
        put.change.name = "crm";
        put.change.maxInFlight = 3;
        QCOMPARE(say(Operation{put}).exit, Exit::good);
        auto wanted = m_engine->configs[0];
        wanted.policy.maxInFlight = 3;
        QVERIFY(std::get<SetDestination>(m_engine->commands[0]).config == wanted);
    }

    void refusesWhatCannotBeMeant_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a name that is taken") << 0 << QByteArray("destinations set crm");
        QTest::newRow("a change of an unknown one") << 1 << QByteArray("there are: crm");
        QTest::newRow("a pause of an unknown one") << 2 << QByteArray("no destination \"nobody\"");
        QTest::newRow("a change to bad settings") << 3 << QByteArray("url");
        QTest::newRow("an event that is not there") << 4 << QByteArray("no event 99");
        QTest::newRow("lanes of an unknown one") << 5 << QByteArray("no destination \"nobody\"");
    }
    void refusesWhatCannotBeMeant() {
        QFETCH(int, which);
        QFETCH(QByteArray, says);
        m_engine->addDestination(1, "crm");
        PutDestination taken;
        taken.change.name = "crm";
        taken.change.url = "http://h/";
        auto unknown = taken;
        unknown.isNew = false;
        unknown.change.name = "nobody";
        auto bad = taken;
        bad.isNew = false;
        bad.change.url = "nowhere";
        ListLanes lanes;
        lanes.destination = "nobody";
        const std::vector<Operation> all = {taken, unknown,       Pause{"nobody", {}},
                                            bad,   ShowEvent{99}, lanes};
        const auto said = say(all[static_cast<std::size_t>(which)]);
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find(says.toStdString()) != std::string::npos, said.err.c_str());
        QVERIFY(m_engine->commands.empty());
    }

    void pausesAndResumes() {
        m_engine->addDestination(4, "crm");
        QCOMPARE(say(Operation{Pause{"crm", "upgrade"}}).out, std::string("paused crm\n"));
        QCOMPARE(say(Operation{Resume{"crm"}}).out, std::string("resumed crm\n"));
        const auto& pause = std::get<PauseDestination>(m_engine->commands[0]);
        QCOMPARE(pause.destination, DestinationId(4));
        QCOMPARE(pause.reason, std::string("upgrade"));
        QCOMPARE(std::get<ResumeDestination>(m_engine->commands[1]).destination, DestinationId(4));
    }

    void passesTheEnginesRefusalOn() {
        m_engine->addDestination(4, "crm");
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.error = "crm has 3 events waiting.";
            return result;
        };
        const auto said = say(Operation{DropDestination{"crm"}});
        QCOMPARE(said.exit, Exit::fault);
        QCOMPARE(said.err, std::string("rivora-lanes: crm has 3 events waiting.\n"));
    }

    void listsLanes() {
        m_engine->addDestination(1, "crm");
        LaneRow lane;
        lane.key = {DestinationId(1), UserId(5)};
        lane.user = {UserKey::Kind::user, "u\x1b[2Jx"};
        lane.state = LaneState::held;
        lane.nextAttemptIn = 4 * kSecond;
        lane.backlog = 3;
        lane.heldAt = 1;
        lane.heldBy = "bert";
        m_engine->lanes = {lane, lane};
        ListLanes list;
        list.limit = 1;
        const auto text = say(Operation{list}).out;
        QVERIFY2(text.find("held by bert") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1 of 2 lanes") != std::string::npos, text.c_str());
        QVERIFY2(text.find('\x1b') == std::string::npos, "a terminal would obey this");
        const auto json = Json::parse(say(Operation{list}, true).out);
        QCOMPARE(json["lanes"][0]["next_attempt_in_s"].get<double>(), 4.0);
    }

    void listsDeadLettersOverPages() {
        m_engine->addDestination(1, "crm");
        m_engine->addDestination(2, "billing");
        m_engine->addDeadLetters(1, 1, 600);
        m_engine->addDeadLetters(2, 1000, 5);
        ListDeadLetters list;
        list.choice = allOf("crm");
        list.limit = 10'000;
        const auto all = Json::parse(say(Operation{list}, true).out);
        QCOMPARE(all["dead_letters"].size(), std::size_t(600));
        list.limit = 300;
        const auto some = Json::parse(say(Operation{list}, true).out);
        QCOMPARE(some["dead_letters"].size(), std::size_t(300));
        QCOMPARE(some["dead_letters"][299]["sequence"].get<int>(), 300);
    }

    void asksBeforeItMovesMany() {
        m_engine->addDestination(1, "crm");
        m_engine->addDeadLetters(1, 1, 300);
        MoveDeadLetters move;
        move.choice = allOf("crm");
        auto said = say(Operation{move});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find("rewind 300 dead letters in 300 lanes") != std::string::npos,
                 said.err.c_str());
        QVERIFY2(said.err.find("--yes") != std::string::npos, said.err.c_str());
        QVERIFY(m_engine->commands.empty());
        move.confirmed = true;
        said = say(Operation{move}, true);
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(Json::parse(said.out)["done"].get<int>(), 300);
        QCOMPARE(std::get<RewindDeadLetters>(m_engine->commands[0]).pointers.size(),
                 std::size_t(300));
    }

    void movesFewAtOnce() {
        m_engine->addDestination(1, "crm");
        m_engine->addDeadLetters(1, 1, 3);
        MoveDeadLetters move;
        move.rewind = false;
        move.choice.filter.user = "user-2";
        const auto said = say(Operation{move});
        QCOMPARE(said.exit, Exit::good);
        const auto& discard = std::get<DiscardDeadLetters>(m_engine->commands[0]);
        QCOMPARE(discard.pointers.size(), std::size_t(1));
        QCOMPARE(discard.pointers[0].sequence, Sequence(2));
    }

    void movesEventsByTheirPosition() {
        m_engine->addDestination(1, "crm");
        m_engine->addDestination(2, "billing");
        EventRow event;
        event.sequence = Sequence(7);
        event.destinations = {DestinationId(1), DestinationId(2)};
        m_engine->store.events = {event};
        m_engine->addDeadLetters(1, 7, 1);
        m_engine->addDeadLetters(2, 7, 1);
        MoveDeadLetters move;
        move.choice.events = {7};
        QCOMPARE(say(Operation{move}).exit, Exit::good);
        QCOMPARE(std::get<RewindDeadLetters>(m_engine->commands[0]).pointers.size(),
                 std::size_t(2));
        move.choice.destination = "billing";
        QCOMPARE(say(Operation{move}).exit, Exit::good);
        const auto& second = std::get<RewindDeadLetters>(m_engine->commands[1]).pointers;
        QCOMPARE(second.size(), std::size_t(1));
        QCOMPARE(second[0].destination, DestinationId(2));
    }

    void movesNothing() {
        m_engine->addDestination(1, "crm");
        MoveDeadLetters move;
        move.choice = allOf("crm");
        const auto said = say(Operation{move});
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(said.out, std::string("There are no such dead letters.\n"));
        QVERIFY(m_engine->commands.empty());
    }

    void movesExactlyWhatWasCounted() {
        m_engine->addDestination(1, "crm");
        m_engine->addDeadLetters(1, 1, 2);
        const auto session = std::make_shared<ControlSession>();
        std::vector<ControlAnswer> answers;
        const auto keep = [&](const ControlAnswer& answer) { answers.push_back(answer); };
        ControlRequest plan{"dead-letters plan", {{"rewind", true}}};
        plan.arguments["choice"] = toJson(allOf("crm"), 1);
        m_commands->handle(plan, session, keep);
        QTRY_COMPARE(answers.size(), std::size_t(1));
        m_engine->addDeadLetters(1, 50, 1);
        m_commands->handle({"dead-letters move", Json::object()}, session, keep);
        QTRY_COMPARE(answers.size(), std::size_t(2));
        QCOMPARE(std::get<RewindDeadLetters>(m_engine->commands[0]).pointers.size(),
                 std::size_t(2));
        // A second click has nothing left to move.
        m_commands->handle({"dead-letters move", Json::object()}, session, keep);
        QTRY_COMPARE(answers.size(), std::size_t(3));
        QVERIFY(!answers[2].ok());
        QCOMPARE(m_engine->commands.size(), std::size_t(1));
    }

    void pausesForAWhile() {
        m_engine->addDestination(4, "crm");
        const auto before = QDateTime::currentMSecsSinceEpoch() * kMillisecond;
        const auto said = say(Operation{Pause{"crm", {}, kHour}});
        QVERIFY2(said.out.find("it resumes by itself at") != std::string::npos, said.out.c_str());
        const auto& pause = std::get<PauseDestination>(m_engine->commands[0]);
        QVERIFY(pause.resumeAt >= before + kHour && pause.resumeAt < before + 2 * kHour);
    }

    void waitsForTheEngineToRun() {
        m_engine->state.lifecycle = Lifecycle::recovering;
        QVERIFY(say(Operation{ShowStatus{}}).out.find("recovering") != std::string::npos);
        QTimer::singleShot(50, this, [this] {
            m_engine->state.lifecycle = Lifecycle::running;
            emit m_engine->lifecycleChanged(Lifecycle::running);
        });
        QCOMPARE(say(Operation{ShowWriteKey{}}).out, std::string("key-for-tests\n"));
    }

    void saysThatTheEngineFailedMeanwhile() {
        m_engine->state.lifecycle = Lifecycle::recovering;
        QTimer::singleShot(50, this, [this] {
            m_engine->state.lifecycle = Lifecycle::failed;
            emit m_engine->lifecycleChanged(Lifecycle::failed);
        });
        const auto said = say(Operation{ShowWriteKey{}});
        QCOMPARE(said.exit, Exit::fault);
        QVERIFY2(said.err.find("the engine is failed") != std::string::npos, said.err.c_str());
    }

    void raisesTheWindowOnlyIfThereIsOne() {
        const auto ask = [this] {
            ControlAnswer answer;
            aside([&] {
                ControlClient client;
                if (client.connectTo(m_place, std::chrono::seconds(5)))
                    answer = client.call({"raise", {}});
            });
            return answer.result.value("raised", Json()) == true;
        };
        QVERIFY(!ask());
        int raised = 0;
        m_commands->onRaise([&] { ++raised; });
        QVERIFY(ask());
        QCOMPARE(raised, 1);
    }

    void survivesBadCallers_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no JSON") << QByteArray("hello\n") << QByteArray("not a JSON object");
        QTest::newRow("another kind") << QByteArray("[1]\n") << QByteArray("not a JSON object");
        QTest::newRow("no command") << QByteArray("{}\n") << QByteArray("not a JSON object");
        QTest::newRow("an unknown command")
            << QByteArray("{\"command\":\"format\"}\n") << QByteArray("does not know");
        QTest::newRow("arguments of another kind")
            << QByteArray("{\"command\":\"pause\",\"arguments\":[]}\n")
            << QByteArray("not a JSON object");
        QTest::newRow("members of another kind")
            << QByteArray("{\"command\":\"pause\",\"arguments\":{\"name\":7}}\n")
            << QByteArray("no destination");
        QTest::newRow("an order that is not there")
            << QByteArray("{\"command\":\"lanes\",\"arguments\":{\"order\":77}}\n")
            << QByteArray("no such order");
        QTest::newRow("no destination to put") << QByteArray("{\"command\":\"destinations put\"}\n")
                                               << QByteArray("must be an object");
        QTest::newRow("bytes that are no text")
            << QByteArray("\xff\xfe\0\n", 4) << QByteArray("not a JSON object");
        QTest::newRow("a line without end")
            << QByteArray(int(kRequestBytes) + 10, 'x') << QByteArray("longer than 2 MiB");
        QTest::newRow("silence is closed without a word") << QByteArray() << QByteArray();
        QTest::newRow("half a line is closed without a word")
            << QByteArray("{\"comm") << QByteArray();
    }
    void survivesBadCallers() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, says);
        const auto line = raw(bytes);
        QVERIFY2(says.isEmpty() ? line.isEmpty() : line.contains(says), line.constData());
        QCOMPARE(say(Operation{ShowStatus{}}).exit, Exit::good);
    }

    void limitsCallers() {
        std::vector<std::unique_ptr<QLocalSocket>> callers;
        for (int at = 0; at < 5; ++at) {
            callers.push_back(std::make_unique<QLocalSocket>());
            callers.back()->connectToServer(QString::fromStdString(m_place.socket));
        }
        QTRY_VERIFY(callers.back()->bytesAvailable() > 0);
        QVERIFY(callers.back()->readAll().contains("too many callers"));
        callers.clear();
        QTRY_COMPARE(say(Operation{ShowStatus{}}).exit, Exit::good);
    }

    void outlivesACallerWhoLeaves() {
        m_engine->addDestination(1, "crm");
        {
            QLocalSocket socket;
            socket.connectToServer(QString::fromStdString(m_place.socket));
            socket.write("{\"command\":\"dead-letters list\",\"arguments\":{}}\n");
            socket.flush();
        }
        QCOMPARE(say(Operation{ShowStatus{}}).exit, Exit::good);
    }
};

QTEST_GUILESS_MAIN(ControlTest)
#include "control_test.moc"
