// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/store/store_fixture.h"

#include <cstdint>
#include <string>

namespace lanes::test {

/// Commits a log that was made by hand; false if it could not. Ten events:
///
///     sequence      1     2     3     4     5     6     7     8     9     10
///     user          1     2     1     1     2     1     -     1     2     -
///     first dest.   dead  dead  del.  disc. wait2 del.  dead  wait  dead2 del.
///     second dest.  del.              dead                    del.  wait
///
/// Number 5 was delivered and then rewound, 9 was rewound once and died again, 7 was never tried.
/// Each died as many minutes after the start as its number says.
[[nodiscard]] bool writePlanLog(OpenStore& open);

/// "sequence@destination", with blanks between.
[[nodiscard]] std::string textOf(const std::vector<Pointer>& pointers);
/// "sequence/life", with blanks between.
[[nodiscard]] std::string textOf(const std::vector<LaneEvent>& events);

}  // namespace lanes::test
