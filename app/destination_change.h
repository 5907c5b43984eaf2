// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanes::app {

/// What somebody wants of a destination, named by its name: the fields that are given replace
/// those of the destination, all others stay. The command line, the configuration file and the
/// control socket speak of destinations in this form.
struct DestinationChange {
    std::string name;
    std::optional<std::string> url;
    std::optional<std::vector<std::string>> secrets;
    std::optional<std::vector<std::pair<std::string, std::string>>> headers;
    std::optional<std::vector<std::string>> eventTypes;
    std::optional<Micros> window;
    std::optional<Micros> connectTimeout;
    std::optional<Micros> attemptTimeout;
    std::optional<std::uint32_t> maxInFlight;
    std::optional<AfterDeadLetter> afterDeadLetter;
    std::optional<std::vector<std::uint16_t>> deadLetterStatuses;
    std::optional<bool> allowLinkLocal;
    std::optional<double> rateLimit;  ///< requests a second, 0 = none
    std::optional<bool> allowEdits;
    std::optional<BodyFormat> body;
    std::optional<Authentication> authentication;
    /// Certificate and key in PEM; two empty texts take them away.
    std::optional<std::pair<std::string, std::string>> clientCertificate;
    std::optional<std::string> pin;  ///< as in TlsIdentity; empty takes it away
    std::optional<ProxyConfig> proxy;

    friend bool operator==(const DestinationChange&, const DestinationChange&) = default;
};

/// Whether it is a number of requests a second that a destination can have.
[[nodiscard]] bool isRateLimit(double rate);

/// The settings after the change. Not validated; the caller asks `validate`.
[[nodiscard]] DestinationConfig changed(DestinationConfig config, const DestinationChange& change);

/// All settings of a destination as a change. Without secrets those fields are left out that hold
/// any; `leftOut` gets their names.
[[nodiscard]] DestinationChange changeOf(const DestinationConfig& config, bool withSecrets,
                                         std::vector<std::string>* leftOut);

/// The fields are those of resources/destinations.schema.json.
[[nodiscard]] nlohmann::ordered_json toJson(const DestinationChange& change);

/// The change, or one sentence that names the field. Unknown fields are refused: a mistyped one
/// would otherwise be a setting that silently does nothing.
[[nodiscard]] std::variant<DestinationChange, std::string> changeFromJson(
    const nlohmann::ordered_json& json);

/// "asReceived", "cloudEventsBinary", "cloudEventsStructured".
[[nodiscard]] const char* wordOf(BodyFormat format);

/// A new Standard Webhooks secret from the system's random numbers: "whsec_" + base64 of 32 bytes.
[[nodiscard]] std::string generateSecret();

}  // namespace lanes::app
