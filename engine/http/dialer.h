// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/tls_stream.h"

#include <QAbstractSocket>
#include <QHostAddress>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QHostInfo;
class QTcpSocket;

namespace lanes::http {

class TcpConnect;

/// Makes one connection: looks the name up, tries the addresses in turn with a short stagger
/// (RFC 8305), so that a dead first address costs no more than that, and encrypts. TLS is always
/// verified; there is no way around it. The caller keeps the deadline.
class Dialer : public QObject {
public:
    struct Settings {
        Origin origin;
        std::chrono::milliseconds stagger{250};
        bool allowLinkLocal = false;
        QHostAddress preferred;  ///< tried first if the name still has it: it worked last time
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
    void encrypt(QTcpSocket* socket);
    void shakeHands();
    void encryptionFailed(const std::string& why);
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
    QTcpSocket* m_encrypting = nullptr;
    std::unique_ptr<TlsStream> m_tls;
    bool m_over = false;
    std::string m_trying;  ///< address and port tried last
    std::string m_error;   ///< of the first address that failed: it is the preferred one
};

/// True for 169.254.0.0/16 and fe80::/10, also as an IPv4 address within IPv6.
[[nodiscard]] bool isLinkLocal(const QHostAddress& address);

}  // namespace lanes::http
