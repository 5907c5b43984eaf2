// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/http_server.h"

#include "engine/http/server_connection.h"

#include <QTcpServer>
#include <QTimer>

#include <boost/beast/core/string.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_set>

namespace lanes::http {

namespace {

/// Connections that the system keeps for us until we accept them.
constexpr int kBacklog = 512;
/// A client that owes bytes and was silent for this long gives way to a new one when all places
/// are taken: otherwise a few hundred slow clients would lock everybody else out.
constexpr std::chrono::milliseconds kSilentTime{1'000};
/// How long to wait when the system has no descriptor left.
constexpr std::chrono::milliseconds kAcceptAgainTime{200};

/// Hands each accepted descriptor on; the list of waiting sockets of `QTcpServer` stays empty.
class Listener : public QTcpServer {
public:
    explicit Listener(std::function<void(qintptr)> accepted) : m_accepted(std::move(accepted)) {
        setListenBacklogSize(kBacklog);
        connect(this, &QTcpServer::acceptError, this, [this] {
            QTimer::singleShot(kAcceptAgainTime, this, &QTcpServer::resumeAccepting);
        });
    }

protected:
    void incomingConnection(qintptr descriptor) override { m_accepted(descriptor); }

private:
    std::function<void(qintptr)> m_accepted;
};

}  // namespace

std::string_view Request::header(std::string_view name) const {
    for (const Header& header : headers)
        if (boost::beast::iequals(header.first, {name.data(), name.size()})) return header.second;
    return {};
}

std::size_t Request::count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::count_if(headers.begin(), headers.end(), [name](const Header& header) {
            return boost::beast::iequals(header.first, {name.data(), name.size()});
        }));
}

Responder::Responder(QPointer<ServerConnection> connection, std::uint64_t request)
    : m_connection(std::move(connection)), m_request(request) {}

void Responder::respond(Response response) const {
    if (m_connection) m_connection->respond(m_request, std::move(response));
}

void Responder::reset() const {
    if (m_connection) m_connection->reset(m_request);
}

void Responder::sendRaw(const std::string& bytes, bool close) const {
    if (m_connection) m_connection->sendRaw(m_request, bytes, close);
}

void Responder::finishRaw() const {
    if (m_connection) m_connection->finishRaw(m_request);
}

bool Responder::connected() const {
    return m_connection && m_connection->awaits(m_request);
}

class HttpServer::Private {
public:
    explicit Private(ServerLimits limits) {
        shared->limits = limits;
        // A quarter of the shortest time-out, so that none is late by more than that.
        const auto shortest = std::min({limits.headerTime, limits.bodyTime, limits.idleTime});
        sweep.setInterval(std::clamp(shortest / 4, std::chrono::milliseconds(10),
                                     std::chrono::milliseconds(250)));
        QObject::connect(&sweep, &QTimer::timeout, &sweep, [this] { checkDeadlines(); });
    }

    ~Private() {
        for (ServerConnection* connection : connections)
            if (connection->abandon()) delete connection;
    }

    void accept(qintptr descriptor) {
        const auto limit = static_cast<std::size_t>(shared->limits.connections);
        bool full = connections.size() >= limit;
        if (full && evictSilent()) full = false;
        auto* connection = new ServerConnection(shared, descriptor);
        connections.insert(connection);
        QObject::connect(connection, &ServerConnection::ended, connection, [this, connection] {
            connections.erase(connection);
            connection->deleteLater();
            if (connections.empty()) sweep.stop();
        });
        if (!sweep.isActive()) sweep.start();
        // Those that are turned away linger for a moment; twice as many cannot be served at all.
        if (connections.size() > 2 * limit)
            connection->evict();
        else if (full)
            connection->turnAway();
    }

    bool evictSilent() {
        const auto limit = ServerConnection::Clock::now() - kSilentTime;
        ServerConnection* oldest = nullptr;
        auto since = limit;
        for (ServerConnection* connection : connections) {
            const auto silent = connection->silentSince();
            if (!silent || *silent > since) continue;
            since = *silent;
            oldest = connection;
        }
        if (!oldest) return false;
        oldest->evict();
        return true;
    }

    void checkDeadlines() {
        const auto now = ServerConnection::Clock::now();
        // A copy: whoever is late leaves the set.
        const std::vector<ServerConnection*> all(connections.begin(), connections.end());
        for (ServerConnection* connection : all) connection->checkDeadline(now);
    }

    std::shared_ptr<ServerShared> shared = std::make_shared<ServerShared>();
    std::vector<std::unique_ptr<Listener>> listeners;
    std::unordered_set<ServerConnection*> connections;
    QTimer sweep;
    bool addressInUse = false;
};

HttpServer::HttpServer(ServerLimits limits, QObject* parent)
    : QObject(parent), d(std::make_unique<Private>(limits)) {}

HttpServer::~HttpServer() = default;

void HttpServer::setHandler(Handler handler) {
    d->shared->handler = std::make_shared<const Handler>(std::move(handler));
}

void HttpServer::setRefusal(Refusal refusal) {
    d->shared->refusal = std::make_shared<const Refusal>(std::move(refusal));
}

std::string HttpServer::listen(const QHostAddress& address, std::uint16_t port) {
    auto listener =
        std::make_unique<Listener>([this](qintptr descriptor) { d->accept(descriptor); });
    if (!listener->listen(address, port)) {
        d->addressInUse = listener->serverError() == QAbstractSocket::AddressInUseError;
        if (d->addressInUse)
            return "port " + std::to_string(port) + " is in use by another program";
        return "cannot listen on " + address.toString().toStdString() + " port " +
               std::to_string(port) + ": " + listener->errorString().toStdString();
    }
    d->listeners.push_back(std::move(listener));
    d->shared->draining = false;
    return {};
}

bool HttpServer::addressInUse() const {
    return d->addressInUse;
}

std::uint16_t HttpServer::port() const {
    return d->listeners.empty() ? std::uint16_t{0} : d->listeners.front()->serverPort();
}

void HttpServer::close(bool atOnce) {
    d->listeners.clear();
    d->shared->draining = true;
    const std::vector<ServerConnection*> all(d->connections.begin(), d->connections.end());
    for (ServerConnection* connection : all) {
        if (atOnce)
            connection->evict();
        else
            connection->drain();
    }
}

std::size_t HttpServer::connections() const {
    return d->connections.size();
}

}  // namespace lanes::http
