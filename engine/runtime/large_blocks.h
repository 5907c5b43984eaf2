// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace lanes {

/// From this size on a block belongs to the system again as soon as it is freed.
inline constexpr std::size_t kLargeBlock = 1024 * 1024;

/// Sets this for the whole process; any thread. By itself the allocator of glibc learns from the
/// first large block that is freed to keep the next ones, so that a console that once indexed a
/// burst would hold some ten megabytes for good. Elsewhere it does nothing.
void giveLargeBlocksBack();

}  // namespace lanes
