// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/proxy_tunnel.h"

#include <QByteArray>
#include <QHostAddress>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lanes::http {

namespace {

/// Bytes of a proxy's answer to CONNECT: more than any has to say.
constexpr std::size_t kAnswerBytes = 16u << 10;
/// Bytes of a name or a password in SOCKS, whose length is one byte.
constexpr std::size_t kSocksBytes = 255;

constexpr char kSocksVersion = 5;
constexpr char kNoLogin = 0;
constexpr char kLogin = 2;
constexpr char kLoginVersion = 1;

std::string base64(const std::string& text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size())).toBase64().toStdString();
}

bool isSix(const std::string& host) {
    return host.find(':') != std::string::npos;
}

/// The status of "HTTP/1.x 200 ...", or -1.
int statusOf(std::string_view answer) {
    if (!answer.starts_with("HTTP/1.") || answer.size() < 12 || answer[8] != ' ') return -1;
    int status = -1;
    const auto text = answer.substr(9, 3);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), status);
    return read.ptr == text.data() + text.size() ? status : -1;
}

/// In the words of RFC 1928.
std::string spokenReply(unsigned char code) {
    switch (code) {
        case 1: return "it failed";
        case 2: return "its rules do not allow that";
        case 3: return "the network cannot be reached";
        case 4: return "the host cannot be reached";
        case 5: return "the host refuses connections";
        case 6: return "the connection took too long";
        case 7: return "it cannot connect to anybody";
        case 8: return "it does not take this kind of address";
        default: return "it answered " + std::to_string(code);
    }
}

void putPort(std::string& out, std::uint16_t port) {
    out += static_cast<char>(port >> 8);
    out += static_cast<char>(port & 0xff);
}

}  // namespace

std::optional<Proxy> parseProxy(std::string_view url) {
    Proxy proxy;
    std::string_view rest = url;
    if (rest.starts_with("http://")) {
        rest.remove_prefix(7);
    } else if (rest.starts_with("socks5://")) {
        proxy.kind = Proxy::Kind::socks5;
        rest.remove_prefix(9);
    } else {
        return std::nullopt;
    }
    // What is behind the scheme is read as an HTTP URL is; that without a port shows in
    // `authority`.
    if (rest.find_first_of("?#") != std::string_view::npos) return std::nullopt;
    if (rest.ends_with('/')) rest.remove_suffix(1);
    const auto parsed = parseUrl("http://" + std::string(rest));
    const auto colon = rest.rfind(':');
    const bool hasPort =
        colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos;
    if (!parsed || parsed->target != "/" || !hasPort) return std::nullopt;
    proxy.host = parsed->origin.host;
    proxy.port = parsed->origin.port;
    return proxy;
}

ProxyTunnel::ProxyTunnel(Proxy proxy, Origin server)
    : m_proxy(std::move(proxy)), m_server(std::move(server)) {
    if (m_proxy.kind == Proxy::Kind::http)
        askHttp();
    else
        askSocks();
}

std::string ProxyTunnel::takeOutput() {
    return std::exchange(m_output, {});
}

void ProxyTunnel::put(std::string_view bytes) {
    m_came += bytes;
    for (std::size_t before = m_came.size() + 1;
         m_state == State::asking && m_came.size() < before && !m_came.empty();) {
        before = m_came.size();
        switch (m_step) {
            case Step::answer: readAnswer(); break;
            case Step::method: readMethod(); break;
            case Step::password: readPassword(); break;
            case Step::reply: readReply(); break;
        }
    }
    // In HTTP and in TLS it is the client who speaks first.
    if (m_state == State::open && !m_came.empty()) fail("it sent more than its answer");
}

void ProxyTunnel::askHttp() {
    const auto host = isSix(m_server.host) ? "[" + m_server.host + "]" : m_server.host;
    const auto authority = host + ":" + std::to_string(m_server.port);
    m_output = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!m_proxy.user.empty())
        m_output +=
            "Proxy-Authorization: Basic " + base64(m_proxy.user + ":" + m_proxy.password) + "\r\n";
    m_output += "\r\n";
    m_step = Step::answer;
}

void ProxyTunnel::readAnswer() {
    const auto end = m_came.find("\r\n\r\n");
    if (end == std::string::npos) {
        if (m_came.size() > kAnswerBytes) fail("its answer has no end");
        return;
    }
    const int status = statusOf(m_came);
    if (status >= 200 && status < 300) {
        m_came.erase(0, end + 4);
        m_state = State::open;
    } else if (status >= 100 && status < 200) {
        m_came.erase(0, end + 4);  // the answer itself is still to come
    } else if (status == 407) {
        fail(m_proxy.user.empty() ? "it asks for a user and a password"
                                  : "it does not accept the user and the password");
    } else {
        fail(status < 0 ? "its answer is not HTTP" : "it answered " + std::to_string(status));
    }
}

void ProxyTunnel::askSocks() {
    m_output += kSocksVersion;
    if (m_proxy.user.empty()) {
        m_output += {1, kNoLogin};
    } else {
        m_output += {2, kNoLogin, kLogin};
    }
    m_step = Step::method;
}

void ProxyTunnel::readMethod() {
    const auto method = take(2);
    if (!method) return;
    if ((*method)[0] != kSocksVersion) {
        fail("its answer is not SOCKS 5");
    } else if ((*method)[1] == kNoLogin) {
        askForServer();
    } else if ((*method)[1] == kLogin && !m_proxy.user.empty()) {
        const auto put = [this](const std::string& text) {
            m_output += static_cast<char>(std::min(text.size(), kSocksBytes));
            m_output += text.substr(0, kSocksBytes);
        };
        m_output += kLoginVersion;
        put(m_proxy.user);
        put(m_proxy.password);
        m_step = Step::password;
    } else {
        fail(m_proxy.user.empty() ? "it asks for a user and a password"
                                  : "it takes no user and password");
    }
}

void ProxyTunnel::readPassword() {
    const auto answer = take(2);
    if (!answer) return;
    if ((*answer)[1] == 0)
        askForServer();
    else
        fail("it does not accept the user and the password");
}

void ProxyTunnel::askForServer() {
    m_output += {kSocksVersion, 1, 0};
    const QHostAddress address(QString::fromStdString(m_server.host));
    if (address.protocol() == QAbstractSocket::IPv4Protocol) {
        const auto four = address.toIPv4Address();
        m_output += 1;
        for (int shift = 24; shift >= 0; shift -= 8)
            m_output += static_cast<char>((four >> shift) & 0xff);
    } else if (address.protocol() == QAbstractSocket::IPv6Protocol) {
        const auto six = address.toIPv6Address();
        m_output += 4;
        for (const auto byte : six.c) m_output += static_cast<char>(byte);
    } else {
        m_output += 3;
        m_output += static_cast<char>(std::min(m_server.host.size(), kSocksBytes));
        m_output += m_server.host.substr(0, kSocksBytes);
    }
    putPort(m_output, m_server.port);
    m_step = Step::reply;
}

void ProxyTunnel::readReply() {
    if (m_came.size() < 5) return;
    const auto byte = [this](std::size_t at) { return static_cast<unsigned char>(m_came[at]); };
    if (byte(0) != kSocksVersion) return fail("its answer is not SOCKS 5");
    if (byte(1) != 0) return fail(spokenReply(byte(1)));
    std::size_t address = 0;
    switch (byte(3)) {
        case 1: address = 4; break;
        case 3: address = 1u + byte(4); break;
        case 4: address = 16; break;
        default: return fail("its answer is not SOCKS 5");
    }
    if (take(4 + address + 2)) m_state = State::open;
}

std::optional<std::string> ProxyTunnel::take(std::size_t bytes) {
    if (m_came.size() < bytes) return std::nullopt;
    auto taken = m_came.substr(0, bytes);
    m_came.erase(0, bytes);
    return taken;
}

void ProxyTunnel::fail(std::string why) {
    m_state = State::failed;
    m_problem = std::move(why);
}

}  // namespace lanes::http
