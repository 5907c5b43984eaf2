// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::mock {

/// What happens to the customers of a made-up shop, in the order in which it can happen: a
/// subscription is created before it is paid, and cancelled before the next one is created. So a
/// person who looks at one user's events sees at once whether their order is right; `n` in the
/// payload counts them.
class UserStories {
public:
    /// Users at most: each keeps a few bytes.
    static constexpr std::uint32_t kUsers = 1'000'000;

    /// `run` makes the ids different from those of every other run with the same seed.
    UserStories(std::string run, std::uint64_t seed);

    /// The next event of user 0, 1, 2, ... ("user-1", "user-2", ...) as the intake's native JSON:
    /// id, user, type and payload; the payload repeats user and type.
    [[nodiscard]] std::string next(std::uint32_t user);

    [[nodiscard]] static std::string userName(std::uint32_t user);

private:
    struct Story {
        std::uint32_t events = 0;
        std::uint32_t subscriptions = 0;
        std::uint16_t invoices = 0;  ///< of the present subscription
        std::uint16_t plan = 0;
        enum class Stage : std::uint8_t { none, created, active, unpaid } stage = Stage::none;
    };

    [[nodiscard]] const char* advance(Story& story);

    std::string m_run;
    std::uint64_t m_seed;
    Random m_random;
    std::uint64_t m_made = 0;
    std::vector<Story> m_stories;
};

}  // namespace lanes::mock
