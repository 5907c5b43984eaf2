// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_clock.h"
#include "engine/user_id.h"
#include "engine/verify.h"
#include "tests/runtime/engine_world.h"
#include "tests/support/raw_receiver.h"

#include <QTemporaryDir>

#include <atomic>
#include <set>

using namespace lanes;
using namespace lanes::test;

namespace {

/// A receiver that keeps what it got; it refuses everything, or the next request only.
class Receiver {
public:
    std::atomic<bool> refusing = false;  ///< 422
    std::atomic<int> failNext = 0;       ///< so many get 503, after the gate was opened
    std::atomic<bool> gate = true;       ///< closed: answers wait

    [[nodiscard]] std::string url() const { return m_raw.url() + "/"; }
    [[nodiscard]] int requests() const { return m_raw.requests(); }
    /// Bodies in order of arrival.
    [[nodiscard]] std::vector<std::string> bodies() const {
        std::vector<std::string> bodies;
        for (const auto& text : m_raw.texts())
            bodies.push_back(text.substr(text.find("\r\n\r\n") + 4));
        return bodies;
    }

private:
    void serve(RawPeer& peer) {
        while (!peer.readRequest().empty()) {
            const bool fails = failNext.fetch_sub(1) > 0;
            while (!gate)
                if (!peer.pause(std::chrono::milliseconds(1))) return;
            const char* status = fails ? "503 Busy" : refusing ? "422 No" : "200 OK";
            if (!peer.send(std::string("HTTP/1.1 ") + status + "\r\nContent-Length: 0\r\n\r\n"))
                return;
        }
    }

    RawReceiver m_raw{[this](RawPeer& peer) { serve(peer); }};
};

DestinationConfig refusedIsDead(const std::string& name, const std::string& url) {
    auto config = destination(name, url);
    config.policy.deadLetterStatuses = {422};
    config.policy.allowEdits = true;
    return config;
}

QByteArray eventOf(const char* user, const char* payload) {
    return QByteArray("{\"user\":\"") + user + "\",\"type\":\"step\",\"payload\":" + payload + "}";
}

}  // namespace

/// Rewinds, edits, holds and pauses with the real store and real requests.
class EngineOperationsTest : public QObject {
    Q_OBJECT

private slots:
    void anUndoReturnsWhatWasNotTried() {
        QTemporaryDir directory;
        Receiver receiver;
        receiver.refusing = true;
        World world(directory.path());
        QVERIFY(world.start());
        const auto crm =
            world.command(SetDestination{refusedIsDead("crm", receiver.url())}).destination;
        QCOMPARE(world.postEvents(6, 2), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 12u, kPatience);
        const auto sent = receiver.requests();
        QVERIFY(world.command(PauseDestination{crm, "anna", {}}).ok());
        const auto plan = world.engine->openPageReader()->planRewind(DeadLetterFilter{});
        QCOMPARE(plan.pointers.size(), std::size_t(12));
        QCOMPARE(plan.total().lanes, 6u);
        const auto rewound = world.command(RewindDeadLetters{plan.pointers, "anna", {}});
        QCOMPARE(rewound.done, 12u);
        const auto snapshot = world.engine->snapshot();
        QCOMPARE(snapshot->operations.size(), std::size_t(1));
        QCOMPARE(snapshot->operations[0].untried, 12u);
        QCOMPARE(snapshot->totals.waiting, 12u);
        const auto undone = world.command(UndoRewind{rewound.operation, "anna"});
        QVERIFY2(undone.ok(), undone.error.c_str());
        QCOMPARE(undone.done, 12u);
        QCOMPARE(world.totals().dead, 12u);
        QVERIFY(world.totals().balanced());
        QVERIFY(world.engine->snapshot()->operations.empty());
        QVERIFY(world.command(ResumeDestination{crm, "anna"}).ok());
        QVERIFY(!world.command(UndoRewind{rewound.operation, "anna"}).ok());
        QCOMPARE(receiver.requests(), sent);
    }

    void whatIsListedIsWhatIsPlanned() {
        QTemporaryDir directory;
        Receiver receiver;
        receiver.refusing = true;
        World world(directory.path());
        QVERIFY(world.start());
        QVERIFY(world.command(SetDestination{refusedIsDead("crm", receiver.url())}).ok());
        QVERIFY(world.command(SetDestination{refusedIsDead("log", receiver.url())}).ok());
        QCOMPARE(world.postEvents(4, 2), 202);
        QCOMPARE(world.post(R"({"id":"e9","user":"u1","type":"other","payload":1})"), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 18u, kPatience);
        const auto reader = world.engine->openPageReader();
        const auto rows = reader->deadLetters({}).rows;
        QCOMPARE(rows.size(), std::size_t(18));
        std::vector<DeadLetterFilter> filters(11);
        filters[0].destination = DestinationId(2);
        filters[1].user = "u1";
        filters[2].type = "other";
        filters[3].eventId = "e9";
        filters[4].errorContains = "ANSWERED 422";
        filters[5].errorContains = "4%2";
        filters[6].lastOutcome = Outcome::refused;
        filters[7].statusFrom = 422;
        filters[8].statusTo = 421;
        filters[9].diedFrom = rows[9].diedAt;
        filters[10].diedBefore = rows[9].diedAt;
        filters.push_back(filters[1]);
        filters.back().neverTried = true;
        for (std::size_t i = 0; i < filters.size(); ++i) {
            std::set<Pointer> listed;
            for (const auto& row : rows)
                if (matches(filters[i], row)) listed.insert(row.pointer);
            const auto plan = reader->planRewind(filters[i]);
            const std::set<Pointer> planned(plan.pointers.begin(), plan.pointers.end());
            QVERIFY2(planned == listed, QByteArray::number(int(i)).constData());
            QVERIFY2(listed.empty() == (i == 5 || i == 8 || i == 11),
                     QByteArray::number(int(i)).constData());
        }
    }

    void aLaneIsRewoundOnceItsEventInFlightHasEnded() {
        QTemporaryDir directory;
        Receiver receiver;
        receiver.refusing = true;
        World world(directory.path());
        QVERIFY(world.start());
        QVERIFY(world.command(SetDestination{refusedIsDead("crm", receiver.url())}).ok());
        QCOMPARE(world.post(eventOf("ada", "1")), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 1u, kPatience);
        receiver.refusing = false;
        QCOMPARE(world.post("[" + eventOf("ada", "2") + "," + eventOf("ada", "3") + "]"), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 2u, kPatience);
        receiver.gate = false;
        receiver.failNext = 1;
        QCOMPARE(world.post(eventOf("ada", "4")), 202);
        QTRY_COMPARE_WITH_TIMEOUT(receiver.requests(), 4, kPatience);

        const auto reader = world.engine->openPageReader();
        const auto plan = reader->planRewind(DeadLetterFilter{});
        QCOMPARE(plan.passed.size(), std::size_t(1));
        QCOMPARE(plan.total().laterDelivered, 2u);
        const auto lanePlan = reader->planLanes(plan.passed);
        QVERIFY2(lanePlan.error.empty(), lanePlan.error.c_str());
        QCOMPARE(lanePlan.dead, 1u);
        QCOMPARE(lanePlan.delivered, 2u);
        const auto id = world.engine->submit(RewindLanes{
            lanePlan.lanes, lanePlan.plannedAt, lanePlan.lastOperation, "anna", "in order"});
        QTRY_VERIFY(!world.engine->snapshot()->operations.empty());
        QVERIFY(!world.results.contains(id.value));
        QCOMPARE(receiver.requests(), 4);
        receiver.gate = true;
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 4u, kPatience);
        QVERIFY(world.results[id.value].ok());
        const std::vector<std::string> order{"1", "2", "3", "4", "1", "2", "3", "4"};
        QCOMPARE(receiver.bodies(), order);
        world.engine->stop();
        const auto verified = verifyDataDirectory(directory.path().toStdString());
        QVERIFY(std::get<VerifyReport>(verified).clean());
    }

    void anEditIsForOneDestinationOnlyAndKeptOverARestart() {
        QTemporaryDir directory;
        Receiver crm;
        Receiver log;
        crm.refusing = log.refusing = true;
        DestinationId edited;
        {
            World world(directory.path());
            QVERIFY(world.start());
            edited = world.command(SetDestination{refusedIsDead("crm", crm.url())}).destination;
            auto config = refusedIsDead("log", log.url());
            config.policy.allowEdits = false;
            const auto other = world.command(SetDestination{config}).destination;
            QCOMPARE(world.post(eventOf("ada", "{\"n\":1}")), 202);
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 2u, kPatience);

            EditAndRewind edit{{edited, Sequence(1)}, "{\n\"n\": }", "anna", "typo"};
            const auto broken = world.command(edit);
            QVERIFY2(broken.error.find("line 2, column 6") != std::string::npos,
                     broken.error.c_str());
            edit.payload = "{\"n\":2}";
            edit.pointer.destination = other;
            QVERIFY(world.command(edit).error.find("does not allow") != std::string::npos);
            edit.pointer.sequence = Sequence(99);
            QVERIFY(world.command(edit).error.find("no event 99") != std::string::npos);
            QCOMPARE(world.totals().dead, 2u);
            QVERIFY(world.command(PauseDestination{edited, "anna", {}}).ok());
            edit.pointer = {edited, Sequence(1)};
            QVERIFY(world.command(edit).ok());
            log.refusing = false;
            QVERIFY(world.command(RewindDeadLetters{{{other, Sequence(1)}}, "anna", {}}).ok());
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 1u, kPatience);
        }
        QCOMPARE(log.bodies().back(), std::string("{\"n\":1}"));
        World world(directory.path());
        QVERIFY(world.start());
        crm.refusing = false;
        QVERIFY(world.command(ResumeDestination{edited, "anna"}).ok());
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 2u, kPatience);
        QCOMPARE(crm.bodies().back(), std::string("{\"n\":2}"));
        const auto kept = world.engine->openPageReader()->event(Sequence(1));
        QCOMPARE(kept->payload, std::string("{\"n\":1}"));
    }

    void aHeldUserWaitsAndTheOthersGoOn() {
        QTemporaryDir directory;
        Receiver receiver;
        const LaneKey ada{DestinationId(1), fingerprint({UserKey::Kind::user, "ada"}, {})};
        {
            World world(directory.path());
            QVERIFY(world.start());
            QVERIFY(world.command(SetDestination{destination("crm", receiver.url())}).ok());
            QVERIFY(world.command(HoldLane{ada, "ada", "bert", "a call is pending"}).ok());
            QCOMPARE(world.post("[" + eventOf("ada", "1") + "," + eventOf("bob", "2") + "]"), 202);
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 1u, kPatience);
        }
        World world(directory.path());
        QVERIFY(world.start());
        QCOMPARE(world.post(eventOf("bob", "3")), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 2u, kPatience);
        world.engine->watchLanes({ada});
        QTRY_COMPARE_WITH_TIMEOUT(world.engine->snapshot()->watched.size(), std::size_t(1),
                                  kPatience);
        const auto snapshot = world.engine->snapshot();
        QCOMPARE(snapshot->watched[0].heldBy, std::string("bert"));
        QCOMPARE(snapshot->watched[0].holdReason, std::string("a call is pending"));
        QCOMPARE(snapshot->watched[0].state, LaneState::held);
        QCOMPARE(snapshot->destinations[0].lanesHeld, 1u);
        QCOMPARE(receiver.bodies(), (std::vector<std::string>{"2", "3"}));
        QVERIFY(world.command(ReleaseLane{ada, "bert"}).ok());
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 3u, kPatience);
        QCOMPARE(receiver.bodies().back(), std::string("1"));
    }

    void aPacedRewindGoesOnAfterARestart() {
        QTemporaryDir directory;
        Receiver receiver;
        receiver.refusing = true;
        OperationId id;
        {
            World world(directory.path());
            QVERIFY(world.start());
            QVERIFY(world.command(SetDestination{refusedIsDead("crm", receiver.url())}).ok());
            QCOMPARE(world.postEvents(10, 3), 202);
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 30u, kPatience);
            receiver.refusing = false;
            const auto plan = world.engine->openPageReader()->planRewind(DeadLetterFilter{});
            RewindDeadLetters rewind{plan.pointers, "anna", {}};
            rewind.pace.eventsPerSecond = 20;
            const auto begun = world.command(rewind);
            QVERIFY(begun.ok() && begun.underWay);
            id = begun.operation;
            QTRY_VERIFY_WITH_TIMEOUT(world.totals().delivered >= 3, kPatience);
            QVERIFY(world.totals().dead > 0);
        }
        World world(directory.path());
        QVERIFY(world.start());
        QVERIFY(world.totals().dead > 0);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 30u, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(world.engine->snapshot()->operations.empty(), kPatience);
        const auto reader = world.engine->openPageReader();
        const auto rows = reader->operations({}).rows;
        QCOMPARE(rows[0].id, id);
        QCOMPARE(rows[0].state, OperationState::finished);
        QCOMPARE(rows[0].delivered, 30u);
        const auto events = reader->operationEvents({id, 0, 100});
        QCOMPARE(events.rows.size(), std::size_t(30));
        for (const auto& event : events.rows) QCOMPARE(event.fate, OperationFate::delivered);
    }

    void aPauseEndsByItself() {
        QTemporaryDir directory;
        Receiver receiver;
        World world(directory.path());
        QVERIFY(world.start());
        const auto crm =
            world.command(SetDestination{destination("crm", receiver.url())}).destination;
        PauseDestination pause{crm, "anna", {}};
        pause.resumeAt = EngineClock::wall() + 700 * kMillisecond;
        QVERIFY(world.command(pause).ok());
        QCOMPARE(world.engine->snapshot()->find(crm)->resumeAt, pause.resumeAt);
        QCOMPARE(world.post(eventOf("ada", "1")), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 1u, kPatience);
        QVERIFY(EngineClock::wall() >= pause.resumeAt);
        QCOMPARE(world.engine->snapshot()->find(crm)->pausedAt, WallMicros(0));
    }
};

QTEST_GUILESS_MAIN(EngineOperationsTest)
#include "engine_operations_test.moc"
