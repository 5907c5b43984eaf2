// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/store/store_fixture.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace lanes::test {

/// A log as the engine writes it: every lane in order, with failures, dead letters and rewinds; and
/// the truth about it.
class LaneHistory {
public:
    enum class State { waiting, delivered, dead };
    using Place = std::pair<std::uint64_t, std::uint32_t>;  ///< event and destination
    static constexpr std::uint32_t kDestinations = 3;

    explicit LaneHistory(std::uint64_t seed) : m_seed(seed) {}

    /// Writes it into an open store that is empty; false if it could not.
    [[nodiscard]] bool write(OpenStore& open, std::size_t events);

    [[nodiscard]] const std::map<Place, State>& states() const { return m_states; }
    [[nodiscard]] std::uint64_t lastSequence() const { return m_last; }

private:
    const std::uint64_t m_seed;
    std::map<Place, State> m_states;
    std::uint64_t m_last = 0;
};

/// A stand-in for the fingerprint of users.
[[nodiscard]] UserId nameOf(const UserKey& user, const std::string& eventId);

/// What a store said when it was opened, in the same words; events that it does not name are
/// neither waiting nor dead.
[[nodiscard]] std::map<LaneHistory::Place, LaneHistory::State> openStates(const OpenStore& open);

/// Copies all that is in a directory.
void copyDirectory(const std::string& from, const std::string& to);

}  // namespace lanes::test
