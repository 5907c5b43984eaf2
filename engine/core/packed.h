// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/check.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lanes {

/// A number or strong id in `kBytes` bytes, so that no record has padding. It reads and assigns
/// like the number itself. A value that does not fit is a broken invariant: 48 bits of sequence
/// last for 89 years at 100,000 events a second.
template <typename T, std::size_t kBytes>
class Packed {
    static_assert(kBytes % 2 == 0 && kBytes <= 8);

public:
    Packed() = default;
    Packed(T value) {  // NOLINT(google-explicit-constructor): it stands for the number
        const auto bits = bitsOf(value);
        if constexpr (kBytes < sizeof(T)) CHECK(bits >> (8 * kBytes) == 0);
        for (std::size_t i = 0; i < kBytes / 2; ++i)
            m_parts[i] = static_cast<std::uint16_t>(bits >> (16 * i));
    }
    operator T() const {  // NOLINT(google-explicit-constructor): it stands for the number
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < kBytes / 2; ++i) bits |= std::uint64_t{m_parts[i]} << (16 * i);
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(bits);
        else
            return T(static_cast<decltype(T::value)>(bits));
    }
    explicit operator bool() const
        requires(!std::is_integral_v<T>)
    {
        return static_cast<bool>(T(*this));
    }

private:
    static std::uint64_t bitsOf(T value) {
        if constexpr (std::is_integral_v<T>)
            return value;
        else
            return value.value;
    }

    std::uint16_t m_parts[kBytes / 2] = {};
};

}  // namespace lanes
