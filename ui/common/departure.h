// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <QPalette>
#include <QString>
#include <QVariant>

#include <cstdint>

namespace lanes::ui {

class TimeDisplay;

/// What became of a row that has left its list while somebody had it selected. Such a row stays in
/// its place as a ghost, so that nobody wonders where it went or acts on the one that moved up.
struct Departure {
    enum class Fate : std::uint8_t { unknown, drained, rewound, delivered, discarded };

    Fate fate = Fate::unknown;
    WallMicros at = 0;    ///< when it was seen to be gone
    bool before = false;  ///< it may have gone long before: nobody looked

    friend bool operator==(const Departure&, const Departure&) = default;
};

/// "rewound 14:03:31", "discarded before 14:03:31".
[[nodiscard]] QString departureText(const Departure& departure, const TimeDisplay& times);
/// How the cells of a ghost look: pale and, but for the one that says what became of it, struck
/// through. Nothing for other roles.
[[nodiscard]] QVariant ghostLook(int role, bool says, const QPalette& palette);

}  // namespace lanes::ui
