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
#include <functional>
#include <memory>
#include <utility>

namespace lanes::test {

/// A customer's endpoint that answers 204, or what a test wants, and keeps a ledger of its own:
/// what it accepted, in which order, and what is wrong with that. What is marked as rewound may
/// come late and twice. It outlives the programs that send to it.
class OrderReceiver {
public:
    struct Got {
        QByteArray lane;
        std::uint64_t sequence = 0;
        QByteArray body;
        bool rewind = false;
    };

    /// On the port of the last time, if there was one.
    [[nodiscard]] bool listen();
    void close();
    [[nodiscard]] QByteArray url() const;

    /// Each first acceptance, in its order.
    [[nodiscard]] const QList<Got>& accepted() const { return m_accepted; }
    /// Each acceptance, in its order; and all that came, refused or not.
    [[nodiscard]] const QList<Got>& arrivals() const { return m_arrivals; }
    [[nodiscard]] int requests() const { return m_requests; }
    [[nodiscard]] QList<QByteArray> bodies() const;
    [[nodiscard]] int duplicates() const { return m_duplicates; }
    [[nodiscard]] int orderBreaks() const { return m_orderBreaks; }
    [[nodiscard]] int overlaps() const { return m_overlaps; }
    /// Answers take this long, so that requests are in flight at any moment.
    void setDelay(int milliseconds) { m_delayMs = milliseconds; }
    /// Decides the status of each answer.
    void setAnswer(std::function<int(const Got&)> answer) { m_answer = std::move(answer); }

private:
    void take(const http::Request& request, const http::Responder& responder);
    void accept(const Got& got);

    std::unique_ptr<http::HttpServer> m_server;
    std::uint16_t m_port = 0;
    int m_delayMs = 0;
    std::function<int(const Got&)> m_answer;
    QList<Got> m_accepted;
    QList<Got> m_arrivals;
    int m_requests = 0;
    QHash<QByteArray, std::uint64_t> m_last;  // by lane
    QHash<QByteArray, int> m_open;            // by lane: requests that are being answered
    QSet<QByteArray> m_seen;                  // lane and sequence
    int m_duplicates = 0;
    int m_orderBreaks = 0;
    int m_overlaps = 0;
};

}  // namespace lanes::test
