// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/client_connection.h"

#include "engine/http/direct_write.h"

#include <QTcpSocket>

#include <algorithm>
#include <array>
#include <utility>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace lanes::http {

namespace {

/// Bytes that are read from the socket, and written to it, in one go. A body is handed over in
/// such pieces so that its memory is not doubled and that it is known how far it came.
constexpr std::size_t kPieceBytes = 64u << 10;
/// Bytes that Qt may read ahead of us: with it a flood costs no memory.
constexpr qint64 kReadAheadBytes = 64 << 10;

/// Start line and header block. What goes into it was checked when it was made.
std::string headOf(const ClientRequest& request) {
    constexpr std::size_t kAround = 40;  // the fixed parts of the first and the last line
    std::size_t bytes = request.method.size() + request.target.size() + 2 * kAround;
    for (const auto& [name, value] : request.headers) bytes += name.size() + value.size() + 4;
    std::string head;
    head.reserve(bytes + (request.body ? request.body->size() : 0));
    head.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
    for (const auto& [name, value] : request.headers)
        head.append(name).append(": ").append(value).append("\r\n");
    const auto length = request.body ? request.body->size() : 0;
    return head.append("Content-Length: ").append(std::to_string(length)).append("\r\n\r\n");
}

}  // namespace

ClientConnection::ClientConnection(QTcpSocket* socket, std::unique_ptr<TlsStream> tls,
                                   const ClientLimits& limits, QObject* parent)
    : QObject(parent),
      m_socket(socket),
      m_tls(std::move(tls)),
      m_limits(limits),
      m_reader(limits) {
    m_socket->setParent(this);
    m_socket->setReadBufferSize(kReadAheadBytes);
    // A request goes out in one piece or in large ones; waiting for more would only delay it.
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(m_socket, &QTcpSocket::readyRead, this, [this] { readAll(); });
    connect(m_socket, &QTcpSocket::errorOccurred, this,
            [this](QAbstractSocket::SocketError error) { socketFailed(error); });
    connect(m_socket, &QTcpSocket::disconnected, this, [this] { peerClosed({}); });
    connect(m_socket, &QTcpSocket::bytesWritten, this, [this] {
        if (!busy()) return;
        // What went out now may be encrypted and hold the first bytes of the request.
        if (m_tls && m_handed > 0) m_started = true;
        noteWritten();
        pump();
    });
}

ClientConnection::~ClientConnection() {
    m_closedWhileIdle = nullptr;
    m_socket->disconnect(this);
    dropSpare();
}

bool ClientConnection::usable() {
    if (!m_open || busy()) return false;
    // A close that has arrived but was not yet seen by the event loop is seen here; the request
    // would be lost on such a connection and nobody could tell whether it had arrived.
    if (somethingCame()) m_socket->waitForReadyRead(0);
    return m_open;
}

/// Asks the kernel, without the five system calls of Qt's waiting: this is done for each request.
bool ClientConnection::somethingCame() const {
#ifdef Q_OS_UNIX
    char byte = 0;
    const auto count = ::recv(static_cast<int>(m_socket->socketDescriptor()), &byte, 1,
                              MSG_PEEK | MSG_DONTWAIT);
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
#else
    return true;
#endif
}

void ClientConnection::begin(const ClientRequest& request, Done done) {
    Q_ASSERT(!busy() && m_open);
    m_done = std::move(done);
    m_reader.restart();
    m_head = headOf(request);
    m_body = request.body;
    m_handed = 0;
    m_started = false;
    m_sent = false;
    m_begun = std::chrono::steady_clock::now();
    // A small body leaves together with the header, in one packet.
    if (m_body && m_head.size() + m_body->size() <= kPieceBytes) {
        m_head += *m_body;
        m_body.reset();
    }
    if (m_body) keepSpare();
    pump();
}

std::size_t ClientConnection::requestBytes() const {
    return m_head.size() + (m_body ? m_body->size() : 0);
}

qint64 ClientConnection::backlog() const {
    return m_socket->bytesToWrite();
}

void ClientConnection::pump() {
    while (busy() && m_handed < requestBytes() && backlog() == 0) {
        // An answer that came while the body was being sent is read before more is written. Within
        // a readyRead, the last one of a handshake, Qt does not emit another one.
        if (m_handed > 0 && m_socket->waitForReadyRead(0)) readAll();
        if (!busy()) return;
        const bool head = m_handed < m_head.size();
        const std::string& source = head ? m_head : *m_body;
        const std::size_t offset = head ? m_handed : m_handed - m_head.size();
        const std::size_t count = std::min(kPieceBytes, source.size() - offset);
        const qint64 taken = hand(std::string_view(source).substr(offset, count));
        if (taken < 0) {
            peerClosed("The connection could not be written to.");
            return;
        }
        m_handed += static_cast<std::size_t>(taken);
        m_socket->flush();
        if (!busy()) return;
        noteWritten();
    }
}

/// Bytes that were given, or that are encrypted and will be; -1 after an error.
qint64 ClientConnection::hand(std::string_view bytes) {
    if (!m_tls) return writeSome(*m_socket, bytes);
    if (!m_tls->write(bytes) || !giveOutput()) return -1;
    return static_cast<qint64>(bytes.size());
}

/// What is encrypted, and what TLS has to say for itself; false after an error.
bool ClientConnection::giveOutput() {
    auto output = m_tls->output();
    if (output.empty()) return true;
    const auto taken = backlog() > 0 ? 0 : writeSome(*m_socket, output);
    if (taken < 0) return false;
    if (busy() && taken > 0 && backlog() == 0) m_started = true;
    output.remove_prefix(static_cast<std::size_t>(taken));
    if (!output.empty()) m_socket->write(output.data(), static_cast<qint64>(output.size()));
    m_tls->clearOutput();
    return true;
}

void ClientConnection::noteWritten() {
    // A socket that was aborted has an empty buffer too, which would look as if all were written.
    if (m_handed == 0 || m_socket->state() != QAbstractSocket::ConnectedState) return;
    const qint64 waiting = backlog();
    if (waiting == 0) {
        m_started = true;
        m_sent = m_handed == requestBytes();
    } else if (!m_tls && waiting < static_cast<qint64>(m_handed)) {
        m_started = true;
    }
}

void ClientConnection::readAll() {
    std::array<char, 16u << 10> piece;
    while (m_open) {
        const qint64 count = m_socket->read(piece.data(), static_cast<qint64>(piece.size()));
        if (count <= 0 || !take({piece.data(), static_cast<std::size_t>(count)})) return;
    }
}

/// Bytes from the wire; false if nothing more of them is to be read now.
bool ClientConnection::take(std::string_view bytes) {
    if (!m_tls) return takePlain(bytes);
    m_tls->put(bytes);
    std::array<char, 16u << 10> plain;
    while (const auto count = m_tls->read(plain.data(), plain.size()))
        if (!takePlain({plain.data(), count})) return false;
    const bool given = giveOutput();
    if (m_tls->over() || !given) {
        const auto& problem = m_tls->problem();
        ended(problem.empty() ? problem : "The connection broke: " + problem + ".");
    }
    return m_open;
}

bool ClientConnection::takePlain(std::string_view bytes) {
    if (!busy()) {
        // Nothing was asked: an answer to no request must not be taken for that to the next.
        close();
        return false;
    }
    const auto state = m_reader.take(bytes);
    if (state == ResponseReader::State::more) return true;
    answerEnded(state);
    return false;
}

/// Something is there that was not read, or there will be nothing more.
bool ClientConnection::moreCame() {
    if (!m_tls) return m_socket->bytesAvailable() > 0;
    const auto bytes = m_socket->readAll();  // perhaps a session, which is no part of an answer
    m_tls->put({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return !m_tls->quiet();
}

void ClientConnection::answerEnded(ResponseReader::State state) {
    auto result = known();
    switch (state) {
        case ResponseReader::State::more:
        case ResponseReader::State::complete:
        case ResponseReader::State::enough:
        case ResponseReader::State::silent: break;
        case ResponseReader::State::cut:
            result.bodyCut = true;
            result.error = "The body of the answer was cut off or malformed.";
            break;
        case ResponseReader::State::unusable: result.error = m_reader.error(); break;
    }
    // Only a request that was written whole and an answer that was read whole leave a connection
    // on which both sides agree where the next exchange begins.
    if (state != ResponseReader::State::complete || !m_sent || !m_reader.reusable() ||
        moreCame()) {
        m_open = false;
    }
    finish(std::move(result));
}

void ClientConnection::socketFailed(QAbstractSocket::SocketError error) {
    if (error == QAbstractSocket::SocketTimeoutError || !m_open) return;
    const bool orderly = error == QAbstractSocket::RemoteHostClosedError;
    peerClosed(orderly ? std::string()
                       : "The connection broke: " + m_socket->errorString().toStdString() + ".");
}

void ClientConnection::peerClosed(const std::string& fault) {
    if (m_open && busy()) readAll();
    if (m_open && busy()) readSpare();
    if (m_open) ended(fault);
}

void ClientConnection::ended(const std::string& fault) {
    if (!busy()) {
        close();
        return;
    }
    const bool begun = m_reader.begun();
    const auto state = m_reader.end();
    auto result = known();
    m_open = false;
    // An orderly close is the end of a body without a length; a broken connection never is.
    if (state == ResponseReader::State::silent) {
        result.error = begun       ? "The connection was closed within the header of the answer."
                       : m_started ? "The connection was closed before an answer came."
                                   : "The connection was closed before anything could be sent.";
        if (!fault.empty()) result.error += " " + fault;
    } else if (state != ResponseReader::State::complete || !fault.empty()) {
        result.bodyCut = true;
        result.error = "The body of the answer was cut off.";
    }
    finish(std::move(result));
}

void ClientConnection::keepSpare() {
#ifdef Q_OS_UNIX
    m_spare = ::fcntl(static_cast<int>(m_socket->socketDescriptor()), F_DUPFD_CLOEXEC, 0);
#endif
}

void ClientConnection::readSpare() {
#ifdef Q_OS_UNIX
    std::array<char, 16u << 10> piece;
    while (m_spare >= 0 && busy()) {
        const auto count = ::recv(m_spare, piece.data(), piece.size(), MSG_DONTWAIT);
        if (count <= 0 || !take({piece.data(), static_cast<std::size_t>(count)})) return;
    }
#endif
}

void ClientConnection::dropSpare() {
#ifdef Q_OS_UNIX
    if (m_spare >= 0) ::close(std::exchange(m_spare, -1));
#endif
}

void ClientConnection::giveUp(bool deadline, const std::string& why) {
    if (!busy()) {
        close();
        return;
    }
    auto result = known();
    result.deadline = deadline;
    result.bodyCut = m_reader.answered();
    result.error = why;
    m_open = false;
    finish(std::move(result));
}

ExchangeResult ClientConnection::known() const {
    ExchangeResult result;
    using Reach = ExchangeResult::Reach;
    result.reach = m_reader.answered() ? Reach::answered
                   : m_sent            ? Reach::sent
                   : m_started         ? Reach::partlySent
                                       : Reach::notSent;
    result.status = m_reader.status();
    return result;
}

void ClientConnection::finish(ExchangeResult result) {
    result.duration = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - m_begun);
    if (m_reader.answered()) {
        result.headers = m_reader.takeHeaders();
        result.body = m_reader.takeBody();
    }
    m_body.reset();
    dropSpare();
    if (!m_open) {
        // An abort within a signal of the socket is safe; what it emits finds us closed.
        m_socket->abort();
    }
    const auto done = std::exchange(m_done, nullptr);
    done(std::move(result));
}

void ClientConnection::close() {
    if (!m_open) return;
    Q_ASSERT(!busy());
    m_open = false;
    m_socket->abort();
    if (m_closedWhileIdle) m_closedWhileIdle();
}

}  // namespace lanes::http
