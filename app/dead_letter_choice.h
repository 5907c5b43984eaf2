// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/types.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::app {

/// A point in time as it is typed: a time of day, or so long ago.
struct PointInTime {
    WallMicros at = 0;
    Micros back = 0;

    /// 0 if nothing was given.
    [[nodiscard]] WallMicros seenFrom(WallMicros now) const { return back > 0 ? now - back : at; }
    [[nodiscard]] bool given() const { return at != 0 || back != 0; }
};

/// Reads "2026-11-29T14:03:00Z", with seconds' fractions and another zone if wanted, or a duration
/// back such as "2h". Nothing if it is anything else; a time without a zone is not guessed at.
[[nodiscard]] std::optional<PointInTime> parsePointInTime(std::string_view text);

/// Which dead letters are meant. Empty fields do not restrict; `events` go with a destination only.
struct DeadLetterChoice {
    std::string destination;
    std::vector<std::uint64_t> events;
    DeadLetterFilter filter = {};  ///< destination and times are filled in from the other fields
    /// In the language of the console's filter bar. The running instance reads it, as it knows the
    /// names of destinations, and puts its meaning into `filter.rest`.
    std::string filterText;
    PointInTime since = {};
    PointInTime before = {};

    /// Whether nothing restricts it at all.
    [[nodiscard]] bool isOpen() const;
    /// "dead letters of crm, status 500 to 599, error contains \"quota\"".
    [[nodiscard]] std::string text() const;
};

/// What goes over the control socket; times are absolute there.
[[nodiscard]] nlohmann::ordered_json toJson(const DeadLetterChoice& choice, WallMicros now);
[[nodiscard]] DeadLetterChoice choiceFromJson(const nlohmann::ordered_json& json);

}  // namespace lanes::app
