// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_clock.h"
#include "engine/runtime/payload_cache.h"
#include "engine/verify.h"
#include "tests/runtime/engine_world.h"

#include <QTcpServer>
#include <QTemporaryDir>

using namespace lanes;
using namespace lanes::test;

class EngineTest : public QObject {
    Q_OBJECT

private slots:
    void eventsComeInAreStoredAndDeliveredInOrder() {
        QTemporaryDir directory;
        World world(directory.path());
        QVERIFY(world.start());
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        QVERIFY(world.command(SetDestination{destination("crm", url)}).ok());
        QCOMPARE(world.postEvents(5, 40), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 200u, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).accepted, 200u, kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
        QCOMPARE(mocks->mocks().at(0).duplicates, 0u);
        QCOMPARE(mocks->mocks().at(0).overlaps, 0u);
        QVERIFY(world.totals().balanced());
        world.engine->stop();
        const auto verified = verifyDataDirectory(directory.path().toStdString());
        const auto* report = std::get_if<VerifyReport>(&verified);
        QVERIFY(report != nullptr);
        QVERIFY(report->findings.empty());
        QCOMPARE(report->attempts, 200u);
    }

    void aPauseHoldsEverythingAndSurvivesARestart() {
        QTemporaryDir directory;
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        {
            World world(directory.path());
            QVERIFY(world.start());
            const auto crm = world.command(SetDestination{destination("crm", url)}).destination;
            QVERIFY(world.command(PauseDestination{crm, "anna", "maintenance"}).ok());
            QCOMPARE(world.postEvents(3, 10), 202);
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().waiting, 30u, kPatience);
        }
        World world(directory.path());
        QVERIFY(world.start());
        const auto snapshot = world.engine->snapshot();
        QCOMPARE(snapshot->destinations.size(), 1u);
        QCOMPARE(snapshot->destinations[0].health, HealthState::paused);
        QCOMPARE(snapshot->destinations[0].pausedBy, std::string("anna"));
        QCOMPARE(snapshot->totals.waiting, 30u);
        QCOMPARE(mocks->mocks().at(0).requests, 0u);

        LanePageRequest request;
        request.token = 9;
        request.order = LaneOrder::backlog;
        world.engine->readLanes(request);
        QTRY_VERIFY(world.pages.contains(9));
        QCOMPARE(world.pages[9].rows.size(), 3u);
        QCOMPARE(world.pages[9].rows[0].backlog, 10u);
        QVERIFY(world.pages[9].rows[0].user.text.starts_with("u"));
        QCOMPARE(world.pages[9].rows[0].type, std::string("step"));

        QVERIFY(world.command(ResumeDestination{snapshot->destinations[0].id, "anna"}).ok());
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).accepted, 30u, kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
    }

    void largeEventsThatWaitedAreReadBackAndDeliveredInOrder() {
        // At the start each destination begins with one attempt: together more than is read from
        // the log in one go.
        constexpr int kDestinations = 8;
        constexpr int kEventsEach = 2;
        QTcpServer nobody;
        QVERIFY(nobody.listen(QHostAddress::LocalHost));
        const auto dead = "http://127.0.0.1:" + std::to_string(nobody.serverPort()) + "/";
        nobody.close();
        QTemporaryDir directory;
        {
            World world(directory.path());
            QVERIFY(world.start());
            for (int i = 0; i < kDestinations; ++i)
                QVERIFY(world.command(SetDestination{destination("d" + std::to_string(i), dead)})
                            .ok());
            const QByteArray text(900'000, 'x');
            for (int i = 0; i < kDestinations * kEventsEach; ++i)
                QCOMPARE(world.post("{\"user\":\"u\",\"type\":\"step\",\"destinations\":[\"d" +
                                    QByteArray::number(i % kDestinations) +
                                    "\"],\"payload\":{\"n\":\"" + text + "\"}}"),
                         202);
        }
        World world(directory.path());
        QVERIFY(world.start());
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("all", behaviour(), "", 1, 0);
        for (auto config : world.engine->destinations()) {
            config.url = url;
            QVERIFY(world.command(SetDestination{config}).ok());
        }
        constexpr std::uint64_t kAll = kDestinations * kEventsEach;
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, kAll, kPatience);
        // The mock's report comes a moment later.
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).requests, kAll, kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
    }

    void deadLettersAreReadRewoundAndDelivered() {
        QTemporaryDir directory;
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(422), "", 1, 0);
        World world(directory.path());
        QVERIFY(world.start());
        auto config = destination("crm", url);
        config.policy.deadLetterStatuses = {422};
        const auto crm = world.command(SetDestination{config}).destination;
        QCOMPARE(world.postEvents(4, 3), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 12u, kPatience);

        const auto reader = world.engine->openPageReader();
        QVERIFY(reader);
        const auto page = reader->deadLetters({});
        QCOMPARE(page.rows.size(), 12u);
        QVERIFY(page.complete);
        QCOMPARE(page.rows[0].lastStatus, 422);
        QCOMPARE(page.rows[0].attempts, 1u);
        QVERIFY(page.rows[0].firstTriedAt != 0);
        QVERIFY(page.rows[0].reason.find("422") != std::string::npos);

        mocks->setBehaviour(0, behaviour());
        std::vector<Pointer> pointers;
        for (const auto& row : page.rows) pointers.push_back(row.pointer);
        const auto result = world.command(RewindDeadLetters{pointers, "anna", "mended"});
        QVERIFY(result.ok());
        QCOMPARE(result.done, 12u);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 12u, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).rewinds, 12u, kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
        const auto operations = reader->operations({}).rows;
        QVERIFY(!operations.empty());
        QCOMPARE(operations[0].action, std::string("rewind"));
        QCOMPARE(operations[0].done, 12u);
        Q_UNUSED(crm);
    }

    void anOutageBacksUpInLanesAndDrainsInOrder() {
        QTemporaryDir directory;
        const auto mocks = makeMockControl();
        auto down = behaviour();
        down.mode = MockBehaviour::Mode::down;
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        World world(directory.path());
        QVERIFY(world.start());
        const auto crm = world.command(SetDestination{destination("crm", url)}).destination;
        mocks->setBehaviour(0, down);
        QCOMPARE(world.postEvents(20, 5), 202);
        QTRY_VERIFY_WITH_TIMEOUT(
            world.engine->snapshot()->find(crm)->health == HealthState::degraded, kPatience);
        QCOMPARE(world.totals().waiting, 100u);
        mocks->setBehaviour(0, behaviour());
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 100u, kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
        QVERIFY(world.engine->snapshot()->find(crm)->probes >= 1);
    }

    void aDirectoryHasOneOwner() {
        QTemporaryDir directory;
        World first(directory.path());
        QVERIFY(first.start());
        World second(directory.path());
        QVERIFY(!second.start());
        QCOMPARE(second.engine->snapshot()->lifecycle, Lifecycle::failed);
        QVERIFY(second.engine->snapshot()->failure.find("in use") != std::string::npos);
        QVERIFY(!second.command(PauseDestination{}).ok());
    }

    void aPortInUseIsSaidAndTheRestWorks() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost, 0));
        QTemporaryDir directory;
        EngineOptions options;
        options.dataDirectory = directory.path().toStdString();
        options.intakePort = other.serverPort();
        const auto engine = makeEngine(options);
        engine->start();
        QTRY_COMPARE_WITH_TIMEOUT(engine->snapshot()->lifecycle, Lifecycle::running, kPatience);
        QTRY_VERIFY(engine->snapshot()->intake.error.find("in use") != std::string::npos);
        QVERIFY(!engine->snapshot()->intake.listening);
    }

    void theClockOfARealEngineCannotBeScaled() {
        QTemporaryDir directory;
        World world(directory.path());
        QVERIFY(world.start());
        QVERIFY(!world.command(SetClockScale{60}).ok());
        QCOMPARE(world.engine->snapshot()->clockScale, 1.0);
    }

    void wrongSettingsAreRefusedWithTheField() {
        QTemporaryDir directory;
        World world(directory.path());
        QVERIFY(world.start());
        const auto result = world.command(SetDestination{destination("crm", "ftp://x")});
        QVERIFY(result.error.starts_with("url:"));
        QVERIFY(world.command(SetDestination{destination("crm", "http://127.0.0.1:9")}).ok());
        QVERIFY(world.command(SetDestination{destination("crm", "http://127.0.0.1:9")})
                    .error.starts_with("name:"));
    }

    void theCacheKeepsTheNewestWithinItsBytes() {
        const auto eventOf = [](std::size_t bytes) {
            SentEvent event;
            event.payload = std::make_shared<std::string>(bytes, 'x');
            return std::make_shared<const SentEvent>(event);
        };
        PayloadCache cache(10'000);
        for (std::uint64_t i = 1; i <= 100; ++i)
            cache.put(Sequence(i), eventOf(1000));
        QVERIFY(cache.bytes() <= 10'000);
        QVERIFY(cache.find(Sequence(100)) != nullptr);
        QVERIFY(cache.find(Sequence(1)) == nullptr);
        cache.put(Sequence(101), eventOf(20'000));
        QVERIFY(cache.find(Sequence(101)) == nullptr);
        QVERIFY(cache.find(Sequence(100)) != nullptr);
    }

    void aScaledClockRunsFasterAndNeverBack() {
        EngineClock clock(1000);
        const auto before = clock.now();
        QTest::qWait(20);
        const auto after = clock.now();
        QVERIFY(after - before >= 20'000 * kMillisecond);
        clock.setScale(1);
        QVERIFY(clock.now() >= after);
        QVERIFY(!clock.woke());
    }
};

QTEST_GUILESS_MAIN(EngineTest)
#include "engine_test.moc"
