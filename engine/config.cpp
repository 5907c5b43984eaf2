// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace lanes {

namespace {

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '_' || c == '-';
}

/// RFC 9110 token characters: what a header name may be made of.
bool isTokenCharacter(char c) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string checkName(const std::string& name) {
    if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), isNameCharacter))
        return "name: give 1 to 64 letters, digits, dots, underscores or dashes.";
    return {};
}

std::string checkUrl(const std::string& url) {
    const std::string small = lower(url.substr(0, 8));
    std::size_t start = 0;
    if (small.starts_with("http://"))
        start = 7;
    else if (small.starts_with("https://"))
        start = 8;
    else
        return "url: it must begin with http:// or https://.";
    if (url.size() > 2048) return "url: at most 2048 characters.";
    for (const char c : url)
        if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f)
            return "url: spaces, control characters and non-ASCII letters must be "
                   "percent-encoded.";
    const auto authority = url.substr(start, url.find_first_of("/?#", start) - start);
    if (authority.find('@') != std::string::npos)
        return "url: leave the user name and password out; use a header or a secret.";
    if (authority.empty() || authority.front() == ':') return "url: the host is missing.";
    if (url.find('#') != std::string::npos) return "url: leave the part after # out.";
    const auto colon = authority.rfind(':');
    if (colon != std::string::npos && authority.find(']', colon) == std::string::npos) {
        const auto port = authority.substr(colon + 1);
        const bool digits = !port.empty() && port.size() <= 5 &&
                            std::all_of(port.begin(), port.end(),
                                        [](char c) { return c >= '0' && c <= '9'; });
        if (!digits || std::stoi(port) < 1 || std::stoi(port) > 65535)
            return "url: the port must be a number from 1 to 65535.";
    }
    return {};
}

std::string checkHeader(const std::string& name, const std::string& value) {
    if (name.empty() || name.size() > 256 ||
        !std::all_of(name.begin(), name.end(), isTokenCharacter))
        return "header \"" + name.substr(0, 64) + "\": a name is letters, digits and -.";
    constexpr std::array<std::string_view, 8> reserved = {
        "host", "content-length", "transfer-encoding", "connection",
        "te",   "trailer",        "upgrade",           "expect"};
    const auto small = lower(name);
    if (std::find(reserved.begin(), reserved.end(), small) != reserved.end() ||
        small.starts_with("webhook-") || small.starts_with("rivora-"))
        return "header \"" + name + "\": it is set by the program and cannot be replaced.";
    for (const char c : value)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
            return "header \"" + name + "\": the value has a control character.";
    if (value.size() > 4096) return "header \"" + name + "\": at most 4096 bytes.";
    return {};
}

bool isBase64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0) return false;
    const auto padding = text.find('=');
    const auto digits = text.substr(0, padding);
    if (padding != std::string_view::npos) {
        const auto rest = text.substr(padding);
        if (rest.size() > 2 || rest.find_first_not_of('=') != std::string_view::npos) return false;
    }
    return std::all_of(digits.begin(), digits.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '/';
    });
}

std::string checkSecret(const std::string& secret) {
    constexpr std::string_view prefix = "whsec_";
    const std::string help = "secret: \"whsec_\" and the base64 of 24 to 64 bytes is needed.";
    if (!secret.starts_with(prefix)) return help;
    const auto text = std::string_view(secret).substr(prefix.size());
    if (!isBase64(text)) return help;
    const auto padding = static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
    const auto bytes = text.size() / 4 * 3 - padding;
    if (bytes < 24 || bytes > 64) return help;
    return {};
}

bool hasControlCharacter(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
}

std::string checkAuthentication(const DestinationConfig& config) {
    const auto& [scheme, user, secret] = config.authentication;
    using Scheme = Authentication::Scheme;
    if (scheme == Scheme::none)
        return user.empty() && secret.empty()
                   ? ""
                   : "authentication: say whether it is basic or bearer.";
    for (const auto& header : config.headers)
        if (lower(header.first) == "authorization")
            return "authentication: the headers have an Authorization already; leave one of the "
                   "two out.";
    if (secret.size() > limits::kCredentialBytes || user.size() > limits::kUserNameBytes)
        return "authentication: at most 255 bytes for a user and 8192 for a password or a token.";
    if (hasControlCharacter(user) || hasControlCharacter(secret))
        return "authentication: there must be no line break or other control character in it.";
    if (scheme == Scheme::basic && (user.empty() || user.find(':') != std::string::npos))
        return "authentication: basic needs a user, without a colon.";
    const bool plain = std::none_of(secret.begin(), secret.end(), [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f;
    });
    if (scheme == Scheme::bearer && (secret.empty() || !plain || !user.empty()))
        return "authentication: bearer needs a token, without spaces, and no user.";
    return {};
}

std::string checkTls(const DestinationConfig& config) {
    const auto& [certificate, key, pin] = config.tls;
    if (certificate.empty() != key.empty())
        return "client certificate: the certificate and its private key are needed, both.";
    if (certificate.size() > limits::kCertificateBytes || key.size() > limits::kCertificateBytes)
        return "client certificate: at most 65536 bytes each.";
    const auto isHexadecimal = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    };
    if (!pin.empty() &&
        (pin.size() != 64 || !std::all_of(pin.begin(), pin.end(), isHexadecimal)))
        return "pinned certificate: give the SHA-256 of the certificate, 64 hexadecimal digits.";
    const bool encrypted = lower(config.url.substr(0, 8)) == "https://";
    if (!encrypted && !certificate.empty())
        return "client certificate: only an https destination asks for one.";
    if (!encrypted && !pin.empty())
        return "pinned certificate: only an https destination has one.";
    return {};
}

std::string checkProxy(const ProxyConfig& proxy) {
    if (proxy.url.empty())
        return proxy.user.empty() && proxy.password.empty()
                   ? ""
                   : "proxy: a user is given, but no address.";
    const std::string help = "proxy: give http://HOST:PORT or socks5://HOST:PORT.";
    std::string_view rest = proxy.url;
    if (rest.size() > 512) return help;
    if (rest.starts_with("http://"))
        rest.remove_prefix(7);
    else if (rest.starts_with("socks5://"))
        rest.remove_prefix(9);
    else
        return help;
    if (rest.find('@') != std::string_view::npos)
        return "proxy: leave the user name and password out of the address; they have fields of "
               "their own.";
    if (rest.ends_with('/')) rest.remove_suffix(1);
    const auto colon = rest.rfind(':');
    const bool hasPort =
        colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos;
    if (!hasPort || rest.find_first_of("/?#") != std::string_view::npos ||
        !checkUrl("http://" + std::string(rest)).empty())
        return help;
    if (proxy.user.size() > limits::kUserNameBytes ||
        proxy.password.size() > limits::kUserNameBytes)
        return "proxy: at most 255 bytes for the user and for the password.";
    if (hasControlCharacter(proxy.user) || hasControlCharacter(proxy.password))
        return "proxy: there must be no control character in the user or the password.";
    if (proxy.user.empty() && !proxy.password.empty()) return "proxy: the user is missing.";
    if (proxy.user.find(':') != std::string::npos)
        return "proxy: the user must have no colon.";
    return {};
}

std::string checkPolicy(const DeliveryPolicy& policy) {
    if (policy.window < kMinute || policy.window > 30 * 24 * kHour)
        return "retry window: from 1 minute to 30 days.";
    if (policy.maxInFlight < 1 || policy.maxInFlight > 256)
        return "requests in flight: from 1 to 256.";
    if (policy.rateLimit != 0 && !(policy.rateLimit >= 0.01 && policy.rateLimit <= 10'000))
        return "rate limit: from 0.01 to 10000 requests a second, or 0 for none.";
    for (const auto status : policy.deadLetterStatuses)
        if (status < 300 || status > 599)
            return "statuses that dead-letter at once: from 300 to 599.";
    return {};
}

}  // namespace

std::string validate(const SourceConfig& config) {
    if (auto error = checkName(config.name); !error.empty()) return error;
    constexpr std::array<std::string_view, 4> taken = {"native", "segment", "cloudevents", "test"};
    if (std::find(taken.begin(), taken.end(), lower(config.name)) != taken.end())
        return "name: \"" + config.name + "\" means the senders without a key of their own.";
    if (config.keys.size() > limits::kSourceKeys) return "keys: at most four at a time.";
    for (const auto& key : config.keys)
        if (key.size() != 64 || key.find_first_not_of("0123456789abcdef") != std::string::npos)
            return "keys: a fingerprint of 64 hexadecimal digits is needed.";
    return {};
}

std::string tidyPin(std::string text) {
    std::string digits;
    for (const char c : text) {
        if (c == ':' || c == ' ') continue;
        digits += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const bool good = digits.size() == 64 &&
                      digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    return good ? digits : text;
}

bool isCredential(std::string_view headerName) {
    const auto small = lower(headerName);
    constexpr std::array<std::string_view, 4> names = {"authorization", "cookie",
                                                       "proxy-authorization", "set-cookie"};
    constexpr std::array<std::string_view, 7> ends = {"-key",      "-token", "-secret",   "-auth",
                                                      "-password", "apikey", "-signature"};
    return std::find(names.begin(), names.end(), small) != names.end() ||
           std::any_of(ends.begin(), ends.end(),
                       [&](std::string_view end) { return small.ends_with(end); });
}

std::string validate(const DestinationConfig& config) {
    if (auto error = checkName(config.name); !error.empty()) return error;
    if (auto error = checkUrl(config.url); !error.empty()) return error;
    if (auto error = checkPolicy(config.policy); !error.empty()) return error;
    if (config.secrets.size() > 4) return "secret: at most four at a time.";
    for (const auto& secret : config.secrets)
        if (auto error = checkSecret(secret); !error.empty()) return error;
    if (config.headers.size() > 32) return "headers: at most 32.";
    for (const auto& [name, value] : config.headers)
        if (auto error = checkHeader(name, value); !error.empty()) return error;
    if (config.eventTypes.size() > 256) return "event types: at most 256.";
    for (const auto& type : config.eventTypes)
        if (type.empty() || type.size() > limits::kEventTypeBytes)
            return "event types: each has 1 to 256 bytes.";
    if (config.connectTimeout < 100 * kMillisecond || config.connectTimeout > 120 * kSecond)
        return "connect time-out: from 100 ms to 120 s.";
    if (config.attemptTimeout < 100 * kMillisecond || config.attemptTimeout > 600 * kSecond)
        return "attempt time-out: from 100 ms to 600 s.";
    if (auto error = checkAuthentication(config); !error.empty()) return error;
    if (auto error = checkTls(config); !error.empty()) return error;
    return checkProxy(config.proxy);
}

}  // namespace lanes
