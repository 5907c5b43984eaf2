// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tcp_connect.h"

#include <QSocketNotifier>

#include <cerrno>
#include <cstring>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace lanes::http {

namespace {

sockaddr_in6 sixOf(const QHostAddress& address, std::uint16_t port) {
    sockaddr_in6 result{};
    result.sin6_family = AF_INET6;
    result.sin6_port = htons(port);
    const auto bytes = address.toIPv6Address();
    std::memcpy(&result.sin6_addr, &bytes, sizeof bytes);
    const auto scope = address.scopeId().toStdString();
    bool isNumber = false;
    result.sin6_scope_id = address.scopeId().toUInt(&isNumber);
    if (!isNumber && !scope.empty()) result.sin6_scope_id = ::if_nametoindex(scope.c_str());
    return result;
}

sockaddr_in fourOf(const QHostAddress& address, std::uint16_t port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_port = htons(port);
    result.sin_addr.s_addr = htonl(address.toIPv4Address());
    return result;
}

/// 0 if the connection is made or on its way, else an errno.
int begin(int descriptor, const QHostAddress& address, std::uint16_t port) {
    const auto connectTo = [descriptor](const auto& target) {
        const auto* generic = reinterpret_cast<const sockaddr*>(&target);
        return ::connect(descriptor, generic, sizeof target) == 0 || errno == EINPROGRESS ? 0
                                                                                          : errno;
    };
    return address.protocol() == QAbstractSocket::IPv6Protocol ? connectTo(sixOf(address, port))
                                                               : connectTo(fourOf(address, port));
}

int errorOf(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

TcpConnect::TcpConnect(const QHostAddress& address, std::uint16_t port, Done done, QObject* parent)
    : QObject(parent), m_done(std::move(done)) {
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    m_descriptor =
        ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int error = m_descriptor < 0 ? errno : begin(m_descriptor, address, port);
    if (error != 0) {
        QMetaObject::invokeMethod(
            this, [this, error] { end(error); }, Qt::QueuedConnection);
        return;
    }
    auto* writable = new QSocketNotifier(m_descriptor, QSocketNotifier::Write, this);
    connect(writable, &QSocketNotifier::activated, this, [this, writable] {
        writable->setEnabled(false);
        end(errorOf(m_descriptor));
    });
}

TcpConnect::~TcpConnect() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

void TcpConnect::cancel() {
    m_done = nullptr;
}

void TcpConnect::end(int error) {
    const auto done = std::exchange(m_done, nullptr);
    if (done) done(this, error == 0 ? std::exchange(m_descriptor, -1) : -1, error);
}

}  // namespace lanes::http
