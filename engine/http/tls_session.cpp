// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tls_session.h"

#include <QSslDiffieHellmanParameters>
#include <QSslSocket>

namespace lanes::http {

namespace {

/// From the last time that the certificate was looked at: it may run out or be withdrawn.
constexpr std::chrono::hours kLargestAge{1};

}  // namespace

TlsSession::Handshake TlsSession::prepare() const {
    Handshake handshake;
    handshake.trust = QSslConfiguration::defaultConfiguration();
    handshake.configuration = handshake.trust;
    handshake.configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    // These are for servers; to read the usual ones anew costs more than it looks.
    handshake.configuration.setDiffieHellmanParameters({});
    // Without this Qt neither tells a session nor takes one.
    handshake.configuration.setSslOption(QSsl::SslOptionDisableSessionPersistence, false);
    handshake.verified = std::chrono::steady_clock::now();
    const bool offered = !m_ticket.isEmpty() && m_trust == handshake.trust &&
                         handshake.verified - m_verified < kLargestAge;
    if (offered) {
        handshake.configuration.setSessionTicket(m_ticket);
        handshake.verified = m_verified;
    }
    return handshake;
}

void TlsSession::remember(const Handshake& handshake, const QSslSocket& socket) {
    const auto ticket = socket.sslConfiguration().sessionTicket();
    if (ticket.isEmpty()) return;
    m_ticket = ticket;
    m_trust = handshake.trust;
    m_verified = handshake.verified;
}

}  // namespace lanes::http
