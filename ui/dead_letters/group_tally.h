// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace lanes::ui {

/// What dead letters are put together by.
enum class Grouping { errorClass, type, user, hour };

/// Dead letters that have something in common.
struct LetterGroup {
    Grouping by = Grouping::errorClass;
    DestinationId destination;       ///< of an error class
    std::optional<Outcome> outcome;  ///< of an error class; empty: never tried
    std::string text;                ///< type or user
    UserKey::Kind kind = UserKey::Kind::user;  ///< of the first one with this user
    WallMicros hour = 0;             ///< its begin

    std::uint64_t count = 0;
    WallMicros firstDiedAt = 0;
    WallMicros lastDiedAt = 0;
    WallMicros rewoundAt = 0;        ///< last rewind of one of them; 0 = never
    std::uint64_t noted = 0;         ///< of them, with a note

    /// What makes it this group, whatever was counted.
    [[nodiscard]] bool isSame(const LetterGroup& other) const {
        return by == other.by && destination == other.destination && outcome == other.outcome &&
               text == other.text && hour == other.hour;
    }
};

/// Groups shown at most: nobody reads more, and a filter narrows them.
inline constexpr std::size_t kMostGroups = 1'000;
/// Groups counted at most: some 20 MB where each user has one. Dead letters of further ones are
/// only counted together.
inline constexpr std::size_t kHeldGroups = 100'000;

/// Counts dead letters by group, one after another. Any thread, one at a time.
class GroupTally {
public:
    explicit GroupTally(Grouping by, std::size_t held = kHeldGroups) : m_by(by), m_held(held) {}

    void add(const DeadLetterRow& letter);

    [[nodiscard]] Grouping grouping() const { return m_by; }
    [[nodiscard]] std::uint64_t letters() const { return m_letters; }
    [[nodiscard]] std::size_t groups() const { return m_groups.size(); }
    /// Dead letters of groups that were too many to be told apart.
    [[nodiscard]] std::uint64_t apart() const { return m_apart; }
    /// The largest ones first; of equal ones that with the newest death.
    [[nodiscard]] std::vector<LetterGroup> largest(std::size_t most = kMostGroups) const;
    /// The conditions that its dead letters fit, and no others that were counted.
    [[nodiscard]] std::vector<Filter> conditionsOf(const LetterGroup& group) const;

private:
    using Key = std::tuple<DestinationId, std::optional<Outcome>, std::string, WallMicros>;
    [[nodiscard]] LetterGroup groupOf(const DeadLetterRow& letter) const;

    Grouping m_by;
    std::size_t m_held;
    std::map<Key, LetterGroup> m_groups;
    std::uint64_t m_letters = 0;
    std::uint64_t m_apart = 0;
    /// Outcomes of an earlier life that never tried ones have: there "attempts>0" tells them from
    /// those that were tried.
    std::array<bool, 8> m_untriedOutcomes{};
};

}  // namespace lanes::ui
