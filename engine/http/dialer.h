// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/proxy_tunnel.h"
#include "engine/http/tls_stream.h"

#include <QAbstractSocket>
#include <QHostAddress>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QHostInfo;
class QTcpSocket;

namespace lanes::http {

class TcpConnect;

/// Makes one connection: looks the name up, tries the addresses in turn with a short stagger
/// (RFC 8305), so that a dead first address costs no more than that, asks a proxy for a way through
/// if there is one, and encrypts. TLS is always verified; there is no way around it. The caller
/// keeps the deadline.
class Dialer : public QObject {
public:
    struct Settings {
        Origin origin;
        std::chrono::milliseconds stagger{250};
        bool allowLinkLocal = false;
        QHostAddress preferred;  ///< tried first if the name still has it: it worked last time
        std::optional<Proxy> proxy = {};  ///< the addresses are its own then
        TlsContext trust = {};       ///< if it encrypts
        TlsTicket ticket = {};       ///< of a session that the peer may resume
        std::function<void(TlsTicket)> keepTicket = {};  ///< for those that the peer gives
    };
    /// A connected socket, which the callee takes over, or null and one sentence that says why.
    using Done = std::function<void(QTcpSocket* socket, std::string error)>;

    Dialer(Settings settings, Done done, QObject* parent = nullptr);
    ~Dialer() override;

    /// `done` is called exactly once, perhaps before this returns, unless `cancel` comes first.
    void start();
    /// The same for addresses that are known already; at least one.
    void start(std::vector<QHostAddress> addresses);
    /// Gives up in silence. The dialer may be deleted later.
    void cancel();
    /// The encryption of the socket, for who takes it over; null if it is a plain one.
    [[nodiscard]] std::unique_ptr<TlsStream> takeTls();
    /// What it waits for, for the text of a deadline: "looking up the name", ...
    [[nodiscard]] std::string phase() const;

private:
    void lookedUp(const QHostInfo& found);
    void tryNext();
    void connectTo(const QHostAddress& address);
    void connected(const QHostAddress& address, int descriptor);
    void connectFailed(TcpConnect* attempt, const QHostAddress& address, int error);
    void wayIsOpen(QTcpSocket* socket);
    /// Calls `step` whenever bytes came, and `failed` if the socket fails, while it is prepared.
    void prepare(QTcpSocket* socket, void (Dialer::*step)(),
                 void (Dialer::*failed)(const std::string&));
    void askProxy(QTcpSocket* socket);
    void goOnWithProxy();
    void proxyFailed(const std::string& why);
    void encrypt(QTcpSocket* socket);
    void shakeHands();
    void encryptionFailed(const std::string& why);
    /// Who is dialled: the proxy, or else the server.
    [[nodiscard]] const std::string& dialledHost() const;
    [[nodiscard]] std::uint16_t dialledPort() const;
    void succeed(QTcpSocket* socket);
    void fail(const std::string& why);
    void dropAttempts();
    [[nodiscard]] bool refused(const QHostAddress& address) const;

    Settings m_settings;
    Done m_done;
    bool m_lookingUp = false;
    std::vector<QHostAddress> m_candidates;  ///< yet to be tried, the next one last
    std::vector<TcpConnect*> m_attempts;
    QTimer m_stagger;
    QTcpSocket* m_preparing = nullptr;  ///< connected, on its way through the proxy or to TLS
    std::unique_ptr<ProxyTunnel> m_tunnel;  ///< while the proxy has not opened the way
    std::unique_ptr<TlsStream> m_tls;
    bool m_over = false;
    std::string m_trying;  ///< address and port tried last
    std::string m_error;   ///< of the first address that failed: it is the preferred one
};

/// True for 169.254.0.0/16 and fe80::/10, also as an IPv4 address within IPv6.
[[nodiscard]] bool isLinkLocal(const QHostAddress& address);

}  // namespace lanes::http
