// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"
#include "engine/intake/intake_server.h"
#include "tests/bench/bench_case.h"
#include "tests/bench/load.h"

#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <simdjson.h>

#include <functional>
#include <memory>
#include <utility>

namespace lanes::bench {

namespace {

constexpr const char* kKey = "0123456789abcdefghijABCDEFGHIJ_-0123456789k";
constexpr int kConnections = 16;
constexpr int kBatch = 100;
constexpr int kRounds = 2'000;

std::string eventOf(int number) {
    return R"({"id":"event-)" + std::to_string(number) + R"(","user":"user-)" +
           std::to_string(number % 37) + R"(","type":"order.created","payload":{"total":12.50,)" +
           R"("note":")" + std::string(200, 'x') + "\"}}";
}

/// Whatever `make` makes, with its event loop on a thread of its own.
class Served {
public:
    explicit Served(const std::function<std::uint16_t(QObject*)>& make) {
        m_context = new QObject;
        m_context->moveToThread(&m_thread);
        m_thread.start();
        QMetaObject::invokeMethod(
            m_context, [&] { m_port = make(m_context); }, Qt::BlockingQueuedConnection);
        if (m_port == 0) giveUp("no port could be listened on");
    }
    ~Served() {
        QMetaObject::invokeMethod(
            m_context, [this] { delete m_context; }, Qt::BlockingQueuedConnection);
        m_thread.quit();
        m_thread.wait();
    }
    [[nodiscard]] std::string url() const {
        return "http://127.0.0.1:" + std::to_string(m_port) + "/v1/events";
    }

private:
    QThread m_thread;
    QObject* m_context = nullptr;
    std::uint16_t m_port = 0;
};

/// Reads a request by its length and says yes to it: less than any server does.
std::uint16_t plainLoop(QObject* parent) {
    auto* server = new QTcpServer(parent);
    QObject::connect(server, &QTcpServer::newConnection, server, [server] {
        while (auto* client = server->nextPendingConnection()) {
            auto input = std::make_shared<QByteArray>();
            QObject::connect(client, &QTcpSocket::readyRead, client, [client, input] {
                input->append(client->readAll());
                for (;;) {
                    const auto end = input->indexOf("\r\n\r\n");
                    const auto length = input->indexOf("Content-Length: ");
                    if (end < 0 || length < 0 || length > end) return;
                    const auto digits =
                        input->mid(length + 16, input->indexOf('\r', length) - length - 16);
                    const auto whole = end + 4 + digits.toLongLong();
                    if (input->size() < whole) return;
                    input->remove(0, whole);
                    client->write(
                        "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\n"
                        "Content-Length: 43\r\n\r\n"
                        "{\"accepted\":1,\"duplicates\":0,\"rejected\":[]}");
                }
            });
        }
    });
    return server->listen(QHostAddress::LocalHost) ? server->serverPort() : std::uint16_t{0};
}

/// The intake in front of a store that says at once that all is durable.
std::uint16_t intake(QObject* parent) {
    auto server = std::make_shared<std::unique_ptr<IntakeServer>>();
    IntakePorts ports;
    ports.submit = [server](const IntakeSubmission& submission) {
        IntakeCommit commit;
        commit.intake = submission.intake;
        commit.stored = true;
        commit.events.resize(submission.events.size());
        (*server)->finish(commit);
    };
    ports.findDestination = [](std::string_view) { return std::nullopt; };
    *server = std::make_unique<IntakeServer>(std::move(ports), kKey);
    const bool listens = (*server)->listen(0).ok();
    const auto port = (*server)->port();
    QObject::connect(parent, &QObject::destroyed, [server] { server->reset(); });
    return listens ? port : std::uint16_t{0};
}

BenchCase requestsCase(int runs) {
    BenchCase one;
    one.name = "intake: requests with one event a second, " + std::to_string(kConnections) +
               " connections";
    one.unit = "requests/s";
    one.bareIs = "a QTcpServer that finds the end of each request and answers";
    one.higherIsBetter = true;
    const auto speed = [](const std::function<std::uint16_t(QObject*)>& make) {
        const Served server(make);
        Traffic traffic;
        traffic.url = server.url();
        traffic.inFlight = kConnections;
        traffic.body = eventOf(1);
        traffic.headers = {{"Authorization", std::string("Bearer ") + kKey}};
        const auto found = wrkPerSecond(traffic);
        if (!found) giveUp("wrk is needed for this");
        return *found;
    };
    measure(
        one, runs, [&] { return speed(intake); }, [&] { return speed(plainLoop); });
    return one;
}

BenchCase readingCase(int runs) {
    BenchCase one;
    one.name = "intake: events of lists of " + std::to_string(kBatch) + " read and checked";
    one.unit = "events/s CPU";
    one.bareIs = "simdjson goes through the same text once and keeps nothing";
    one.higherIsBetter = true;
    std::string body = "[";
    for (int i = 0; i < kBatch; ++i) body += (i == 0 ? "" : ",") + eventOf(i);
    body += "]";
    const auto rounds = static_cast<int>(scaled(kRounds));
    const auto speed = [&](const std::function<std::size_t()>& read) {
        const auto before = threadCpuSeconds();
        std::size_t events = 0;
        for (int round = 0; round < rounds; ++round) events += read();
        const auto seconds = threadCpuSeconds() - before;
        if (events != static_cast<std::size_t>(rounds) * kBatch) giveUp("events were not read");
        return static_cast<double>(events) / seconds;
    };
    IntakeReader reader;
    simdjson::ondemand::parser parser;
    const simdjson::padded_string padded(body);
    measure(
        one, runs,
        [&] {
            return speed([&] {
                const auto read = reader.read(body, EventFormat::json);
                const auto* events = std::get_if<ReadEvents>(&read);
                return events == nullptr ? 0 : events->events.size();
            });
        },
        [&] {
            return speed([&] {
                std::size_t events = 0;
                simdjson::ondemand::document document;
                simdjson::ondemand::array array;
                if (parser.iterate(padded).get(document) || document.get_array().get(array))
                    return events;
                for (auto element : array) {
                    std::string_view text;
                    simdjson::ondemand::object object;
                    if (!element.get_object().get(object) && !object.raw_json().get(text)) ++events;
                }
                return events;
            });
        });
    return one;
}

}  // namespace

std::vector<BenchCase> benchIntake(int runs) {
    return {requestsCase(runs), readingCase(runs)};
}

}  // namespace lanes::bench
