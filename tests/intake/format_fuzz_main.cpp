// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/format_fuzz.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// libFuzzer's entry: the first byte chooses the reader, the rest is its input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const auto target = static_cast<lanes::test::FuzzTarget>(bytes[0] % lanes::test::kFuzzTargets);
    const std::string_view input(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    const lanes::test::FuzzResult result = lanes::test::fuzz(target, input);
    if (result.broken.empty()) return 0;
    std::fprintf(stderr, "reader %u: %s\n", static_cast<unsigned>(target), result.broken.c_str());
    std::abort();
}
