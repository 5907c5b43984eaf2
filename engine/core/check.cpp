// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace lanes {

void checkFailed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "rivora-lanes: invariant broken: %s (%s:%d). Stored events are safe; "
                         "start the program again and report this line.\n",
                 expression, file, line);
    std::abort();
}

}  // namespace lanes
