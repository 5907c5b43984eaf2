// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/operation_retention.h"

#include "engine/operations.h"
#include "engine/store/operation_records.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::store {

namespace {
static_assert(static_cast<int>(OperationState::finished) == 0);
static_assert(static_cast<int>(OperationState::stopped) == 4);
static_assert(static_cast<int>(OperationKind::setting) == 0);
}  // namespace

OperationRetention::OperationRetention(SQLite::Database& database)
    // What a stopped rewind moved may still wait. Settings have no events to wait for.
    : m_next(database, "SELECT id, at<?2 FROM operations WHERE id>?1"
                       " AND id<(SELECT MAX(id) FROM operations)"
                       " AND (state=0 OR (state=4 AND (kind NOT IN (1, 2)"
                       " OR done=delivered+dead_again+returned)))"
                       " AND (kind<>0 OR at<?2) ORDER BY id LIMIT 1"),
      m_part(database, "SELECT data FROM operation_sets WHERE operation=? AND part=?"),
      m_inLog(database, "SELECT 1 FROM pointers WHERE seq=?"),
      m_deletePart(database, "DELETE FROM operation_sets WHERE operation=?1 AND part="
                             "(SELECT MIN(part) FROM operation_sets WHERE operation=?1)"),
      m_deleteSkips(database, "DELETE FROM operation_skips WHERE operation=?1 AND position<"
                              "(SELECT MIN(position) FROM operation_skips WHERE operation=?1)+?2"),
      m_deleteRow(database, "DELETE FROM operations WHERE id=?") {}

bool OperationRetention::step(WallMicros startedBefore) {
    if (m_done && !nextOperation(startedBefore)) {
        m_operation = 0;
        return true;
    }
    if (m_phase == Phase::looking)
        look();
    else
        remove();
    return false;
}

bool OperationRetention::nextOperation(WallMicros startedBefore) {
    m_next.reset();
    const ResetOnExit reset(m_next);
    m_next.bind(1, m_operation);
    m_next.bind(2, startedBefore);
    if (!m_next.executeStep()) return false;
    m_operation = m_next.getColumn(0).getInt64();
    m_phase = m_next.getColumn(1).getInt() != 0 ? Phase::removing : Phase::looking;
    m_partNumber = 0;
    m_done = false;
    return true;
}

/// Whether anything of the next part of the set is in the log: then the operation stays.
void OperationRetention::look() {
    std::string data;
    {
        m_part.reset();
        const ResetOnExit reset(m_part);
        m_part.bind(1, m_operation);
        m_part.bind(2, m_partNumber);
        if (!m_part.executeStep()) {
            // Without a set nothing is known of its events; it goes when it is old.
            if (m_partNumber == 0)
                m_done = true;
            else
                m_phase = Phase::removing;
            return;
        }
        data = m_part.getColumn(0).getString();
    }
    std::vector<OperationMember> members;
    if (!decodeMembers(data, members)) {
        m_done = true;  // what is unreadable is left to be looked at
        return;
    }
    ++m_partNumber;
    m_done = std::any_of(members.begin(), members.end(), [&](const OperationMember& member) {
        m_inLog.reset();
        const ResetOnExit reset(m_inLog);
        m_inLog.bind(1, toColumn(member.pointer.sequence.value));
        return m_inLog.executeStep();
    });
}

void OperationRetention::remove() {
    m_deletePart.reset();
    m_deletePart.bind(1, m_operation);
    if (m_deletePart.exec() > 0) return;
    m_deleteSkips.reset();
    m_deleteSkips.bind(1, m_operation);
    m_deleteSkips.bind(2, static_cast<std::int64_t>(kSetPart));
    if (m_deleteSkips.exec() > 0) return;
    m_deleteRow.reset();
    m_deleteRow.bind(1, m_operation);
    m_deleteRow.exec();
    m_done = true;
}

}  // namespace lanes::store
