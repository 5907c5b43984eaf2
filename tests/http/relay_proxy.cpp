// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/http/relay_proxy.h"

#include <QTcpSocket>

#include <utility>

namespace lanes::test {

RelayProxy::RelayProxy(bool socks, QByteArray user, QByteArray password)
    : m_socks(socks), m_user(std::move(user)), m_password(std::move(password)) {
    m_server.listen(QHostAddress::LocalHost);
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (auto* client = m_server.nextPendingConnection()) welcome(client);
    });
}

void RelayProxy::next(QTcpSocket* client, void (RelayProxy::*step)(QTcpSocket*)) {
    client->disconnect(this);
    connect(client, &QTcpSocket::readyRead, this, [this, client, step] { (this->*step)(client); });
}

void RelayProxy::welcome(QTcpSocket* client) {
    if (m_socks) return next(client, &RelayProxy::greeting);
    connect(client, &QTcpSocket::readyRead, this, [this, client] {
        if (client->peek(4096).contains("\r\n\r\n")) connectRequest(client, client->readAll());
    });
}

void RelayProxy::connectRequest(QTcpSocket* client, const QByteArray& header) {
    const auto wanted = "Proxy-Authorization: Basic " + (m_user + ':' + m_password).toBase64();
    if (!header.startsWith("CONNECT ")) {
        client->write("HTTP/1.1 405 Method Not Allowed\r\n\r\n");
    } else if (!m_user.isEmpty() && !header.contains(wanted + "\r\n")) {
        client->write("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    } else {
        m_asked = header.mid(8, header.indexOf(' ', 8) - 8);
        const auto port = m_asked.mid(m_asked.lastIndexOf(':') + 1).toUShort();
        passOn(client, port, "HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n");
    }
}

void RelayProxy::greeting(QTcpSocket* client) {
    const auto methods = client->readAll().mid(2);
    const char method = m_user.isEmpty() ? '\0' : '\2';
    client->write(methods.contains(method) ? QByteArray("\5") + method : QByteArray("\5\xff"));
    next(client, m_user.isEmpty() ? &RelayProxy::socksRequest : &RelayProxy::login);
}

void RelayProxy::login(QTcpSocket* client) {
    const auto sized = [](const QByteArray& text) { return static_cast<char>(text.size()) + text; };
    const bool right = client->readAll() == '\1' + sized(m_user) + sized(m_password);
    client->write(right ? QByteArray("\1\0", 2) : QByteArray("\1\1"));
    next(client, &RelayProxy::socksRequest);
}

void RelayProxy::socksRequest(QTcpSocket* client) {
    const auto request = client->readAll();
    const auto port =
        static_cast<std::uint16_t>((static_cast<unsigned char>(request[request.size() - 2]) << 8) |
                                   static_cast<unsigned char>(request[request.size() - 1]));
    const auto host = request[3] == 3 ? request.mid(5, request.size() - 7)
                                      : request.mid(4, request.size() - 6).toHex();
    m_asked = host + ':' + QByteArray::number(port);
    passOn(client, port, QByteArray("\5\0\0\1", 4) + QByteArray(6, '\0'));
}

void RelayProxy::passOn(QTcpSocket* client, std::uint16_t port, const QByteArray& yes) {
    ++m_passed;
    client->disconnect(this);
    auto* server = new QTcpSocket(client);
    // In two pieces, as a network may cut it.
    connect(server, &QTcpSocket::connected, this, [client, yes] {
        client->write(yes.first(3));
        client->flush();
        client->write(yes.mid(3));
    });
    connect(client, &QTcpSocket::readyRead, server,
            [client, server] { server->write(client->readAll()); });
    connect(server, &QTcpSocket::readyRead, client,
            [client, server] { client->write(server->readAll()); });
    connect(server, &QTcpSocket::disconnected, client, [client] { client->disconnectFromHost(); });
    connect(client, &QTcpSocket::disconnected, server, [server] { server->disconnectFromHost(); });
    server->connectToHost(QHostAddress::LocalHost, port);
}

}  // namespace lanes::test
