// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QString>

namespace lanes::ui {

class TimeDisplay;

/// Why this lane waits, in plain words: "Waiting 3 s for retry 4 (503 overloaded). Blocks 211
/// events." `destination` may be null if it is not known any more.
[[nodiscard]] QString whyLine(const LaneRow& lane, const DestinationSnapshot* destination,
                              const TimeDisplay& times);

}  // namespace lanes::ui
