// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_limits.h"

#include <QHostAddress>
#include <QObject>
#include <QPointer>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::http {

using Header = std::pair<std::string, std::string>;

/// A request that was read whole and is well-formed.
struct Request {
    std::string method;
    std::string target;
    std::vector<Header> headers;  ///< in order, names as sent
    std::string body;             ///< without transfer coding; content coding is left to the reader
    QHostAddress peer;

    /// Value of the first header of that name (any case); empty if there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;
};

struct Response {
    unsigned status = 200;
    std::vector<Header> headers;  ///< Content-Length, Date and Connection are added
    std::string body;
    bool close = false;
};

class ServerConnection;

/// The way to answer one request, at once or later. Copies share one answer; when the client has
/// left, answering does nothing. Use on the server's thread only.
class Responder {
public:
    Responder() = default;
    explicit Responder(QPointer<ServerConnection> connection, std::uint64_t request);

    void respond(Response response) const;
    /// Resets the connection (RST) without an answer.
    void reset() const;
    /// Sends bytes as they are, without any HTTP framing; for test peers. `close` ends it after.
    void sendRaw(const std::string& bytes, bool close) const;
    /// What was sent raw was a whole answer: the connection goes on to its next request.
    void finishRaw() const;
    /// The answer is still due and the client is still there.
    [[nodiscard]] bool connected() const;

private:
    QPointer<ServerConnection> m_connection;
    std::uint64_t m_request = 0;
};

/// An HTTP/1.1 server over QTcpServer: keep-alive, one request at a time on a connection, limits
/// and time-outs of `ServerLimits`, answers whenever the handler is ready. Malformed requests are
/// answered by `refuse` (if set) or a plain status, and closed. One thread.
class HttpServer : public QObject {
    Q_OBJECT

public:
    using Handler = std::function<void(Request, Responder)>;
    /// Makes the answer to a request that could not be read: status and detail.
    using Refusal = std::function<Response(unsigned status, const std::string& detail)>;

    explicit HttpServer(ServerLimits limits, QObject* parent = nullptr);
    ~HttpServer() override;

    void setHandler(Handler handler);
    void setRefusal(Refusal refusal);
    /// Listens on one more address; empty text if it does, else why not. Port 0 = any free one.
    [[nodiscard]] std::string listen(const QHostAddress& address, std::uint16_t port);
    /// The last `listen` that failed did so because somebody else has the port.
    [[nodiscard]] bool addressInUse() const;
    [[nodiscard]] std::uint16_t port() const;  ///< of the first listener; 0 if none
    /// Stops listening; open connections are closed after the answers that are due, or at once.
    void close(bool atOnce);
    [[nodiscard]] std::size_t connections() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace lanes::http
