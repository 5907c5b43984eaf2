// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_server.h"

#include <QLocalSocket>
#include <QTimer>

#include <utility>

namespace lanes::app {

namespace {

/// One caller. It ends with its socket.
class Connection : public QObject {
public:
    Connection(QLocalSocket* socket, ControlCommands& commands, const ControlLimits& limits,
               QObject* parent)
        : QObject(parent),
          m_socket(socket),
          m_commands(commands),
          m_limits(limits),
          m_session(std::make_shared<ControlSession>()) {
        socket->setParent(this);
        m_idle.setSingleShot(true);
        connect(&m_idle, &QTimer::timeout, socket, &QLocalSocket::abort);
        connect(socket, &QLocalSocket::readyRead, this, &Connection::read);
        connect(socket, &QLocalSocket::disconnected, this, &QObject::deleteLater);
        // Nothing beyond one request is read while it is being answered.
        socket->setReadBufferSize(static_cast<qint64>(kRequestBytes) + 1);
        waitForRequest();
        read();
    }

private:
    /// Somebody who was asked whether to move what was planned may think for a while.
    void waitForRequest() {
        m_idle.start(m_session->plan ? m_limits.planTime : m_limits.idleTime);
    }

    void read() {
        if (m_answering) return;
        const auto line = m_socket->readLine(static_cast<qint64>(kRequestBytes) + 1);
        m_buffer += line;
        if (static_cast<std::size_t>(m_buffer.size()) > kRequestBytes)
            return refuse("the request is longer than 2 MiB.");
        if (!m_buffer.endsWith('\n')) {
            if (m_socket->bytesAvailable() > 0) QTimer::singleShot(0, this, &Connection::read);
            return;
        }
        const auto request =
            decodeRequest({m_buffer.constData(), static_cast<std::size_t>(m_buffer.size())});
        m_buffer.clear();
        if (!request) return refuse("the request is not a JSON object with a command.");
        m_answering = true;
        m_idle.stop();
        m_commands.handle(*request, m_session,
                          [self = QPointer<Connection>(this)](const ControlAnswer& answer) {
                              if (self) self->answer(answer);
                          });
    }

    void answer(const ControlAnswer& answer) {
        const auto line = encode(answer);
        m_socket->write(line.data(), static_cast<qint64>(line.size()));
        m_answering = false;
        waitForRequest();
        if (m_socket->bytesAvailable() > 0) QTimer::singleShot(0, this, &Connection::read);
    }

    void refuse(const char* reason) {
        answer(ControlAnswer::failure(reason, Exit::usage));
        m_socket->disconnectFromServer();
    }

    QLocalSocket* m_socket;
    ControlCommands& m_commands;
    ControlLimits m_limits;
    std::shared_ptr<ControlSession> m_session;
    QTimer m_idle;
    QByteArray m_buffer;
    bool m_answering = false;
};

}  // namespace

ControlServer::ControlServer(ControlCommands& commands, ControlLimits limits, QObject* parent)
    : QObject(parent), m_commands(commands), m_limits(limits) {
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &ControlServer::accept);
}

ControlServer::~ControlServer() {
    close();
}

std::string ControlServer::listen(const DataDirectory& directory) {
    const auto name = QString::fromStdString(directory.socket);
    QLocalServer::removeServer(name);
    if (m_server.listen(name)) return {};
    return "the control socket " + directory.socket + " cannot be opened (" +
           m_server.errorString().toStdString() + ").";
}

void ControlServer::close() {
    m_server.close();
    const auto open = children();
    for (auto* child : open)
        if (dynamic_cast<Connection*>(child)) delete child;
}

void ControlServer::accept() {
    while (auto* socket = m_server.nextPendingConnection()) {
        if (m_open >= m_limits.connections) {
            const auto line =
                encode(ControlAnswer::failure("too many callers at once; try again."));
            socket->write(line.data(), static_cast<qint64>(line.size()));
            connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            socket->disconnectFromServer();
            continue;
        }
        ++m_open;
        auto* connection = new Connection(socket, m_commands, m_limits, this);
        connect(connection, &QObject::destroyed, this, [this] { --m_open; });
    }
}

}  // namespace lanes::app
