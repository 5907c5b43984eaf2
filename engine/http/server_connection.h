// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"
#include "engine/http/request_reader.h"

#include <QObject>
#include <QTcpSocket>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

namespace lanes::http {

/// What all connections of a server share. It outlives the server while a connection still has to
/// leave a slot.
struct ServerShared {
    ServerLimits limits;
    std::shared_ptr<const HttpServer::Handler> handler;
    std::shared_ptr<const HttpServer::Refusal> refusal;
    bool draining = false;

    /// The Date header of this second; formatting one for each answer would be noticed.
    [[nodiscard]] const std::string& date();

private:
    std::time_t m_second = -1;
    std::string m_date;
};

/// One client of a server: reads requests one after the other, and writes one answer for each.
/// What the client sends meanwhile stays in the socket, whose buffer is bounded.
class ServerConnection : public QObject {
    Q_OBJECT

public:
    using Clock = std::chrono::steady_clock;

    ServerConnection(std::shared_ptr<ServerShared> shared, qintptr descriptor);
    ~ServerConnection() override;

    /// Answers 503 at once and leaves: there are too many.
    void turnAway();
    /// No further request is read: ends now if no answer is due, else after it.
    void drain();
    /// Ends without an answer and without a word to the server; for the server's destruction.
    /// True if the caller may delete it now, false if it deletes itself when that is safe.
    [[nodiscard]] bool abandon();
    void checkDeadline(Clock::time_point now);
    /// Since when the client, whose turn it is to send or to leave, has sent nothing; nothing if it
    /// is not its turn.
    [[nodiscard]] std::optional<Clock::time_point> silentSince() const;
    /// Ends to make room for another client.
    void evict();

    // For `Responder`: `request` names the request that is answered; others are ignored.
    [[nodiscard]] bool awaits(std::uint64_t request) const;
    void respond(std::uint64_t request, Response response);
    void reset(std::uint64_t request);
    void sendRaw(std::uint64_t request, const std::string& bytes, bool close);
    void finishRaw(std::uint64_t request);

signals:
    void ended();

private:
    enum class State {
        idle,       ///< between requests
        header,     ///< a request has begun
        body,       ///< its header is read
        answering,  ///< whoever handles it owes the answer
        flushing,   ///< the answer is on its way out
        closing,    ///< the last answer is on its way out, or out: wait for the client to leave
        gone,
    };

    void advance();
    void advanceSoon();
    [[nodiscard]] bool reads() const;
    [[nodiscard]] bool fill();
    [[nodiscard]] bool parse();
    [[nodiscard]] bool skipEmptyLine();
    void headerRead();
    void dispatch();
    void refuse(unsigned status, const std::string& detail);
    /// The connection ends with this answer.
    [[nodiscard]] bool isLast(const Response& response) const;
    void send(const Response& response);
    [[nodiscard]] std::string serialize(const Response& response) const;
    void answerWritten();
    void closeGently();
    void bytesLeft();
    void leave();
    void setDeadline(std::chrono::milliseconds time);

    std::shared_ptr<ServerShared> m_shared;
    QTcpSocket m_socket;
    State m_state = State::idle;
    std::optional<RequestReader> m_reader;
    std::string m_input;  ///< received, not yet parsed from `m_parsed` on
    std::size_t m_parsed = 0;
    std::size_t m_headerBytes = 0;
    std::uint64_t m_request = 0;  ///< number of the request that is read or answered
    Clock::time_point m_deadline = Clock::time_point::max();
    Clock::time_point m_lastByte;
    bool m_keepAlive = false;
    bool m_http10 = false;
    bool m_headOnly = false;
    bool m_advancing = false;
    bool m_advanceQueued = false;
    bool m_finSent = false;
};

}  // namespace lanes::http
