// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/raw_receiver.h"

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <list>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace lanes::test {

namespace {

/// How long one blocking call waits before it looks whether the receiver is being stopped.
constexpr int kSliceMs = 20;
/// Bytes that a slow reader takes at once.
constexpr qint64 kSmallPiece = 16 << 10;

int listenOn(const QHostAddress& address) {
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    const int descriptor = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_storage storage{};
    socklen_t length = 0;
    if (six) {
        auto* target = reinterpret_cast<sockaddr_in6*>(&storage);
        target->sin6_family = AF_INET6;
        const auto bytes = address.toIPv6Address();
        std::memcpy(&target->sin6_addr, &bytes, sizeof bytes);
        length = sizeof *target;
    } else {
        auto* target = reinterpret_cast<sockaddr_in*>(&storage);
        target->sin_family = AF_INET;
        target->sin_addr.s_addr = htonl(address.toIPv4Address());
        length = sizeof *target;
    }
    if (::bind(descriptor, reinterpret_cast<sockaddr*>(&storage), length) != 0 ||
        ::listen(descriptor, 512) != 0)
        qFatal("The test receiver cannot listen.");
    return descriptor;
}

std::uint16_t portOf(int descriptor) {
    sockaddr_storage storage{};
    socklen_t length = sizeof storage;
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &length);
    return ntohs(storage.ss_family == AF_INET6
                     ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                     : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

std::size_t announcedLength(const std::string& header) {
    const auto text = QByteArray::fromStdString(header).toLower();
    const auto start = text.indexOf("content-length:");
    if (start < 0) return 0;
    const auto end = text.indexOf("\r\n", start);
    return text.mid(start + 15, end - start - 15).trimmed().toULongLong();
}

}  // namespace

bool RawPeer::gone() const {
    return m_receiver.stopping() || m_socket.state() != QAbstractSocket::ConnectedState;
}

bool RawPeer::fill() {
    while (!gone()) {
        if (m_socket.bytesAvailable() == 0) m_socket.waitForReadyRead(kSliceMs);
        if (m_socket.bytesAvailable() > 0) break;
    }
    const auto bytes = m_socket.readAll();
    m_input.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    return !bytes.isEmpty();
}

std::string RawPeer::readHeader() {
    auto end = m_input.find("\r\n\r\n");
    while (end == std::string::npos) {
        if (!fill()) return {};
        end = m_input.find("\r\n\r\n");
    }
    auto header = m_input.substr(0, end + 4);
    m_input.erase(0, end + 4);
    m_unread = announcedLength(header);
    m_receiver.count(header);
    return header;
}

bool RawPeer::waitForBytes() {
    return !m_input.empty() || fill();
}

bool RawPeer::skipBody() {
    for (;;) {
        const auto count = std::min(m_unread, m_input.size());
        m_input.erase(0, count);
        m_unread -= count;
        if (m_unread == 0) return true;
        if (!fill()) return false;
    }
}

std::string RawPeer::readRequest(std::chrono::milliseconds time) {
    if (time.count() > 0) m_socket.setReadBufferSize(kSmallPiece);
    auto end = m_input.find("\r\n\r\n");
    while (end == std::string::npos) {
        if (!fill()) return {};
        end = m_input.find("\r\n\r\n");
    }
    const auto whole = end + 4 + announcedLength(m_input.substr(0, end + 4));
    while (m_input.size() < whole)
        if ((time.count() > 0 && !pause(time)) || !fill()) return {};
    auto request = m_input.substr(0, whole);
    m_input.erase(0, whole);
    m_receiver.count(request);
    return request;
}

bool RawPeer::send(std::string_view bytes) {
    m_socket.write(bytes.data(), static_cast<qint64>(bytes.size()));
    const auto waiting = [this] {
        auto* tls = qobject_cast<QSslSocket*>(&m_socket);
        return m_socket.bytesToWrite() + (tls ? tls->encryptedBytesToWrite() : 0);
    };
    while (waiting() > 0 && !gone()) m_socket.waitForBytesWritten(kSliceMs);
    return waiting() == 0 && !gone();
}

bool RawPeer::drip(std::string_view bytes, std::chrono::milliseconds time) {
    for (const char c : bytes)
        if (!send(std::string_view(&c, 1)) || !pause(time)) return false;
    return true;
}

bool RawPeer::pause(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!gone()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            until - std::chrono::steady_clock::now());
        if (left.count() <= 0) return true;
        // Whatever comes meanwhile is left in the kernel, as a busy server does.
        std::this_thread::sleep_for(std::min(left, std::chrono::milliseconds(kSliceMs)));
    }
    return false;
}

void RawPeer::waitUntilClientLeaves() {
    while (!gone()) {
        m_socket.waitForReadyRead(kSliceMs);
        m_socket.readAll();
    }
}

void RawPeer::close() {
    m_socket.disconnectFromHost();
    while (m_socket.state() != QAbstractSocket::UnconnectedState && !m_receiver.stopping())
        if (m_socket.waitForDisconnected(kSliceMs)) break;
}

void RawPeer::reset() {
    const linger hard{1, 0};
    ::setsockopt(static_cast<int>(m_socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard,
                 sizeof hard);
    m_socket.abort();
}

RawReceiver::RawReceiver(Script script, std::optional<Identity> tls, const QHostAddress& address)
    : m_script(std::move(script)), m_tls(std::move(tls)), m_address(address) {
    m_listener = listenOn(address);
    m_port = portOf(m_listener);
    m_accepting = std::thread([this] { acceptAll(); });
}

RawReceiver::~RawReceiver() {
    m_stopping = true;
    ::shutdown(m_listener, SHUT_RDWR);  // wakes the accepting thread
    m_accepting.join();
    ::close(m_listener);
}

void RawReceiver::acceptAll() {
    // A thread keeps its stack until it is joined, so those that are done go at the next chance.
    struct Server {
        std::atomic<bool> done = false;
        std::thread thread;
    };
    std::list<Server> servers;
    while (!m_stopping) {
        const int descriptor = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0) break;
        servers.remove_if([](Server& server) {
            if (server.done) server.thread.join();
            return !server.thread.joinable();
        });
        const int index = m_connections++;
        auto& server = servers.emplace_back();
        server.thread = std::thread([this, descriptor, index, &server] {
            serve(descriptor, index);
            server.done = true;
        });
    }
    for (auto& server : servers) server.thread.join();
}

void RawReceiver::serve(int descriptor, int index) {
    std::unique_ptr<QTcpSocket> socket;
    if (m_tls) {
        auto tls = std::make_unique<QSslSocket>();
        tls->setSocketDescriptor(descriptor);
        auto configuration = QSslConfiguration::defaultConfiguration();
        configuration.setLocalCertificate(m_tls->certificate);
        configuration.setPrivateKey(m_tls->key);
        configuration.setPeerVerifyMode(m_tls->clients.isNull() ? QSslSocket::VerifyNone
                                                                : QSslSocket::VerifyPeer);
        if (!m_tls->clients.isNull()) configuration.setCaCertificates({m_tls->clients});
        tls->setSslConfiguration(configuration);
        tls->startServerEncryption();
        if (!tls->waitForEncrypted(5000)) return;
        socket = std::move(tls);
    } else {
        socket = std::make_unique<QTcpSocket>();
        socket->setSocketDescriptor(descriptor);
    }
    // What a script sends leaves at once, so that it is there before a reset that follows.
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    RawPeer peer(*this, *socket, index);
    m_script(peer);
    if (socket->state() == QAbstractSocket::ConnectedState) peer.close();
}

int RawReceiver::requests() const {
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_texts.size());
}

std::vector<std::string> RawReceiver::texts() const {
    const std::lock_guard lock(m_mutex);
    return m_texts;
}

std::vector<std::string> RawReceiver::takeTexts() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_texts, {});
}

void RawReceiver::count(std::string text) {
    const std::lock_guard lock(m_mutex);
    m_texts.push_back(std::move(text));
}

std::string RawReceiver::url() const {
    const auto host = m_address.toString().toStdString();
    const bool six = m_address.protocol() == QAbstractSocket::IPv6Protocol;
    return (m_tls ? "https://" : "http://") + (six ? "[" + host + "]" : host) + ":" +
           std::to_string(m_port);
}

}  // namespace lanes::test
