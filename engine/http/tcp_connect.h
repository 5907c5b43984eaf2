// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QObject>

#include <cstdint>
#include <functional>

namespace lanes::http {

/// One TCP connection to one address, dialled exactly once. QAbstractSocket asks how its connecting
/// went by connecting again: where a peer resets each connection as soon as it is made, that dials
/// the next one, and so on, as fast as the processor allows and without ever telling. One thread.
class TcpConnect : public QObject {
public:
    /// A connected, non-blocking descriptor, which the callee takes over, or -1 and an errno.
    using Done = std::function<void(TcpConnect* self, int descriptor, int error)>;

    /// `done` is called once, from the event loop, unless `cancel` comes first.
    TcpConnect(const QHostAddress& address, std::uint16_t port, Done done, QObject* parent);
    ~TcpConnect() override;

    /// Gives up in silence. It may be deleted later.
    void cancel();

private:
    void end(int error);

    Done m_done;
    int m_descriptor = -1;
};

}  // namespace lanes::http
