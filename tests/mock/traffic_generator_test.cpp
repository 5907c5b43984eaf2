// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/traffic_generator.h"

#include "engine/http/http_server.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

using lanes::TrafficShape;
using lanes::http::HttpServer;
using lanes::http::Request;
using lanes::http::Responder;
using lanes::http::Response;
using lanes::mock::TrafficGenerator;

namespace {

/// Plays the intake: keeps what it accepts, and refuses as it is told.
class Intake {
public:
    /// Answer to request number n (from 0), or nothing to accept it.
    using Refuse = std::function<std::optional<Response>(int)>;

    explicit Intake(Refuse refuse = {}, std::uint16_t port = 0)
        : m_refuse(std::move(refuse)), m_server(lanes::http::ServerLimits{}) {
        m_server.setHandler([this](const Request& request, const Responder& responder) {
            handle(request, responder);
        });
        fault = m_server.listen(QHostAddress(QHostAddress::LocalHost), port);
    }
    [[nodiscard]] std::uint16_t port() const { return m_server.port(); }

    std::string fault;
    int requests = 0;
    int resets = 0;  ///< requests to answer by a reset after taking the events
    Request last;
    std::vector<nlohmann::json> events;
    std::size_t duplicates = 0;

private:
    void handle(const Request& request, const Responder& responder) {
        last = request;
        const int number = requests++;
        if (m_refuse) {
            if (auto refusal = m_refuse(number)) {
                responder.respond(*refusal);
                return;
            }
        }
        const auto body = nlohmann::json::parse(request.body);
        std::size_t again = 0;
        for (const auto& event : body) {
            if (m_ids.insert(event.at("id")).second)
                events.push_back(event);
            else
                ++again;
        }
        duplicates += again;
        if (resets > 0) {
            --resets;
            responder.reset();
            return;
        }
        Response response;
        response.status = 202;
        response.body = nlohmann::json{{"accepted", body.size() - again},
                                       {"duplicates", again},
                                       {"rejected", nlohmann::json::array()}}
                            .dump();
        responder.respond(std::move(response));
    }

    Refuse m_refuse;
    HttpServer m_server;
    std::set<std::string> m_ids;
};

TrafficShape shape(double rate) {
    TrafficShape shape;
    shape.running = true;
    shape.eventsPerSecond = rate;
    shape.users = 20;
    return shape;
}

/// Empty if every user's events are there from 1 on, without a gap and in order.
QString disorder(const std::vector<nlohmann::json>& events) {
    std::map<std::string, int> last;
    for (const auto& event : events) {
        const int n = event.at("payload").at("n");
        int& before = last[event.at("user")];
        if (n != before + 1) return QStringLiteral("%1 after %2").arg(n).arg(before);
        before = n;
    }
    return {};
}

void stopAndDrain(TrafficGenerator& generator, std::uint16_t port) {
    TrafficShape stopped = generator.report().shape;
    stopped.running = false;
    generator.set(stopped, port, "key");
    QTRY_COMPARE(generator.waiting(), 0u);
}

}  // namespace

class TrafficGeneratorTest : public QObject {
    Q_OBJECT

private slots:
    void sendsAsASenderDoes() {
        Intake intake;
        TrafficGenerator generator;
        generator.set(shape(500), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 100);
        QCOMPARE(intake.last.method, std::string("POST"));
        QCOMPARE(intake.last.target, std::string("/v1/events"));
        QCOMPARE(intake.last.header("Authorization"), std::string_view("Bearer key"));
        QCOMPARE(intake.last.header("Content-Type"), std::string_view("application/json"));
        QCOMPARE(intake.last.header("Host"), "127.0.0.1:" + std::to_string(intake.port()));
        stopAndDrain(generator, intake.port());
        QCOMPARE(disorder(intake.events), QString());
        QCOMPARE(generator.report().sent, intake.events.size());
        QCOMPARE(generator.report().accepted, intake.events.size());
        QCOMPARE(generator.report().refused, 0u);
        std::set<std::string> users;
        for (const auto& event : intake.events) users.insert(event.at("user"));
        QVERIFY(users.size() > 5 && users.size() <= 20);
    }

    void keepsItsRate() {
        Intake intake;
        TrafficGenerator generator;
        QElapsedTimer timer;
        timer.start();
        generator.set(shape(1000), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 1000);
        const double seconds = static_cast<double>(timer.elapsed()) / 1000.0;
        QVERIFY2(seconds > 0.7 && seconds < 3.0, qPrintable(QString::number(seconds)));
    }

    void sendsAgainInOrder_data() {
        QTest::addColumn<int>("status");
        QTest::newRow("after 503") << 503;
        QTest::newRow("after 429") << 429;
        QTest::newRow("after 401") << 401;
        QTest::newRow("after 500") << 500;
    }

    void sendsAgainInOrder() {
        QFETCH(int, status);
        Intake intake([status](int number) -> std::optional<Response> {
            if (number % 3 != 1) return std::nullopt;
            Response response;
            response.status = static_cast<unsigned>(status);
            return response;
        });
        TrafficGenerator generator;
        generator.set(shape(2000), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 500);
        QVERIFY(generator.report().refused > 0);
        stopAndDrain(generator, intake.port());
        QCOMPARE(disorder(intake.events), QString());
        QCOMPARE(intake.duplicates, 0u);
        QCOMPARE(generator.report().accepted, intake.events.size());
        QCOMPARE(generator.report().sent, intake.events.size());
    }

    void sendsAgainWhenTheAnswerWasLost() {
        Intake intake;
        intake.resets = 3;
        TrafficGenerator generator;
        generator.set(shape(2000), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 300);
        stopAndDrain(generator, intake.port());
        QCOMPARE(disorder(intake.events), QString());
        QVERIFY(intake.duplicates > 0);
        QCOMPARE(generator.report().accepted, intake.events.size());
    }

    void waitsForAnIntakeThatIsNotThere() {
        std::uint16_t port = 0;
        {
            QTcpServer free;
            QVERIFY(free.listen(QHostAddress(QHostAddress::LocalHost), 0));
            port = free.serverPort();
        }
        TrafficGenerator generator;
        generator.set(shape(500), port, "key");
        QTRY_VERIFY(generator.report().refused > 0);
        QVERIFY(!generator.report().lastError.empty());
        QCOMPARE(generator.report().accepted, 0u);
        Intake intake({}, port);
        QCOMPARE(intake.fault, std::string());
        QTRY_VERIFY(intake.events.size() >= 100);
        QCOMPARE(generator.report().lastError, std::string());
        stopAndDrain(generator, port);
        QCOMPARE(disorder(intake.events), QString());
        QCOMPARE(generator.report().accepted, intake.events.size());
    }

    void honoursRetryAfter() {
        Intake intake([](int number) -> std::optional<Response> {
            if (number != 0) return std::nullopt;
            Response response;
            response.status = 503;
            response.headers.emplace_back("Retry-After", "1");
            return response;
        });
        TrafficGenerator generator;
        generator.set(shape(500), intake.port(), "key");
        QTRY_COMPARE(intake.requests, 1);
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY(intake.requests > 1);
        QVERIFY2(timer.elapsed() >= 900, qPrintable(QString::number(timer.elapsed())));
    }

    void makesNoMoreThanItCanKeep() {
        Intake intake([](int) -> std::optional<Response> {
            Response response;
            response.status = 503;
            return response;
        });
        TrafficGenerator generator;
        generator.set(shape(TrafficGenerator::kEventsPerSecond), intake.port(), "key");
        QTRY_COMPARE(generator.waiting(), TrafficGenerator::kWaiting);
        QTest::qWait(50);  // five more slices
        QCOMPARE(generator.waiting(), TrafficGenerator::kWaiting);
    }

    void goesOnWhereItWas() {
        Intake intake;
        TrafficGenerator generator;
        generator.set(shape(1000), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 50);
        stopAndDrain(generator, intake.port());
        const std::size_t before = intake.events.size();
        TrafficShape more = shape(1000);
        more.users = 200;
        generator.set(more, intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= before + 200);
        stopAndDrain(generator, intake.port());
        QCOMPARE(disorder(intake.events), QString());
        QCOMPARE(intake.duplicates, 0u);
    }

    void givesUpWhatWillNeverBeTaken() {
        Intake intake([](int number) -> std::optional<Response> {
            if (number != 0) return std::nullopt;
            Response response;
            response.status = 400;
            return response;
        });
        TrafficGenerator generator;
        generator.set(shape(500), intake.port(), "key");
        QTRY_VERIFY(intake.events.size() >= 20);
        stopAndDrain(generator, intake.port());
        QVERIFY(generator.report().refused > 0);
        QCOMPARE(generator.report().accepted + generator.report().refused, generator.report().sent);
    }

    void staysIdleWhenStopped() {
        Intake intake;
        TrafficGenerator generator;
        TrafficShape stopped;
        generator.set(stopped, intake.port(), "key");
        QTest::qWait(50);  // five slices
        QCOMPARE(intake.requests, 0);
        QCOMPARE(generator.waiting(), 0u);
    }
};

QTEST_GUILESS_MAIN(TrafficGeneratorTest)
#include "traffic_generator_test.moc"
