// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/server_connection.h"

#include "engine/http/direct_write.h"

#include <QPointer>

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <sys/socket.h>

namespace lanes::http {

namespace {

namespace beast = boost::beast;

/// Unread bytes that the socket keeps for us: enough for a fast sender, little for 128 of them.
constexpr qint64 kSocketBufferBytes = 64 << 10;
/// How long a client may go on sending after the last answer. Closing at once would reset the
/// connection and could destroy the answer before it is read.
constexpr std::chrono::milliseconds kLingerTime{2'000};
/// The shortest rest of a chunked body: the last chunk and no trailer.
constexpr std::size_t kShortestChunkedRest = 5;

bool isHttpTokenByte(char c) {
    constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != std::string_view::npos;
}

/// A header that would end its own line cannot be sent; one answer must not become two.
bool isSendable(const Header& header) {
    return !header.first.empty() &&
           std::all_of(header.first.begin(), header.first.end(), isHttpTokenByte) &&
           header.second.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

bool hasFoldedLine(std::string_view bytes) {
    return bytes.find("\r\n ") != std::string_view::npos ||
           bytes.find("\r\n\t") != std::string_view::npos;
}

bool hasNoBody(unsigned status) {
    return status < 200 || status == 204 || status == 304;
}

}  // namespace

const std::string& ServerShared::date() {
    const std::time_t now = std::time(nullptr);
    if (now != m_second) {
        static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::tm utc{};
        gmtime_r(&now, &utc);
        char text[64];
        std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", kDays[utc.tm_wday],
                      utc.tm_mday, kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                      utc.tm_sec);
        m_date = text;
        m_second = now;
    }
    return m_date;
}

ServerConnection::ServerConnection(std::shared_ptr<ServerShared> shared, qintptr descriptor)
    : m_shared(std::move(shared)), m_lastByte(Clock::now()) {
    m_socket.setReadBufferSize(kSocketBufferBytes);
    connect(&m_socket, &QTcpSocket::readyRead, this, &ServerConnection::advance);
    connect(&m_socket, &QTcpSocket::bytesWritten, this, &ServerConnection::bytesLeft);
    connect(&m_socket, &QTcpSocket::disconnected, this, &ServerConnection::leave);
    if (!m_socket.setSocketDescriptor(descriptor)) {
        // Leaving at once would be a signal that nobody is connected to yet.
        QMetaObject::invokeMethod(this, &ServerConnection::leave, Qt::QueuedConnection);
        return;
    }
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    setDeadline(m_shared->limits.idleTime);
}

ServerConnection::~ServerConnection() {
    m_socket.disconnect(this);
    m_socket.abort();
}

void ServerConnection::turnAway() {
    refuse(503, "Too many connections; try again later.");
}

void ServerConnection::drain() {
    if (reads()) closeGently();
}

bool ServerConnection::abandon() {
    disconnect(this, nullptr, nullptr, nullptr);
    m_state = State::gone;
    if (!m_advancing) return true;
    m_socket.disconnect(this);
    m_socket.abort();
    deleteLater();
    return false;
}

void ServerConnection::checkDeadline(Clock::time_point now) {
    if (now < m_deadline) return;
    switch (m_state) {
        case State::idle: closeGently(); break;
        case State::header: refuse(408, "The header took too long."); break;
        case State::body: refuse(408, "The body took too long."); break;
        case State::flushing:
        case State::closing:
            m_socket.abort();
            leave();
            break;
        case State::answering:
        case State::gone: break;
    }
}

std::optional<ServerConnection::Clock::time_point> ServerConnection::silentSince() const {
    if (!reads() && !m_finSent) return std::nullopt;
    return m_lastByte;
}

void ServerConnection::evict() {
    m_socket.abort();
    leave();
}

bool ServerConnection::awaits(std::uint64_t request) const {
    return m_state == State::answering && m_request == request;
}

void ServerConnection::respond(std::uint64_t request, Response response) {
    if (awaits(request)) send(response);
}

void ServerConnection::reset(std::uint64_t request) {
    if (!awaits(request)) return;
    const linger now{1, 0};
    ::setsockopt(static_cast<int>(m_socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &now,
                 sizeof now);
    m_socket.abort();
    leave();
}

void ServerConnection::sendRaw(std::uint64_t request, const std::string& bytes, bool close) {
    if (!awaits(request)) return;
    if (!bytes.empty()) {
        writeAll(m_socket, bytes);
        m_socket.flush();
    }
    if (close && m_state == State::answering) closeGently();
}

void ServerConnection::finishRaw(std::uint64_t request) {
    if (!awaits(request)) return;
    m_state = State::flushing;
    setDeadline(m_shared->limits.bodyTime);
    bytesLeft();
}

bool ServerConnection::reads() const {
    switch (m_state) {
        case State::idle:
        case State::header:
        case State::body: return true;
        case State::answering:
        case State::flushing:
        case State::closing:
        case State::gone: return false;
    }
    return false;
}

void ServerConnection::advance() {
    if (m_advancing) return;
    if (m_state == State::closing) {
        m_socket.skip(m_socket.bytesAvailable());
        return;
    }
    m_advancing = true;
    while (reads()) {
        const bool progressed = m_parsed < m_input.size() && parse();
        if (!progressed && reads() && !fill()) break;
    }
    m_advancing = false;
}

void ServerConnection::advanceSoon() {
    // Not at once: whoever answers must not find the next request in the middle of answering.
    const bool hasInput = m_parsed < m_input.size() || m_socket.bytesAvailable() > 0;
    if (m_advancing || m_advanceQueued || !hasInput) return;
    m_advanceQueued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_advanceQueued = false;
            advance();
        },
        Qt::QueuedConnection);
}

bool ServerConnection::fill() {
    const qint64 available = m_socket.bytesAvailable();
    if (available <= 0) return false;
    m_input.erase(0, m_parsed);
    m_parsed = 0;
    const std::size_t before = m_input.size();
    m_input.resize(before + static_cast<std::size_t>(available));
    const qint64 got = m_socket.read(m_input.data() + before, available);
    m_input.resize(before + static_cast<std::size_t>(std::max<qint64>(got, 0)));
    m_lastByte = Clock::now();
    return got > 0;
}

/// Some clients send an empty line after a body; one of them is passed over (RFC 9112, 2.2).
/// True if the input stands at the first byte of a request.
bool ServerConnection::skipEmptyLine() {
    const std::string_view rest = std::string_view(m_input).substr(m_parsed);
    if (rest == "\r") return false;
    if (rest.substr(0, 2) == "\r\n") m_parsed += 2;
    return m_parsed < m_input.size();
}

bool ServerConnection::parse() {
    const ServerLimits& limits = m_shared->limits;
    if (m_state == State::idle) {
        if (!skipEmptyLine()) return false;
        m_state = State::header;
        m_headerBytes = 0;
        m_reader.emplace();
        m_reader->header_limit(static_cast<std::uint32_t>(limits.headerBytes));
        m_reader->body_limit(limits.bodyBytes);
        setDeadline(limits.headerTime);
    }
    const std::string_view rest = std::string_view(m_input).substr(m_parsed);
    // Beast asserts that it sees a whole last chunk once it has seen a part of it.
    const bool chunked = m_state == State::body && m_reader->chunked();
    if (chunked && rest.size() < kShortestChunkedRest && rest.front() == '0') return false;

    beast::error_code error;
    const std::size_t used =
        m_reader->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    m_parsed += used;
    if (m_state == State::header) {
        m_headerBytes += used;
        if (hasFoldedLine(rest.substr(0, used))) {
            refuse(400, "A header line is folded.");
            return true;
        }
    }
    const std::size_t held = m_state == State::header ? m_headerBytes : 0;
    const std::size_t waiting = error == beast::http::error::need_more ? rest.size() - used : 0;
    if (error == beast::http::error::header_limit || held + waiting > limits.headerBytes) {
        refuse(m_state == State::header ? 431 : 400, "The header is too large.");
        return true;
    }
    if (error == beast::http::error::body_limit) {
        refuse(413, "The body is larger than " + std::to_string(limits.bodyBytes) + " bytes.");
        return true;
    }
    if (error && error != beast::http::error::need_more) {
        refuse(400, "The request is malformed: " + error.message() + ".");
        return true;
    }
    if (m_state == State::header && m_reader->is_header_done()) headerRead();
    if (reads() && m_reader->is_done()) dispatch();
    return used > 0;
}

void ServerConnection::headerRead() {
    const RequestReader& reader = *m_reader;
    m_http10 = reader.http10();
    if (reader.hosts() > 1) return refuse(400, "There are several Host headers.");
    if (reader.transferCodings() > 0) {
        if (m_http10) return refuse(400, "HTTP/1.0 has no Transfer-Encoding.");
        if (reader.hasLength())
            return refuse(400, "Content-Length and Transfer-Encoding exclude each other.");
        if (!reader.plainChunked()) return refuse(400, "The only Transfer-Encoding is chunked.");
    }
    if (reader.unknownExpectation()) return refuse(417, "The only expectation is 100-continue.");
    m_state = State::body;
    setDeadline(m_shared->limits.bodyTime);
    m_reader->eager(true);
    if (reader.hasExpectation() && !m_http10 && !reader.is_done() && m_parsed == m_input.size()) {
        m_socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        m_socket.flush();
    }
}

void ServerConnection::dispatch() {
    m_keepAlive = m_reader->keep_alive();
    Request request = std::move(m_reader->request());
    m_reader.reset();
    request.peer = m_socket.peerAddress();
    m_headOnly = request.method == "HEAD";
    m_state = State::answering;
    m_deadline = Clock::time_point::max();
    ++m_request;
    const Responder responder(QPointer<ServerConnection>(this), m_request);
    // The handler may replace itself or destroy the server while it runs.
    const auto handler = m_shared->handler;
    if (handler && *handler) {
        (*handler)(std::move(request), responder);
    } else {
        send(Response{404, {}, {}, false});
    }
}

void ServerConnection::refuse(unsigned status, const std::string& detail) {
    Response response;
    const auto refusal = m_shared->refusal;
    if (refusal && *refusal) {
        response = (*refusal)(status, detail);
    } else {
        response.status = status;
        response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
        response.body = detail + "\n";
    }
    response.close = true;
    m_reader.reset();
    m_headOnly = false;
    send(response);
}

bool ServerConnection::isLast(const Response& response) const {
    return response.close || !m_keepAlive || m_shared->draining;
}

void ServerConnection::send(const Response& response) {
    writeAll(m_socket, serialize(response));
    if (isLast(response)) {
        closeGently();
        return;
    }
    m_state = State::flushing;
    setDeadline(m_shared->limits.bodyTime);
    m_socket.flush();
    bytesLeft();
}

std::string ServerConnection::serialize(const Response& response) const {
    const auto reason = beast::http::obsolete_reason(beast::http::int_to_status(response.status));
    std::string out;
    out.reserve(response.body.size() + 256);
    const auto append = [&out](std::string_view text) { out.append(text); };
    append("HTTP/1.1 ");
    append(std::to_string(response.status));
    append(" ");
    append(std::string_view(reason.data(), reason.size()));
    append("\r\nDate: ");
    append(m_shared->date());
    for (const Header& header : response.headers) {
        if (!isSendable(header)) continue;
        append("\r\n");
        append(header.first);
        append(": ");
        append(header.second);
    }
    if (!hasNoBody(response.status)) {
        append("\r\nContent-Length: ");
        append(std::to_string(response.body.size()));
    }
    if (isLast(response))
        append("\r\nConnection: close");
    else if (m_http10)
        append("\r\nConnection: keep-alive");
    append("\r\n\r\n");
    if (!m_headOnly && !hasNoBody(response.status)) append(response.body);
    return out;
}

void ServerConnection::bytesLeft() {
    if (m_socket.bytesToWrite() > 0) return;
    if (m_state == State::flushing) answerWritten();
    if (m_state != State::closing || m_finSent) return;
    // The end of what we say; what the client still says is read and dropped until it leaves.
    m_finSent = true;
    setDeadline(kLingerTime);
    ::shutdown(static_cast<int>(m_socket.socketDescriptor()), SHUT_WR);
}

void ServerConnection::answerWritten() {
    if (m_shared->draining) {
        closeGently();
        return;
    }
    m_state = State::idle;
    m_lastByte = Clock::now();
    m_deadline = m_lastByte + m_shared->limits.idleTime;
    advanceSoon();
}

void ServerConnection::closeGently() {
    m_state = State::closing;
    m_input.clear();
    m_parsed = 0;
    setDeadline(m_shared->limits.bodyTime);
    m_socket.flush();
    bytesLeft();
    if (m_state == State::closing) m_socket.skip(m_socket.bytesAvailable());
}

void ServerConnection::leave() {
    if (m_state == State::gone) return;
    m_state = State::gone;
    emit ended();
}

void ServerConnection::setDeadline(std::chrono::milliseconds time) {
    m_deadline = Clock::now() + time;
}

}  // namespace lanes::http
