// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lanes::app {

/// Warnings of "lanes.*" are shown, the rest only as `rules` say ("lanes.delivery=true", several
/// with ';' between). QT_LOGGING_RULES is stronger than both. Messages go to stderr with time,
/// category and level.
void setUpLogging(const std::string& rules);

}  // namespace lanes::app
