// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_guard.h"

#include "engine/intake/header_values.h"

#include <QByteArray>

#include <algorithm>

namespace lanes {

namespace {

bool isOurHost(std::string_view host, std::uint16_t port) {
    const std::string given = lower(host);
    const std::string suffix = ":" + std::to_string(port);
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
        if (given == std::string(name) + suffix) return true;
        // 80 is what a Host without a port means.
        if (port == 80 && given == name) return true;
    }
    return false;
}

/// The credentials behind the scheme; empty if the scheme is another one.
std::string_view credentials(std::string_view value, std::string_view scheme) {
    if (value.size() <= scheme.size() || lower(value.substr(0, scheme.size())) != scheme) return {};
    value.remove_prefix(scheme.size());
    if (value.front() != ' ') return {};
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return value;
}

}  // namespace

std::optional<std::string> refuseSender(const http::Request& request, std::uint16_t port) {
    if (!isOurHost(request.header("Host"), port))
        return "The Host header must be localhost, 127.0.0.1 or [::1] with the port " +
               std::to_string(port) + ".";
    if (request.count("Origin") > 0) return "Web pages may not send events here.";
    if (request.count("Sec-Fetch-Site") > 0) {
        const std::string site = lower(request.header("Sec-Fetch-Site"));
        if (request.count("Sec-Fetch-Site") > 1 || (site != "none" && site != "same-origin"))
            return "Other sites may not send events here.";
    }
    return std::nullopt;
}

std::string shownWriteKey(const http::Request& request) {
    if (request.count("Authorization") != 1) return {};
    const std::string_view value = request.header("Authorization");
    if (const std::string_view given = credentials(value, "bearer"); !given.empty())
        return std::string(given);
    const std::string_view basic = credentials(value, "basic");
    if (basic.empty()) return {};
    const auto decoded = QByteArray::fromBase64Encoding(
        QByteArray(basic.data(), static_cast<qsizetype>(basic.size())),
        QByteArray::Base64Encoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) return {};
    const std::string_view pair(decoded.decoded.constData(),
                                static_cast<std::size_t>(decoded.decoded.size()));
    return std::string(pair.substr(0, pair.find(':')));
}

bool sameWriteKey(std::string_view given, std::string_view key) {
    if (key.empty()) return false;
    unsigned char difference = given.size() == key.size() ? 0 : 1;
    // Looks at every byte of the key, whatever was given.
    for (std::size_t i = 0; i < key.size(); ++i) {
        const char c = i < given.size() ? given[i] : '\0';
        difference = static_cast<unsigned char>(difference | (c ^ key[i]));
    }
    return difference == 0;
}

}  // namespace lanes
