// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/client_exchange.h"

#include <algorithm>

namespace lanes::http {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

bool isTokenCharacter(char c) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

/// Splits "host:port" or "[address]:port"; false if it is neither.
bool splitAuthority(std::string_view authority, Origin& origin, bool& portGiven) {
    std::string_view port;
    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        if (end == std::string_view::npos) return false;
        origin.host = authority.substr(1, end - 1);
        // A zone is written with an encoded percent sign in a URL (RFC 6874).
        if (const auto zone = origin.host.find("%25"); zone != std::string::npos)
            origin.host.replace(zone, 3, "%");
        port = authority.substr(end + 1);
    } else {
        const auto colon = authority.find(':');
        origin.host = authority.substr(0, colon);
        if (colon != std::string_view::npos) port = authority.substr(colon);
    }
    portGiven = port.size() > 1;
    if (origin.host.empty()) return false;
    if (port.empty() || port == ":") return true;
    if (port.front() != ':' || port.size() > 6) return false;
    unsigned number = 0;
    for (const char c : port.substr(1)) {
        if (c < '0' || c > '9') return false;
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    if (number < 1 || number > 65535) return false;
    origin.port = static_cast<std::uint16_t>(number);
    return true;
}

}  // namespace

std::optional<Url> parseUrl(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f)
            return std::nullopt;
    const auto separator = text.find("://");
    if (separator == std::string_view::npos) return std::nullopt;
    Url url;
    const auto scheme = text.substr(0, separator);
    if (equalIgnoringCase(scheme, "https"))
        url.origin.tls = true;
    else if (!equalIgnoringCase(scheme, "http"))
        return std::nullopt;
    const std::uint16_t ownPort = url.origin.tls ? 443 : 80;
    url.origin.port = ownPort;

    const auto rest = text.substr(separator + 3);
    const auto end = rest.find_first_of("/?#");
    const auto authority = rest.substr(0, end);
    if (authority.find('@') != std::string_view::npos) return std::nullopt;
    bool portGiven = false;
    if (!splitAuthority(authority, url.origin, portGiven)) return std::nullopt;

    const bool literal6 = url.origin.host.find(':') != std::string::npos;
    // The zone means something on this machine only and does not belong into a Host header.
    const auto bare = url.origin.host.substr(0, url.origin.host.find('%'));
    url.authority = literal6 ? "[" + bare + "]" : url.origin.host;
    if (portGiven && url.origin.port != ownPort)
        url.authority += ":" + std::to_string(url.origin.port);

    if (end != std::string_view::npos) url.target = rest.substr(end, rest.find('#') - end);
    if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
    return url;
}

bool validHeader(std::string_view name, std::string_view value) {
    if (name.empty() || !std::all_of(name.begin(), name.end(), isTokenCharacter)) return false;
    return std::none_of(value.begin(), value.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

std::string_view ExchangeResult::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (equalIgnoringCase(key, name)) return value;
    return {};
}

std::string spoken(std::chrono::milliseconds time) {
    const auto count = time.count();
    if (count >= 1000 && count % 1000 == 0) return std::to_string(count / 1000) + " s";
    return std::to_string(count) + " ms";
}

}  // namespace lanes::http
