// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "engine/types.h"

#include <QString>

#include <optional>
#include <string>

// Numbers, times and words as the whole window shows them, by the locale. Everything here is for
// the GUI thread.
namespace lanes::ui {

/// Longest external text that a cell or label shows; the rest is cut with an ellipsis.
inline constexpr int kShownCharacters = 512;
/// Of a name in a sentence or a title.
inline constexpr int kNameCharacters = 64;

/// External text as one plain line: control characters and line ends become spaces, bidirectional
/// overrides (which could disguise an id) and invalid UTF-8 become U+FFFD, the length is bounded.
[[nodiscard]] QString plainLine(const std::string& text, int most = kShownCharacters);

/// A tooltip of external text. Qt shows a tooltip as rich text when it looks like markup; this one
/// is escaped so that it can only be read. Empty stays empty.
[[nodiscard]] QString plainTooltip(const QString& text);

[[nodiscard]] QString countText(std::uint64_t count);
/// 1 204 331 as "1.2 M", for narrow places; exact below 10 000.
[[nodiscard]] QString shortCount(std::uint64_t count);
/// Two units at most: "340 ms", "4.2 s", "3 m 20 s", "3 h 12 m", "12 d 4 h".
[[nodiscard]] QString durationText(Micros duration);
/// Time left in whole seconds and above: "now", "3 s", "2 m 05 s", "71 h 58 m".
[[nodiscard]] QString countdownText(Micros left);
/// A share 0..1 as "0 %", "0.4 %", "12 %".
[[nodiscard]] QString percentText(double share);
/// Events a minute: "0", "3.5", "1,204", "12 k".
[[nodiscard]] QString rateText(double perMinute);
[[nodiscard]] QString bytesText(std::uint64_t bytes);

/// The name of a destination, or its number where it is not known any more; `snapshot` may be
/// null.
[[nodiscard]] QString nameOf(const EngineSnapshot* snapshot, DestinationId destination,
                             int most = kShownCharacters);
/// A text in a menu, on a button or a tab, where a lone ampersand would underline a letter.
[[nodiscard]] QString menuText(QString text);
/// A user key: the text, "anonymous: x" for the anonymous kind, and a dash for no user at all.
[[nodiscard]] QString userText(const UserKey& user);
[[nodiscard]] QString outcomeWord(Outcome outcome);
/// What the last attempt of an event came to: "503 overloaded", "unreachable", "not tried yet".
[[nodiscard]] QString resultText(std::optional<Outcome> outcome, std::uint16_t status);
[[nodiscard]] QString causeWord(Cause cause);

/// The name of whoever runs the program, for the record of an operation.
[[nodiscard]] std::string operatorName();

}  // namespace lanes::ui
