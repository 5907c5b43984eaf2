// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/operation_reader.h"

#include "engine/config.h"
#include "engine/store/journal_history.h"
#include "engine/store/operation_records.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace lanes::store {

namespace {

std::optional<OperationRow> readOperation(SQLite::Database& database, OperationId id) {
    SQLite::Statement query(database, std::string(kOperationColumns) + "WHERE id=?");
    query.bind(1, toColumn(id.value));
    if (!query.executeStep()) return std::nullopt;
    return operationRow(query);
}

/// Members `from` to `from + limit` of the set.
std::vector<OperationMember> readMembers(SQLite::Database& database,
                                         const OperationEventQuery& query, std::size_t limit) {
    const std::uint64_t part = query.from / kSetPart;
    auto members = readSet(database, query.operation, part, (query.from + limit) / kSetPart);
    const auto skip = std::min<std::size_t>(query.from % kSetPart, members.size());
    members.erase(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(skip));
    return members;
}

std::map<std::uint64_t, SkipReason> readSkips(SQLite::Database& database,
                                              const OperationEventQuery& query,
                                              std::size_t limit) {
    std::map<std::uint64_t, SkipReason> skips;
    SQLite::Statement read(database, "SELECT position, reason FROM operation_skips"
                                     " WHERE operation=? AND position>=? AND position<?");
    read.bind(1, toColumn(query.operation.value));
    read.bind(2, toColumn(query.from));
    read.bind(3, toColumn(query.from + limit));
    while (read.executeStep())
        skips[asUnsigned(read.getColumn(0))] =
            static_cast<SkipReason>(read.getColumn(1).getInt());
    return skips;
}

/// What its event calls itself; nothing once that has left the log.
void readTexts(SQLite::Statement& texts, OperationEventRow& row) {
    texts.reset();
    texts.bind(1, toColumn(row.pointer.sequence.value));
    if (!texts.executeStep()) return;
    row.user = {static_cast<UserKey::Kind>(texts.getColumn(0).getInt()),
                texts.getColumn(1).getString()};
    row.eventId = texts.getColumn(2).getString();
    row.type = texts.getColumn(3).getString();
}

/// What the journal says about an event since the operation moved it, up to the next rewind of it.
void followRewind(OperationEventRow& row, OperationId operation, JournalHistory& history) {
    // Its rows are removed with the event, and that only when it was finished everywhere.
    row.fate = OperationFate::trimmed;
    bool moved = false;
    for (const auto& entry : history.of(row.pointer.sequence)) {
        if (entry.destination != row.pointer.destination) continue;
        if (entry.kind == JournalKind::rewound) {
            moved = entry.operation == operation;
            if (moved) row.fate = OperationFate::waiting;
            continue;
        }
        if (!moved) continue;
        switch (entry.kind) {
        case JournalKind::attempt:
            ++row.attempts;
            row.lastOutcome = entry.outcome;
            row.lastStatus = entry.status;
            if (entry.outcome == Outcome::delivered) row.fate = OperationFate::delivered;
            break;
        case JournalKind::deadLettered:
            row.fate = OperationFate::deadAgain;
            break;
        case JournalKind::discarded:
            row.fate = OperationFate::discarded;
            break;
        case JournalKind::returned:
            row.fate = OperationFate::returned;
            break;
        case JournalKind::rewound:
            break;
        }
    }
}

}  // namespace

OperationPage readOperations(SQLite::Database& database, const OperationQuery& query) {
    OperationPage page;
    const auto limit = std::min<std::size_t>(query.limit, limits::kPageRows);
    // Upwards only where nothing names the older end.
    const bool down = !query.after || query.before;
    SQLite::Statement rows(database, std::string(kOperationColumns) +
                                         "WHERE id>? AND id<? ORDER BY id" +
                                         (down ? " DESC LIMIT ?" : " LIMIT ?"));
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    rows.bind(1, toColumn(query.after.value));
    rows.bind(2, query.before ? toColumn(query.before.value) : kLast);
    rows.bind(3, static_cast<std::int64_t>(limit));
    while (rows.executeStep()) page.rows.push_back(operationRow(rows));
    page.complete = page.rows.size() < limit;
    if (!down) std::reverse(page.rows.begin(), page.rows.end());
    return page;
}

OperationEventPage readOperationEvents(SQLite::Database& database,
                                       const OperationEventQuery& query) {
    OperationEventPage page;
    const ReadTransaction moment(database);
    const auto operation = readOperation(database, query.operation);
    if (!operation) {
        page.complete = true;
        return page;
    }
    const auto limit = std::min<std::size_t>(query.limit, limits::kPageRows);
    auto members = readMembers(database, query, limit);
    page.complete = members.size() <= limit;
    if (!page.complete) members.resize(limit);
    const auto skips = readSkips(database, query, limit);
    JournalHistory history(database);
    history.refresh();
    SQLite::Statement texts(database, "SELECT user_kind, user, id, type FROM events WHERE seq=?");
    for (std::size_t n = 0; n < members.size(); ++n) {
        OperationEventRow row;
        row.position = query.from + n;
        row.pointer = members[n].pointer;
        readTexts(texts, row);
        const auto skip = skips.find(row.position);
        if (skip != skips.end()) {
            row.fate = OperationFate::skipped;
            row.reason = skip->second;
        } else if (row.position >= operation->done + operation->skipped) {
            row.fate = OperationFate::planned;
        } else if (operation->kind == OperationKind::discard ||
                   operation->kind == OperationKind::expire) {
            row.fate = OperationFate::discarded;
        } else if (operation->kind == OperationKind::undo) {
            row.fate = OperationFate::returned;
        } else {
            followRewind(row, query.operation, history);
        }
        page.rows.push_back(row);
    }
    return page;
}

}  // namespace lanes::store
