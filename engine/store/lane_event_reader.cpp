// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/lane_event_reader.h"

#include "engine/store/encoding.h"
#include "engine/store/log_scan.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>

namespace lanes::store {

namespace {

constexpr std::uint64_t kLastSequence = std::numeric_limits<std::int64_t>::max();

/// What became of an event at one destination, by its entries in their order.
void apply(const JournalHistory::Row& entry, LaneEventRow& row) {
    switch (entry.kind) {
    case JournalKind::attempt:
        ++row.attempts;
        row.lastOutcome = entry.outcome;
        row.lastStatus = entry.status;
        if (entry.outcome == Outcome::delivered) row.state = LaneEventState::delivered;
        return;
    case JournalKind::deadLettered:
        row.state = LaneEventState::dead;
        return;
    case JournalKind::rewound:
        row.state = LaneEventState::waiting;
        ++row.life;
        row.attempts = 0;
        row.lastOutcome.reset();
        row.lastStatus = 0;
        return;
    case JournalKind::discarded:
        row.state = LaneEventState::discarded;
        return;
    case JournalKind::returned:
        row.state = entry.outcome == Outcome::delivered ? LaneEventState::delivered
                                                        : LaneEventState::dead;
        --row.life;
        return;
    }
}

}  // namespace

LaneEventReader::LaneEventReader(SQLite::Database& database, JournalHistory& history)
    : m_database(database),
      m_users(database, IndexKind::users),
      m_ids(database, IndexKind::ids),
      m_inTail(database, "SELECT seq FROM pointers WHERE seq>=? AND user=?"
                         " AND seq>? ORDER BY seq LIMIT ?"),
      m_inTailDown(database, "SELECT seq FROM pointers WHERE seq>=? AND user=?"
                             " AND seq<? ORDER BY seq DESC LIMIT ?"),
      m_event(database, "SELECT p.targets, e.id, e.type, e.accepted_at, length(e.payload)"
                        " FROM pointers p CROSS JOIN events e ON e.seq=p.seq WHERE p.seq=?"),
      m_history(history) {}

std::vector<LaneEventReader::Stretch> LaneEventReader::stretches() {
    std::vector<Stretch> all;
    for (const auto& run : m_users.runs()) all.push_back({run.number, run.firstRow, run.lastRow});
    all.push_back({0, indexedUpTo(m_database, IndexKind::users) + 1, kLastSequence});
    return all;
}

std::vector<std::uint64_t> LaneEventReader::sequencesIn(const Stretch& stretch, UserId user,
                                                        std::uint64_t place, bool down,
                                                        std::int64_t limit) {
    if (stretch.run != 0) {
        const auto most = static_cast<std::size_t>(limit);
        return down ? m_users.downFrom(stretch.run, user.value, place - 1, most)
                    : m_users.upFrom(stretch.run, user.value, place + 1, most);
    }
    auto& query = down ? m_inTailDown : m_inTail;
    query.reset();
    const ResetOnExit reset(query);
    query.bind(1, toColumn(stretch.low));
    query.bind(2, toColumn(user.value));
    query.bind(3, toColumn(place));
    query.bind(4, limit);
    std::vector<std::uint64_t> found;
    while (query.executeStep()) found.push_back(asUnsigned(query.getColumn(0)));
    return found;
}

std::optional<LaneEventRow> LaneEventReader::row(Sequence sequence, DestinationId destination) {
    m_event.reset();
    const ResetOnExit reset(m_event);
    m_event.bind(1, toColumn(sequence.value));
    if (!m_event.executeStep()) return std::nullopt;
    const auto targets = targetsOf(asView(m_event.getColumn(0)));
    const bool goesThere =
        std::any_of(targets.begin(), targets.end(), [&](const Target& target) {
            return target.destination == destination;
        });
    if (!goesThere) return std::nullopt;
    LaneEventRow row;
    row.sequence = sequence;
    row.id = m_event.getColumn(1).getString();
    row.type = m_event.getColumn(2).getString();
    row.acceptedAt = m_event.getColumn(3).getInt64();
    row.bytes = asUnsigned(m_event.getColumn(4));
    for (const auto& entry : m_history.of(sequence))
        if (entry.destination == destination) apply(entry, row);
    return row;
}

void LaneEventReader::read(const LaneEventQuery& query, PageBudget& budget,
                           LaneEventPage& page) {
    // One moment: a run that is finished meanwhile would take its events out of the tail.
    const ReadTransaction moment(m_database);
    m_history.refresh();
    const bool down = query.before.value != 0;
    page.resume = down ? query.before : query.after;
    auto all = stretches();
    if (down) std::reverse(all.begin(), all.end());
    page.complete = std::all_of(all.begin(), all.end(), [&](const Stretch& stretch) {
        return readStretch(stretch, query, down, budget, page);
    });
    if (page.complete) page.resume = Sequence();
}

/// False if the budget is used up.
bool LaneEventReader::readStretch(const Stretch& stretch, const LaneEventQuery& query, bool down,
                                  PageBudget& budget, LaneEventPage& page) {
    const auto place = page.resume.value;
    if (down ? stretch.low >= place : stretch.high <= place) return true;
    for (;;) {
        if (budget.full() || budget.spent()) return false;
        const auto found = sequencesIn(stretch, query.lane.user, page.resume.value, down,
                                       budget.rowsLeft());
        if (found.empty()) {
            page.resume = Sequence(down ? stretch.low : stretch.high);
            budget.move();
            return true;
        }
        for (const auto sequence : found) {
            if (budget.full() || budget.spent()) return false;
            if (auto event = row(Sequence(sequence), query.lane.destination)) {
                budget.addRow(event->id.size() + event->type.size());
                page.rows.push_back(std::move(*event));
            }
            page.resume = Sequence(sequence);
            budget.move();
        }
    }
}

std::vector<Sequence> LaneEventReader::find(const std::string& source, const std::string& id) {
    const ReadTransaction moment(m_database);
    const auto hash = eventHash(source, id);
    auto rows = m_ids.find(hash);
    SQLite::Statement tail(m_database, "SELECT seq FROM pointers WHERE seq>? AND hash=?");
    tail.bind(1, toColumn(indexedUpTo(m_database, IndexKind::ids)));
    tail.bind(2, toColumn(hash));
    while (tail.executeStep()) rows.push_back(asUnsigned(tail.getColumn(0)));
    std::vector<Sequence> found;
    SQLite::Statement event(m_database, "SELECT 1 FROM events WHERE seq=? AND source=? AND id=?");
    event.bind(2, source);
    event.bind(3, id);
    for (const auto row : rows) {
        event.reset();
        event.bind(1, toColumn(row));
        if (event.executeStep() && found.size() < limits::kPageRows) found.emplace_back(row);
    }
    return found;
}

}  // namespace lanes::store
