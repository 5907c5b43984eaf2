// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/direct_write.h"

#include <QTcpSocket>

#include <sys/socket.h>

namespace lanes::http {

qint64 writeSome(QTcpSocket& socket, std::string_view bytes) {
#ifdef MSG_NOSIGNAL
    // What Qt holds back goes first.
    if (socket.bytesToWrite() == 0) {
        const auto taken = ::send(static_cast<int>(socket.socketDescriptor()), bytes.data(),
                                  bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken > 0) return taken;
    }
#endif
    return socket.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void writeAll(QTcpSocket& socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto taken = writeSome(socket, bytes);
        if (taken <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
}

}  // namespace lanes::http
