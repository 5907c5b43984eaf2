// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/large_blocks.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanes {

void giveLargeBlocksBack() {
#ifdef __GLIBC__
    // A limit that is set is not learned any more.
    ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargeBlock));
    ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(kLargeBlock));
#endif
}

}  // namespace lanes
