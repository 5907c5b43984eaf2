// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/engine.h"
#include "engine/mock_control.h"

#include <QTcpSocket>
#include <QTest>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace lanes::test {

/// For what takes a moment and must happen; milliseconds.
inline constexpr int kPatience = 15'000;

/// An engine on a directory of its own, with one mock destination.
class World {
public:
    explicit World(const QString& directory,
                   const std::function<void(EngineOptions&)>& change = {}) {
        EngineOptions options;
        options.dataDirectory = directory.toStdString();
        options.intakePort = 0;
        options.seed = 1;
        if (change) change(options);
        engine = makeEngine(options);
        QObject::connect(
            engine.get(), &Engine::commandFinished,
            [this](CommandId id, const CommandResult& result) { results[id.value] = result; });
        QObject::connect(engine.get(), &Engine::lanesRead,
                         [this](const LanePage& page) { pages[page.request.token] = page; });
    }

    bool start() {
        engine->start();
        return QTest::qWaitFor(
                   [&] {
                       const auto lifecycle = engine->snapshot()->lifecycle;
                       return lifecycle == Lifecycle::failed ||
                              (lifecycle == Lifecycle::running &&
                               engine->snapshot()->intake.port != 0);
                   },
                   kPatience) &&
               engine->snapshot()->lifecycle == Lifecycle::running;
    }

    CommandResult command(Command command) {
        const auto id = engine->submit(std::move(command)).value;
        if (!QTest::qWaitFor([&] { return results.contains(id); }, kPatience))
            results[id].error = "no answer";
        return results[id];
    }

    /// Posts a body to the intake and returns the status.
    int post(const QByteArray& body) {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, engine->snapshot()->intake.port);
        const QByteArray port = QByteArray::number(engine->snapshot()->intake.port);
        socket.write("POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                     "\r\nAuthorization: Bearer " + QByteArray::fromStdString(engine->writeKey()) +
                     "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
                     QByteArray::number(body.size()) + "\r\n\r\n" + body);
        QByteArray answer;
        (void)QTest::qWaitFor(
            [&] {
                answer += socket.readAll();
                return answer.contains("\r\n\r\n") ||
                       socket.state() == QAbstractSocket::UnconnectedState;
            },
            kPatience);
        return answer.mid(9, 3).toInt();
    }

    int postEvents(int users, int eventsEach) {
        QByteArray body = "[";
        for (int i = 0; i < eventsEach; ++i)
            for (int user = 0; user < users; ++user) {
                if (body.size() > 1) body += ',';
                body += "{\"user\":\"u" + QByteArray::number(user) +
                        "\",\"type\":\"step\",\"payload\":{\"n\":" + QByteArray::number(i) + "}}";
            }
        return post(body + "]");
    }

    DeliveryCounters totals() const { return engine->snapshot()->totals; }

    std::unique_ptr<Engine> engine;
    std::map<std::uint64_t, CommandResult> results;
    std::map<std::uint64_t, LanePage> pages;
};

inline MockBehaviour behaviour(std::uint16_t status = 200) {
    MockBehaviour result;
    result.status = status;
    result.latencyMs = 1;
    return result;
}

inline DestinationConfig destination(const std::string& name, const std::string& url) {
    DestinationConfig config;
    config.name = name;
    config.url = url;
    return config;
}

}  // namespace lanes::test
