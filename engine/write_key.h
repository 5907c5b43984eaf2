// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// What senders show to the intake.
namespace lanes {

/// 32 bytes from the system's random numbers in base64url: 43 characters.
[[nodiscard]] std::string makeWriteKey();

/// SHA-256 of a key, 64 lower-case hexadecimal digits. All that is kept of the key of a source: a
/// random key cannot be guessed from it.
[[nodiscard]] std::string writeKeyHash(std::string_view key);

}  // namespace lanes
