// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/duration.h"

#include <array>
#include <charconv>
#include <utility>

namespace lanes::app {

namespace {

constexpr Micros kDay = 24 * kHour;
constexpr std::array<std::pair<std::string_view, Micros>, 6> kUnits = {
    {{"us", 1}, {"ms", kMillisecond}, {"s", kSecond}, {"m", kMinute}, {"h", kHour}, {"d", kDay}}};

}  // namespace

std::optional<Micros> parseDuration(std::string_view text) {
    Micros number = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest == text.data() || number < 0) return {};
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    for (const auto& [name, size] : kUnits) {
        if (unit != name) continue;
        if (number > kLongestDuration / size) return {};
        return number * size;
    }
    return {};
}

std::string durationText(Micros duration) {
    for (auto unit = kUnits.rbegin(); unit != kUnits.rend(); ++unit) {
        const auto [name, size] = *unit;
        if (size == kDay && duration <= 72 * kHour) continue;
        if (duration != 0 && duration % size == 0)
            return std::to_string(duration / size) + std::string(name);
    }
    return "0s";
}

std::string roughDuration(Micros duration) {
    if (duration < 0) return "-" + roughDuration(-duration);
    if (duration < kSecond) return std::to_string(duration / kMillisecond) + " ms";
    constexpr std::size_t seconds = 2;
    for (std::size_t at = kUnits.size() - 1; at > seconds; --at) {
        const auto [name, size] = kUnits[at];
        if (duration < size) continue;
        auto text = std::to_string(duration / size) + " " + std::string(name);
        const auto [nextName, nextSize] = kUnits[at - 1];
        if (const auto rest = duration % size / nextSize; rest > 0)
            text += " " + std::to_string(rest) + " " + std::string(nextName);
        return text;
    }
    return std::to_string(duration / kSecond) + " s";
}

}  // namespace lanes::app
