// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QSignalSpy>
#include <QTcpSocket>

#include <cstdint>
#include <memory>

// A peer that shares no code with the program: it writes bytes and looks at what comes back.
class RawClient {
public:
    explicit RawClient(std::uint16_t port) {
        m_socket->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    }

    [[nodiscard]] bool connects() { return m_socket->waitForConnected(5000); }
    void write(const QByteArray& bytes) { m_socket->write(bytes); }
    void leave() { m_socket->abort(); }
    [[nodiscard]] QByteArray received() {
        m_received += m_socket->readAll();
        return m_received;
    }
    [[nodiscard]] bool open() const { return m_socket->state() == QAbstractSocket::ConnectedState; }
    [[nodiscard]] QAbstractSocket::SocketError error() const { return m_socket->error(); }

    /// Sends a request and returns the status of the whole answer; 0 if none came in time.
    [[nodiscard]] int ask(const QByteArray& request) {
        m_received.clear();
        if (!open() && !connects()) return 0;
        write(request);
        QSignalSpy more(m_socket.get(), &QTcpSocket::readyRead);
        while (!complete())
            if (!open() || !more.wait(5000)) return 0;
        return status();
    }
    [[nodiscard]] int status() { return received().mid(9, 3).toInt(); }
    [[nodiscard]] QByteArray header(const QByteArray& name) {
        const QByteArray head = received().left(received().indexOf("\r\n\r\n") + 2);
        const qsizetype at = head.toLower().indexOf("\r\n" + name.toLower() + ": ");
        if (at < 0) return {};
        const qsizetype from = at + name.size() + 4;
        return head.mid(from, head.indexOf("\r\n", from) - from);
    }

private:
    [[nodiscard]] bool complete() {
        const qsizetype end = received().indexOf("\r\n\r\n");
        return end >= 0 && received().size() >= end + 4 + header("Content-Length").toLongLong();
    }

    std::unique_ptr<QTcpSocket> m_socket = std::make_unique<QTcpSocket>();
    QByteArray m_received;
};

/// A delivery as the engine writes it; empty fields are left out.
struct RawDelivery {
    QByteArray lane = "lane-a";
    int sequence = 1;
    int attempt = 1;
    QByteArray rewind;
    QByteArray more;  ///< further header lines, each with its CRLF
    QByteArray body = R"({"user":"user-1","n":1,"type":"invoice.paid"})";

    [[nodiscard]] QByteArray bytes() const {
        QByteArray out = "POST /events HTTP/1.1\r\nHost: 127.0.0.1\r\n";
        if (!lane.isEmpty()) out += "rivora-lane: " + lane + "\r\n";
        out += "rivora-sequence: " + QByteArray::number(sequence) + "\r\n";
        out += "rivora-attempt: " + QByteArray::number(attempt) + "\r\n";
        if (!rewind.isEmpty()) out += "rivora-rewind: " + rewind + "\r\n";
        out += more + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n";
        return out + body;
    }
};
