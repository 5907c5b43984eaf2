// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/user_id.h"
#include "tests/app/running_instance.h"

#include <QFile>

using namespace lanes;
using namespace lanes::app;

/// Plans, operations and holds over the control socket.
class ControlRewindTest : public QObject, RunningInstance {
    Q_OBJECT

    static DeadLetterChoice allOf(const std::string& name) {
        DeadLetterChoice choice;
        choice.destination = name;
        return choice;
    }

    /// Three lanes of two destinations; one lane went on, one destination is paused.
    void planSomething() {
        m_engine->addDestination(1, "crm");
        m_engine->addDestination(2, "billing");
        m_engine->addDeadLetters(1, 1, 20);
        m_engine->addDeadLetters(2, 40, 2);
        m_engine->store.later = {{{DestinationId(1), UserId(3)}, 211}};
        m_engine->store.dead[0].lastOutcome = Outcome::unknown;
        m_engine->store.dead[0].firstTriedAt = 5;
        m_engine->store.dead[1].lastStatus = 503;
        for (auto& row : m_engine->store.dead) row.bytes = 500;
        auto& crm = m_engine->state.destinations[0];
        crm.counters.waiting = 380;
        crm.lanes = 10;
        crm.budget = crm.knownGood = crm.maxInFlight = 10;
        for (int i = 0; i < 100; ++i) crm.latency.add(200 * kMillisecond);
        auto& billing = m_engine->state.destinations[1];
        billing.health = HealthState::paused;
        billing.pausedAt = 1;
        billing.resumeAt = 1'795'957'200'000'000;
    }

private slots:
    void init() { open(); }
    void cleanup() { close(); }

    void saysWhatARewindWouldDo() {
        planSomething();
        MoveDeadLetters move;
        move.choice.filter.errorContains = "window";
        move.planOnly = true;
        const auto text = say(Operation{move}).out;
        for (const char* part :
             {"22 dead letters in 22 lanes, 11 kB", "crm", "all of it delivered in about",
              "they wait until it is resumed, by itself at 2026-11-29T13:00:00.000Z",
              "1 of 22 lanes already delivered 211 later events", "--lane",
              "1 may have been received already"})
            QVERIFY2(text.find(part) != std::string::npos, (part + ("\n" + text)).c_str());
        const auto json = Json::parse(say(Operation{move}, true).out);
        QCOMPARE(json["later_delivered"].get<int>(), 211);
        QCOMPARE(json["destinations"][0]["drain_s"].get<double>() > 1, true);
        QVERIFY(json["destinations"][1]["drain_s"].is_null());
        QVERIFY(m_engine->commands.empty());
    }

    void asksWithTheNumberThatMoves_data() {
        QTest::addColumn<bool>("yes");
        QTest::newRow("yes") << true;
        QTest::newRow("no") << false;
    }
    void asksWithTheNumberThatMoves() {
        QFETCH(bool, yes);
        planSomething();
        m_engine->store.newcomers = 3;
        MoveDeadLetters move;
        move.choice = allOf("crm");
        std::string asked;
        const auto said = say(Operation{move}, false, [&](const std::string& question) {
            asked = question;
            return yes;
        });
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(asked, std::string("Rewind 20 dead letters in 20 lanes?"));
        QCOMPARE(m_engine->commands.size(), std::size_t(yes ? 1 : 0));
        if (!yes) return;
        QVERIFY2(said.out.find("3 more such dead letters came after") != std::string::npos,
                 said.out.c_str());
        const auto& rewind = std::get<RewindDeadLetters>(m_engine->commands[0]);
        QCOMPARE(rewind.pointers.size(), std::size_t(20));
        QCOMPARE(rewind.scope, std::string("20 dead letters of crm"));
    }

    void keepsAPlanWhileSomebodyThinks() {
        planSomething();
        MoveDeadLetters move;
        move.choice = allOf("crm");
        bool idleWasClosed = false;
        const auto said = say(Operation{move}, false, [&](const std::string&) {
            // Longer than a connection without a plan may be idle.
            QLocalSocket idle;
            idle.connectToServer(QString::fromStdString(m_place.socket));
            idleWasClosed = idle.waitForConnected(5000) && idle.waitForDisconnected(5000);
            return true;
        });
        QVERIFY(idleWasClosed);
        QVERIFY2(said.exit == Exit::good, said.err.c_str());
        QCOMPARE(m_engine->commands.size(), std::size_t(1));
    }

    void movesOnlyWhatMatches() {
        planSomething();
        MoveDeadLetters move;
        move.choice.filter.statusFrom = 500;
        move.choice.filter.statusTo = 504;
        move.pace = 0.5;
        move.tracer = 2;
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.asked = 1;
            result.underWay = true;
            result.operation = OperationId(12);
            return result;
        };
        const auto said = say(Operation{move});
        QVERIFY2(said.out.find("has begun (operation 12)") != std::string::npos, said.out.c_str());
        const auto& rewind = std::get<RewindDeadLetters>(m_engine->commands[0]);
        QCOMPARE(rewind.pointers, (std::vector<Pointer>{{DestinationId(1), Sequence(2)}}));
        QCOMPARE(rewind.pace.eventsPerSecond, 0.5);
        QCOMPARE(rewind.pace.tracer, 2u);
        QCOMPARE(rewind.scope, std::string("1 dead letters, status 500 to 504"));
    }

    void listsOnlyWhatMatches() {
        planSomething();
        ListDeadLetters list;
        list.choice.filter.statusFrom = list.choice.filter.statusTo = 503;
        const auto json = Json::parse(say(Operation{list}, true).out);
        QCOMPARE(json["dead_letters"].size(), std::size_t(1));
        QCOMPARE(json["dead_letters"][0]["sequence"].get<int>(), 2);
    }

    void aFilterIsReadByTheInstanceThatKnowsTheNames() {
        planSomething();
        ListDeadLetters list;
        list.choice.filterText = "dest:crm (status:503 OR user:user-9)";
        const auto json = Json::parse(say(Operation{list}, true).out);
        QCOMPARE(json["dead_letters"].size(), std::size_t(2));
        MoveDeadLetters move;
        move.choice.filterText = "dest:billing";
        move.confirmed = true;
        QCOMPARE(say(Operation{move}).exit, Exit::good);
        const auto& rewind = std::get<RewindDeadLetters>(m_engine->commands[0]);
        QCOMPARE(rewind.pointers.size(), std::size_t(2));
        QCOMPARE(rewind.scope, std::string("2 dead letters, filter dest:billing"));
        list.choice.filterText = "dest:biling";
        const auto said = say(Operation{list});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find("There is no destination \"biling\". Did you mean \"billing\"?") !=
                     std::string::npos,
                 said.err.c_str());
    }

    void rewindsTheRestOfLanes() {
        planSomething();
        auto later = m_engine->store.dead[2];
        later.pointer.sequence = Sequence(30);
        m_engine->store.dead.insert(m_engine->store.dead.begin(), later);
        MoveDeadLetters move;
        move.choice.filter.user = "user-3";
        move.lanes = true;
        const auto said = say(Operation{move});
        QVERIFY2(said.err.find("1 dead letter and 211 delivered events in 1 lane; add --yes") !=
                     std::string::npos,
                 said.err.c_str());
        move.confirmed = true;
        QCOMPARE(say(Operation{move}).exit, Exit::good);
        const auto& rewind = std::get<RewindLanes>(m_engine->commands[0]);
        QCOMPARE(rewind.lanes.size(), std::size_t(1));
        QCOMPARE(rewind.lanes[0].lane, (LaneKey{DestinationId(1), UserId(3)}));
        QCOMPARE(rewind.lanes[0].events[0].sequence, Sequence(3));
        QCOMPARE(rewind.plannedAt, WallMicros(1));
        QCOMPARE(rewind.lastOperation, OperationId(7));
    }

    void editsAPayloadAsItIsInTheFile() {
        m_engine->addDestination(1, "crm");
        QFile file(m_directory->filePath(QStringLiteral("payload")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray bytes("{\"a\":\"\xff\0\"}", 10);
        QCOMPARE(file.write(bytes), qint64(bytes.size()));
        file.close();
        EditDeadLetter edit{5, "crm", file.fileName().toStdString(), "typo"};
        QCOMPARE(say(Operation{edit}).exit, Exit::good);
        const auto& command = std::get<EditAndRewind>(m_engine->commands[0]);
        QCOMPARE(command.payload, bytes.toStdString());
        QCOMPARE(command.pointer.sequence, Sequence(5));
        QCOMPARE(command.reason, std::string("typo"));
        edit.payloadFile += "-missing";
        const auto said = say(Operation{edit});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find("cannot be read") != std::string::npos, said.err.c_str());
    }

    void putsANoteOnADeadLetter() {
        m_engine->addDestination(1, "crm");
        QCOMPARE(say(Operation{NoteDeadLetter{5, "crm", "asked"}}).out,
                 std::string("the note is kept on event 5\n"));
        const auto& command = std::get<NoteDeadLetters>(m_engine->commands[0]);
        QCOMPARE(command.text, std::string("asked"));
        QCOMPARE(command.pointers,
                 (std::vector<Pointer>{{DestinationId(1), Sequence(5)}}));
        QCOMPARE(say(Operation{NoteDeadLetter{5, "crm", ""}}).out,
                 std::string("the note is gone from event 5\n"));
    }

    void showsOperationsWithLiveNumbers() {
        OperationRow row;
        row.id = OperationId(12);
        row.kind = OperationKind::rewind;
        row.action = "rewind";
        row.scope = "872 dead letters of crm";
        row.state = OperationState::delivering;
        row.asked = row.done = 3;
        row.delivered = 1;
        m_engine->store.operations = {row};
        for (std::uint64_t at = 0; at < 3; ++at) {
            OperationEventRow event;
            event.position = at;
            event.pointer = {DestinationId(1), Sequence(at + 1)};
            event.fate = at == 0 ? OperationFate::delivered : OperationFate::waiting;
            m_engine->store.operationEvents.push_back(event);
        }
        row.untried = 2;
        m_engine->state.operations = {row};
        const auto text = say(Operation{ShowOperation{12, 2}}).out;
        for (const char* part : {"872 dead letters of crm", "3 of 3 moved; 1 delivered", "2 wait",
                                 "operations undo 12  returns 2 events", "the first 2 of 3"})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        QVERIFY(say(Operation{ListOperations{}}).out.find("3/3") != std::string::npos);
        QCOMPARE(say(Operation{ShowOperation{11, 2}}).exit, Exit::usage);
        m_engine->addDestination(1, "crm");
        QVERIFY(say(Operation{ShowStatus{}}).out.find("operation 12  rewind, delivering") !=
                std::string::npos);
    }

    void stopsAndUndoesWithNumbers() {
        m_engine->answer = [](const Command& command) {
            CommandResult result;
            result.operation = OperationId(13);
            result.asked = 872;
            result.done = std::holds_alternative<UndoRewind>(command) ? 640 : 100;
            result.skipped = result.asked - result.done;
            return result;
        };
        QCOMPARE(say(Operation{UndoOperation{12}}).out,
                 std::string("640 of 872 events returned to the dead letters; 232 were tried "
                             "already (operation 13)\n"));
        QCOMPARE(say(Operation{HaltOperation{12}}).out,
                 std::string("stopped operation 12: 100 of 872 events were moved and go on, 772 "
                             "stay where they are\n"));
        QCOMPARE(std::get<UndoRewind>(m_engine->commands[0]).operation, OperationId(12));
        QCOMPARE(std::get<StopOperation>(m_engine->commands[1]).operation, OperationId(12));
    }

    void holdsAUserByTheKeyOfTheIntake() {
        m_engine->addDestination(4, "crm");
        HoldUser hold;
        hold.user = "u1";
        hold.destination = "crm";
        hold.reason = "a call is pending";
        QCOMPARE(say(Operation{hold}).exit, Exit::good);
        hold.anonymous = true;
        QCOMPARE(say(Operation{hold}).exit, Exit::good);
        hold.release = true;
        QCOMPARE(say(Operation{hold}).out, std::string("released u1 at crm\n"));
        const auto& first = std::get<HoldLane>(m_engine->commands[0]);
        QCOMPARE(first.lane,
                 (LaneKey{DestinationId(4), fingerprint({UserKey::Kind::user, "u1"}, {})}));
        QCOMPARE(first.user, std::string("u1"));
        QCOMPARE(first.reason, std::string("a call is pending"));
        const auto anonymous = fingerprint({UserKey::Kind::anonymous, "u1"}, {});
        QCOMPARE(std::get<HoldLane>(m_engine->commands[1]).lane.user, anonymous);
        QCOMPARE(std::get<ReleaseLane>(m_engine->commands[2]).lane.user, anonymous);
    }
};

QTEST_GUILESS_MAIN(ControlRewindTest)
#include "control_rewind_test.moc"
