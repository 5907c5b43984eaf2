// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"

#include <QByteArray>
#include <QSslConfiguration>

class QSslSocket;

namespace lanes::http {

/// The newest TLS session with one origin. A connection that resumes it saves both sides most of a
/// handshake. The peer proves only that it is the one that was verified before, so a session is
/// offered only while that still says enough: under the trust settings that it was verified with,
/// and for an hour from then, however often it was resumed meanwhile. One thread.
class TlsSession {
public:
    /// A handshake that is about to begin.
    struct Handshake {
        QSslConfiguration configuration;  ///< for the socket, with the session if one is offered
        QSslConfiguration trust;          ///< as it was then
        Instant verified;  ///< when the peer was, or is now, verified by its certificate
    };

    [[nodiscard]] Handshake prepare() const;
    /// Keeps the session of a connection that came from this handshake and was verified. In TLS 1.3
    /// it comes after the handshake: the socket says so by `newSessionTicketReceived`.
    void remember(const Handshake& handshake, const QSslSocket& socket);
    /// After a failed handshake: the next one does without.
    void forget() { m_ticket.clear(); }

private:
    QByteArray m_ticket;  ///< empty if there is none
    QSslConfiguration m_trust;
    Instant m_verified;
};

}  // namespace lanes::http
