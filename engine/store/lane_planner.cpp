// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/lane_planner.h"

#include "engine/config.h"
#include "engine/store/journal_history.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace lanes::store {

namespace {

/// A plan is good for ten minutes and its events must still be there then; a day leaves room for a
/// wall clock that is set.
constexpr Micros kTrimMargin = 24 * kHour;

struct PlannedLane {
    LaneKey key;
    Sequence from;
    bool found = false;    ///< its first event is in the log
    bool trimmed = false;  ///< something of it is not, or will not be for long
    std::vector<LaneEvent> events;
};

class LanePlanner {
public:
    explicit LanePlanner(const PlanSource& source)
        : m_source(source),
          m_acts(source.database),
          m_accepted(source.database, "SELECT accepted_at FROM events WHERE seq=?") {}

    LanePlan plan(const std::vector<std::pair<LaneKey, Sequence>>& from) {
        arrange(from);
        {
            const ReadTransaction moment(m_source.database);
            m_plan.plannedAt = m_source.now;
            m_books = readBooks(m_source.database);
            m_plan.lastOperation = m_books.lastOperation;
            m_history.emplace(m_source.database).refresh();
        }
        m_firstKept = firstAcceptedSince(m_source.now - m_source.retention);
        readLonely();
        readLanes();
        finish();
        return std::move(m_plan);
    }

private:
    /// Lanes by user; one that is named more than once from its earliest event on.
    void arrange(const std::vector<std::pair<LaneKey, Sequence>>& from) {
        for (const auto& [key, sequence] : from)
            m_lanes.push_back({key, sequence, false, false, {}});
        const auto order = [](const PlannedLane& lane) {
            return std::tuple(lane.key.user, lane.key.destination, lane.from);
        };
        std::sort(m_lanes.begin(), m_lanes.end(),
                  [&](const PlannedLane& a, const PlannedLane& b) { return order(a) < order(b); });
        const auto same = [](const PlannedLane& a, const PlannedLane& b) {
            return a.key == b.key && (a.key.user || a.from == b.from);
        };
        m_lanes.erase(std::unique(m_lanes.begin(), m_lanes.end(), same), m_lanes.end());
        m_firstUser = static_cast<std::size_t>(std::count_if(
            m_lanes.begin(), m_lanes.end(),
            [](const PlannedLane& lane) { return !lane.key.user; }));
    }

    /// The first sequence that was accepted at a time or later, by halving: the time rises with the
    /// sequence, but for jumps of the wall clock, which this need not know.
    std::uint64_t firstAcceptedSince(WallMicros since) {
        SQLite::Statement query(m_source.database, "SELECT seq, accepted_at FROM events"
                                                   " WHERE seq>=? ORDER BY seq LIMIT 1");
        std::uint64_t low = 0;
        std::uint64_t high = m_books.lastSequence + 1;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            query.reset();
            query.bind(1, toColumn(middle));
            const bool there = query.executeStep();
            if (there && query.getColumn(1).getInt64() < since)
                low = asUnsigned(query.getColumn(0)) + 1;
            else
                high = middle;
        }
        return low;
    }

    /// Events without a user: each is a lane of its own.
    void readLonely() {
        SQLite::Statement query(m_source.database, "SELECT targets FROM pointers WHERE seq=?");
        for (std::size_t n = 0; n < m_firstUser; ++n) {
            stopIfInterrupted(m_source);
            query.reset();
            query.bind(1, toColumn(m_lanes[n].from.value));
            if (query.executeStep())
                addIfThere(m_lanes[n], m_lanes[n].from, targetsOf(asView(query.getColumn(0))));
        }
    }

    void readLanes() {
        const auto first = m_lanes.begin() + static_cast<std::ptrdiff_t>(m_firstUser);
        if (first == m_lanes.end()) return;
        const auto oldest = std::min_element(
            first, m_lanes.end(),
            [](const PlannedLane& a, const PlannedLane& b) { return a.from < b.from; });
        std::uint64_t before = oldest->from.value;
        const auto noteGap = [&](std::uint64_t next) {
            if (next > before + 1 && before < m_firstKept) m_lastGap = before;
            before = next;
        };
        scanLog(m_source, oldest->from.value, m_books.lastSequence,
                [&](Sequence sequence, UserId user, std::string_view targets) {
                    noteGap(sequence.value);
                    lookAt(sequence, user, targets);
                });
        noteGap(m_books.lastSequence + 1);
        for (auto lane = first; lane != m_lanes.end(); ++lane) {
            // What is missing there may have been of this lane: it was old enough to be trimmed.
            if (lane->from.value <= m_lastGap) lane->trimmed = true;
        }
    }

    void lookAt(Sequence sequence, UserId user, std::string_view bytes) {
        if (!user || !m_plan.error.empty()) return;
        auto lane = std::lower_bound(
            m_lanes.begin(), m_lanes.end(), user,
            [](const PlannedLane& one, UserId wanted) { return one.key.user < wanted; });
        if (lane == m_lanes.end() || lane->key.user != user) return;
        const auto targets = targetsOf(bytes);
        for (; lane != m_lanes.end() && lane->key.user == user; ++lane) {
            if (lane->from <= sequence) addIfThere(*lane, sequence, targets);
        }
    }

    void addIfThere(PlannedLane& lane, Sequence sequence, const std::vector<Target>& targets) {
        const auto id = lane.key.destination;
        const bool goesThere =
            std::any_of(targets.begin(), targets.end(),
                        [&](const Target& target) { return target.destination == id; });
        const auto* ledger = m_books.ledger.find(id);
        if (!goesThere || ledger == nullptr) return;
        if (sequence == lane.from) lane.found = true;
        const auto life = m_acts.life({id, sequence});
        if (!life) return;
        if (ledger->pending().contains(sequence.value)) {
            ++m_plan.waiting;
        } else if (ledger->isDead(sequence)) {
            ++m_plan.dead;
        } else if (goesSoon(sequence, targets)) {
            lane.trimmed = true;
            return;
        } else {
            ++m_plan.delivered;
        }
        lane.events.push_back({sequence, *life});
        if (lane.events.size() > limits::kLaneRewind) {
            m_plan.error = "A lane has more than " + std::to_string(limits::kLaneRewind) +
                           " events from event " + std::to_string(lane.from.value) +
                           " on, and one rewind takes no more of a lane. Choose a later event.";
        }
    }

    /// Whether retention might remove an event before it is sent again.
    bool goesSoon(Sequence sequence, const std::vector<Target>& targets) {
        if (m_books.ledger.isOpen(sequence, targets)) return false;
        const WallMicros border =
            m_source.now - m_source.retention + std::min(kTrimMargin, m_source.retention / 2);
        m_accepted.reset();
        const ResetOnExit reset(m_accepted);
        m_accepted.bind(1, toColumn(sequence.value));
        if (m_accepted.executeStep() && m_accepted.getColumn(0).getInt64() >= border)
            return false;
        const auto rows = m_history->of(sequence);
        return std::all_of(rows.begin(), rows.end(), [&](const JournalHistory::Row& row) {
            return row.at < border;
        });
    }

    void finish() {
        for (auto& lane : m_lanes) {
            if (lane.trimmed || !lane.found) ++m_plan.trimmed;
            if (!lane.events.empty())
                m_plan.lanes.push_back({lane.key, std::move(lane.events)});
        }
        std::stable_sort(
            m_plan.lanes.begin(), m_plan.lanes.end(),
            [](const LaneToRewind& a, const LaneToRewind& b) { return a.lane < b.lane; });
        if (!m_plan.error.empty()) m_plan.lanes.clear();
    }

    const PlanSource& m_source;
    LanePlan m_plan;
    Books m_books;
    OperatorActs m_acts;
    SQLite::Statement m_accepted;
    std::optional<JournalHistory> m_history;
    std::vector<PlannedLane> m_lanes;  ///< by user, then destination
    std::size_t m_firstUser = 0;       ///< lanes before it are single events without a user
    std::uint64_t m_firstKept = 0;     ///< first event that retention cannot have removed
    std::uint64_t m_lastGap = 0;       ///< event before the last gap of the log that is so old
};

}  // namespace

LanePlan makeLanePlan(const PlanSource& source,
                      const std::vector<std::pair<LaneKey, Sequence>>& from) {
    return LanePlanner(source).plan(from);
}

}  // namespace lanes::store
