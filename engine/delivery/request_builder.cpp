// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/request_builder.h"

#include "engine/core/check.h"
#include "engine/delivery/cloud_event.h"

#include <QByteArray>

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanes {

namespace {

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

/// Mixes all bits of a number into all others (the finaliser of splitmix64).
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

/// A text that quotes what was typed must not bring its line breaks into a log.
std::string oneLine(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

std::string authorizationOf(const Authentication& login) {
    switch (login.scheme) {
        case Authentication::Scheme::none: return {};
        case Authentication::Scheme::bearer: return "Bearer " + login.secret;
        case Authentication::Scheme::basic: break;
    }
    const auto pair = login.user + ":" + login.secret;
    return "Basic " + QByteArray::fromStdString(pair).toBase64().toStdString();
}

http::TlsRules rulesOf(const TlsIdentity& identity) {
    return {identity.certificate, identity.key, identity.pin};
}

}  // namespace

std::string settingsProblem(const DestinationConfig& config) {
    auto problem = validate(config);
    return problem.empty() ? http::problemOf(rulesOf(config.tls)) : problem;
}

DeliveryTarget prepareTarget(DestinationConfig config) {
    DeliveryTarget target;
    target.problem = settingsProblem(config);
    if (target.problem.empty() && !config.proxy.url.empty()) {
        target.proxy = http::parseProxy(config.proxy.url);
        if (!target.proxy) {
            target.problem = "proxy: its address cannot be read.";
        } else {
            target.proxy->user = config.proxy.user;
            target.proxy->password = config.proxy.password;
        }
    }
    if (target.problem.empty()) {
        target.tls = rulesOf(config.tls);
        target.authorization = authorizationOf(config.authentication);
        auto url = http::parseUrl(config.url);
        auto signer = WebhookSigner::fromSecrets(config.secrets);
        if (!url)
            target.problem = "url: it cannot be read.";
        else if (!signer)
            target.problem = "secret: it cannot be read.";
        else {
            target.url = *std::move(url);
            target.signer = *std::move(signer);
        }
    }
    target.config = std::move(config);
    return target;
}

std::string sendProblem(const DeliveryTarget& target, const AttemptRequest& attempt) {
    if (!target.problem.empty()) return "Not sent: " + oneLine(target.problem);
    if (!attempt.event || !attempt.event->payload)
        return "Not sent: the bytes of the event could not be read.";
    for (const auto& [name, value] : target.config.headers)
        if (!http::validHeader(name, value))
            return "Not sent: the header \"" + percentEncoded(name) +
                   "\" has a character that is not allowed.";
    if (!http::validHeader("Content-Type", contentTypeOf(*attempt.event)))
        return "Not sent: the event's content type has a character that is not allowed.";
    return {};
}

http::ClientRequest buildRequest(const DeliveryTarget& target, const AttemptRequest& attempt,
                                 std::int64_t unixSeconds) {
    const auto& event = *attempt.event;
    const auto dressed = dress(event, target.config.body);
    http::ClientRequest request;
    request.target = target.url.target;
    request.body = dressed.body;
    auto& headers = request.headers;
    headers.reserve(15 + dressed.headers.size() + target.config.headers.size());
    headers.emplace_back("Host", target.url.authority);
    const auto addUnlessReplaced = [&](const char* name, const std::string& value) {
        for (const auto& custom : target.config.headers)
            if (equalIgnoringCase(custom.first, name)) return;
        headers.emplace_back(name, value);
    };
    addUnlessReplaced("User-Agent", "RivoraLanes/" LANES_VERSION);
    addUnlessReplaced("Accept-Encoding", "identity");
    addUnlessReplaced("Content-Type", dressed.contentType);
    if (!target.authorization.empty()) headers.emplace_back("Authorization", target.authorization);
    for (const auto& custom : target.config.headers) headers.push_back(custom);
    for (const auto& attribute : dressed.headers) headers.push_back(attribute);

    const auto& start = attempt.start;
    const auto id = webhookId(start.pointer.sequence, event.id);
    headers.emplace_back("webhook-id", id);
    headers.emplace_back("webhook-timestamp", std::to_string(unixSeconds));
    if (!target.config.secrets.empty())
        headers.emplace_back("webhook-signature",
                             target.signer.sign(id, unixSeconds, *request.body));
    if (start.pointer.sequence) {
        headers.emplace_back("rivora-lane", laneToken({start.pointer.destination, start.user}));
        headers.emplace_back("rivora-sequence", std::to_string(start.pointer.sequence.value));
        if (start.previous)
            headers.emplace_back("rivora-previous", std::to_string(start.previous.value));
        headers.emplace_back("rivora-attempt", std::to_string(start.number));
    } else {
        headers.emplace_back("rivora-test", "1");
    }
    if (!event.id.empty()) headers.emplace_back("rivora-event-id", percentEncoded(event.id));
    if (start.operation)
        headers.emplace_back("rivora-rewind", std::to_string(start.operation.value));
    return request;
}

std::string webhookId(Sequence sequence, std::string_view eventId) {
    static EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    const auto text = std::to_string(sequence.value).append(":").append(eventId);
    std::array<unsigned char, 32> digest;
    CHECK(EVP_Digest(text.data(), text.size(), digest.data(), nullptr, sha256, nullptr) == 1);
    // 26 symbols of Crockford's base32, five bits from each byte: 130 bits never meet by chance.
    constexpr std::string_view symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    std::string id = "msg_";
    for (std::size_t i = 0; i < 26; ++i) id += symbols[digest[i] & 31U];
    return id;
}

std::string laneToken(LaneKey lane) {
    const auto value =
        mixed(lane.user.value ^ mixed(lane.destination.value + 0x9e3779b97f4a7c15ULL));
    constexpr std::string_view digits = "0123456789abcdef";
    std::string token(16, '0');
    for (std::size_t i = 0; i < 16; ++i) token[i] = digits[(value >> (60 - 4 * i)) & 15U];
    return token;
}

}  // namespace lanes
