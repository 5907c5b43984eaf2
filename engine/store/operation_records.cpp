// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/operation_records.h"

#include "engine/store/encoding.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace lanes::store {

namespace {

/// Twice the longest retry window: what waited under a hold that ended before is gone.
constexpr Micros kHoldKept = 60 * 24 * kHour;

SQLite::Exception unreadableSet(OperationId id) {
    return {"the events of operation " + std::to_string(id.value) + " are unreadable",
            SQLITE_CORRUPT};
}

}  // namespace

OperationRow operationRow(const SQLite::Statement& query) {
    OperationRow row;
    row.id = OperationId(asUnsigned(query.getColumn(0)));
    row.at = query.getColumn(1).getInt64();
    row.who = query.getColumn(2).getString();
    row.action = query.getColumn(3).getString();
    row.scope = query.getColumn(4).getString();
    row.reason = query.getColumn(5).getString();
    row.asked = asUnsigned(query.getColumn(6));
    row.done = asUnsigned(query.getColumn(7));
    row.skipped = asUnsigned(query.getColumn(8));
    row.kind = static_cast<OperationKind>(query.getColumn(9).getInt());
    row.state = static_cast<OperationState>(query.getColumn(10).getInt());
    row.note = query.getColumn(11).getString();
    row.eventsPerSecond = query.getColumn(12).getDouble();
    row.tracer = query.getColumn(13).getUInt();
    row.delivered = asUnsigned(query.getColumn(14));
    row.deadAgain = asUnsigned(query.getColumn(15));
    row.returned = asUnsigned(query.getColumn(16));
    row.target = OperationId(asUnsigned(query.getColumn(17)));
    return row;
}

std::string encodeMembers(std::span<const OperationMember> members) {
    std::string out;
    OperationMember before;
    for (const auto& member : members) {
        // Differences are taken modulo 2^64, so that no order is asked of the set.
        putSigned(out, static_cast<std::int64_t>(member.pointer.sequence.value -
                                                 before.pointer.sequence.value));
        putSigned(out, std::int64_t{member.pointer.destination.value} -
                           std::int64_t{before.pointer.destination.value});
        // The lowest bit says that the user, which is the longest part, is the same again.
        const bool sameUser = member.user == before.user;
        putNumber(out, std::uint64_t{member.life} * 2 + (sameUser ? 1 : 0));
        if (!sameUser) putNumber(out, member.user.value);
        before = member;
    }
    return out;
}

bool decodeMembers(std::string_view bytes, std::vector<OperationMember>& members) {
    ByteReader reader(bytes);
    OperationMember member;
    while (reader.good() && !reader.finished()) {
        member.pointer.sequence.value += static_cast<std::uint64_t>(reader.signedNumber());
        member.pointer.destination.value += static_cast<std::uint32_t>(reader.signedNumber());
        const std::uint64_t life = reader.number();
        member.life = static_cast<std::uint32_t>(life / 2);
        if (life % 2 == 0) member.user = UserId(reader.number());
        if (reader.good()) members.push_back(member);
    }
    return reader.finished();
}

std::vector<OperationMember> readSet(SQLite::Database& database, OperationId id,
                                     std::uint64_t first, std::uint64_t last) {
    std::vector<OperationMember> members;
    SQLite::Statement query(database,
                            "SELECT part, data FROM operation_sets"
                            " WHERE operation=? AND part BETWEEN ? AND ? ORDER BY part");
    query.bind(1, toColumn(id.value));
    query.bind(2, toColumn(first));
    query.bind(3, toColumn(last));
    for (std::uint64_t part = first; query.executeStep(); ++part) {
        const std::string data = query.getColumn(1).getString();
        if (asUnsigned(query.getColumn(0)) != part || !decodeMembers(data, members))
            throw unreadableSet(id);
    }
    return members;
}

std::vector<RecoveredOperation> readOpenOperations(SQLite::Database& database) {
    std::vector<RecoveredOperation> result;
    SQLite::Statement query(database,
                            std::string(kOperationColumns) + "WHERE state<>0 ORDER BY id");
    while (query.executeStep()) {
        RecoveredOperation operation;
        operation.row = operationRow(query);
        if (operation.row.state == OperationState::stopped && operation.row.waiting() == 0)
            continue;
        auto members = readSet(database, operation.row.id, 0,
                               std::numeric_limits<std::int64_t>::max());
        if (members.size() < operation.row.done + operation.row.skipped)
            throw unreadableSet(operation.row.id);
        operation.set =
            std::make_shared<const std::vector<OperationMember>>(std::move(members));
        result.push_back(std::move(operation));
    }
    return result;
}

std::vector<LaneHold> readHolds(SQLite::Database& database, DestinationId id) {
    std::vector<LaneHold> holds;
    SQLite::Statement query(database,
                            "SELECT user, from_clock, to_clock, at, user_text, held_by, reason"
                            " FROM lane_holds WHERE destination=? ORDER BY from_clock, user");
    query.bind(1, id.value);
    while (query.executeStep()) {
        LaneHold hold;
        hold.lane = {id, UserId(asUnsigned(query.getColumn(0)))};
        hold.from = query.getColumn(1).getInt64();
        hold.to = query.getColumn(2).getInt64();
        hold.at = query.getColumn(3).getInt64();
        hold.user = query.getColumn(4).getString();
        hold.by = query.getColumn(5).getString();
        hold.reason = query.getColumn(6).getString();
        holds.push_back(std::move(hold));
    }
    return holds;
}

std::vector<Pointer> readVersions(SQLite::Database& database) {
    std::vector<Pointer> pointers;
    SQLite::Statement query(database, "SELECT DISTINCT destination, seq FROM event_versions"
                                      " ORDER BY destination, seq");
    while (query.executeStep()) {
        pointers.push_back({DestinationId(query.getColumn(0).getUInt()),
                            Sequence(asUnsigned(query.getColumn(1)))});
    }
    return pointers;
}

OperationWriter::OperationWriter(SQLite::Database& database)
    : m_row(database, "INSERT OR REPLACE INTO operations(id, at, who, action, scope, reason,"
                      " asked, done, skipped, kind, state, note, pace, tracer, delivered,"
                      " dead_again, returned, target)"
                      " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      m_set(database, "INSERT OR REPLACE INTO operation_sets VALUES(?,?,?)"),
      m_skip(database, "INSERT OR REPLACE INTO operation_skips VALUES(?,?,?)"),
      m_hold(database, "INSERT OR REPLACE INTO lane_holds VALUES(?,?,?,?,?,?,?,?)"),
      m_forgetHolds(database, "DELETE FROM lane_holds WHERE destination=? AND to_clock>=0"
                              " AND to_clock<?"),
      m_version(database, "INSERT OR REPLACE INTO event_versions VALUES(?,?,?,?,?)"),
      m_forgetVersion(database,
                      "DELETE FROM event_versions WHERE seq=?1 AND destination=?2 AND operation="
                      "(SELECT rewound_by FROM dead_letters WHERE destination=?2 AND seq=?1)"),
      m_note(database, "INSERT OR REPLACE INTO dead_letter_notes VALUES(?,?,?,?,?)"),
      m_forgetNote(database, "DELETE FROM dead_letter_notes"
                             " WHERE note_seq=? AND note_destination=?") {}

void OperationWriter::writeRow(const OperationRow& row) {
    m_row.reset();
    m_row.bind(1, toColumn(row.id.value));
    m_row.bind(2, row.at);
    m_row.bindNoCopy(3, row.who);
    m_row.bindNoCopy(4, row.action);
    m_row.bindNoCopy(5, row.scope);
    m_row.bindNoCopy(6, row.reason);
    m_row.bind(7, toColumn(row.asked));
    m_row.bind(8, toColumn(row.done));
    m_row.bind(9, toColumn(row.skipped));
    m_row.bind(10, static_cast<int>(row.kind));
    m_row.bind(11, static_cast<int>(row.state));
    m_row.bindNoCopy(12, row.note);
    m_row.bind(13, row.eventsPerSecond);
    m_row.bind(14, row.tracer);
    m_row.bind(15, toColumn(row.delivered));
    m_row.bind(16, toColumn(row.deadAgain));
    m_row.bind(17, toColumn(row.returned));
    m_row.bind(18, toColumn(row.target.value));
    m_row.exec();
}

void OperationWriter::writeSet(OperationId id, std::span<const OperationMember> members) {
    for (std::int64_t part = 0; !members.empty(); ++part) {
        const auto some = members.first(std::min(kSetPart, members.size()));
        members = members.subspan(some.size());
        const std::string data = encodeMembers(some);
        m_set.reset();
        m_set.bind(1, toColumn(id.value));
        m_set.bind(2, part);
        m_set.bindNoCopy(3, data.data(), static_cast<int>(data.size()));
        m_set.exec();
    }
}

void OperationWriter::writeSkip(const OperationSkip& skip) {
    m_skip.reset();
    m_skip.bind(1, toColumn(skip.operation.value));
    m_skip.bind(2, toColumn(skip.position));
    m_skip.bind(3, static_cast<int>(skip.reason));
    m_skip.exec();
}

void OperationWriter::writeHold(const LaneHold& hold) {
    m_hold.reset();
    m_hold.bind(1, hold.lane.destination.value);
    m_hold.bind(2, toColumn(hold.lane.user.value));
    m_hold.bind(3, hold.from);
    m_hold.bind(4, hold.to);
    m_hold.bind(5, hold.at);
    m_hold.bindNoCopy(6, hold.user);
    m_hold.bindNoCopy(7, hold.by);
    m_hold.bindNoCopy(8, hold.reason);
    m_hold.exec();

    m_forgetHolds.reset();
    m_forgetHolds.bind(1, hold.lane.destination.value);
    m_forgetHolds.bind(2, std::max(hold.from, hold.to) - kHoldKept);
    m_forgetHolds.exec();
}

void OperationWriter::writeVersion(const EventVersion& version) {
    m_version.reset();
    m_version.bind(1, toColumn(version.pointer.sequence.value));
    m_version.bind(2, version.pointer.destination.value);
    m_version.bind(3, toColumn(version.operation.value));
    m_version.bind(4, version.at);
    m_version.bindNoCopy(5, version.payload.data(), static_cast<int>(version.payload.size()));
    m_version.exec();
}

void OperationWriter::forgetVersion(Pointer deadLetter) {
    m_forgetVersion.reset();
    m_forgetVersion.bind(1, toColumn(deadLetter.sequence.value));
    m_forgetVersion.bind(2, deadLetter.destination.value);
    m_forgetVersion.exec();
}

void OperationWriter::writeNote(const NoteChange& change) {
    const bool written = !change.note.text.empty();
    auto& statement = written ? m_note : m_forgetNote;
    statement.reset();
    statement.bind(1, toColumn(change.pointer.sequence.value));
    statement.bind(2, change.pointer.destination.value);
    if (written) {
        statement.bind(3, change.note.at);
        statement.bindNoCopy(4, change.note.by);
        statement.bindNoCopy(5, change.note.text);
    }
    statement.exec();
}

}  // namespace lanes::store
