// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace lanes {

/// xoshiro256** seeded by splitmix64 (Blackman and Vigna, public domain algorithms). The same seed
/// gives the same numbers on every platform, which standard distributions do not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (auto& word : m_state) word = splitMix(seed);
    }

    std::uint64_t next() {
        const std::uint64_t result = rotate(m_state[1] * 5, 7) * 9;
        const std::uint64_t t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = rotate(m_state[3], 45);
        return result;
    }

    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    /// Uniform in [low, high).
    double between(double low, double high) { return low + (high - low) * unit(); }
    /// Uniform in 0 .. count - 1; count > 0. The bias is below 2^-32 for counts below 2^32.
    std::uint64_t below(std::uint64_t count) {
        return static_cast<std::uint64_t>(unit() * static_cast<double>(count));
    }
    bool chance(double share) { return unit() < share; }
    /// Standard normal, by Box and Muller.
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
        return radius * std::cos(6.283185307179586 * unit());
    }
    /// Exponential with the given mean: the gap between arrivals at random.
    double exponential(double mean) { return -mean * std::log(1.0 - unit()); }
    /// Log-normal around a median.
    double logNormal(double median, double sigma) { return median * std::exp(sigma * normal()); }

private:
    static std::uint64_t splitMix(std::uint64_t& seed) {
        std::uint64_t z = (seed += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    static std::uint64_t rotate(std::uint64_t value, int by) {
        return (value << by) | (value >> (64 - by));
    }

    std::uint64_t m_state[4];
};

}  // namespace lanes
