// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/http/http_server.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QSet>

#include <cstdint>
#include <memory>

namespace lanes::test {

/// A customer's endpoint that answers 204 and keeps a ledger of its own: what it accepted, in which
/// order, and what is wrong with that. It outlives the programs that send to it.
class OrderReceiver {
public:
    struct Got {
        QByteArray lane;
        std::uint64_t sequence = 0;
        QByteArray body;
    };

    /// On the port of the last time, if there was one.
    [[nodiscard]] bool listen();
    void close();
    [[nodiscard]] QByteArray url() const;

    /// Each first acceptance, in its order.
    [[nodiscard]] const QList<Got>& accepted() const { return m_accepted; }
    [[nodiscard]] QList<QByteArray> bodies() const;
    [[nodiscard]] int duplicates() const { return m_duplicates; }
    [[nodiscard]] int orderBreaks() const { return m_orderBreaks; }
    [[nodiscard]] int overlaps() const { return m_overlaps; }
    /// Answers take this long, so that requests are in flight at any moment.
    void setDelay(int milliseconds) { m_delayMs = milliseconds; }

private:
    void take(const http::Request& request, const http::Responder& responder);

    std::unique_ptr<http::HttpServer> m_server;
    std::uint16_t m_port = 0;
    int m_delayMs = 0;
    QList<Got> m_accepted;
    QHash<QByteArray, std::uint64_t> m_last;  // by lane
    QHash<QByteArray, int> m_open;            // by lane: requests that are being answered
    QSet<QByteArray> m_seen;                  // lane and sequence
    int m_duplicates = 0;
    int m_orderBreaks = 0;
    int m_overlaps = 0;
};

}  // namespace lanes::test
