// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lanes::ui {

/// Top of a zero-based axis: 1, 2, 4, 6 or 8 times a power of ten, so that its half is round too.
/// It grows at once and shrinks only after half a minute, so that the graph does not breathe.
class NiceScale {
public:
    /// The axis never ends below `least` nor above `most` (0 = no upper limit).
    explicit NiceScale(double least, double most = 0) : m_least(least), m_most(most) {}

    /// The top for data up to `maximum`; `second` is any clock that does not go back.
    double fit(double maximum, std::int64_t second);
    /// Other data from here on: the next fit is immediate.
    void reset() { m_top = 0; }

    /// The smallest nice number that is not below `value`.
    [[nodiscard]] static double ceiling(double value);

private:
    double m_least;
    double m_most;
    double m_top = 0;
    std::int64_t m_neededAt = 0;  ///< when the top was last needed
};

}  // namespace lanes::ui
