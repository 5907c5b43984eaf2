// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection_pool.h"

#include "engine/http/client_connection.h"
#include "engine/http/dialer.h"

#include <QTcpSocket>

#include <algorithm>
#include <utility>

namespace lanes::http {

namespace {

/// Exchanges that may wait for a connection. Whoever starts them bounds them by the number of
/// connections; a queue of this length is a fault and is answered as one.
constexpr std::size_t kMaxWaiting = 4096;

Instant now() {
    return std::chrono::steady_clock::now();
}

}  // namespace

/// An exchange that has a connection or is getting one.
struct ConnectionPool::Running {
    Exchange exchange;
    Dialer* dialer = nullptr;
    ClientConnection* connection = nullptr;
    bool reused = false;
    bool givenUp = false;
    Instant began;
    Instant connectDeadline;
    Instant wholeDeadline;
    std::size_t index = 0;  ///< in m_active

    [[nodiscard]] Instant deadline() const {
        return dialer ? std::min(connectDeadline, wholeDeadline) : wholeDeadline;
    }
};

bool ConnectionPool::Settings::samePeer(const Settings& other) const {
    return origin == other.origin && allowLinkLocal == other.allowLinkLocal && tls == other.tls &&
           proxy == other.proxy;
}

ConnectionPool::ConnectionPool(Settings settings, QObject* parent)
    : QObject(parent), m_settings(std::move(settings)), m_session(m_settings.tls) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { checkDeadlines(); });
}

ConnectionPool::~ConnectionPool() {
    m_waiting.clear();
    for (auto& running : m_active) {
        if (running->dialer) running->dialer->cancel();
        delete running->connection;
    }
    m_active.clear();
    for (const auto& kept : std::exchange(m_idle, {})) delete kept.connection;
}

void ConnectionPool::setSettings(Settings settings) {
    Q_ASSERT(settings.samePeer(m_settings));
    m_settings = std::move(settings);
}

void ConnectionPool::start(Exchange exchange) {
    if (m_waiting.empty() && m_active.size() < m_settings.connections) {
        run(std::move(exchange));
        return;
    }
    if (m_waiting.size() >= kMaxWaiting) {
        ExchangeResult result;
        result.error = "Too many requests wait for a connection.";
        exchange.done(std::move(result));
        return;
    }
    m_waiting.push_back(std::move(exchange));
}

void ConnectionPool::run(Exchange exchange) {
    auto owned = std::make_unique<Running>();
    auto* running = owned.get();
    running->exchange = std::move(exchange);
    running->began = now();
    running->wholeDeadline = running->began + m_settings.limits.wholeTime;
    running->index = m_active.size();
    m_active.push_back(std::move(owned));
    if (auto* connection = takeIdle()) {
        running->reused = true;
        exchangeOn(running, connection);
    } else {
        dial(running);
    }
}

void ConnectionPool::dial(Running* running) {
    running->reused = false;
    running->connectDeadline = now() + m_settings.limits.connectTime;
    Dialer::Settings settings{m_settings.origin, m_settings.limits.addressStagger,
                              m_settings.allowLinkLocal, m_lastGood, m_settings.proxy};
    if (m_settings.origin.tls) {
        auto handshake = m_session.prepare();
        settings.trust = handshake.trust;
        settings.ticket = handshake.ticket;
        settings.keepTicket = [this, handshake = std::move(handshake)](TlsTicket ticket) {
            m_session.remember(handshake, std::move(ticket));
        };
    }
    running->dialer = new Dialer(
        std::move(settings),
        [this, running](QTcpSocket* socket, const std::string& error) {
            dialled(running, socket, error);
        },
        this);
    wakeAt(running->deadline());
    running->dialer->start();
}

void ConnectionPool::dialled(Running* running, QTcpSocket* socket, const std::string& error) {
    auto* dialer = std::exchange(running->dialer, nullptr);
    dialer->deleteLater();
    if (!socket) {
        m_lastGood = {};
        m_session.forget();
        ExchangeResult result;
        result.error = error;
        end(running, std::move(result));
        return;
    }
    m_lastGood = socket->peerAddress();
    exchangeOn(running,
               new ClientConnection(socket, dialer->takeTls(), m_settings.limits, this));
}

void ConnectionPool::exchangeOn(Running* running, ClientConnection* connection) {
    running->connection = connection;
    connection->setClosedWhileIdle(nullptr);
    wakeAt(running->deadline());
    connection->begin(running->exchange.request(), [this, running](ExchangeResult result) {
        exchangeEnded(running, std::move(result));
    });
}

void ConnectionPool::exchangeEnded(Running* running, ExchangeResult result) {
    auto* connection = std::exchange(running->connection, nullptr);
    if (!connection->open() && running->reused && !running->givenUp &&
        result.reach == ExchangeResult::Reach::notSent) {
        forget(connection);
        dial(running);
        return;
    }
    keepOrDrop(connection);
    end(running, std::move(result));
}

void ConnectionPool::end(Running* running, ExchangeResult result) {
    if (result.reach == ExchangeResult::Reach::notSent)
        result.duration =
            std::chrono::duration_cast<std::chrono::microseconds>(now() - running->began);
    const auto done = std::move(running->exchange.done);
    const auto index = running->index;
    std::swap(m_active[index], m_active.back());
    m_active[index]->index = index;
    m_active.pop_back();
    done(std::move(result));
    // Not at once: exchanges that end as soon as they begin would pile up on the stack.
    if (!m_waiting.empty())
        QMetaObject::invokeMethod(
            this, [this] { runWaiting(); }, Qt::QueuedConnection);
}

void ConnectionPool::runWaiting() {
    while (!m_waiting.empty() && m_active.size() < m_settings.connections) {
        auto next = std::move(m_waiting.front());
        m_waiting.pop_front();
        run(std::move(next));
    }
}

void ConnectionPool::keepOrDrop(ClientConnection* connection) {
    if (!connection->open()) {
        forget(connection);
        return;
    }
    const auto until = now() + m_settings.limits.idleTime;
    connection->setClosedWhileIdle([this, connection] {
        std::erase_if(m_idle, [&](const Kept& kept) { return kept.connection == connection; });
        forget(connection);
    });
    m_idle.push_back({connection, until});
    wakeAt(until);
}

ClientConnection* ConnectionPool::takeIdle() {
    while (!m_idle.empty()) {
        auto* connection = m_idle.back().connection;
        // A dead one may remove itself from the list while it is asked.
        const bool usable = connection->usable();
        const bool listed = !m_idle.empty() && m_idle.back().connection == connection;
        if (listed) m_idle.pop_back();
        if (usable && listed) return connection;
        if (listed) forget(connection);
    }
    return nullptr;
}

void ConnectionPool::forget(ClientConnection* connection) {
    connection->setClosedWhileIdle(nullptr);
    connection->deleteLater();
}

void ConnectionPool::closeIdle() {
    for (const auto& kept : std::exchange(m_idle, {})) {
        kept.connection->setClosedWhileIdle(nullptr);
        kept.connection->close();
        kept.connection->deleteLater();
    }
}

void ConnectionPool::giveUpAll(const std::string& why) {
    for (auto& exchange : std::exchange(m_waiting, {})) {
        ExchangeResult result;
        result.error = why;
        exchange.done(std::move(result));
    }
    while (!m_active.empty()) giveUp(m_active.back().get(), false, why);
    closeIdle();
}

void ConnectionPool::giveUp(Running* running, bool deadline, const std::string& why) {
    running->givenUp = true;
    if (running->connection) {
        running->connection->giveUp(deadline, why);
        return;
    }
    running->dialer->cancel();
    std::exchange(running->dialer, nullptr)->deleteLater();
    m_lastGood = {};
    ExchangeResult result;
    result.deadline = deadline;
    result.error = why;
    end(running, std::move(result));
}

void ConnectionPool::wakeAt(Instant instant) {
    if (instant >= m_wake) return;
    m_wake = instant;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(instant - now());
    m_timer.start(std::max(wait, std::chrono::milliseconds(0)));
}

void ConnectionPool::checkDeadlines() {
    // The timer is set for the earliest deadline and is not touched when an exchange ends in
    // time, so that it fires about once in the shortest time-out and then looks at all.
    const auto present = now();
    m_wake = Instant::max();
    std::vector<Running*> late;
    auto next = Instant::max();
    for (const auto& running : m_active) {
        if (running->deadline() <= present)
            late.push_back(running.get());
        else
            next = std::min(next, running->deadline());
    }
    for (auto* running : late) {
        const auto& limits = m_settings.limits;
        const bool dialling = running->dialer != nullptr;
        const bool whole = running->wholeDeadline <= present;
        const auto time = spoken(whole ? limits.wholeTime : limits.connectTime);
        giveUp(running, true,
               dialling ? "No connection within " + time + " (" + running->dialer->phase() + ")."
                        : "No whole answer within " + time + ".");
    }
    std::vector<ClientConnection*> old;
    for (const auto& kept : m_idle) {
        if (kept.until <= present)
            old.push_back(kept.connection);
        else
            next = std::min(next, kept.until);
    }
    for (auto* connection : old) connection->close();
    wakeAt(next);
}

}  // namespace lanes::http
