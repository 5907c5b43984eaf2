// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_id.h"

#include <QRandomGenerator>

#include <cstdint>

namespace lanes {

std::string makeEventId(WallMicros now) {
    static constexpr char kAlphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    constexpr int kTimeDigits = 10;
    constexpr int kRandomDigits = 16;
    std::string id(kTimeDigits + kRandomDigits, '0');
    auto milliseconds = static_cast<std::uint64_t>(now / kMillisecond);
    for (int i = kTimeDigits - 1; i >= 0; --i, milliseconds >>= 5)
        id[static_cast<std::size_t>(i)] = kAlphabet[milliseconds & 31];
    for (int half = 0; half < 2; ++half) {
        // 40 of 64 random bits make 8 digits.
        std::uint64_t bits = QRandomGenerator::global()->generate64();
        for (int i = 0; i < kRandomDigits / 2; ++i, bits >>= 5)
            id[static_cast<std::size_t>(kTimeDigits + half * kRandomDigits / 2 + i)] =
                kAlphabet[bits & 31];
    }
    return id;
}

}  // namespace lanes
