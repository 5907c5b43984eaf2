// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/intake_client.h"

#include <QHostAddress>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

namespace lanes::mock {

namespace {

namespace beast = boost::beast;

/// The intake answers after its commit, which takes milliseconds; a full disk or a stopped
/// process must not hold the generator for longer.
constexpr int kDeadlineMs = 15'000;
/// An answer is one line for each rejected event of a small array.
constexpr std::uint64_t kBodyBytes = 1u << 20;
constexpr std::uint32_t kHeaderBytes = 16u << 10;

int wholeSeconds(std::string_view text) {
    int value = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end && value >= 0 ? value : -1;
}

}  // namespace

/// Takes bytes as they come and tells when the answer is complete.
class IntakeClient::Reader {
public:
    Reader() {
        m_parser.eager(true);
        m_parser.body_limit(kBodyBytes);
        m_parser.header_limit(kHeaderBytes);
    }

    /// Empty text if the bytes are well-formed so far.
    std::string put(const QByteArray& bytes) {
        m_input.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        while (!m_input.empty() && !m_parser.is_done()) {
            beast::error_code error;
            const std::size_t used =
                m_parser.put(boost::asio::buffer(m_input.data(), m_input.size()), error);
            m_input.erase(0, used);
            if (error == beast::http::error::need_more) break;
            if (error) return error.message();
        }
        return {};
    }
    /// The other side closed: that is the end of an answer without a length.
    void end() {
        beast::error_code error;
        if (m_parser.got_some()) m_parser.put_eof(error);
    }
    [[nodiscard]] bool done() const { return m_parser.is_done(); }
    [[nodiscard]] bool keepAlive() const { return m_parser.get().keep_alive() && m_input.empty(); }
    [[nodiscard]] IntakeAnswer answer() {
        const auto& message = m_parser.get();
        IntakeAnswer answer;
        answer.status = message.result_int();
        const auto retry = message[beast::http::field::retry_after];
        answer.retryAfterSeconds = wholeSeconds({retry.data(), retry.size()});
        answer.body = message.body();
        return answer;
    }

private:
    beast::http::response_parser<beast::http::string_body> m_parser;
    std::string m_input;
};

IntakeClient::IntakeClient(Handler handler, QObject* parent)
    : QObject(parent), m_handler(std::move(handler)), m_socket(this), m_deadline(this) {
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this,
            [this] { fail("the intake did not answer in time"); });
    connect(&m_socket, &QTcpSocket::connected, this, &IntakeClient::write);
    connect(&m_socket, &QTcpSocket::readyRead, this, &IntakeClient::read);
    connect(&m_socket, &QTcpSocket::disconnected, this, [this] {
        if (!m_busy || !m_reader) return;
        m_reader->end();
        if (m_reader->done())
            finish(m_reader->answer(), false);
        else
            fail("the intake closed the connection");
    });
    connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QTcpSocket::SocketError error) {
        // A close by the other side is told by `disconnected` too, after the last bytes.
        if (error != QTcpSocket::RemoteHostClosedError) fail(m_socket.errorString().toStdString());
    });
}

IntakeClient::~IntakeClient() {
    m_socket.disconnect(this);
}

void IntakeClient::post(std::uint16_t port, const std::string& writeKey, const std::string& body) {
    m_busy = true;
    m_reader = std::make_unique<Reader>();
    std::ostringstream head;
    head << "POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" << port
         << "\r\nUser-Agent: RivoraLanesTraffic/" LANES_VERSION << "\r\nAuthorization: Bearer "
         << writeKey << "\r\nContent-Type: application/json\r\nContent-Length: " << body.size()
         << "\r\n\r\n";
    m_request = head.str() + body;
    m_deadline.start(kDeadlineMs);
    const bool connected = m_socket.state() == QTcpSocket::ConnectedState;
    if (connected && m_port == port) {
        write();
        return;
    }
    m_port = port;
    m_socket.abort();
    // A refusal on loopback can be told from within connectToHost; the handler must not be.
    QMetaObject::invokeMethod(
        this, [this] { m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port); },
        Qt::QueuedConnection);
}

void IntakeClient::write() {
    if (!m_busy) return;
    m_socket.write(m_request.data(), static_cast<qint64>(m_request.size()));
}

void IntakeClient::read() {
    const QByteArray bytes = m_socket.readAll();
    if (!m_busy || !m_reader) {
        // Nobody asked: whatever it is, this connection is not to be used again.
        m_socket.abort();
        return;
    }
    const std::string fault = m_reader->put(bytes);
    if (!fault.empty()) {
        fail("the intake's answer is not HTTP: " + fault);
        return;
    }
    if (m_reader->done()) finish(m_reader->answer(), m_reader->keepAlive());
}

void IntakeClient::fail(const std::string& error) {
    if (!m_busy) return;
    IntakeAnswer answer;
    answer.error = error;
    finish(std::move(answer), false);
}

void IntakeClient::finish(IntakeAnswer answer, bool keepAlive) {
    m_busy = false;
    m_deadline.stop();
    m_reader.reset();
    m_request.clear();
    if (!keepAlive) m_socket.abort();
    m_handler(std::move(answer));
}

}  // namespace lanes::mock
