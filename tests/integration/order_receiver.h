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
/// come late and twice. It outlives the programs that send to it, and is told when one dies.
class OrderReceiver {
public:
    struct Got {
        QByteArray lane;
        std::uint64_t sequence = 0;
        QByteArray body;
        bool rewind = false;
        QByteArray operation;  ///< of the rewind; empty if it is none
        std::uint32_t attempt = 0;
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
    /// Requests that are being answered now, and the most there were at once since that was asked.
    [[nodiscard]] int open() const { return m_openNow; }
    [[nodiscard]] int takeMostOpen();

    /// The sender is dead and its successor not yet there. Of each lane only what came last may
    /// have been in flight, so only that may come again. False if the old requests do not end.
    [[nodiscard]] bool senderDied();
    /// Events that came twice, were not rewound, and had not been in flight at a death.
    [[nodiscard]] int unexplained() const { return m_unexplained; }
    /// Attempts whose number does not rise, or stays although the sender lived on.
    [[nodiscard]] int wrongNumbers() const { return m_wrongNumbers; }
    /// Answers take this long, so that requests are in flight at any moment.
    void setDelay(int milliseconds) { m_delayMs = milliseconds; }
    /// Called when an answer has left.
    void setAnswered(std::function<void()> answered) { m_answered = std::move(answered); }
    /// Decides the status of each answer.
    void setAnswer(std::function<int(const Got&)> answer) { m_answer = std::move(answer); }

private:
    void take(const http::Request& request, const http::Responder& responder);
    void accept(const Got& got);
    void checkNumber(const Got& got);

    std::unique_ptr<http::HttpServer> m_server;
    std::uint16_t m_port = 0;
    int m_delayMs = 0;
    std::function<int(const Got&)> m_answer;
    QList<Got> m_accepted;
    QList<Got> m_arrivals;
    int m_requests = 0;
    std::function<void()> m_answered;
    QHash<QByteArray, std::uint64_t> m_last;       // by lane
    QHash<QByteArray, std::uint64_t> m_latest;     // by lane: what came last, accepted or not
    QHash<QByteArray, std::uint64_t> m_mayRepeat;  // by lane: what was in flight at the death
    struct Number {
        std::uint32_t attempt = 0;
        int life = 0;  // of the sender
    };
    QHash<QByteArray, Number> m_numbers;  // by lane, sequence and operation
    int m_life = 0;
    int m_openNow = 0;
    int m_mostOpen = 0;
    int m_unexplained = 0;
    int m_wrongNumbers = 0;
    QHash<QByteArray, int> m_open;  // by lane: requests that are being answered
    QSet<QByteArray> m_seen;        // lane and sequence
    int m_duplicates = 0;
    int m_orderBreaks = 0;
    int m_overlaps = 0;
};

}  // namespace lanes::test
