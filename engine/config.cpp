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
    return {};
}

}  // namespace lanes
