// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanes::http {

/// Who passes connections on.
struct Proxy {
    enum class Kind : std::uint8_t { http, socks5 };
    Kind kind = Kind::http;
    std::string host;  ///< a name or an address, without brackets
    std::uint16_t port = 0;
    std::string user;  ///< empty: it asks for none
    std::string password;

    friend bool operator==(const Proxy&, const Proxy&) = default;
};

/// The proxy of a URL `http://host:port` or `socks5://host:port`, without user information; a port
/// must be there, since there is none that everybody uses.
[[nodiscard]] std::optional<Proxy> parseProxy(std::string_view url);

/// The words between us and a proxy until it passes bytes on to a server, apart from any socket:
/// CONNECT of RFC 9110, for plain and for encrypted servers, or SOCKS 5 of RFC 1928 and 1929. The
/// name of the server is looked up by the proxy. After it everything that an exchange says of
/// itself is about the server: what the proxy answers never looks like an answer of the server.
class ProxyTunnel {
public:
    enum class State { asking, open, failed };

    ProxyTunnel(Proxy proxy, Origin server);

    /// Takes what came from the proxy and goes on as far as it can.
    void put(std::string_view bytes);
    /// What is to be sent to the proxy now.
    [[nodiscard]] std::string takeOutput();
    [[nodiscard]] State state() const { return m_state; }
    /// Why it failed: a sentence.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    enum class Step { answer, method, password, reply };

    void askHttp();
    void readAnswer();
    void askSocks();
    void readMethod();
    void readPassword();
    void askForServer();
    void readReply();
    /// The first bytes of what came, once so many are there; else nothing.
    [[nodiscard]] std::optional<std::string> take(std::size_t bytes);
    void fail(std::string why);

    Proxy m_proxy;
    Origin m_server;
    Step m_step = Step::answer;
    State m_state = State::asking;
    std::string m_came;
    std::string m_output;
    std::string m_problem;
};

}  // namespace lanes::http
