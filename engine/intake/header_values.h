// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Values of request headers, read without belief in what senders ought to write.
namespace lanes {

/// ASCII letters in their small form, everything else as it is.
[[nodiscard]] std::string lower(std::string_view text);

/// What a Content-Type says.
struct MediaType {
    std::string name;  ///< in small letters, without parameters; empty if there is none
    bool utf8 = true;  ///< it names no charset, or UTF-8
};
[[nodiscard]] MediaType readMediaType(std::string_view value);

/// The value of an attribute of a CloudEvent that stood in a header: a value in double quotes
/// loses them, then one round of percent-decoding (HTTP protocol binding 1.0.2, 3.1.3.2). A percent
/// sign without two hexadecimal digits stays as it is, because widespread senders encode nothing.
/// Nothing if what comes out is not valid UTF-8.
[[nodiscard]] std::optional<std::string> decodeAttribute(std::string_view value);

/// The key of an `Idempotency-Key`: a string of RFC 8941 in double quotes, or the bare visible
/// characters that clients send instead. Nothing if it is neither, or empty.
[[nodiscard]] std::optional<std::string> readIdempotencyKey(std::string_view value);

}  // namespace lanes
