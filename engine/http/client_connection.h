// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/http_limits.h"
#include "engine/http/response_reader.h"
#include "engine/http/tls_stream.h"

#include <QAbstractSocket>
#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

class QTcpSocket;

namespace lanes::http {

/// One HTTP/1.1 connection to a server: one exchange at a time, and each request is written at
/// most once. It keeps account of what was handed to the kernel and what was read, so that every
/// end of an exchange is told apart. One thread.
class ClientConnection : public QObject {
public:
    using Done = std::function<void(ExchangeResult)>;

    /// Takes a connected socket.
    /// \param tls after its handshake; null if the connection is a plain one.
    ClientConnection(QTcpSocket* socket, std::unique_ptr<TlsStream> tls,
                     const ClientLimits& limits, QObject* parent = nullptr);
    ~ClientConnection() override;

    /// Sends a request. `done` is called exactly once, perhaps before this returns.
    void begin(const ClientRequest& request, Done done);
    /// Ends the exchange that is going on, with what is known of it, and the connection.
    void giveUp(bool deadline, const std::string& why);

    [[nodiscard]] bool busy() const { return m_done != nullptr; }
    [[nodiscard]] bool open() const { return m_open; }
    /// True if a request may be begun: open, idle, and the kernel knows of no close by the peer.
    [[nodiscard]] bool usable();
    /// Called when an idle connection closes.
    void setClosedWhileIdle(std::function<void()> closed) { m_closedWhileIdle = std::move(closed); }
    void close();

private:
    [[nodiscard]] bool somethingCame() const;
    void pump();
    [[nodiscard]] qint64 hand(std::string_view bytes);
    [[nodiscard]] bool giveOutput();
    void noteWritten();
    void readAll();
    [[nodiscard]] bool take(std::string_view bytes);
    [[nodiscard]] bool takePlain(std::string_view bytes);
    [[nodiscard]] bool moreCame();
    void socketFailed(QAbstractSocket::SocketError error);
    /// `fault` is empty if the close was an orderly one.
    void peerClosed(const std::string& fault);
    void ended(const std::string& fault);
    void keepSpare();
    void readSpare();
    void dropSpare();
    void answerEnded(ResponseReader::State state);
    void finish(ExchangeResult result);
    [[nodiscard]] ExchangeResult known() const;
    [[nodiscard]] std::size_t requestBytes() const;
    [[nodiscard]] qint64 backlog() const;

    QTcpSocket* m_socket;
    std::unique_ptr<TlsStream> m_tls;  ///< null if nothing is encrypted
    ClientLimits m_limits;
    ResponseReader m_reader;
    bool m_open = true;
    /// A second descriptor of the socket while a long body is being sent. A server that answers
    /// early and hangs up resets the connection; the next write then fails, upon which Qt throws
    /// the socket away together with the answer that lies unread in the kernel.
    int m_spare = -1;

    std::string m_head;  ///< start line and header block of the request
    std::shared_ptr<const std::string> m_body;
    std::size_t m_handed = 0;  ///< bytes of head and body given to the socket, or encrypted for it
    bool m_started = false;    ///< some of them reached the kernel
    bool m_sent = false;       ///< all of them did
    Instant m_begun;
    Done m_done;
    std::function<void()> m_closedWhileIdle;
};

}  // namespace lanes::http
