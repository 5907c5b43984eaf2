// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_spec.h"

#include <vector>

// Options and readers of the commands about dead letters, operations and held users; their lines
// stand in the table of all commands.
namespace lanes::app {

[[nodiscard]] std::vector<OptionSpec> listLettersOptions();
[[nodiscard]] std::vector<OptionSpec> rewindOptions();
[[nodiscard]] std::vector<OptionSpec> discardOptions();
[[nodiscard]] std::vector<OptionSpec> holdOptions();
[[nodiscard]] std::vector<OptionSpec> releaseOptions();

[[nodiscard]] Action readDeadLetters(TypedArguments& typed);
[[nodiscard]] Action readRewind(TypedArguments& typed);
[[nodiscard]] Action readDiscard(TypedArguments& typed);
[[nodiscard]] Action readEdit(TypedArguments& typed);
[[nodiscard]] Action readNote(TypedArguments& typed);
[[nodiscard]] Action readOperationList(TypedArguments& typed);
[[nodiscard]] Action readOperation(TypedArguments& typed);
[[nodiscard]] Action readStop(TypedArguments& typed);
[[nodiscard]] Action readUndo(TypedArguments& typed);
[[nodiscard]] Action readHold(TypedArguments& typed);
[[nodiscard]] Action readRelease(TypedArguments& typed);

}  // namespace lanes::app
