// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mock_control.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace lanes::mock {

/// What one mock destination received, kept the way a careful receiver would keep it: it believes
/// nothing but the headers of the requests, and counts what breaks the promises of the sender.
/// Memory is bounded; what it forgets can hide an old duplicate, but never invents a violation
/// where the lane's last accepted sequence is still known.
class MockLedger {
public:
    /// Lanes that are remembered; the ones seen first are forgotten first.
    static constexpr std::size_t kLanes = 1u << 20;
    /// Accepted (lane, sequence) pairs that are remembered for the duplicate check: minutes of
    /// traffic at thousands a second.
    static constexpr std::size_t kAccepted = 1u << 18;
    static constexpr std::size_t kLogLines = 200;

    /// What a request said about itself. An empty lane means a request that is not ours.
    struct Delivery {
        std::string lane;
        std::uint64_t sequence = 0;
        std::uint32_t attempt = 0;
        bool rewind = false;
        std::string type;
    };

    /// Counts a request that arrived. `now` in milliseconds of a monotonic clock.
    void arrived(const Delivery& delivery, std::int64_t now);
    /// Counts an answer of 2xx, and checks order and duplicates.
    void accepted(const Delivery& delivery);
    void badSignature() { ++m_counts.badSignatures; }
    void overlap() { ++m_counts.overlaps; }
    /// `status` 0 = no answer was sent.
    void note(const Delivery& delivery, std::uint16_t status, WallMicros at);

    /// The counters; name, url and behaviour are the caller's.
    [[nodiscard]] const MockReport& counts() const { return m_counts; }
    /// Newest first.
    [[nodiscard]] const std::deque<MockLogLine>& log() const { return m_log; }

private:
    using LaneAndSequence = std::pair<std::string, std::uint64_t>;
    struct Mix {
        std::size_t operator()(const LaneAndSequence& key) const noexcept;
    };

    void countSecond(std::int64_t now);
    [[nodiscard]] bool remember(const Delivery& delivery);

    MockReport m_counts;
    std::deque<MockLogLine> m_log;
    std::unordered_map<std::string, std::uint64_t> m_last;  ///< highest accepted of each lane
    std::deque<std::string> m_laneAge;                      ///< keys of m_last, oldest first
    std::unordered_set<LaneAndSequence, Mix> m_known;
    std::deque<LaneAndSequence> m_knownAge;
    // Requests of the last second in slices of 10 ms: constant memory at any rate.
    static constexpr std::int64_t kSliceMs = 10;
    static constexpr std::int64_t kSlices = 100;
    std::array<std::uint32_t, kSlices> m_slices{};
    std::int64_t m_slice = 0;
    std::uint64_t m_inSecond = 0;
};

}  // namespace lanes::mock
