// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_writer.h"

#include "engine/store/checkpoint.h"
#include "engine/store/destination_columns.h"
#include "engine/store/encoding.h"
#include "engine/store/sender_records.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>

namespace lanes::store {

namespace {

void bindBytes(SQLite::Statement& statement, int index, const std::string& bytes) {
    statement.bindNoCopy(index, bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

LogWriter::LogWriter(SQLite::Database& database, StoredIds& ids)
    : m_insertEvent(database, "INSERT INTO events VALUES(?,?,?,?,?,?,?,?,?)"),
      m_insertPointer(database, "INSERT INTO pointers VALUES(?,?,?,?)"),
      m_readEvent(database, "SELECT source, id, payload FROM events WHERE seq=?"),
      m_insertJournal(database, "INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      m_insertDead(database,
                   "INSERT OR REPLACE INTO dead_letters(destination, seq, user_id, user_kind,"
                   " user, event_id, type, accepted_at, died_at, first_tried_at, attempts, life,"
                   " last_outcome, last_status, last_error, reason, bytes)"
                   " SELECT ?1, seq, ?2, user_kind, user, id, type, accepted_at, ?3,"
                   " coalesce((SELECT at FROM journal WHERE journal.id=?4), 0), ?5, ?6, ?7, ?8,"
                   " coalesce((SELECT error FROM journal WHERE journal.id=?9), ''), ?10,"
                   " coalesce((SELECT length(v.payload) FROM event_versions v"
                   " WHERE v.seq=events.seq AND v.destination=?1"
                   " ORDER BY v.operation DESC LIMIT 1), length(payload))"
                   " FROM events WHERE seq=?11"),
      m_deleteDead(database, "DELETE FROM dead_letters WHERE destination=? AND seq=?"),
      m_hideDead(database,
                 "UPDATE dead_letters SET rewound_by=? WHERE destination=? AND seq=?"),
      m_writeState(database, "INSERT OR REPLACE INTO destination_state(id, clock, known_good,"
                             " paused, paused_by_system, paused_at, paused_by, pause_reason,"
                             " resume_at) VALUES(?,?,?,?,?,?,?,?,?)"),
      m_writeDestination(database,
                         "INSERT OR REPLACE INTO destinations(id, name, url, window,"
                         " max_in_flight, after_dead_letter, statuses, secrets, headers,"
                         " event_types, connect_timeout, attempt_timeout, allow_link_local,"
                         " rate_limit, allow_edits, body_format, authentication, tls, proxy)"
                         " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      m_raiseDestination(
          database, "UPDATE marks SET value=max(value, ?) WHERE name='destination'"),
      m_operations(database),
      m_ids(ids),
      m_database(database) {}

void LogWriter::write(const WriteBatch& batch, LogPositions& positions, LogIndex& index,
                      const PendingLedger& ledger, GroupEffects& effects) {
    for (const auto& config : batch.destinations) writeDestination(config);
    if (batch.intake != 0 || !batch.events.empty()) writeEvents(batch, positions, index, effects);
    for (const auto& version : batch.versions) m_operations.writeVersion(version);
    const JournalEntry* before = nullptr;
    for (const auto& entry : batch.journal) {
        writeJournal(entry, ++positions.journal);
        if (entry.kind == JournalKind::deadLettered) {
            // The attempt that ended it stands right before it, if there was one just now.
            const bool justTried = before != nullptr && before->kind == JournalKind::attempt &&
                                   before->pointer == entry.pointer;
            const auto* tried = ledger.tried(entry.pointer);
            const auto now = justTried ? positions.journal - 1 : 0;
            const auto first = tried != nullptr && tried->firstAttempt != 0 ? tried->firstAttempt
                                                                            : now;
            insertDeadLetter(entry, first, justTried || tried == nullptr ? now
                                                                         : tried->lastAttempt);
        }
        before = &entry;
    }
    for (const auto& change : batch.states) writeState(change);
    for (const auto& record : batch.operations) {
        effects.operations[record.row.id] = &record.row;
        if (record.set) m_operations.writeSet(record.row.id, *record.set);
    }
    for (const auto& skip : batch.skips) m_operations.writeSkip(skip);
    for (const auto& hold : batch.holds) m_operations.writeHold(hold);
    for (const auto& change : batch.notes) m_operations.writeNote(change);
    for (const auto id : batch.removed) removeDestination(id);
    for (const auto& source : batch.sources) writeSource(m_database, source);
    for (const auto id : batch.removedSources) removeSource(m_database, id);
    release(m_database, batch.released);
    quarantine(m_database, batch.quarantined);
    if (batch.ticket != 0) effects.ticket = batch.ticket;
}

void LogWriter::finish(const GroupEffects& effects) {
    for (const auto& [id, row] : effects.operations) m_operations.writeRow(*row);
}

void LogWriter::writeEvents(const WriteBatch& batch, LogPositions& positions, LogIndex& index,
                            GroupEffects& effects) {
    IntakeCommit commit;
    commit.intake = batch.intake;
    commit.stored = true;
    commit.events.reserve(batch.events.size());
    for (const auto& event : batch.events) {
        StoredEvent stored;
        stored.user = event.userId;
        const std::uint64_t hash = eventHash(event.source, event.id);
        if (const auto known = findEvent(event, hash, index)) {
            stored.sequence = Sequence(known->sequence);
            stored.duplicate = true;
            stored.conflict = !known->samePayload;
        } else {
            stored.sequence = Sequence(++positions.sequence);
            stored.targets = event.targets;
            insertEvent(event, hash, stored.sequence.value);
            index.know(hash, stored.sequence.value);
            effects.appended.push_back({stored.sequence, hash, &event});
        }
        commit.events.push_back(std::move(stored));
    }
    effects.intakes.push_back(std::move(commit));
}

std::optional<LogWriter::Known> LogWriter::findEvent(const NewEvent& event, std::uint64_t hash,
                                                     const LogIndex& index) {
    for (const std::uint64_t sequence : index.recent(hash)) {
        if (const auto known = compareEvent(event, sequence)) return known;
    }
    for (const std::uint64_t sequence : m_ids.find(hash)) {
        if (const auto known = compareEvent(event, sequence)) return known;
    }
    return std::nullopt;
}

std::optional<LogWriter::Known> LogWriter::compareEvent(const NewEvent& event,
                                                        std::uint64_t sequence) {
    m_readEvent.reset();
    const ResetOnExit reset(m_readEvent);
    m_readEvent.bind(1, toColumn(sequence));
    if (!m_readEvent.executeStep()) return std::nullopt;  // removed by retention
    if (asView(m_readEvent.getColumn(0)) != event.source ||
        asView(m_readEvent.getColumn(1)) != event.id)
        return std::nullopt;  // another event with the same hash
    return Known{sequence, asView(m_readEvent.getColumn(2)) == event.payload};
}

void LogWriter::insertEvent(const NewEvent& event, std::uint64_t hash, std::uint64_t sequence) {
    m_insertEvent.reset();
    m_insertEvent.bind(1, toColumn(sequence));
    m_insertEvent.bindNoCopy(2, event.source);
    m_insertEvent.bindNoCopy(3, event.id);
    m_insertEvent.bind(4, static_cast<int>(event.user.kind));
    m_insertEvent.bindNoCopy(5, event.user.text);
    m_insertEvent.bindNoCopy(6, event.type);
    m_insertEvent.bindNoCopy(7, event.contentType);
    m_insertEvent.bind(8, event.acceptedAt);
    bindBytes(m_insertEvent, 9, event.payload);
    m_insertEvent.exec();

    const std::string targets = encodeTargets(event.targets);
    m_insertPointer.reset();
    m_insertPointer.bind(1, toColumn(sequence));
    m_insertPointer.bind(2, toColumn(event.userId.value));
    bindBytes(m_insertPointer, 3, targets);
    m_insertPointer.bind(4, toColumn(hash));
    m_insertPointer.exec();
}

void LogWriter::writeJournal(const JournalEntry& entry, std::uint64_t id) {
    m_insertJournal.reset();
    m_insertJournal.bind(1, toColumn(id));
    m_insertJournal.bind(2, static_cast<int>(entry.kind));
    m_insertJournal.bind(3, entry.pointer.destination.value);
    m_insertJournal.bind(4, toColumn(entry.pointer.sequence.value));
    m_insertJournal.bind(5, entry.life);
    m_insertJournal.bind(6, entry.attempt);
    m_insertJournal.bind(7, entry.at);
    m_insertJournal.bind(8, entry.duration);
    m_insertJournal.bind(9, static_cast<int>(entry.outcome));
    m_insertJournal.bind(10, static_cast<int>(entry.status));
    m_insertJournal.bind(11, static_cast<int>(entry.cause));
    m_insertJournal.bind(12, toColumn(entry.operation.value));
    m_insertJournal.bind(13, entry.clock);
    m_insertJournal.bindNoCopy(14, entry.error);
    m_insertJournal.bindNoCopy(15, entry.reason);
    bindBytes(m_insertJournal, 16, entry.response);
    m_insertJournal.exec();
    moveDeadLetter(entry);
}

/// The row of a dead letter while its event is rewound, and when that ends.
void LogWriter::moveDeadLetter(const JournalEntry& entry) {
    switch (entry.kind) {
    case JournalKind::attempt:
        // In its first life an event has no row, and most deliveries are of such events.
        if (entry.life > 1 && entry.outcome == Outcome::delivered)
            deleteDeadLetter(entry.pointer);
        return;
    case JournalKind::deadLettered:
        return;  // the new row takes the place of the hidden one
    case JournalKind::rewound:
        // A rewind without a number would not hide it.
        hideDeadLetter(entry.pointer, std::max<std::uint64_t>(entry.operation.value, 1));
        return;
    case JournalKind::returned:
        if (entry.outcome == Outcome::delivered) return;
        m_operations.forgetVersion(entry.pointer);
        hideDeadLetter(entry.pointer, 0);
        return;
    case JournalKind::discarded:
        deleteDeadLetter(entry.pointer);
        return;
    }
}

void LogWriter::deleteDeadLetter(Pointer pointer) {
    m_deleteDead.reset();
    m_deleteDead.bind(1, pointer.destination.value);
    m_deleteDead.bind(2, toColumn(pointer.sequence.value));
    m_deleteDead.exec();
}

void LogWriter::hideDeadLetter(Pointer pointer, std::uint64_t rewoundBy) {
    m_hideDead.reset();
    m_hideDead.bind(1, toColumn(rewoundBy));
    m_hideDead.bind(2, pointer.destination.value);
    m_hideDead.bind(3, toColumn(pointer.sequence.value));
    m_hideDead.exec();
}

void LogWriter::insertDeadLetter(const JournalEntry& entry, std::uint64_t firstAttempt,
                                 std::uint64_t lastAttempt) {
    m_insertDead.reset();
    m_insertDead.bind(1, entry.pointer.destination.value);
    m_insertDead.bind(2, toColumn(entry.user.value));
    m_insertDead.bind(3, entry.at);
    m_insertDead.bind(4, toColumn(firstAttempt));
    m_insertDead.bind(5, entry.attempt);
    m_insertDead.bind(6, entry.life);
    m_insertDead.bind(7, static_cast<int>(entry.outcome));
    m_insertDead.bind(8, static_cast<int>(entry.status));
    m_insertDead.bind(9, toColumn(lastAttempt));
    m_insertDead.bindNoCopy(10, entry.reason);
    m_insertDead.bind(11, toColumn(entry.pointer.sequence.value));
    m_insertDead.exec();
}

void LogWriter::writeState(const StateChange& change) {
    const auto& state = change.state;
    m_writeState.reset();
    m_writeState.bind(1, change.destination.value);
    m_writeState.bind(2, state.clock);
    m_writeState.bind(3, state.knownGood);
    m_writeState.bind(4, static_cast<int>(state.paused));
    m_writeState.bind(5, static_cast<int>(state.pausedBySystem));
    m_writeState.bind(6, state.pausedAt);
    m_writeState.bindNoCopy(7, state.pausedBy);
    m_writeState.bindNoCopy(8, state.pauseReason);
    m_writeState.bind(9, state.resumeAt);
    m_writeState.exec();
}

void LogWriter::writeDestination(const DestinationConfig& config) {
    const auto columns = encodeColumns(config);
    m_writeDestination.reset();
    m_writeDestination.bind(1, config.id.value);
    m_writeDestination.bindNoCopy(2, config.name);
    m_writeDestination.bindNoCopy(3, config.url);
    m_writeDestination.bind(4, config.policy.window);
    m_writeDestination.bind(5, config.policy.maxInFlight);
    m_writeDestination.bind(6, static_cast<int>(config.policy.afterDeadLetter));
    bindBytes(m_writeDestination, 7, columns.statuses);
    bindBytes(m_writeDestination, 8, columns.secrets);
    bindBytes(m_writeDestination, 9, columns.headers);
    bindBytes(m_writeDestination, 10, columns.eventTypes);
    m_writeDestination.bind(11, config.connectTimeout);
    m_writeDestination.bind(12, config.attemptTimeout);
    m_writeDestination.bind(13, static_cast<int>(config.allowLinkLocal));
    m_writeDestination.bind(14, config.policy.rateLimit);
    m_writeDestination.bind(15, static_cast<int>(config.policy.allowEdits));
    m_writeDestination.bind(16, static_cast<int>(config.body));
    bindBytes(m_writeDestination, 17, columns.authentication);
    bindBytes(m_writeDestination, 18, columns.tls);
    bindBytes(m_writeDestination, 19, columns.proxy);
    m_writeDestination.exec();

    m_raiseDestination.reset();
    m_raiseDestination.bind(1, config.id.value);
    m_raiseDestination.exec();
}

void LogWriter::removeDestination(DestinationId id) {
    // Rare, so the statements are not kept. The log keeps its rows until retention trims them.
    for (const char* sql :
         {"DELETE FROM destinations WHERE id=?", "DELETE FROM destination_state WHERE id=?",
          "DELETE FROM checkpoint WHERE destination=?", "DELETE FROM trimmed WHERE destination=?",
          "DELETE FROM dead_letters WHERE destination=?",
          "DELETE FROM lane_holds WHERE destination=?",
          "DELETE FROM event_versions WHERE destination=?",
          "DELETE FROM dead_letter_notes WHERE note_destination=?"}) {
        SQLite::Statement remove(m_database, sql);
        remove.bind(1, id.value);
        remove.exec();
    }
    removeTried(m_database, id);
}

void LogWriter::removeEvents(std::uint64_t first, std::uint64_t last) {
    for (const char* sql : {"DELETE FROM events WHERE seq BETWEEN ? AND ?",
                            "DELETE FROM pointers WHERE seq BETWEEN ? AND ?"}) {
        SQLite::Statement remove(m_database, sql);
        remove.bind(1, toColumn(first));
        remove.bind(2, toColumn(last));
        remove.exec();
    }
}

}  // namespace lanes::store
