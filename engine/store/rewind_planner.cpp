// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/rewind_planner.h"

#include "engine/store/dead_letter_filter.h"
#include "engine/store/journal_history.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <variant>

namespace lanes::store {

namespace {

/// A dead letter of the set.
struct Member {
    UserId user;
    DestinationId destination;
    Sequence sequence;
};

/// A lane with dead letters in the set. Flat and sorted: there may be as many as dead letters.
struct PlannedLane {
    UserId user;
    DestinationId destination;
    Sequence first;  ///< its first dead letter in the set
    std::uint64_t delivered = 0;  ///< later events
};

class RewindPlanner {
public:
    explicit RewindPlanner(const PlanSource& source) : m_source(source) {}

    RewindPlan plan(const RewindScope& scope) {
        {
            // The set, the newest operation and the books are of one moment.
            const ReadTransaction moment(m_source.database);
            m_plan.plannedAt = m_source.now;
            if (const auto* filter = std::get_if<DeadLetterFilter>(&scope))
                addMatching(*filter);
            else
                addNamed(std::get<std::vector<Pointer>>(scope));
            m_books = readBooks(m_source.database);
            m_plan.lastOperation = m_books.lastOperation;
        }
        freeze();
        countLaterDeliveries();
        finish();
        return std::move(m_plan);
    }

private:
    void addMatching(const DeadLetterFilter& filter) {
        auto query = deadLettersThat(
            m_source.database,
            "SELECT destination, seq, user_id, bytes, life, last_outcome", filter, m_source.now);
        while (query.executeStep()) {
            add({DestinationId(query.getColumn(0).getUInt()),
                 Sequence(asUnsigned(query.getColumn(1)))},
                query, 2);
        }
    }

    void addNamed(std::vector<Pointer> pointers) {
        std::sort(pointers.begin(), pointers.end());
        pointers.erase(std::unique(pointers.begin(), pointers.end()), pointers.end());
        SQLite::Statement query(m_source.database,
                                "SELECT user_id, bytes, life, last_outcome FROM dead_letters"
                                " WHERE destination=? AND seq=? AND +rewound_by=0");
        for (const auto& pointer : pointers) {
            stopIfInterrupted(m_source);
            query.reset();
            query.bind(1, pointer.destination.value);
            query.bind(2, toColumn(pointer.sequence.value));
            if (query.executeStep())
                add(pointer, query, 0);
            else
                ++m_plan.notDead;
        }
    }

    /// The row has user, bytes, life and last outcome from a column on.
    void add(Pointer pointer, const SQLite::Statement& row, int column) {
        m_members.push_back({UserId(asUnsigned(row.getColumn(column))), pointer.destination,
                             pointer.sequence});
        auto& counts = m_counts[pointer.destination];
        ++counts.events;
        counts.bytes += asUnsigned(row.getColumn(column + 1));
        if (row.getColumn(column + 2).getUInt() > 1) ++counts.rewoundBefore;
        if (static_cast<Outcome>(row.getColumn(column + 3).getInt()) == Outcome::unknown)
            ++counts.mayHaveBeenReceived;
    }

    void freeze() {
        std::sort(m_members.begin(), m_members.end(), [](const Member& a, const Member& b) {
            return std::tie(a.user, a.destination, a.sequence) <
                   std::tie(b.user, b.destination, b.sequence);
        });
        m_plan.pointers.reserve(m_members.size());
        for (const auto& member : m_members) {
            m_plan.pointers.push_back({member.destination, member.sequence});
            const bool sameLane = !m_lanes.empty() && m_lanes.back().user == member.user &&
                                  m_lanes.back().destination == member.destination;
            if (sameLane) continue;
            ++m_counts[member.destination].lanes;
            // Without a user it is alone in its lane, and nothing comes after it.
            if (member.user)
                m_lanes.push_back({member.user, member.destination, member.sequence});
        }
        m_members = {};
        std::sort(m_plan.pointers.begin(), m_plan.pointers.end(),
                  [](const Pointer& a, const Pointer& b) {
                      return std::tie(a.sequence, a.destination) <
                             std::tie(b.sequence, b.destination);
                  });
    }

    void countLaterDeliveries() {
        if (m_lanes.empty()) return;
        const auto oldest = std::min_element(
            m_lanes.begin(), m_lanes.end(),
            [](const PlannedLane& a, const PlannedLane& b) { return a.first < b.first; });
        OperatorActs acts(m_source.database);
        scanLog(m_source, oldest->first.value + 1, m_books.lastSequence,
                [&](Sequence sequence, UserId user, std::string_view targets) {
                    lookAt(sequence, user, targets, acts);
                });
    }

    void lookAt(Sequence sequence, UserId user, std::string_view bytes, OperatorActs& acts) {
        const auto first = std::lower_bound(
            m_lanes.begin(), m_lanes.end(), user,
            [](const PlannedLane& lane, UserId wanted) { return lane.user < wanted; });
        if (first == m_lanes.end() || first->user != user) return;
        const auto targets = targetsOf(bytes);
        for (auto lane = first; lane != m_lanes.end() && lane->user == user; ++lane) {
            const bool goesThere =
                std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
                    return target.destination == lane->destination;
                });
            if (goesThere && lane->first < sequence &&
                wasDelivered({lane->destination, sequence}, acts))
                ++lane->delivered;
        }
    }

    bool wasDelivered(Pointer pointer, OperatorActs& acts) {
        const auto* ledger = m_books.ledger.find(pointer.destination);
        if (ledger == nullptr || ledger->isOpen(pointer.sequence)) return false;
        return ledger->counters().discarded == 0 || !acts.discarded(pointer);
    }

    void finish() {
        for (const auto& lane : m_lanes) {
            if (lane.delivered == 0) continue;
            auto& counts = m_counts[lane.destination];
            ++counts.lanesPassed;
            counts.laterDelivered += lane.delivered;
            m_plan.passed.push_back({{lane.destination, lane.user}, lane.first});
        }
        std::sort(m_plan.passed.begin(), m_plan.passed.end());
        for (auto& [id, counts] : m_counts) {
            counts.destination = id;
            m_plan.destinations.push_back(counts);
        }
    }

    const PlanSource& m_source;
    RewindPlan m_plan;
    Books m_books;
    std::vector<Member> m_members;
    std::vector<PlannedLane> m_lanes;  ///< by user, then destination
    std::map<DestinationId, PlanForDestination> m_counts;
};

}  // namespace

RewindPlan makeRewindPlan(const PlanSource& source, const RewindScope& scope) {
    return RewindPlanner(source).plan(scope);
}

}  // namespace lanes::store
