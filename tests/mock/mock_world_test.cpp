// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock_control.h"

#include "engine/http/http_server.h"
#include "tests/mock/raw_client.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QUrl>

#include <memory>

using lanes::MockBehaviour;
using lanes::MockControl;

namespace {

MockBehaviour quick() {
    MockBehaviour behaviour;
    behaviour.latencyMs = 0;
    return behaviour;
}

std::uint16_t portOf(const std::string& url) {
    return static_cast<std::uint16_t>(QUrl(QString::fromStdString(url)).port(0));
}

}  // namespace

class MockWorldTest : public QObject {
    Q_OBJECT

private slots:
    void reportsWhatHappens() {
        const std::unique_ptr<MockControl> world = lanes::makeMockControl();
        QSignalSpy reported(world.get(), &MockControl::reported);
        const std::string url = world->addMock("crm", quick(), "", 1, 0);
        QVERIFY(url.starts_with("http://127.0.0.1:"));
        QCOMPARE(world->mocks().size(), 1u);
        QCOMPARE(world->mocks()[0].url, url);
        QCOMPARE(world->mocks()[0].name, std::string("crm"));
        QVERIFY(!world->addMock("billing", quick(), "", 2, 0).empty());
        QCOMPARE(world->mocks()[1].mock, 1u);

        RawClient client(portOf(url));
        QCOMPARE(client.ask(RawDelivery().bytes()), 200);
        QTRY_COMPARE(world->mocks()[0].accepted, 1u);
        QCOMPARE(world->log(0).size(), 1u);
        QVERIFY(world->log(1).empty());
        QVERIFY(world->log(7).empty());
        QTRY_VERIFY(!reported.isEmpty());
    }

    void changesBehaviourLive() {
        const auto world = lanes::makeMockControl();
        const std::uint16_t port = portOf(world->addMock("crm", quick(), "", 1, 0));
        MockBehaviour failing = quick();
        failing.status = 500;
        world->setBehaviour(0, failing);
        world->setBehaviour(9, failing);  // nobody
        QTRY_COMPARE(world->mocks()[0].behaviour, failing);
        RawClient client(port);
        QCOMPARE(client.ask(RawDelivery().bytes()), 500);
    }

    void saysWhenAPortIsTaken() {
        const auto world = lanes::makeMockControl();
        const std::string url = world->addMock("crm", quick(), "", 1, 0);
        QCOMPARE(world->addMock("other", quick(), "", 1, portOf(url)), std::string());
        QCOMPARE(world->mocks().size(), 1u);
    }

    void runsTraffic() {
        lanes::http::HttpServer intake{lanes::http::ServerLimits{}};
        int requests = 0;
        intake.setHandler(
            [&requests](const lanes::http::Request&, const lanes::http::Responder& responder) {
                ++requests;
                responder.respond({202, {}, R"({"accepted":1})", false});
            });
        QCOMPARE(intake.listen(QHostAddress(QHostAddress::LocalHost), 0), std::string());
        const auto world = lanes::makeMockControl();
        lanes::TrafficShape shape;
        shape.running = true;
        shape.eventsPerSecond = 200;
        world->setTraffic(shape, intake.port(), "key");
        QTRY_VERIFY(world->traffic().accepted > 20);
        QVERIFY(requests > 0);
        QCOMPARE(world->traffic().shape, shape);
        shape.running = false;
        world->setTraffic(shape, intake.port(), "key");
        QTRY_VERIFY(!world->traffic().shape.running);
    }

    void reportsSeldomAndOnlyChanges() {
        const auto world = lanes::makeMockControl();
        const std::uint16_t port = portOf(world->addMock("crm", quick(), "", 1, 0));
        RawClient client(port);
        QSignalSpy reported(world.get(), &MockControl::reported);
        for (int i = 1; i <= 300; ++i) {
            RawDelivery delivery;
            delivery.sequence = i;
            QCOMPARE(client.ask(delivery.bytes()), 200);
        }
        QTRY_COMPARE(world->mocks()[0].accepted, 300u);
        QVERIFY2(reported.size() < 30, qPrintable(QString::number(reported.size())));
        // Nothing happens, nothing is told: longer than two intervals.
        QTest::qWait(100);
        reported.clear();
        QTest::qWait(600);
        QCOMPARE(reported.size(), 0);
    }

    void endsWhileEverythingRuns() {
        for (int i = 0; i < 5; ++i) {
            const auto world = lanes::makeMockControl();
            MockBehaviour slow = quick();
            slow.latencyMs = 5000;
            const std::uint16_t port = portOf(world->addMock("crm", slow, "", 1, 0));
            lanes::TrafficShape shape;
            shape.running = true;
            world->setTraffic(shape, port, "key");
            RawClient client(port);
            QVERIFY(client.connects());
            client.write(RawDelivery().bytes());
            QTRY_VERIFY(world->mocks()[0].requests > 0);
        }
    }
};

QTEST_GUILESS_MAIN(MockWorldTest)
#include "mock_world_test.moc"
