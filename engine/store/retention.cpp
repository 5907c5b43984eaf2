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
      m_list(database, "SELECT seq, accepted_at FROM events"
                       " WHERE seq>? AND seq<=min(?, (SELECT min(value) FROM marks"
                       " WHERE name IN ('event_ids', 'users'))) ORDER BY seq LIMIT ?"),
      m_targets(database, "SELECT targets FROM pointers WHERE seq=?"),
      m_history(database, IndexKind::history),
      m_journal(database, "SELECT at, kind, destination FROM journal WHERE id=?"),
      m_deleteJournal(database, "DELETE FROM journal WHERE id=?"),
      m_deletePointer(database, "DELETE FROM pointers WHERE seq=?"),
      m_deleteEvent(database, "DELETE FROM events WHERE seq=?"),
      m_deleteVersions(database, "DELETE FROM event_versions WHERE seq=?"),
      m_deleteNotes(database, "DELETE FROM dead_letter_notes WHERE note_seq=?"),
      m_count(database, "INSERT INTO trimmed VALUES(?1,1,?2,?3)"
                        " ON CONFLICT(destination) DO UPDATE SET accepted=accepted+1,"
                        " delivered=delivered+excluded.delivered,"
                        " discarded=discarded+excluded.discarded"),
      m_runs(database) {}

bool Retention::hasOld(WallMicros finishedBefore) {
    m_oldest.reset();
    const ResetOnExit reset(m_oldest);
    return m_oldest.executeStep() && m_oldest.getColumn(0).getInt64() < finishedBefore;
}

Retention::Step Retention::step(const PendingLedger& ledger, const CheckpointMarks& checkpoint,
                                const std::vector<std::uint64_t>& fresh,
                                WallMicros finishedBefore, std::size_t limit) {
    Step result;
    if (m_atRuns) {
        auto step = m_runs.step();
        result.ids = std::move(step.ids);
        result.changed = true;
        result.finished = step.finished;
        m_atRuns = !step.finished;
        return result;
    }
    bool seenAll = false;
    for (const auto sequence : candidates(checkpoint, finishedBefore, limit, seenAll)) {
        if (std::binary_search(fresh.begin(), fresh.end(), sequence.value)) continue;
        if (remove(sequence, ledger, checkpoint, finishedBefore)) result.changed = true;
    }
    m_atRuns = seenAll;
    return result;
}

std::vector<Sequence> Retention::candidates(const CheckpointMarks& checkpoint, WallMicros before,
                                            std::size_t limit, bool& finished) {
    std::vector<Sequence> result;
    std::size_t seen = 0;
    m_list.reset();
    const ResetOnExit reset(m_list);
    m_list.bind(1, toColumn(m_cursor));
    m_list.bind(2, toColumn(checkpoint.sequence));
    m_list.bind(3, static_cast<std::int64_t>(limit));
    while (m_list.executeStep()) {
        ++seen;
        m_cursor = asUnsigned(m_list.getColumn(0));
        if (m_list.getColumn(1).getInt64() < before) result.emplace_back(m_cursor);
    }
    // A whole look without one old event: what follows was accepted later still, but for jumps
    // of the wall clock, and those events are found by a later pass.
    finished = seen < limit || result.empty();
    if (finished) m_cursor = 0;
    return result;
}

bool Retention::remove(Sequence event, const PendingLedger& ledger,
                       const CheckpointMarks& checkpoint, WallMicros before) {
    const std::int64_t sequence = toColumn(event.value);
    std::vector<Target> targets;
    {
        m_targets.reset();
        const ResetOnExit reset(m_targets);
        m_targets.bind(1, sequence);
        if (m_targets.executeStep() && !decodeTargets(asView(m_targets.getColumn(0)), targets))
            return false;
    }
    if (ledger.isOpen(event, targets)) return false;

    std::vector<std::uint64_t> rows;
    std::map<DestinationId, bool> discarded;
    const ResetOnExit reset(m_journal);
    for (const auto id : m_history.find(event.value)) {
        m_journal.reset();
        m_journal.bind(1, toColumn(id));
        if (!m_journal.executeStep()) continue;
        if (id > checkpoint.journal) return false;
        if (m_journal.getColumn(0).getInt64() >= before) return false;
        const auto kind = static_cast<JournalKind>(m_journal.getColumn(1).getInt());
        discarded[DestinationId(m_journal.getColumn(2).getUInt())] =
            kind == JournalKind::discarded;
        rows.push_back(id);
    }
    for (const auto id : rows) {
        m_deleteJournal.reset();
        m_deleteJournal.bind(1, toColumn(id));
        m_deleteJournal.exec();
        m_runs.noteJournal(id);
    }
    m_runs.noteSequence(event.value);
    for (auto* statement :
         {&m_deletePointer, &m_deleteEvent, &m_deleteVersions, &m_deleteNotes}) {
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
