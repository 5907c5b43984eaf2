// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <QString>
#include <QTimeZone>

#include <cstdint>
#include <optional>

// Numbers, durations and times as the filter language writes them.
namespace lanes::ui {

struct FilterSpan {
    std::int64_t low = 0;
    std::int64_t high = 0;  ///< inclusive
};

/// "503", "12k", "1.5M"; not negative.
[[nodiscard]] std::optional<std::int64_t> numberFrom(const QString& text);
/// "5xx".
[[nodiscard]] std::optional<FilterSpan> statusClassFrom(const QString& text);
/// "250ms", "1.5h"; a number without a unit is not guessed at.
[[nodiscard]] std::optional<Micros> durationFrom(const QString& text);
/// "2h", in the largest unit that needs no fraction.
[[nodiscard]] QString durationWord(Micros duration);
/// "14:00", "2026-11-29", "2026-11-29T14:00:05.25+01:00": all the microseconds that it may mean.
[[nodiscard]] std::optional<FilterSpan> timeFrom(const QString& text, const QTimeZone& zone,
                                                 WallMicros now);
/// ISO 8601 with its offset, exact.
[[nodiscard]] QString timeWord(WallMicros at, const QTimeZone& zone);

}  // namespace lanes::ui
