// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QTcpServer>

#include <cstdint>
#include <string>

class QTcpSocket;

namespace lanes::test {

/// A proxy that passes bytes on, for CONNECT and for SOCKS 5, on the test's event loop. Whatever
/// name is asked for, it goes to this machine.
class RelayProxy : public QObject {
public:
    /// With a user it asks for one.
    RelayProxy(bool socks, QByteArray user, QByteArray password);

    [[nodiscard]] std::uint16_t port() const { return m_server.serverPort(); }
    /// Host and port that were asked for last, as "host:port".
    [[nodiscard]] QByteArray asked() const { return m_asked; }
    [[nodiscard]] int passed() const { return m_passed; }

private:
    void welcome(QTcpSocket* client);
    void connectRequest(QTcpSocket* client, const QByteArray& header);
    void greeting(QTcpSocket* client);
    void login(QTcpSocket* client);
    void socksRequest(QTcpSocket* client);
    void passOn(QTcpSocket* client, std::uint16_t port, const QByteArray& yes);
    /// Calls `step` as soon as something came, once.
    void next(QTcpSocket* client, void (RelayProxy::*step)(QTcpSocket*));

    QTcpServer m_server;
    bool m_socks;
    QByteArray m_user;
    QByteArray m_password;
    QByteArray m_asked;
    int m_passed = 0;
};

}  // namespace lanes::test
