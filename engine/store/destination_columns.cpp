// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/destination_columns.h"

#include "engine/store/encoding.h"

namespace lanes::store {

namespace {

bool readAuthentication(std::string_view bytes, Authentication& authentication) {
    authentication = {};
    if (bytes.empty()) return true;
    ByteReader reader(bytes);
    const auto scheme = reader.number();
    authentication.user = reader.text();
    authentication.secret = reader.text();
    if (!reader.finished() || scheme > static_cast<unsigned>(Authentication::Scheme::bearer))
        return false;
    authentication.scheme = static_cast<Authentication::Scheme>(scheme);
    return true;
}

/// Three texts, or nothing at all.
bool readThree(std::string_view bytes, std::string& first, std::string& second,
               std::string& third) {
    if (bytes.empty()) return true;
    ByteReader reader(bytes);
    first = reader.text();
    second = reader.text();
    third = reader.text();
    return reader.finished();
}

std::string three(const std::string& first, const std::string& second, const std::string& third) {
    std::string out;
    if (first.empty() && second.empty() && third.empty()) return out;
    putText(out, first);
    putText(out, second);
    putText(out, third);
    return out;
}

}  // namespace

DestinationColumns encodeColumns(const DestinationConfig& config) {
    DestinationColumns columns;
    for (const auto status : config.policy.deadLetterStatuses) putNumber(columns.statuses, status);
    columns.secrets = encodeTexts(config.secrets);
    for (const auto& [name, value] : config.headers) {
        putText(columns.headers, name);
        putText(columns.headers, value);
    }
    columns.eventTypes = encodeTexts(config.eventTypes);
    const auto& [scheme, user, secret] = config.authentication;
    if (scheme != Authentication::Scheme::none) {
        putNumber(columns.authentication, static_cast<unsigned>(scheme));
        putText(columns.authentication, user);
        putText(columns.authentication, secret);
    }
    columns.tls = three(config.tls.certificate, config.tls.key, config.tls.pin);
    columns.proxy = three(config.proxy.url, config.proxy.user, config.proxy.password);
    return columns;
}

bool decodeColumns(const DestinationColumnViews& columns, DestinationConfig& config) {
    config.policy.deadLetterStatuses.clear();
    ByteReader statuses(columns.statuses);
    while (statuses.good() && !statuses.finished())
        config.policy.deadLetterStatuses.push_back(static_cast<std::uint16_t>(statuses.number()));
    config.headers.clear();
    ByteReader headers(columns.headers);
    while (headers.good() && !headers.finished()) {
        const auto name = headers.text();
        config.headers.emplace_back(name, headers.text());
    }
    return statuses.good() && headers.good() && decodeTexts(columns.secrets, config.secrets) &&
           decodeTexts(columns.eventTypes, config.eventTypes) &&
           readAuthentication(columns.authentication, config.authentication) &&
           readThree(columns.tls, config.tls.certificate, config.tls.key, config.tls.pin) &&
           readThree(columns.proxy, config.proxy.url, config.proxy.user, config.proxy.password);
}

}  // namespace lanes::store
