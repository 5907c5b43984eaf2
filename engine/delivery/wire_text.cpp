// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/wire_text.h"

#include "engine/config.h"

namespace lanes {

namespace {

/// Our signature is none: it tells nothing of the key, and who looks for a wrong one needs it.
bool isHidden(const std::string& name) {
    return isCredential(name) && name != "webhook-signature";
}

void addHeaders(std::string& text, const std::vector<http::Header>& headers) {
    for (const auto& [name, value] : headers)
        text.append(name).append(": ").append(isHidden(name) ? "(hidden)" : value).append("\n");
}

}  // namespace

std::string textOf(const http::ClientRequest& request) {
    std::string text = request.method + " " + request.target + " HTTP/1.1\n";
    addHeaders(text, request.headers);
    const std::size_t length = request.body ? request.body->size() : 0;
    text.append("Content-Length: ").append(std::to_string(length)).append("\n\n");
    if (request.body) text += *request.body;
    return text;
}

std::string textOf(const http::ExchangeResult& exchange) {
    if (exchange.status == 0) return {};
    std::string text = "HTTP " + std::to_string(exchange.status) + "\n";
    addHeaders(text, exchange.headers);
    return text + "\n" + exchange.body;
}

}  // namespace lanes
