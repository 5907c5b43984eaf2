// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store_options.h"

#include <chrono>

namespace lanes {

WallMicros StoreOptions::now() const {
    if (wallNow) return wallNow();
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace lanes
