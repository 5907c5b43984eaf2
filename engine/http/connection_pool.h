// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/http_limits.h"
#include "engine/http/proxy_tunnel.h"
#include "engine/http/tls_session.h"

#include <QHostAddress>
#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTcpSocket;

namespace lanes::http {

class ClientConnection;
class Dialer;

/// The connections to one origin: bounded, reused, closed when idle. It runs each exchange exactly
/// once on the wire; only when not one byte was written does it dial anew within the same exchange
/// (a kept connection that the server has closed meanwhile). One thread.
class ConnectionPool : public QObject {
public:
    struct Settings {
        Origin origin;
        ClientLimits limits;
        std::size_t connections = 64;
        bool allowLinkLocal = false;
        TlsRules tls = {};
        std::optional<Proxy> proxy = {};

        /// Connections that were made for the other may be used as well.
        [[nodiscard]] bool samePeer(const Settings& other) const;
        friend bool operator==(const Settings&, const Settings&) = default;
    };
    struct Exchange {
        /// Makes the request at the moment when a connection is there for it, so that what it
        /// signs is fresh. Called once or, when a kept connection turned out closed, twice.
        std::function<ClientRequest()> request;
        /// Called exactly once, perhaps before `start` returns.
        std::function<void(ExchangeResult)> done;
    };

    explicit ConnectionPool(Settings settings, QObject* parent = nullptr);
    ~ConnectionPool() override;  ///< what is open is abandoned in silence; see `giveUpAll`

    void start(Exchange exchange);
    /// New limits hold from the next exchange on. Whom it reaches, and how, cannot change: see
    /// `Settings::samePeer`.
    void setSettings(Settings settings);
    [[nodiscard]] const Settings& settings() const { return m_settings; }
    /// Ends every exchange with what is known of it, and closes every connection.
    void giveUpAll(const std::string& why);
    void closeIdle();

    [[nodiscard]] std::size_t active() const { return m_active.size() + m_waiting.size(); }
    [[nodiscard]] std::size_t idle() const { return m_idle.size(); }

private:
    struct Running;
    struct Kept {
        ClientConnection* connection;
        Instant until;
    };

    void run(Exchange exchange);
    void runWaiting();
    void dial(Running* running);
    void dialled(Running* running, QTcpSocket* socket, const std::string& error);
    void exchangeOn(Running* running, ClientConnection* connection);
    void exchangeEnded(Running* running, ExchangeResult result);
    void end(Running* running, ExchangeResult result);
    void keepOrDrop(ClientConnection* connection);
    ClientConnection* takeIdle();
    void forget(ClientConnection* connection);
    void giveUp(Running* running, bool deadline, const std::string& why);
    void wakeAt(Instant instant);
    void checkDeadlines();

    Settings m_settings;
    std::vector<std::unique_ptr<Running>> m_active;
    std::deque<Exchange> m_waiting;
    std::vector<Kept> m_idle;  ///< the one used last is at the end, and is used first
    QHostAddress m_lastGood;
    TlsSession m_session;
    QTimer m_timer;  ///< runs to the earliest deadline that was known when it was set
    Instant m_wake = Instant::max();
};

}  // namespace lanes::http
