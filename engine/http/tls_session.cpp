// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tls_session.h"

#include <QSslConfiguration>

#include <utility>

namespace lanes::http {

namespace {

/// From the last time that the certificate was looked at: it may run out or be withdrawn. Also of
/// the trust settings: what the system trusts may change.
constexpr std::chrono::hours kLargestAge{1};

}  // namespace

TlsSession::Handshake TlsSession::prepare() {
    const auto now = std::chrono::steady_clock::now();
    const auto authorities = QSslConfiguration::defaultConfiguration().caCertificates();
    if (!m_trust || authorities != m_authorities || now - m_read >= kLargestAge) {
        m_trust = makeTlsContext(authorities, m_rules);
        m_authorities = authorities;
        m_read = now;
    }
    const bool offered = m_newest.ticket && m_newest.trust == m_trust &&
                         now - m_newest.verified < kLargestAge;
    return offered ? m_newest : Handshake{m_trust, nullptr, now};
}

void TlsSession::remember(const Handshake& handshake, TlsTicket ticket) {
    m_newest = {handshake.trust, std::move(ticket), handshake.verified};
}

}  // namespace lanes::http
