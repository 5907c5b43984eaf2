// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/lane_history.h"

#include "engine/core/random.h"
#include "engine/store/encoding.h"

#include <deque>
#include <filesystem>
#include <vector>

namespace lanes::test {

namespace {

constexpr std::uint64_t kUsers = 12;
constexpr std::size_t kEventsOfABatch = 20;

struct Lane {
    std::deque<std::uint64_t> events;
    std::uint32_t attempts = 0;  ///< of the head
};

NewEvent eventOf(std::uint64_t seed, std::size_t number, Random& random) {
    std::vector<std::uint32_t> targets;
    for (std::uint32_t id = 1; id <= LaneHistory::kDestinations; ++id)
        if (random.below(4) != 0) targets.push_back(id);
    if (targets.empty()) targets.push_back(1);
    auto event = newEvent("id-" + std::to_string(seed) + "-" + std::to_string(number),
                          random.below(kUsers) + 1, targets);
    event.userId = nameOf(event.user, event.id);
    event.payload.append(random.below(10) == 0 ? 9'000 : random.below(400), 'p');
    return event;
}

}  // namespace

UserId nameOf(const UserKey& user, const std::string& eventId) {
    return UserId(store::stableHash(user.kind == UserKey::Kind::none ? eventId : user.text));
}

bool LaneHistory::write(OpenStore& open, std::size_t events) {
    if (!open.commit(destinationsBatch(kDestinations))) return false;
    Random random(m_seed);
    std::map<std::pair<std::uint32_t, UserId>, Lane> lanes;
    std::vector<std::pair<Place, UserId>> dead;
    std::uint64_t operation = 0;
    for (std::size_t made = 0; made < events; made += kEventsOfABatch) {
        std::vector<NewEvent> batch;
        for (std::size_t n = 0; n < kEventsOfABatch; ++n)
            batch.push_back(eventOf(m_seed, made + n, random));
        const auto commit = open.accept(batch);
        if (!commit.stored) return false;
        for (const auto& stored : commit.events) {
            m_last = stored.sequence.value;
            for (const auto& target : stored.targets) {
                lanes[{target.destination.value, stored.user}].events.push_back(m_last);
                m_states[{m_last, target.destination.value}] = State::waiting;
            }
        }
        std::vector<JournalEntry> entries;
        for (auto& [key, lane] : lanes) {
            if (lane.events.empty() || random.below(3) == 0) continue;
            const Place place{lane.events.front(), key.first};
            const bool delivers = random.below(3) != 0;
            auto entry = journalEntry(JournalKind::attempt, key.first, Sequence(place.first),
                                      delivers ? Outcome::delivered : Outcome::overloaded);
            entry.user = key.second;
            entry.attempt = ++lane.attempts;
            entries.push_back(entry);
            if (!delivers && lane.attempts < 3) continue;
            m_states[place] = delivers ? State::delivered : State::dead;
            if (!delivers) {
                entry.kind = JournalKind::deadLettered;
                entry.reason = "retry window over";
                entries.push_back(entry);
                dead.emplace_back(place, key.second);
            }
            lane.events.pop_front();
            lane.attempts = 0;
        }
        if (!open.commit(journalBatch(entries))) return false;
        if (dead.size() > 4) {  // one is rewound and delivered at once
            const auto [place, user] = dead.front();
            dead.erase(dead.begin());
            ++operation;
            auto rewound = actEntry(JournalKind::rewound, place.second, Sequence(place.first),
                                    operation, 2, Outcome::overloaded);
            auto delivered = actEntry(JournalKind::attempt, place.second, Sequence(place.first),
                                      operation, 2, Outcome::delivered);
            rewound.user = delivered.user = user;
            if (!open.commit(journalBatch({rewound})) || !open.commit(journalBatch({delivered})))
                return false;
            m_states[place] = State::delivered;
        }
    }
    return true;
}

std::map<LaneHistory::Place, LaneHistory::State> openStates(const OpenStore& open) {
    std::map<LaneHistory::Place, LaneHistory::State> states;
    for (const auto& pending : open.pending)
        states[{pending.pointer.sequence.value, pending.pointer.destination.value}] =
            LaneHistory::State::waiting;
    for (const auto& destination : open.recovery.destinations) {
        for (const auto& letter : destination.dead)
            states[{letter.sequence.value, destination.config.id.value}] =
                LaneHistory::State::dead;
    }
    return states;
}

void copyDirectory(const std::string& from, const std::string& to) {
    std::filesystem::remove_all(to);
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
}

}  // namespace lanes::test
