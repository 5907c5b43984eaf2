// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/group_tally.h"

#include "ui/common/filter_menu.h"

#include <algorithm>

namespace lanes::ui {

namespace {

WallMicros hourOf(WallMicros at) {
    return at - at % kHour;
}

Filter timeIs(FilterRelation relation, WallMicros at) {
    return Filter::Term{FilterField::died, relation, at, 0, {}};
}

}  // namespace

LetterGroup GroupTally::groupOf(const DeadLetterRow& letter) const {
    LetterGroup group;
    group.by = m_by;
    switch (m_by) {
        case Grouping::errorClass:
            group.destination = letter.pointer.destination;
            if (letter.attempts > 0) group.outcome = letter.lastOutcome;
            break;
        case Grouping::type: group.text = letter.type; break;
        case Grouping::user:
            group.text = letter.user.text;
            group.kind = letter.user.kind;
            break;
        case Grouping::hour: group.hour = hourOf(letter.diedAt); break;
    }
    return group;
}

void GroupTally::add(const DeadLetterRow& letter) {
    ++m_letters;
    if (letter.attempts == 0)
        m_untriedOutcomes[static_cast<std::size_t>(letter.lastOutcome)] = true;
    auto fresh = groupOf(letter);
    Key key{fresh.destination, fresh.outcome, fresh.text, fresh.hour};
    auto found = m_groups.find(key);
    if (found == m_groups.end()) {
        if (m_groups.size() >= m_held) {
            ++m_apart;
            return;
        }
        fresh.firstDiedAt = fresh.lastDiedAt = letter.diedAt;
        found = m_groups.emplace(std::move(key), std::move(fresh)).first;
    }
    auto& group = found->second;
    ++group.count;
    group.firstDiedAt = std::min(group.firstDiedAt, letter.diedAt);
    group.lastDiedAt = std::max(group.lastDiedAt, letter.diedAt);
    group.rewoundAt = std::max(group.rewoundAt, letter.rewoundAt);
    if (!letter.note.text.empty()) ++group.noted;
}

std::vector<LetterGroup> GroupTally::largest(std::size_t most) const {
    std::vector<const LetterGroup*> all;
    all.reserve(m_groups.size());
    for (const auto& [key, group] : m_groups) all.push_back(&group);
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [](const auto* a, const auto* b) {
        if (a->count != b->count) return a->count > b->count;
        if (a->lastDiedAt != b->lastDiedAt) return a->lastDiedAt > b->lastDiedAt;
        return std::tie(a->destination, a->outcome, a->text) <
               std::tie(b->destination, b->outcome, b->text);
    });
    std::vector<LetterGroup> groups;
    std::transform(all.begin(), end, std::back_inserter(groups),
                   [](const auto* group) { return *group; });
    return groups;
}

std::vector<Filter> GroupTally::conditionsOf(const LetterGroup& group) const {
    switch (group.by) {
        case Grouping::errorClass: {
            std::vector<Filter> conditions{numberIs(FilterField::destination,
                                                    std::int64_t{group.destination.value})};
            if (!group.outcome) {
                conditions.push_back(numberIs(FilterField::attempts, 0));
                return conditions;
            }
            conditions.push_back(
                numberIs(FilterField::outcome, static_cast<std::int64_t>(*group.outcome)));
            if (m_untriedOutcomes[static_cast<std::size_t>(*group.outcome)])
                conditions.push_back(
                    Filter::Term{FilterField::attempts, FilterRelation::more, 0, 0, {}});
            return conditions;
        }
        case Grouping::type:
        case Grouping::user: {
            const auto field = group.by == Grouping::type ? FilterField::type : FilterField::user;
            const auto condition = textIs(field, group.text);
            return condition ? std::vector{*condition} : std::vector<Filter>{};
        }
        case Grouping::hour:
            return {timeIs(FilterRelation::atLeast, group.hour),
                    timeIs(FilterRelation::less, group.hour + kHour)};
    }
    return {};
}

}  // namespace lanes::ui
