// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/test_desk.h"
#include "tests/runtime/engine_world.h"
#include "tests/support/raw_receiver.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using lanes::test::RawPeer;
using lanes::test::RawReceiver;

namespace {

DestinationConfig configFor(const std::string& url) {
    DestinationConfig config;
    config.url = url;
    config.connectTimeout = 2 * kSecond;
    config.attemptTimeout = 5 * kSecond;
    config.headers = {{"X-Api-Key", "4711"}};
    config.secrets = {"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"};
    return config;
}

RawReceiver::Script always(std::string answer) {
    return [answer = std::move(answer)](RawPeer& peer) {
        while (!peer.readRequest().empty()) peer.send(answer);
    };
}

}  // namespace

/// A request by hand, beside everything.
class TestDeskTest : public QObject {
    Q_OBJECT

private slots:
    void anAnswerIsReportedWithItsFirstBytes_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("error");
        QTest::newRow("delivered")
            << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") << 200
            << QStringLiteral("ok") << QString();
        QTest::newRow("refused")
            << QByteArray("HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\nno key") << 401
            << QStringLiteral("no key") << QStringLiteral("The destination answered 401.");
        QTest::newRow("a redirect is not followed")
            << QByteArray("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")
            << 302 << QString()
            << QStringLiteral("The destination answered 302 and points to another address, which "
                              "is not followed.");
    }
    void anAnswerIsReportedWithItsFirstBytes() {
        QFETCH(QByteArray, answer);
        QFETCH(int, status);
        QFETCH(QString, body);
        QFETCH(QString, error);
        std::string seen;
        RawReceiver receiver([&](RawPeer& peer) {
            seen = peer.readRequest();
            peer.send(answer.toStdString());
        });
        TestDesk desk;
        QSignalSpy finished(&desk, &TestDesk::finished);
        desk.send(CommandId(7), configFor(receiver.url()));
        QVERIFY(finished.wait(test::kPatience));
        QCOMPARE(finished[0][0].value<CommandId>(), CommandId(7));
        const auto result = finished[0][1].value<TestResult>();
        QCOMPARE(result.status, status);
        const auto answered = QString::fromStdString(result.answer);
        QVERIFY(answered.startsWith(QStringLiteral("HTTP %1\n").arg(status)));
        QVERIFY(answered.contains(QStringLiteral("\nContent-Length: %1\n").arg(body.size())));
        QVERIFY(answered.endsWith(QStringLiteral("\n\n") + body));
        QCOMPARE(QString::fromStdString(result.error), error);
        QCOMPARE(result.delivered(), error.isEmpty());
        QVERIFY(result.latency > 0 && !result.cancelled);
        // The destination's own settings, an event of its own type, and nothing of a lane.
        for (const char* part : {"X-Api-Key: 4711\r\n", "webhook-signature: v1,",
                                 "rivora-test: 1\r\n", "\"type\":\"rivora.test\""})
            QVERIFY2(seen.find(part) != std::string::npos, part);
        QVERIFY(seen.find("rivora-lane") == std::string::npos);
        // It is shown as it was sent, but for what is secret.
        const auto dropped = [](std::string text, const char* name) {
            const auto at = text.find(name);
            return text.erase(at, text.find('\n', at) + 1 - at);
        };
        std::erase(seen, '\r');
        QVERIFY(result.request.find("X-Api-Key: (hidden)\n") != std::string::npos);
        QVERIFY(result.request.find("4711") == std::string::npos);
        QCOMPARE(dropped(result.request, "X-Api-Key"), dropped(seen, "X-Api-Key"));
        QCOMPARE(receiver.requests(), 1);
    }

    void whatCannotBeReachedSaysWhyAndThatNothingWasSent() {
        std::string url;
        {
            const RawReceiver gone(always(""));
            url = gone.url();
        }
        TestDesk desk;
        QSignalSpy finished(&desk, &TestDesk::finished);
        desk.send(CommandId(1), configFor(url));
        QVERIFY(finished.wait(test::kPatience));
        const auto result = finished[0][1].value<TestResult>();
        QCOMPARE(result.status, 0);
        QVERIFY(!result.mayHaveArrived && !result.cancelled);
        QVERIFY(!result.error.empty());
        QVERIFY(result.request.empty() && result.answer.empty());
    }

    void badSettingsAreRefusedAsTheirFieldSays() {
        TestDesk desk;
        QSignalSpy finished(&desk, &TestDesk::finished);
        desk.send(CommandId(1), configFor("ftp://example.com"));
        QCOMPARE(finished.count(), 0);  // later than the call
        QVERIFY(finished.wait(test::kPatience));
        const auto result = finished[0][1].value<TestResult>();
        QVERIFY(result.error.starts_with("url: "));
    }

    void aTestThatWaitsIsCancelledAndOthersAreNot() {
        RawReceiver silent([](RawPeer& peer) {
            (void)peer.readRequest();
            peer.waitUntilClientLeaves();
        });
        TestDesk desk;
        QSignalSpy finished(&desk, &TestDesk::finished);
        desk.send(CommandId(1), configFor(silent.url()));
        desk.send(CommandId(2), configFor(silent.url()));
        QTRY_COMPARE_WITH_TIMEOUT(silent.requests(), 2, test::kPatience);
        desk.cancel(CommandId(1));
        desk.cancel(CommandId(99));
        QVERIFY(finished.wait(2000));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].value<CommandId>(), CommandId(1));
        const auto result = finished[0][1].value<TestResult>();
        QVERIFY(result.cancelled && result.mayHaveArrived && !result.delivered());
    }

    void onlySoManyRunAtOnce() {
        RawReceiver silent([](RawPeer& peer) {
            (void)peer.readRequest();
            peer.waitUntilClientLeaves();
        });
        TestDesk desk;
        QSignalSpy finished(&desk, &TestDesk::finished);
        for (std::uint64_t i = 0; i <= TestDesk::kMost; ++i)
            desk.send(CommandId(i + 1), configFor(silent.url()));
        QVERIFY(finished.wait(test::kPatience));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].value<CommandId>(), CommandId(TestDesk::kMost + 1));
        QVERIFY(!finished[0][1].value<TestResult>().error.empty());
    }

    /// Outside of lanes, counters and log, even while the destination is paused.
    void theEngineKnowsNothingOfIt() {
        RawReceiver receiver(always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        QTemporaryDir directory;
        test::World world(directory.path());
        QVERIFY(world.start());
        DestinationConfig config = configFor(receiver.url());
        config.name = "crm";
        const auto set = world.command(SetDestination{config});
        QVERIFY(set.ok());
        config.id = set.destination;
        QVERIFY(world.command(PauseDestination{config.id, "anna", "maintenance"}).ok());
        QSignalSpy finished(world.engine.get(), &Engine::testFinished);
        const auto test = world.engine->sendTest(config);
        QVERIFY(finished.wait(test::kPatience));
        QCOMPARE(finished[0][0].value<CommandId>(), test);
        QVERIFY(finished[0][1].value<TestResult>().delivered());
        QSignalSpy published(world.engine.get(), &Engine::snapshotPublished);
        QVERIFY(published.wait(test::kPatience) || published.count() > 0);
        const auto snapshot = world.engine->snapshot();
        const auto& destination = snapshot->destinations.at(0);
        QCOMPARE(destination.attempts, std::uint64_t(0));
        QCOMPARE(destination.counters, DeliveryCounters{});
        QCOMPARE(snapshot->lanes, std::uint64_t(0));
        QCOMPARE(snapshot->store.lastSequence, Sequence(0));
        QVERIFY(world.engine->openPageReader()->attempts({}).rows.empty());
        world.engine->stop();
    }

    void theEndWaitsForNobody() {
        RawReceiver silent([](RawPeer& peer) {
            (void)peer.readRequest();
            peer.waitUntilClientLeaves();
        });
        QElapsedTimer clock;
        {
            TestDesk desk;
            desk.send(CommandId(1), configFor(silent.url()));
            QTRY_COMPARE_WITH_TIMEOUT(silent.requests(), 1, test::kPatience);
            clock.start();
        }
        QVERIFY(clock.elapsed() < 2000);
    }
};

QTEST_GUILESS_MAIN(TestDeskTest)
#include "test_desk_test.moc"
