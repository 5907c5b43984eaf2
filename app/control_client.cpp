// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_client.h"

#include <QDeadlineTimer>

namespace lanes::app {

bool ControlClient::connectTo(const DataDirectory& directory, std::chrono::milliseconds time) {
    m_socket.connectToServer(QString::fromStdString(directory.socket));
    return m_socket.waitForConnected(static_cast<int>(time.count()));
}

ControlAnswer ControlClient::call(const ControlRequest& request, std::chrono::milliseconds time) {
    const auto line = encode(request);
    if (line.size() > kRequestBytes)
        return ControlAnswer::failure("that is more than one command can name.", Exit::usage);
    m_socket.write(line.data(), static_cast<qint64>(line.size()));
    QDeadlineTimer deadline(time);
    QByteArray buffer;
    while (!buffer.endsWith('\n')) {
        if (m_socket.bytesAvailable() == 0 &&
            !m_socket.waitForReadyRead(static_cast<int>(deadline.remainingTime()))) {
            if (deadline.hasExpired())
                return ControlAnswer::failure("the running instance gave no answer in time.");
            return ControlAnswer::failure("the running instance ended before it answered.");
        }
        buffer += m_socket.readAll();
        if (static_cast<std::size_t>(buffer.size()) > kAnswerBytes)
            return ControlAnswer::failure("the answer is larger than 64 MiB.");
    }
    const auto answer = decodeAnswer({buffer.constData(), static_cast<std::size_t>(buffer.size())});
    if (!answer) return ControlAnswer::failure("the running instance gave an unreadable answer.");
    return *answer;
}

}  // namespace lanes::app
