// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes {

enum class Inflated {
    whole,
    broken,    ///< not one gzip stream from the first to the last byte
    tooLarge,  ///< more than the limit comes out
};

/// Unpacks one gzip stream into `out`, of which at most `limit` bytes are made.
[[nodiscard]] Inflated inflateGzip(std::string_view packed, std::size_t limit, std::string* out);

}  // namespace lanes
