// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHostAddress>
#include <QSslCertificate>
#include <QSslKey>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

class QTcpSocket;

namespace lanes::test {

/// What a server shows when it speaks TLS.
struct Identity {
    QSslCertificate certificate;
    QSslKey key;
    /// Whoever connects must show a certificate of this authority; null: nobody has to show one.
    QSslCertificate clients = QSslCertificate();
};

class RawReceiver;

/// One accepted connection, as a script sees it: plain blocking calls on a thread of its own. They
/// all end soon once the client has left or the receiver is stopped.
class RawPeer {
public:
    /// Number of this connection, from 0.
    [[nodiscard]] int index() const { return m_index; }
    /// True as soon as something of a request is there; false if the client left before.
    bool waitForBytes();
    /// A whole request (header, and as much body as it announces), which counts; empty if the
    /// client left before. With a pause it is read in small pieces, one after each pause.
    std::string readRequest(std::chrono::milliseconds pause = {});
    /// Only a header block, which counts; the body stays unread.
    std::string readHeader();
    /// Reads that body after all; false if the client left before.
    bool skipBody();
    /// False if the client left before all of it was taken.
    bool send(std::string_view bytes);
    /// One byte after the other with a pause after each, until the client leaves.
    bool drip(std::string_view bytes, std::chrono::milliseconds pause);
    /// False if the client has left meanwhile or the receiver is stopped.
    bool pause(std::chrono::milliseconds time);
    /// Keeps the connection open until the client leaves.
    void waitUntilClientLeaves();
    /// An orderly end (FIN), and a hard one (RST).
    void close();
    void reset();

private:
    friend class RawReceiver;
    RawPeer(RawReceiver& receiver, QTcpSocket& socket, int index)
        : m_receiver(receiver), m_socket(socket), m_index(index) {}
    bool fill();
    [[nodiscard]] bool gone() const;

    RawReceiver& m_receiver;
    QTcpSocket& m_socket;
    int m_index;
    std::string m_input;
    std::size_t m_unread = 0;  ///< bytes of a body whose header was read
};

/// A server that does to each connection what a script says, byte for byte, and counts the
/// requests that really arrived.
class RawReceiver {
public:
    using Script = std::function<void(RawPeer&)>;

    explicit RawReceiver(Script script, std::optional<Identity> tls = std::nullopt,
                         const QHostAddress& address = QHostAddress::LocalHost);
    ~RawReceiver();
    RawReceiver(const RawReceiver&) = delete;
    RawReceiver& operator=(const RawReceiver&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] int requests() const;
    [[nodiscard]] int connections() const { return m_connections; }
    /// What was read of each request, in order of arrival.
    [[nodiscard]] std::vector<std::string> texts() const;
    /// The same, and forgets it.
    [[nodiscard]] std::vector<std::string> takeTexts();
    [[nodiscard]] bool stopping() const { return m_stopping; }
    /// "http://127.0.0.1:port" or https.
    [[nodiscard]] std::string url() const;

private:
    friend class RawPeer;
    void acceptAll();
    void serve(int descriptor, int index);
    void count(std::string text);

    Script m_script;
    std::optional<Identity> m_tls;
    QHostAddress m_address;
    int m_listener = -1;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_stopping = false;
    std::atomic<int> m_connections = 0;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_texts;
    std::thread m_accepting;  ///< starts one more thread for each connection
};

}  // namespace lanes::test
