// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/header_values.h"

#include <simdjson.h>

#include <algorithm>

namespace lanes {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// -1 if it is no hexadecimal digit.
int digitOf(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// What is inside of a value that is one quoted string from its first to its last byte.
std::optional<std::string> unquoted(std::string_view value) {
    if (value.size() < 2 || value.front() != '"') return std::nullopt;
    std::string out;
    for (std::size_t i = 1; i < value.size(); ++i) {
        if (value[i] == '"') {
            if (i + 1 == value.size()) return out;
            return std::nullopt;
        }
        if (value[i] == '\\' && ++i == value.size()) return std::nullopt;
        out += value[i];
    }
    return std::nullopt;
}

bool isVisible(char c) {
    return c > 0x20 && c < 0x7f;
}

}  // namespace

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

MediaType readMediaType(std::string_view value) {
    const std::string text = lower(value);
    std::string_view rest(text);
    MediaType out;
    out.name = trimmed(rest.substr(0, rest.find(';')));
    while (!rest.empty()) {
        rest.remove_prefix(std::min(rest.find(';'), rest.size() - 1) + 1);
        std::string_view parameter = trimmed(rest.substr(0, rest.find(';')));
        if (parameter.substr(0, 8) != "charset=") continue;
        parameter.remove_prefix(8);
        if (parameter != "utf-8" && parameter != "\"utf-8\"") out.utf8 = false;
    }
    return out;
}

std::optional<std::string> decodeAttribute(std::string_view value) {
    const auto inside = unquoted(value);
    const std::string_view text = inside ? std::string_view(*inside) : value;
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? digitOf(text[i + 1]) : -1;
        const int low = high >= 0 ? digitOf(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    if (!simdjson::validate_utf8(out.data(), out.size())) return std::nullopt;
    return out;
}

std::optional<std::string> readIdempotencyKey(std::string_view value) {
    const std::string_view text = trimmed(value);
    std::string key;
    if (!text.empty() && text.front() == '"') {
        // RFC 8941 has escapes for the quote and for the backslash itself, and no others.
        for (std::size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i + 2))
            if (i + 1 == text.size() || (text[i + 1] != '"' && text[i + 1] != '\\'))
                return std::nullopt;
        auto inside = unquoted(text);
        if (!inside) return std::nullopt;
        key = std::move(*inside);
        const auto allowed = [](char c) { return isVisible(c) || c == ' '; };
        if (!std::all_of(key.begin(), key.end(), allowed)) return std::nullopt;
    } else {
        key = text;
        const auto allowed = [](char c) { return isVisible(c) && c != '"'; };
        if (!std::all_of(key.begin(), key.end(), allowed)) return std::nullopt;
    }
    if (key.empty()) return std::nullopt;
    return key;
}

}  // namespace lanes
