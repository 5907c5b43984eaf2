// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/user_stories.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::mock {

namespace {

struct Plan {
    const char* name;
    int cents;
};
constexpr std::array<Plan, 3> kPlans{{{"starter", 900}, {"team", 2900}, {"business", 9900}}};

}  // namespace

UserStories::UserStories(std::string run, std::uint64_t seed)
    : m_run(std::move(run)), m_seed(seed), m_random(seed) {}

std::string UserStories::userName(std::uint32_t user) {
    return "user-" + std::to_string(std::uint64_t{user} + 1);
}

const char* UserStories::advance(Story& story) {
    const double dice = m_random.unit();
    switch (story.stage) {
        case Story::Stage::none:
            ++story.subscriptions;
            story.invoices = 0;
            story.plan = static_cast<std::uint16_t>(m_random.below(kPlans.size()));
            story.stage = Story::Stage::created;
            return "subscription.created";
        case Story::Stage::created:
            ++story.invoices;
            story.stage = Story::Stage::active;
            return "invoice.paid";
        case Story::Stage::active:
            if (dice < 0.20) {
                story.plan = static_cast<std::uint16_t>(m_random.below(kPlans.size()));
                return "subscription.updated";
            }
            if (dice < 0.28) {
                story.stage = Story::Stage::unpaid;
                return "invoice.payment_failed";
            }
            if (dice < 0.38) {
                story.stage = Story::Stage::none;
                return "subscription.cancelled";
            }
            if (dice < 0.60) return "profile.changed";
            ++story.invoices;
            return "invoice.paid";
        case Story::Stage::unpaid:
            if (dice < 0.25) {
                story.stage = Story::Stage::none;
                return "subscription.cancelled";
            }
            ++story.invoices;
            story.stage = Story::Stage::active;
            return "invoice.paid";
    }
    return "";
}

std::string UserStories::next(std::uint32_t user) {
    const std::uint32_t index = std::min(user, kUsers - 1);
    if (m_stories.size() <= index) m_stories.resize(std::size_t{index} + 1);
    Story& story = m_stories[index];
    const char* const type = advance(story);
    const std::string name = userName(index);
    const Plan& plan = kPlans[story.plan];

    nlohmann::ordered_json payload;
    payload["user"] = name;
    payload["n"] = ++story.events;
    payload["type"] = type;
    payload["subscription"] = "sub_" + std::to_string(std::uint64_t{index} + 1) + "_" +
                              std::to_string(story.subscriptions);
    payload["plan"] = plan.name;
    payload["invoices"] = story.invoices;
    payload["amount"] = {{"currency", "EUR"}, {"cents", plan.cents}};

    nlohmann::ordered_json event;
    event["id"] = "evt_" + m_run + "_" + std::to_string(m_seed) + "_" + std::to_string(++m_made);
    event["user"] = name;
    event["type"] = type;
    event["payload"] = std::move(payload);
    return event.dump();
}

}  // namespace lanes::mock
