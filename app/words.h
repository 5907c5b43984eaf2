// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operations.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <string>

// The words that scripts see for the states of the engine, and how times are written for them.
// They are part of the command line's contract and are therefore not translated.
namespace lanes::app {

[[nodiscard]] const char* word(Outcome outcome);
[[nodiscard]] const char* word(Cause cause);
[[nodiscard]] const char* word(HealthState state);
[[nodiscard]] const char* word(LaneState state);
[[nodiscard]] const char* word(Lifecycle lifecycle);
[[nodiscard]] const char* word(ImportState state);
[[nodiscard]] const char* word(UserKey::Kind kind);
[[nodiscard]] const char* word(EventForm form);
[[nodiscard]] const char* word(OperationKind kind);
[[nodiscard]] const char* word(OperationState state);
[[nodiscard]] const char* word(OperationFate fate);
/// Empty for none.
[[nodiscard]] const char* word(SkipReason reason);

/// ISO 8601 in UTC with milliseconds; empty for 0, which means "never".
[[nodiscard]] std::string isoTime(WallMicros at);

/// Without needless digits: "0.5", "10".
[[nodiscard]] std::string shortNumber(double number);

/// One line of plain text for a terminal: control characters (line ends, escapes) become spaces, so
/// that text from outside can neither move the cursor nor pretend to be another line.
[[nodiscard]] std::string oneLine(std::string text);

}  // namespace lanes::app
