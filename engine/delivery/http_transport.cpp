// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/http_transport.h"

#include "engine/core/check.h"
#include "engine/delivery/request_builder.h"
#include "engine/delivery/retry_after.h"
#include "engine/delivery/wire_text.h"
#include "engine/http/connection_pool.h"

#include <QDateTime>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

std::chrono::milliseconds milliseconds(Micros time) {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(time));
}

http::ConnectionPool::Settings poolSettings(const DeliveryTarget& target) {
    http::ConnectionPool::Settings settings;
    settings.origin = target.url.origin;
    settings.limits.headerBytes = limits::kHeaderBytes;
    settings.limits.responseReadBytes = limits::kResponseReadBytes;
    settings.limits.responseKeptBytes = limits::kResponseKeptBytes;
    settings.limits.idleTime = milliseconds(limits::kIdleConnectionTime);
    settings.limits.connectTime = milliseconds(target.config.connectTimeout);
    settings.limits.wholeTime = milliseconds(target.config.attemptTimeout);
    settings.connections = target.config.policy.maxInFlight;
    settings.allowLinkLocal = target.config.allowLinkLocal;
    settings.tls = target.tls;
    settings.proxy = target.proxy;
    return settings;
}

AttemptResult::Reach reachOf(http::ExchangeResult::Reach reach) {
    switch (reach) {
        case http::ExchangeResult::Reach::notSent: return AttemptResult::Reach::notSent;
        case http::ExchangeResult::Reach::partlySent: return AttemptResult::Reach::partlySent;
        case http::ExchangeResult::Reach::sent: return AttemptResult::Reach::sent;
        case http::ExchangeResult::Reach::answered: return AttemptResult::Reach::answered;
    }
    CHECK(false);
}

/// What an operator reads beside a final status that does not deliver.
std::string spokenStatus(int status, const std::string& location) {
    const std::string start = "The destination answered " + std::to_string(status);
    if (status >= 300 && status < 400)
        return location.empty() ? start + ", a redirect, which is not followed."
                                : start + " and points to another address, which is not followed.";
    if (status < 100 || status > 599) return start + ", which is not a valid status.";
    if (status < 200) return start + ", which is no final status.";
    return start + ".";
}

}  // namespace

struct HttpTransport::Destination {
    DeliveryTarget target;
    std::unique_ptr<http::ConnectionPool> pool;  ///< null if the settings are unusable
};

HttpTransport::HttpTransport(Wire wire, QObject* parent) : QObject(parent), m_wire(wire) {}

HttpTransport::~HttpTransport() = default;

void HttpTransport::setDestination(const DestinationConfig& config) {
    if (m_stopped) return;
    auto& slot = m_destinations[config.id];
    auto target = prepareTarget(config);
    // Connections made under other rules about the peer must not be used under the new ones.
    auto settings = poolSettings(target);
    const bool samePeer = slot && slot->pool && target.problem.empty() &&
                          slot->pool->settings().samePeer(settings);
    if (samePeer) {
        slot->pool->setSettings(std::move(settings));
        slot->target = std::move(target);
        return;
    }
    if (slot && slot->pool && slot->pool->active() > 0) m_retired.push_back(std::move(slot));
    slot = std::make_unique<Destination>();
    slot->target = std::move(target);
    if (slot->target.problem.empty())
        slot->pool = std::make_unique<http::ConnectionPool>(std::move(settings));
}

void HttpTransport::removeDestination(DestinationId destination) {
    const auto found = m_destinations.find(destination);
    if (found == m_destinations.end()) return;
    const auto gone = std::move(found->second);
    m_destinations.erase(found);
    if (gone->pool) gone->pool->giveUpAll("The destination was removed.");
}

void HttpTransport::start(std::vector<AttemptRequest> attempts) {
    for (auto& attempt : attempts) startOne(std::move(attempt));
}

void HttpTransport::startOne(AttemptRequest attempt) {
    const auto id = attempt.start.attempt;
    CHECK(m_open.insert(id).second);
    const auto found = m_destinations.find(attempt.start.pointer.destination);
    std::string problem;
    if (m_stopped)
        problem = "Not sent: the program is shutting down.";
    else if (found == m_destinations.end())
        problem = "Not sent: the destination is not there any more.";
    else
        problem = sendProblem(found->second->target, attempt);
    if (!problem.empty()) {
        AttemptResult result;
        result.attempt = id;
        result.error = problem;
        report(std::move(result));
        return;
    }
    // The pointer stays good: a destination that changes its server is kept as it was until the
    // last of its exchanges is over.
    auto* destination = found->second.get();
    const auto text = m_wire == Wire::kept ? std::make_shared<std::string>() : nullptr;
    destination->pool->start(
        {[destination, text, attempt = std::move(attempt)] {
             auto request =
                 buildRequest(destination->target, attempt, QDateTime::currentSecsSinceEpoch());
             if (text) *text = textOf(request);
             return request;
         },
         [this, id, text](http::ExchangeResult exchange) {
             ended(id, std::move(exchange), text.get());
         }});
}

void HttpTransport::ended(AttemptId attempt, http::ExchangeResult exchange,
                          const std::string* request) {
    AttemptResult result;
    if (request) {
        const bool sent = exchange.reach != http::ExchangeResult::Reach::notSent;
        result.wire = std::make_shared<const WireText>(
            WireText{sent ? *request : std::string(), textOf(exchange)});
    }
    result.attempt = attempt;
    result.reach = reachOf(exchange.reach);
    result.status = exchange.status;
    result.deadline = exchange.deadline;
    result.bodyCut = exchange.bodyCut;
    result.duration = exchange.duration.count();
    const bool delivered = result.reach == AttemptResult::Reach::answered &&
                           exchange.status >= 200 && exchange.status < 300;
    if (result.reach == AttemptResult::Reach::answered) {
        result.retryAfter = retryAfter(exchange.header("retry-after"), exchange.header("date"),
                                       QDateTime::currentSecsSinceEpoch());
        if (exchange.status >= 300 && exchange.status < 400)
            result.location = exchange.header("location");
    }
    // A status of 000 is one too: it came with a whole answer.
    if (!delivered && (exchange.status != 0 || exchange.error.empty())) {
        result.error = spokenStatus(exchange.status, result.location);
        if (!exchange.error.empty()) result.error += " " + exchange.error;
    } else if (!delivered) {
        result.error = std::move(exchange.error);
    }
    result.response = std::move(exchange.body);
    report(std::move(result));
}

void HttpTransport::report(AttemptResult result) {
    CHECK(m_open.erase(result.attempt) == 1);
    m_finished.push_back(std::move(result));
    if (std::exchange(m_flushing, true)) return;
    QMetaObject::invokeMethod(
        this, [this] { flush(); }, Qt::QueuedConnection);
}

void HttpTransport::flush() {
    m_flushing = false;
    std::erase_if(m_retired, [](const auto& old) { return old->pool->active() == 0; });
    if (m_finished.empty()) return;
    Q_EMIT finished(std::exchange(m_finished, {}));
}

void HttpTransport::stop() {
    m_stopped = true;
    const std::string why = "Stopped before an answer came: the program is shutting down.";
    for (const auto& [id, destination] : m_destinations)
        if (destination->pool) destination->pool->giveUpAll(why);
    for (const auto& destination : m_retired) destination->pool->giveUpAll(why);
    CHECK(m_open.empty());
    // Sockets and timers go on this thread, whichever one destroys the transport later.
    m_destinations.clear();
    m_retired.clear();
    flush();
}

}  // namespace lanes
