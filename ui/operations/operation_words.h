// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operations.h"
#include "engine/queries.h"

#include <QString>

// What an operation does, in plain words.
namespace lanes::ui {

/// "rewind", "discard", "pause": the action in the language of the window; one that is not known
/// stands as it was recorded.
[[nodiscard]] QString actionWord(const OperationRow& row);
/// "finished", "moving", ...; of a setting: "done".
[[nodiscard]] QString stateWord(const OperationRow& row);
/// How far it is: "Moving 412 of 1,284: 371 delivered, 1 failed again, 40 wait in their lanes."
/// Empty for settings.
[[nodiscard]] QString progressSentence(const OperationRow& row);
/// What stays where if it is stopped now: "872 stay dead letters; 412 that were moved stay in
/// their lanes."
[[nodiscard]] QString stopSentence(const OperationRow& row);
/// For narrow places: "Rewind 412 / 1,284".
[[nodiscard]] QString shortProgress(const OperationRow& row);

/// Whether it moves events or waits for those that it moved.
[[nodiscard]] bool isUnderWay(const OperationRow& row);
/// Whether something will still happen to it, be it only to events that a stopped one has moved.
[[nodiscard]] bool isOpen(const OperationRow& row);
/// Share of its set that is dealt with: moved or skipped. 0..1
[[nodiscard]] double movedShare(const OperationRow& row);
/// Share of its set about which nothing is left to be known: skipped, or moved and then delivered,
/// dead again or returned. Never more than `movedShare`.
[[nodiscard]] double settledShare(const OperationRow& row);

[[nodiscard]] QString fateWord(OperationFate fate);
/// Why an event was left where it is; empty for `none`.
[[nodiscard]] QString skipText(SkipReason reason);

}  // namespace lanes::ui
