// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <string>

namespace lanes {

/// The secret that senders show to the intake: 32 random bytes in base64url, 43 characters, in the
/// file `write-key` of the data directory, readable by its owner only. Made at the first call.
[[nodiscard]] Result<std::string> loadOrCreateWriteKey(const std::string& directory);

}  // namespace lanes
