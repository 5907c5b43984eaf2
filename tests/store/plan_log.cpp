// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/plan_log.h"

namespace lanes::test {

namespace {

struct Death {
    std::uint32_t destination;
    std::uint64_t sequence;
    std::uint64_t user;
    Outcome outcome;
    std::uint16_t status;
    const char* error;  ///< null: never tried
    std::uint32_t life = 1;
};

void die(WriteBatch& batch, const Death& death) {
    auto entry = actEntry(JournalKind::attempt, death.destination, Sequence(death.sequence),
                          death.life > 1 ? 1 : 0, death.life, death.outcome);
    entry.user = UserId(death.user);
    entry.status = death.status;
    if (death.error != nullptr) {
        entry.error = death.error;
        batch.journal.push_back(entry);
    }
    entry.kind = JournalKind::deadLettered;
    entry.attempt = death.error != nullptr ? 1 : 0;
    entry.at = kTestTime + static_cast<WallMicros>(death.sequence) * kMinute;
    entry.reason = death.error != nullptr ? "the window is over" : "Nobody was there";
    batch.journal.push_back(entry);
}

}  // namespace

bool writePlanLog(OpenStore& open) {
    const std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> log{
        {1, {1, 2}}, {2, {1}}, {1, {1}},    {1, {1, 2}}, {2, {1}},
        {1, {1}},    {0, {1}}, {1, {1, 2}}, {2, {1, 2}}, {0, {1}}};
    std::vector<NewEvent> events;
    for (const auto& [user, targets] : log) {
        events.push_back(newEvent("event-" + std::to_string(events.size() + 1), user, targets));
        if (events.size() == 9) events.back().type = "user.deleted";
    }
    if (!open.commit(destinationsBatch(2)) || !open.accept(std::move(events)).stored)
        return false;
    WriteBatch batch;
    for (const std::uint64_t n : {3u, 5u, 6u, 10u})
        batch.journal.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n)));
    for (const std::uint64_t n : {1u, 8u})
        batch.journal.push_back(journalEntry(JournalKind::attempt, 2, Sequence(n)));
    const std::vector<Death> deaths{
        {1, 1, 1, Outcome::unknown, 0, "closed after 50% of it_all"},
        {1, 2, 2, Outcome::failed, 500, "HTTP 500"},
        {1, 4, 1, Outcome::failed, 500, "HTTP 500"},
        {1, 7, 0, Outcome::delivered, 0, nullptr},
        {1, 9, 2, Outcome::overloaded, 503, "HTTP 503"},
        {2, 4, 1, Outcome::throttled, 429, "HTTP 429"}};
    for (const auto& death : deaths) die(batch, death);
    if (!open.commit(std::move(batch))) return false;
    WriteBatch acts = journalBatch(
        {actEntry(JournalKind::discarded, 1, Sequence(4), 1, 1, Outcome::failed),
         actEntry(JournalKind::rewound, 1, Sequence(5), 2, 2, Outcome::delivered),
         actEntry(JournalKind::rewound, 1, Sequence(9), 1, 2, Outcome::overloaded)});
    acts.operations = {{operationRow(3, OperationKind::setting, OperationState::finished),
                        nullptr}};
    if (!open.commit(std::move(acts))) return false;
    WriteBatch again;
    die(again, {1, 9, 2, Outcome::overloaded, 503, "HTTP 503", 2});
    return open.commit(std::move(again));
}

std::string textOf(const std::vector<Pointer>& pointers) {
    std::string text;
    for (const auto& pointer : pointers) {
        text += (text.empty() ? "" : " ") + std::to_string(pointer.sequence.value) + "@" +
                std::to_string(pointer.destination.value);
    }
    return text;
}

std::string textOf(const std::vector<LaneEvent>& events) {
    std::string text;
    for (const auto& event : events) {
        text += (text.empty() ? "" : " ") + std::to_string(event.sequence.value) + "/" +
                std::to_string(event.life);
    }
    return text;
}

}  // namespace lanes::test
