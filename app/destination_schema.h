// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lanes::app {

/// The JSON Schema (2020-12) of configuration files, for editors and for checks before an import.
extern const char* const kDestinationSchema;

}  // namespace lanes::app
