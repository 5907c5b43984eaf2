// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_spec.h"

#include <vector>

// How the commands about destinations read: their options, and what they mean. Files with
// credentials are read here, so that those stand on no command line.
namespace lanes::app {

[[nodiscard]] const std::vector<OptionSpec>& destinationOptions();
[[nodiscard]] std::vector<OptionSpec> changeOptions();
[[nodiscard]] std::vector<OptionSpec> exportOptions();
[[nodiscard]] std::vector<OptionSpec> importOptions();

[[nodiscard]] Action readAddDestination(TypedArguments& typed);
[[nodiscard]] Action readSetDestination(TypedArguments& typed);
[[nodiscard]] Action readRemoveDestination(TypedArguments& typed);
[[nodiscard]] Action readExportDestinations(TypedArguments& typed);
[[nodiscard]] Action readImportDestinations(TypedArguments& typed);

}  // namespace lanes::app
