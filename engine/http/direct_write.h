// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <string_view>

class QTcpSocket;

namespace lanes::http {

/// Bytes of the beginning that the kernel took, or that Qt will give it as soon as there is room;
/// -1 after an error. Qt alone would watch the socket for room before each write, and stop watching
/// after it: each of both wakes its event loop. On the socket's thread.
[[nodiscard]] qint64 writeSome(QTcpSocket& socket, std::string_view bytes);
/// The same until nothing is left. An error is the socket's to report.
void writeAll(QTcpSocket& socket, std::string_view bytes);

}  // namespace lanes::http
