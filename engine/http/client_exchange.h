// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

// What one exchange (a request and its answer) takes and gives, as plain values.
namespace lanes::http {

using Header = std::pair<std::string, std::string>;
/// Monotonic; deadlines and durations are kept on it alone.
using Instant = std::chrono::steady_clock::time_point;

/// The server behind a URL.
struct Origin {
    bool tls = false;
    std::string host;  ///< a name or an address, without brackets
    std::uint16_t port = 80;

    friend bool operator==(const Origin&, const Origin&) = default;
};

/// A URL taken apart. Nothing is decoded or normalised: what was typed goes on the wire.
struct Url {
    Origin origin;
    std::string authority;  ///< for the Host header; without the scheme's own port
    std::string target;     ///< path and query, begins with '/'
};

/// Nothing if it is not an absolute http or https URL without user information.
[[nodiscard]] std::optional<Url> parseUrl(std::string_view text);

/// A request to be sent. Host, Content-Length and all other headers are the caller's choice except
/// Content-Length, which is added. The headers must be valid (see `validHeader`).
struct ClientRequest {
    std::string method = "POST";
    std::string target = "/";
    std::vector<Header> headers;
    std::shared_ptr<const std::string> body;  ///< null = none
};

/// True if the header can be sent: the name is a token, the value has no control characters.
[[nodiscard]] bool validHeader(std::string_view name, std::string_view value);

/// What is known of an exchange when it is over.
struct ExchangeResult {
    enum class Reach : std::uint8_t {
        notSent,     ///< not one byte of the request was given to the kernel
        partlySent,  ///< some of it
        sent,        ///< all of it, or it cannot be told that some is missing
        answered,    ///< the final header was read, or something that can be no answer
    };
    Reach reach = Reach::notSent;
    int status = 0;         ///< final status as on the wire; 0 if there is none
    bool deadline = false;  ///< one of our own deadlines ended it
    bool bodyCut = false;   ///< the final header was complete, its body was not
    /// From the first byte written, or from the dialling if nothing was, to the end. Waiting for a
    /// free connection is in neither.
    std::chrono::microseconds duration{0};
    std::string error;            ///< one sentence; empty if a whole answer was read
    std::vector<Header> headers;  ///< of the final answer
    std::string body;             ///< its first bytes

    /// Value of the first header of that name (any case); empty if there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// "30 s", "250 ms": for texts.
[[nodiscard]] std::string spoken(std::chrono::milliseconds time);

}  // namespace lanes::http
