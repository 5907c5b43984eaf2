// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lanes {

/// Asks the processor for the cache line of an address that is used soon. With millions of lanes
/// most of the time of a delivery would else be waiting for memory.
inline void fetchAhead(const void* address) {
    __builtin_prefetch(address);
    // GCC takes a function that only prefetches for one without effect and leaves its calls out.
    asm volatile("");
}

}  // namespace lanes
