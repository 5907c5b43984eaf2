// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/retention.h"

#include "engine/store/encoding.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <map>

namespace lanes::store {

Retention::Retention(SQLite::Database& database)
    : m_oldest(database, "SELECT accepted_at FROM events ORDER BY seq LIMIT 1"),
      m_list(database, "SELECT seq, accepted_at, source, id FROM events"
                       " WHERE seq>? AND seq<=min(?, (SELECT min(value) FROM marks"
                       " WHERE name IN ('event_ids', 'users'))) ORDER BY seq LIMIT ?"),
      m_targets(database, "SELECT targets, user FROM pointers WHERE seq=?"),
      m_history(database,
                "SELECT h.run, h.destination, h.id, j.at, j.kind, j.outcome FROM history_runs r"
                " CROSS JOIN history h ON h.run=r.run AND h.seq=?1"
                " CROSS JOIN journal j ON j.id=h.id"
                " WHERE r.low<=?1 AND r.high>=?1 ORDER BY h.id"),
      m_deleteJournal(database, "DELETE FROM journal WHERE id=?"),
      m_deleteHistory(database,
                      "DELETE FROM history WHERE run=? AND seq=? AND destination=? AND id=?"),
      m_deleteRuns(database, "DELETE FROM history_runs WHERE NOT EXISTS"
                             " (SELECT 1 FROM history h WHERE h.run=history_runs.run)"),
      m_deleteUser(database, "DELETE FROM user_events WHERE user=?1 AND seq=?2 AND run="
                             "(SELECT run FROM user_runs WHERE high>=?2 ORDER BY run LIMIT 1)"),
      m_deleteUserRuns(database, "DELETE FROM user_runs WHERE NOT EXISTS"
                                 " (SELECT 1 FROM user_events u WHERE u.run=user_runs.run)"),
      m_deleteId(database, "DELETE FROM event_ids WHERE hash=? AND seq=?"),
      m_deletePointer(database, "DELETE FROM pointers WHERE seq=?"),
      m_deleteEvent(database, "DELETE FROM events WHERE seq=?"),
      m_deleteVersions(database, "DELETE FROM event_versions WHERE seq=?"),
      m_count(database, "INSERT INTO trimmed VALUES(?1,1,?2,?3)"
                        " ON CONFLICT(destination) DO UPDATE SET accepted=accepted+1,"
                        " delivered=delivered+excluded.delivered,"
                        " discarded=discarded+excluded.discarded") {}

bool Retention::hasOld(WallMicros finishedBefore) {
    m_oldest.reset();
    const ResetOnExit reset(m_oldest);
    return m_oldest.executeStep() && m_oldest.getColumn(0).getInt64() < finishedBefore;
}

Retention::Step Retention::step(const PendingLedger& ledger, const CheckpointMarks& checkpoint,
                                const std::vector<std::uint64_t>& fresh,
                                WallMicros finishedBefore, std::size_t limit) {
    Step result;
    for (const auto& candidate :
         candidates(checkpoint, finishedBefore, limit, result.finished)) {
        if (std::binary_search(fresh.begin(), fresh.end(), candidate.sequence.value)) continue;
        if (remove(candidate, ledger, checkpoint, finishedBefore)) ++result.removed;
    }
    if (result.finished) {
        for (auto* statement : {&m_deleteRuns, &m_deleteUserRuns}) {
            statement->reset();
            statement->exec();
        }
    }
    return result;
}

std::vector<Retention::Candidate> Retention::candidates(const CheckpointMarks& checkpoint,
                                                        WallMicros before, std::size_t limit,
                                                        bool& finished) {
    std::vector<Candidate> result;
    std::size_t seen = 0;
    m_list.reset();
    const ResetOnExit reset(m_list);
    m_list.bind(1, toColumn(m_cursor));
    m_list.bind(2, toColumn(checkpoint.sequence));
    m_list.bind(3, static_cast<std::int64_t>(limit));
    while (m_list.executeStep()) {
        ++seen;
        m_cursor = asUnsigned(m_list.getColumn(0));
        if (m_list.getColumn(1).getInt64() >= before) continue;
        result.push_back({Sequence(m_cursor), eventHash(asView(m_list.getColumn(2)),
                                                        asView(m_list.getColumn(3)))});
    }
    // A whole look without one old event: what follows was accepted later still, but for jumps
    // of the wall clock, and those events are found by a later pass.
    finished = seen < limit || result.empty();
    if (finished) m_cursor = 0;
    return result;
}

bool Retention::remove(const Candidate& candidate, const PendingLedger& ledger,
                       const CheckpointMarks& checkpoint, WallMicros before) {
    const std::int64_t sequence = toColumn(candidate.sequence.value);
    std::vector<Target> targets;
    std::int64_t user = 0;
    {
        m_targets.reset();
        const ResetOnExit reset(m_targets);
        m_targets.bind(1, sequence);
        if (m_targets.executeStep()) {
            if (!decodeTargets(asView(m_targets.getColumn(0)), targets)) return false;
            user = m_targets.getColumn(1).getInt64();
        }
    }
    if (ledger.isOpen(candidate.sequence, targets)) return false;

    struct Row {
        std::int64_t run, destination, id;
    };
    std::vector<Row> rows;
    std::map<DestinationId, bool> discarded;
    {
        m_history.reset();
        const ResetOnExit reset(m_history);
        m_history.bind(1, sequence);
        while (m_history.executeStep()) {
            const Row row{m_history.getColumn(0).getInt64(), m_history.getColumn(1).getInt64(),
                          m_history.getColumn(2).getInt64()};
            if (static_cast<std::uint64_t>(row.id) > checkpoint.journal) return false;
            if (m_history.getColumn(3).getInt64() >= before) return false;
            const auto kind = static_cast<JournalKind>(m_history.getColumn(4).getInt());
            discarded[DestinationId(static_cast<std::uint32_t>(row.destination))] =
                kind == JournalKind::discarded;
            rows.push_back(row);
        }
    }
    for (const auto& row : rows) {
        m_deleteJournal.reset();
        m_deleteJournal.bind(1, row.id);
        m_deleteJournal.exec();
        m_deleteHistory.reset();
        m_deleteHistory.bind(1, row.run);
        m_deleteHistory.bind(2, sequence);
        m_deleteHistory.bind(3, row.destination);
        m_deleteHistory.bind(4, row.id);
        m_deleteHistory.exec();
    }
    m_deleteId.reset();
    m_deleteId.bind(1, toColumn(candidate.hash));
    m_deleteId.bind(2, sequence);
    m_deleteId.exec();
    m_deleteUser.reset();
    m_deleteUser.bind(1, user);
    m_deleteUser.bind(2, sequence);
    m_deleteUser.exec();
    for (auto* statement : {&m_deletePointer, &m_deleteEvent, &m_deleteVersions}) {
        statement->reset();
        statement->bind(1, sequence);
        statement->exec();
    }
    std::vector<DestinationId> discardedBy;
    for (const auto& [id, given] : discarded) {
        if (given) discardedBy.push_back(id);
    }
    count(targets, discardedBy);
    return true;
}

void Retention::count(const std::vector<Target>& targets,
                      const std::vector<DestinationId>& discardedBy) {
    for (const auto& target : targets) {
        const bool discarded = std::find(discardedBy.begin(), discardedBy.end(),
                                         target.destination) != discardedBy.end();
        m_count.reset();
        m_count.bind(1, target.destination.value);
        m_count.bind(2, discarded ? 0 : 1);
        m_count.bind(3, discarded ? 1 : 0);
        m_count.exec();
    }
}

}  // namespace lanes::store
