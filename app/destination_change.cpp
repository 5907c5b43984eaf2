// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/destination_change.h"

#include "app/duration.h"

#include <QByteArray>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <tuple>

namespace lanes::app {

namespace {

using Json = nlohmann::ordered_json;

/// Reads one field into the change; a sentence if the value does not fit.
using ReadField = std::function<std::string(const Json&, DestinationChange&)>;

std::string readText(const Json& value, std::string& into) {
    if (!value.is_string()) return "must be text in quotes.";
    into = value.get<std::string>();
    return {};
}

std::string readTexts(const Json& value, std::optional<std::vector<std::string>>& into) {
    if (!value.is_array()) return "must be a list of texts.";
    std::vector<std::string> texts;
    for (const auto& item : value) {
        if (!item.is_string()) return "must be a list of texts.";
        texts.push_back(item.get<std::string>());
    }
    into = std::move(texts);
    return {};
}

std::string readDuration(const Json& value, std::optional<Micros>& into) {
    if (value.is_string()) into = parseDuration(value.get<std::string>());
    if (!into) return "must be a duration in quotes, such as \"30s\", \"20m\" or \"72h\".";
    return {};
}

std::string readHeaders(const Json& value, DestinationChange& change) {
    if (!value.is_object()) return "must be an object of names and texts.";
    change.headers.emplace();
    for (const auto& [name, text] : value.items()) {
        if (!text.is_string()) return "\"" + name + "\" must be text in quotes.";
        change.headers->emplace_back(name, text.get<std::string>());
    }
    return {};
}

std::string readInFlight(const Json& value, DestinationChange& change) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
        value.get<std::int64_t>() > 256)
        return "must be a number from 1 to 256.";
    change.maxInFlight = value.get<std::uint32_t>();
    return {};
}

std::string readAfterDeadLetter(const Json& value, DestinationChange& change) {
    if (value == "goOn")
        change.afterDeadLetter = AfterDeadLetter::goOn;
    else if (value == "hold")
        change.afterDeadLetter = AfterDeadLetter::hold;
    else
        return "must be \"goOn\" or \"hold\".";
    return {};
}

std::string readStatuses(const Json& value, DestinationChange& change) {
    const std::string help = "must be a list of statuses from 300 to 599.";
    if (!value.is_array()) return help;
    change.deadLetterStatuses.emplace();
    for (const auto& item : value) {
        if (!item.is_number_integer() || item.get<std::int64_t>() < 300 ||
            item.get<std::int64_t>() > 599)
            return help;
        change.deadLetterStatuses->push_back(item.get<std::uint16_t>());
    }
    return {};
}

std::string readSwitch(const Json& value, std::optional<bool>& into) {
    if (!value.is_boolean()) return "must be true or false.";
    into = value.get<bool>();
    return {};
}

std::string readRateLimit(const Json& value, DestinationChange& change) {
    const auto rate = value.is_number() ? value.get<double>() : -1;
    if (!isRateLimit(rate))
        return "must be requests a second, a number from 0.01 to 10000, or 0 for no limit.";
    change.rateLimit = rate;
    return {};
}

std::string readBody(const Json& value, DestinationChange& change) {
    for (const auto format :
         {BodyFormat::asReceived, BodyFormat::cloudEventsBinary, BodyFormat::cloudEventsStructured})
        if (value == wordOf(format)) change.body = format;
    if (change.body) return {};
    return "must be \"asReceived\", \"cloudEventsBinary\" or \"cloudEventsStructured\".";
}

/// The members of an object that must be texts; false if there is another member, or one is no
/// text.
bool readMembers(const Json& value,
                 std::initializer_list<std::pair<const char*, std::string*>> members) {
    if (!value.is_object()) return false;
    for (const auto& [key, text] : value.items()) {
        const auto member = std::find_if(members.begin(), members.end(),
                                         [&](const auto& known) { return key == known.first; });
        if (member == members.end() || !text.is_string()) return false;
        *member->second = text.get<std::string>();
    }
    return true;
}

std::string readAuthentication(const Json& value, DestinationChange& change) {
    auto& login = change.authentication.emplace();
    if (value.is_null()) return {};
    std::string scheme;
    std::string token;
    if (readMembers(value, {{"scheme", &scheme},
                            {"user", &login.user},
                            {"password", &login.secret},
                            {"token", &token}})) {
        const bool hasUser = value.contains("user") || value.contains("password");
        if (scheme == "basic" && !value.contains("token")) {
            login.scheme = Authentication::Scheme::basic;
            return {};
        }
        if (scheme == "bearer" && !hasUser) {
            login = {Authentication::Scheme::bearer, {}, std::move(token)};
            return {};
        }
    }
    return "must be null, {\"scheme\": \"basic\", \"user\": ..., \"password\": ...} or "
           "{\"scheme\": \"bearer\", \"token\": ...}.";
}

std::string readCertificate(const Json& value, DestinationChange& change) {
    auto& [certificate, key] = change.clientCertificate.emplace();
    if (value.is_null() || readMembers(value, {{"certificate", &certificate}, {"key", &key}}))
        return {};
    return "must be null or {\"certificate\": ..., \"key\": ...}, both in PEM.";
}

std::string readPin(const Json& value, DestinationChange& change) {
    if (!value.is_string()) return "must be the SHA-256 of the certificate, in quotes.";
    change.pin = tidyPin(value.get<std::string>());
    return {};
}

std::string readProxy(const Json& value, DestinationChange& change) {
    auto& proxy = change.proxy.emplace();
    if (value.is_null() ||
        readMembers(value,
                    {{"url", &proxy.url}, {"user", &proxy.user}, {"password", &proxy.password}}))
        return {};
    return "must be null or {\"url\": ..., \"user\": ..., \"password\": ...}.";
}

const std::map<std::string, ReadField>& fields() {
    static const std::map<std::string, ReadField> table = {
        {"name", [](const Json& v, DestinationChange& c) { return readText(v, c.name); }},
        {"url", [](const Json& v, DestinationChange& c) { return readText(v, c.url.emplace()); }},
        {"secrets", [](const Json& v, DestinationChange& c) { return readTexts(v, c.secrets); }},
        {"headers", readHeaders},
        {"types", [](const Json& v, DestinationChange& c) { return readTexts(v, c.eventTypes); }},
        {"window", [](const Json& v, DestinationChange& c) { return readDuration(v, c.window); }},
        {"connectTimeout",
         [](const Json& v, DestinationChange& c) { return readDuration(v, c.connectTimeout); }},
        {"attemptTimeout",
         [](const Json& v, DestinationChange& c) { return readDuration(v, c.attemptTimeout); }},
        {"inFlight", readInFlight},
        {"afterDeadLetter", readAfterDeadLetter},
        {"deadLetterStatuses", readStatuses},
        {"allowLinkLocal",
         [](const Json& v, DestinationChange& c) { return readSwitch(v, c.allowLinkLocal); }},
        {"rateLimit", readRateLimit},
        {"allowEdits",
         [](const Json& v, DestinationChange& c) { return readSwitch(v, c.allowEdits); }},
        {"body", readBody},
        {"authentication", readAuthentication},
        {"clientCertificate", readCertificate},
        {"pinnedCertificate", readPin},
        {"proxy", readProxy},
    };
    return table;
}

Json loginJson(const Authentication& login) {
    switch (login.scheme) {
        case Authentication::Scheme::none: break;
        case Authentication::Scheme::basic:
            return {{"scheme", "basic"}, {"user", login.user}, {"password", login.secret}};
        case Authentication::Scheme::bearer: return {{"scheme", "bearer"}, {"token", login.secret}};
    }
    return nullptr;
}

}  // namespace

bool isRateLimit(double rate) {
    return rate == 0 || (rate >= 0.01 && rate <= 10'000);
}

DestinationConfig changed(DestinationConfig config, const DestinationChange& change) {
    config.name = change.name;
    if (change.url) config.url = *change.url;
    if (change.secrets) config.secrets = *change.secrets;
    if (change.headers) config.headers = *change.headers;
    if (change.eventTypes) config.eventTypes = *change.eventTypes;
    if (change.window) config.policy.window = *change.window;
    if (change.connectTimeout) config.connectTimeout = *change.connectTimeout;
    if (change.attemptTimeout) config.attemptTimeout = *change.attemptTimeout;
    if (change.maxInFlight) config.policy.maxInFlight = *change.maxInFlight;
    if (change.afterDeadLetter) config.policy.afterDeadLetter = *change.afterDeadLetter;
    if (change.deadLetterStatuses) config.policy.deadLetterStatuses = *change.deadLetterStatuses;
    if (change.allowLinkLocal) config.allowLinkLocal = *change.allowLinkLocal;
    if (change.rateLimit) config.policy.rateLimit = *change.rateLimit;
    if (change.allowEdits) config.policy.allowEdits = *change.allowEdits;
    if (change.body) config.body = *change.body;
    if (change.authentication) config.authentication = *change.authentication;
    if (change.clientCertificate)
        std::tie(config.tls.certificate, config.tls.key) = *change.clientCertificate;
    if (change.pin) config.tls.pin = *change.pin;
    if (change.proxy) config.proxy = *change.proxy;
    return config;
}

DestinationChange changeOf(const DestinationConfig& config, bool withSecrets,
                           std::vector<std::string>* leftOut) {
    // A field without anything secret in it is always told; one with may be left out.
    const auto told = [&](bool secret, const char* field) {
        if (!secret || withSecrets) return true;
        leftOut->emplace_back(field);
        return false;
    };
    DestinationChange change;
    change.name = config.name;
    change.url = config.url;
    if (told(!config.secrets.empty(), "secrets")) change.secrets = config.secrets;
    const bool credentials =
        std::any_of(config.headers.begin(), config.headers.end(),
                    [](const auto& header) { return isCredential(header.first); });
    if (told(credentials, "headers")) change.headers = config.headers;
    change.eventTypes = config.eventTypes;
    change.window = config.policy.window;
    change.connectTimeout = config.connectTimeout;
    change.attemptTimeout = config.attemptTimeout;
    change.maxInFlight = config.policy.maxInFlight;
    change.afterDeadLetter = config.policy.afterDeadLetter;
    change.deadLetterStatuses = config.policy.deadLetterStatuses;
    change.allowLinkLocal = config.allowLinkLocal;
    change.rateLimit = config.policy.rateLimit;
    change.allowEdits = config.policy.allowEdits;
    change.body = config.body;
    if (told(config.authentication.scheme != Authentication::Scheme::none, "authentication"))
        change.authentication = config.authentication;
    if (told(!config.tls.key.empty(), "clientCertificate"))
        change.clientCertificate = {config.tls.certificate, config.tls.key};
    change.pin = config.tls.pin;
    if (told(!config.proxy.password.empty(), "proxy")) change.proxy = config.proxy;
    return change;
}

nlohmann::ordered_json toJson(const DestinationChange& change) {
    Json json;
    json["name"] = change.name;
    if (change.url) json["url"] = *change.url;
    if (change.secrets) json["secrets"] = *change.secrets;
    if (change.headers) {
        json["headers"] = Json::object();
        for (const auto& [name, value] : *change.headers) json["headers"][name] = value;
    }
    if (change.eventTypes) json["types"] = *change.eventTypes;
    if (change.window) json["window"] = durationText(*change.window);
    if (change.connectTimeout) json["connectTimeout"] = durationText(*change.connectTimeout);
    if (change.attemptTimeout) json["attemptTimeout"] = durationText(*change.attemptTimeout);
    if (change.maxInFlight) json["inFlight"] = *change.maxInFlight;
    if (change.afterDeadLetter)
        json["afterDeadLetter"] =
            *change.afterDeadLetter == AfterDeadLetter::hold ? "hold" : "goOn";
    if (change.deadLetterStatuses) json["deadLetterStatuses"] = *change.deadLetterStatuses;
    if (change.allowLinkLocal) json["allowLinkLocal"] = *change.allowLinkLocal;
    if (change.rateLimit) json["rateLimit"] = *change.rateLimit;
    if (change.allowEdits) json["allowEdits"] = *change.allowEdits;
    if (change.body) json["body"] = wordOf(*change.body);
    if (change.authentication) json["authentication"] = loginJson(*change.authentication);
    if (change.clientCertificate) {
        const auto& [certificate, key] = *change.clientCertificate;
        json["clientCertificate"] = nullptr;
        if (!certificate.empty() || !key.empty())
            json["clientCertificate"] = {{"certificate", certificate}, {"key", key}};
    }
    if (change.pin) json["pinnedCertificate"] = *change.pin;
    if (change.proxy) {
        json["proxy"] = nullptr;
        if (!change.proxy->url.empty()) json["proxy"] = {{"url", change.proxy->url}};
        if (!change.proxy->user.empty()) json["proxy"]["user"] = change.proxy->user;
        if (!change.proxy->password.empty()) json["proxy"]["password"] = change.proxy->password;
    }
    return json;
}

std::variant<DestinationChange, std::string> changeFromJson(const nlohmann::ordered_json& json) {
    if (!json.is_object()) return "must be an object with \"name\" and \"url\".";
    DestinationChange change;
    for (const auto& [key, value] : json.items()) {
        const auto field = fields().find(key);
        if (field == fields().end()) return "\"" + key.substr(0, 64) + "\" is no field of it.";
        if (const auto error = field->second(value, change); !error.empty())
            return "\"" + key + "\" " + error;
    }
    if (change.name.empty()) return "\"name\" is missing.";
    return change;
}

const char* wordOf(BodyFormat format) {
    switch (format) {
        case BodyFormat::asReceived: return "asReceived";
        case BodyFormat::cloudEventsBinary: return "cloudEventsBinary";
        case BodyFormat::cloudEventsStructured: break;
    }
    return "cloudEventsStructured";
}

std::string generateSecret() {
    std::array<quint32, 8> words{};  // 32 bytes, the size that the specification's tools make
    QRandomGenerator::system()->generate(words.begin(), words.end());
    const auto bytes = QByteArray(reinterpret_cast<const char*>(words.data()), sizeof(words));
    return "whsec_" + bytes.toBase64().toStdString();
}

}  // namespace lanes::app
