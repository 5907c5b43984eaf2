// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lanes {
/// Prints the broken invariant to stderr and aborts: a wrong order is worse than a stop, and what
/// was accepted is in the store.
[[noreturn]] void checkFailed(const char* expression, const char* file, int line);
}  // namespace lanes

/// An invariant of the engine. Always on, in every build.
#define CHECK(expression)                                           \
    do {                                                            \
        if (!(expression)) [[unlikely]]                             \
            ::lanes::checkFailed(#expression, __FILE__, __LINE__);  \
    } while (false)
