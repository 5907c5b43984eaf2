// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QList>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <cstdint>

namespace lanes::test {

/// An HTTP answer as it was read.
struct RawAnswer {
    int status = 0;  ///< 0: none came
    QByteArray head;
    QByteArray body;

    /// Value of a header, any case; empty if it is not there.
    [[nodiscard]] QByteArray header(const QByteArray& name) const {
        for (const QByteArray& line : head.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0 && line.left(colon).toLower() == name.toLower())
                return line.mid(colon + 1).trimmed();
        }
        return {};
    }
};

/// Says to a server exactly the bytes that a test gives it, well-formed or not.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, const QString& host = QStringLiteral("127.0.0.1")) {
        m_socket.connectToHost(host, port);
        wait([this] {
            return m_socket.state() == QAbstractSocket::ConnectedState ||
                   m_socket.state() == QAbstractSocket::UnconnectedState;
        });
        // What is sent byte by byte shall arrive byte by byte.
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    }

    void send(const QByteArray& bytes) {
        m_socket.write(bytes);
        m_socket.flush();
    }

    /// Reads one answer; interim ones (1xx) count as answers too.
    RawAnswer read(bool headOnly = false, int timeoutMs = 5'000) {
        RawAnswer answer;
        wait([&] { return takeAnswer(&answer, headOnly) || closed(); }, timeoutMs);
        if (answer.status == 0) static_cast<void>(takeAnswer(&answer, headOnly));
        return answer;
    }

    RawAnswer ask(const QByteArray& bytes) {
        send(bytes);
        return read();
    }

    /// The server has ended the connection, or does so within the time.
    bool waitClosed(int timeoutMs = 5'000) {
        return wait([this] { return closed(); }, timeoutMs);
    }

    [[nodiscard]] bool closed() const {
        return m_socket.state() != QAbstractSocket::ConnectedState;
    }
    /// All bytes that came and were not read as an answer.
    QByteArray rest() {
        m_input += m_socket.readAll();
        return m_input;
    }
    void leave() { m_socket.abort(); }
    QTcpSocket& socket() { return m_socket; }

private:
    template <typename Condition>
    static bool wait(Condition condition, int timeoutMs = 5'000) {
        return QTest::qWaitFor(condition, timeoutMs);
    }

    bool takeAnswer(RawAnswer* answer, bool headOnly) {
        m_input += m_socket.readAll();
        const qsizetype end = m_input.indexOf("\r\n\r\n");
        if (end < 0) return false;
        RawAnswer read;
        read.head = m_input.left(end + 2);
        read.status = read.head.mid(9, 3).toInt();
        const qsizetype length = headOnly ? 0 : read.header("Content-Length").toLongLong();
        if (m_input.size() < end + 4 + length) return false;
        read.body = m_input.mid(end + 4, length);
        m_input.remove(0, end + 4 + length);
        *answer = read;
        return true;
    }

    QTcpSocket m_socket;
    QByteArray m_input;
};

}  // namespace lanes::test
