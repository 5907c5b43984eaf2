// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/tls_stream.h"

#include <QList>
#include <QSslCertificate>

#include <utility>

namespace lanes::http {

/// The newest TLS session with one origin. A connection that resumes it saves both sides most of a
/// handshake. The peer proves only that it is the one that was verified before, so a session is
/// offered only while that still says enough: under the trust settings that it was verified with,
/// and for an hour from then, however often it was resumed meanwhile. One thread.
class TlsSession {
public:
    /// A handshake that is about to begin.
    struct Handshake {
        TlsContext trust;  ///< as it was then: that of Qt's default configuration
        TlsTicket ticket;  ///< null if none is offered
        Instant verified;  ///< when the peer was, or is now, verified by its certificate
    };

    explicit TlsSession(TlsRules rules = {}) : m_rules(std::move(rules)) {}

    [[nodiscard]] Handshake prepare();
    /// Keeps a session of a connection that came from this handshake and was verified.
    void remember(const Handshake& handshake, TlsTicket ticket);
    /// After a failed handshake: the next one does without.
    void forget() { m_newest.ticket.reset(); }

private:
    TlsRules m_rules;
    Handshake m_newest;
    TlsContext m_trust;
    QList<QSslCertificate> m_authorities;  ///< of `m_trust`
    Instant m_read;                        ///< when `m_trust` was made
};

}  // namespace lanes::http
