// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/test_desk.h"

#include "engine/delivery/http_transport.h"
#include "engine/delivery/request_builder.h"

#include <QDateTime>
#include <QUuid>

#include <memory>
#include <utility>

namespace lanes {

namespace {

/// The number of a test serves as attempt and as destination: each has its own connections.
DestinationId destinationOf(CommandId test) {
    return DestinationId(static_cast<std::uint32_t>(test.value));
}

AttemptRequest requestOf(CommandId test) {
    AttemptRequest request;
    request.start.attempt = AttemptId(test.value);
    request.start.pointer.destination = destinationOf(test);  // sequence 0: a test
    SentEvent event;
    event.source = "test";
    event.id = "test-" + QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    event.type = kTestEventType;
    event.contentType = "application/json";
    const auto now = QDateTime::currentDateTimeUtc();
    event.payload = std::make_shared<const std::string>(
        std::string("{\"type\":\"") + kTestEventType +
        "\",\"text\":\"A test of the delivery by Rivora Lanes, sent by hand. It belongs to no user "
        "and can be ignored.\",\"sentAt\":\"" +
        now.toString(Qt::ISODateWithMs).toStdString() + "\"}");
    event.acceptedAt = now.toMSecsSinceEpoch() * kMillisecond;
    request.event = std::make_shared<const SentEvent>(std::move(event));
    return request;
}

}  // namespace

TestDesk::TestDesk(QObject* parent) : QObject(parent) {
    m_thread.setObjectName(QStringLiteral("tests"));
}

TestDesk::~TestDesk() {
    stop();
}

void TestDesk::begin() {
    if (m_transport != nullptr) return;
    m_transport = new HttpTransport(HttpTransport::Wire::kept);
    m_transport->moveToThread(&m_thread);
    connect(m_transport, &HttpTransport::finished, this, &TestDesk::take);
    m_thread.start();
}

void TestDesk::refuse(CommandId test, std::string error) {
    TestResult result;
    result.error = std::move(error);
    QMetaObject::invokeMethod(
        this, [this, test, result] { emit finished(test, result); }, Qt::QueuedConnection);
}

void TestDesk::send(CommandId test, DestinationConfig config) {
    config.id = destinationOf(test);
    config.name = "test";  // it may have none yet, and none is sent
    if (auto error = settingsProblem(config); !error.empty())
        return refuse(test, std::move(error));
    if (m_running.size() >= kMost)
        return refuse(test, "Too many tests are under way; wait for one of them or cancel it.");
    begin();
    m_running[test] = false;
    QMetaObject::invokeMethod(
        m_transport,
        [transport = m_transport, config = std::move(config), request = requestOf(test)] {
            transport->setDestination(config);
            transport->start({request});
        },
        Qt::QueuedConnection);
}

void TestDesk::cancel(CommandId test) {
    const auto running = m_running.find(test);
    if (running == m_running.end()) return;
    running->second = true;
    QMetaObject::invokeMethod(
        m_transport,
        [transport = m_transport, id = destinationOf(test)] { transport->removeDestination(id); },
        Qt::QueuedConnection);
}

void TestDesk::take(const std::vector<AttemptResult>& results) {
    for (const auto& attempt : results) {
        const CommandId test(attempt.attempt.value);
        const auto running = m_running.find(test);
        if (running == m_running.end()) continue;
        TestResult result;
        // An answer that came first is an answer all the same.
        result.cancelled = running->second && attempt.reach != AttemptResult::Reach::answered;
        result.mayHaveArrived = attempt.reach == AttemptResult::Reach::partlySent ||
                                attempt.reach == AttemptResult::Reach::sent ||
                                attempt.reach == AttemptResult::Reach::answered;
        result.status = attempt.status;
        result.latency = attempt.duration;
        result.error = attempt.error;
        if (attempt.wire) {
            result.request = attempt.wire->request;
            result.answer = attempt.wire->answer;
        }
        m_running.erase(running);
        QMetaObject::invokeMethod(
            m_transport,
            [transport = m_transport, id = destinationOf(test)] {
                transport->removeDestination(id);
            },
            Qt::QueuedConnection);
        emit finished(test, result);
    }
}

void TestDesk::stop() {
    m_running.clear();
    if (m_transport == nullptr) return;
    auto* transport = std::exchange(m_transport, nullptr);
    QMetaObject::invokeMethod(
        transport,
        [this, transport] {
            transport->stop();
            transport->deleteLater();  // at the latest when its thread ends
            m_thread.quit();
        },
        Qt::QueuedConnection);
    m_thread.wait();
}

}  // namespace lanes
