// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/recovery.h"

#include "engine/store/checkpoint.h"
#include "engine/store/destination_columns.h"
#include "engine/store/encoding.h"
#include "engine/store/operation_records.h"
#include "engine/store/row_scan.h"
#include "engine/store/sender_records.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::store {

namespace {

/// Pending pointers are read by stepping; after a gap of this many rows a new seek is cheaper.
constexpr int kStepsBeforeSeek = 32;
/// Shares of the work, at ten million pending events: the checkpoint with its tail, and the ends
/// of the log that the indexes lack. The rest are the pending events themselves.
constexpr double kLedgerRead = 0.05;
constexpr double kIndexRead = 0.3;
/// How often the progress is told.
constexpr std::uint64_t kProgressRows = 16'384;

std::map<DestinationId, DestinationState> readStates(SQLite::Database& database) {
    std::map<DestinationId, DestinationState> states;
    SQLite::Statement query(database,
                            "SELECT id, clock, known_good, paused, paused_by_system, paused_at,"
                            " paused_by, pause_reason, resume_at FROM destination_state");
    while (query.executeStep()) {
        DestinationState state;
        state.clock = query.getColumn(1).getInt64();
        state.knownGood = query.getColumn(2).getDouble();
        state.paused = query.getColumn(3).getInt() != 0;
        state.pausedBySystem = query.getColumn(4).getInt() != 0;
        state.pausedAt = query.getColumn(5).getInt64();
        state.pausedBy = query.getColumn(6).getString();
        state.pauseReason = query.getColumn(7).getString();
        state.resumeAt = query.getColumn(8).getInt64();
        states.emplace(DestinationId(query.getColumn(0).getUInt()), std::move(state));
    }
    return states;
}

/// Dead letters of a destination, rising. False if the list and the ledger differ.
bool readDead(SQLite::Database& database, DestinationId id, const DestinationLedger& ledger,
              std::vector<DeadPointer>& dead) {
    // The plus keeps the planner off the index by time, which would have to be sorted.
    SQLite::Statement query(database, "SELECT seq, user_id, life FROM dead_letters"
                                      " WHERE destination=? AND +rewound_by=0 ORDER BY seq");
    query.bind(1, id.value);
    while (query.executeStep()) {
        const DeadPointer pointer{Sequence(asUnsigned(query.getColumn(0))),
                                  UserId(asUnsigned(query.getColumn(1))),
                                  query.getColumn(2).getUInt()};
        if (!ledger.isDead(pointer.sequence)) return false;
        dead.push_back(pointer);
    }
    return dead.size() == ledger.counters().dead;
}

void addDestinations(SQLite::Database& database, PendingLedger& ledger) {
    SQLite::Statement query(database, "SELECT id FROM destinations");
    while (query.executeStep()) ledger.add(DestinationId(query.getColumn(0).getUInt()));
}

void applyTails(SQLite::Database& database, const CheckpointMarks& marks, PendingLedger& ledger) {
    // Entries about an event always come after it, so all pointers may go first.
    scanPointers(database, marks.sequence,
                 [&](Sequence sequence, UserId, const std::vector<Target>& targets) {
                     ledger.accept(sequence, targets);
                 });
    scanJournal(database, marks.journal,
                [&](const JournalFact& fact) { ledger.apply(fact); });
}

/// The ends of the log that the sorted runs do not hold yet.
void loadIndexTails(SQLite::Database& database, LogIndex& index) {
    const auto ids = indexedUpTo(database, IndexKind::ids);
    const auto users = indexedUpTo(database, IndexKind::users);
    RowScan pointers(database, "SELECT seq, user, hash FROM pointers WHERE seq>? ORDER BY seq",
                     std::min(ids, users));
    while (pointers.next()) {
        const auto sequence = pointers.number<std::uint64_t>(0);
        if (sequence > users) index.addUser(pointers.number<std::uint64_t>(1), sequence);
        if (sequence > ids) index.know(pointers.number<std::uint64_t>(2), sequence);
    }
    index.confirm();
    RowScan journal(database, "SELECT id, seq FROM journal WHERE id>? ORDER BY id",
                    indexedUpTo(database, IndexKind::history));
    while (journal.next())
        index.addJournal(journal.number<std::uint64_t>(1), journal.number<std::uint64_t>(0));
}

/// Rows of the pointer table for rising sequences, by steps where they are near.
class PointerCursor {
public:
    explicit PointerCursor(SQLite::Database& database)
        : m_rows(database, "SELECT seq, user, targets FROM pointers WHERE seq>=? ORDER BY seq",
                 0) {}

    /// False if there is no row with this sequence.
    bool moveTo(std::uint64_t sequence) {
        for (int steps = 0; m_here != 0 && steps < kStepsBeforeSeek; ++steps) {
            if (m_here >= sequence) return m_here == sequence;
            step();
        }
        m_rows.restart(sequence);
        step();
        return m_here == sequence;
    }
    [[nodiscard]] UserId user() { return UserId(m_rows.number<std::uint64_t>(1)); }
    [[nodiscard]] bool targets(std::vector<Target>& targets) {
        return decodeTargets(m_rows.bytes(2), targets);
    }

private:
    void step() { m_here = m_rows.next() ? m_rows.number<std::uint64_t>(0) : 0; }

    RowScan m_rows;
    std::uint64_t m_here = 0;  ///< 0: on no row
};

PendingPointer pendingPointer(Sequence sequence, UserId user, const Target& target,
                              const DestinationLedger& ledger) {
    PendingPointer pending;
    pending.pointer = {target.destination, sequence};
    pending.user = user;
    pending.clock = target.clock;
    if (const auto* tried = ledger.tried(sequence)) {
        pending.attempts = tried->attempts;
        pending.life = tried->life;
        pending.operation = tried->operation;
        pending.lastOutcome = tried->lastOutcome;
        pending.lastStatus = tried->lastStatus;
        if (tried->life > 1) pending.clock = tried->clock;
    }
    return pending;
}

Result<Nothing> tellPending(SQLite::Database& database, const std::string& path,
                            PendingLedger& ledger, const Recovery& recovery) {
    Roaring64Map all;
    std::uint64_t untold = 0;  // of all destinations
    for (const auto& [id, destination] : ledger.destinations()) {
        all |= destination.pending();
        untold += destination.pending().cardinality();
    }
    const std::uint64_t total = all.cardinality();
    std::uint64_t done = 0;
    PointerCursor cursor(database);
    std::vector<Target> targets;
    for (const std::uint64_t value : all) {
        if (!cursor.moveTo(value) || !cursor.targets(targets))
            return damaged(path, "event " + std::to_string(value) + " waits but is not there");
        for (const auto& target : targets) {
            const auto* destination = ledger.find(target.destination);
            if (destination == nullptr || !destination->pending().contains(value)) continue;
            --untold;
            if (recovery.pending) {
                recovery.pending(
                    pendingPointer(Sequence(value), cursor.user(), target, *destination));
            }
        }
        if (++done % kProgressRows == 0 && recovery.progress)
            recovery.progress(kIndexRead + (1 - kIndexRead) * static_cast<double>(done) /
                                               static_cast<double>(total));
    }
    if (untold != 0)
        return damaged(path, std::to_string(untold) + " events wait where they do not go");
    if (recovery.progress) recovery.progress(1.0);
    return Nothing{};
}

}  // namespace

std::uint64_t hashOf(const CheckpointMarks& marks) {
    std::string numbers;
    putNumber(numbers, marks.sequence);
    putNumber(numbers, marks.journal);
    return stableHash(numbers);
}

CheckpointMarks readMarks(SQLite::Database& database) {
    return {static_cast<std::uint64_t>(
                queryNumber(database, "SELECT value FROM marks WHERE name='sequence'")),
            static_cast<std::uint64_t>(
                queryNumber(database, "SELECT value FROM marks WHERE name='journal'"))};
}

LogPositions positionsOf(SQLite::Database& database) {
    const auto marks = readMarks(database);
    const auto number = [&](const char* sql) {
        return static_cast<std::uint64_t>(queryNumber(database, sql));
    };
    return {std::max({marks.sequence, number("SELECT MAX(seq) FROM events"),
                      number("SELECT MAX(seq) FROM pointers")}),
            std::max(marks.journal, number("SELECT MAX(id) FROM journal"))};
}

std::vector<DestinationConfig> readDestinations(SQLite::Database& database) {
    std::vector<DestinationConfig> result;
    SQLite::Statement query(database,
                            "SELECT id, name, url, window, max_in_flight, after_dead_letter,"
                            " statuses, secrets, headers, event_types, connect_timeout,"
                            " attempt_timeout, allow_link_local, rate_limit, allow_edits,"
                            " body_format, authentication, tls, proxy"
                            " FROM destinations ORDER BY id");
    while (query.executeStep()) {
        DestinationConfig config;
        config.id = DestinationId(query.getColumn(0).getUInt());
        config.name = query.getColumn(1).getString();
        config.url = query.getColumn(2).getString();
        config.policy.window = query.getColumn(3).getInt64();
        config.policy.maxInFlight = query.getColumn(4).getUInt();
        config.policy.afterDeadLetter = static_cast<AfterDeadLetter>(query.getColumn(5).getInt());
        const DestinationColumnViews columns{
            asView(query.getColumn(6)), asView(query.getColumn(7)), asView(query.getColumn(8)),
            asView(query.getColumn(9)), asView(query.getColumn(16)), asView(query.getColumn(17)),
            asView(query.getColumn(18))};
        if (!decodeColumns(columns, config))
            throw SQLite::Exception(
                "the settings of destination " + config.name + " are unreadable", SQLITE_CORRUPT);
        config.connectTimeout = query.getColumn(10).getInt64();
        config.attemptTimeout = query.getColumn(11).getInt64();
        config.allowLinkLocal = query.getColumn(12).getInt() != 0;
        config.policy.rateLimit = query.getColumn(13).getDouble();
        config.policy.allowEdits = query.getColumn(14).getInt() != 0;
        config.body = static_cast<BodyFormat>(query.getColumn(15).getInt());
        result.push_back(std::move(config));
    }
    return result;
}

void scanPointers(SQLite::Database& database, std::uint64_t after,
                  const std::function<void(Sequence, UserId, const std::vector<Target>&)>& visit) {
    RowScan rows(database, "SELECT seq, user, targets FROM pointers WHERE seq>? ORDER BY seq",
                 after);
    std::vector<Target> targets;
    while (rows.next()) {
        if (!decodeTargets(rows.bytes(2), targets))
            throw SQLite::Exception("a pointer is unreadable", SQLITE_CORRUPT);
        visit(Sequence(rows.number<std::uint64_t>(0)), UserId(rows.number<std::uint64_t>(1)),
              targets);
    }
}

void scanJournal(SQLite::Database& database, std::uint64_t after,
                 const std::function<void(const JournalFact&)>& visit) {
    RowScan rows(database,
                 "SELECT id, kind, destination, seq, life, attempt, outcome, status,"
                 " operation, clock FROM journal WHERE id>? ORDER BY id",
                 after);
    while (rows.next()) {
        JournalFact fact;
        fact.row = rows.number<std::uint64_t>(0);
        fact.kind = rows.number<JournalKind>(1);
        fact.pointer.destination = DestinationId(rows.number<std::uint32_t>(2));
        fact.pointer.sequence = Sequence(rows.number<std::uint64_t>(3));
        fact.life = rows.number<std::uint32_t>(4);
        fact.attempt = rows.number<std::uint32_t>(5);
        fact.outcome = rows.number<Outcome>(6);
        fact.status = rows.number<std::uint16_t>(7);
        fact.operation = OperationId(rows.number<std::uint64_t>(8));
        fact.clock = rows.number<Micros>(9);
        visit(fact);
    }
}

bool loadLedger(SQLite::Database& database, PendingLedger& ledger, LedgerPart part) {
    addDestinations(database, ledger);
    SQLite::Statement query(database,
                            "SELECT destination, accepted, delivered, discarded, pending, dead,"
                            " tried, hash FROM checkpoint");
    while (query.executeStep()) {
        const DestinationId id(query.getColumn(0).getUInt());
        auto* destination = ledger.find(id);
        if (destination == nullptr) return false;
        CheckpointRow row;
        row.accepted = asUnsigned(query.getColumn(1));
        row.delivered = asUnsigned(query.getColumn(2));
        row.discarded = asUnsigned(query.getColumn(3));
        row.pending = query.getColumn(4).getString();
        row.dead = query.getColumn(5).getString();
        row.tried = query.getColumn(6).getString();
        if (row.hash(id) != asUnsigned(query.getColumn(7))) return false;
        if (part == LedgerPart::openEvents) row.tried.clear();
        if (!destination->load(row)) return false;
    }
    if (part == LedgerPart::everything && !loadTried(database, ledger)) return false;
    const CheckpointMarks marks = readMarks(database);
    // Files of earlier versions have no hash.
    SQLite::Statement hash(database, "SELECT value FROM marks WHERE name=?");
    hash.bind(1, kCheckpointHash);
    if (hash.executeStep() && asUnsigned(hash.getColumn(0)) != hashOf(marks)) return false;
    applyTails(database, marks, ledger);
    for (const auto& [id, destination] : ledger.destinations()) {
        if (!destination.counters().balanced()) return false;
    }
    return true;
}

void startLedger(SQLite::Database& database, PendingLedger& ledger) {
    addDestinations(database, ledger);
    SQLite::Statement query(database,
                            "SELECT destination, accepted, delivered, discarded FROM trimmed");
    while (query.executeStep()) {
        if (auto* destination = ledger.find(DestinationId(query.getColumn(0).getUInt()))) {
            destination->startFrom({asUnsigned(query.getColumn(1)),
                                    asUnsigned(query.getColumn(2)),
                                    asUnsigned(query.getColumn(3))});
        }
    }
}

void replayLedger(SQLite::Database& database, PendingLedger& ledger) {
    startLedger(database, ledger);
    applyTails(database, {}, ledger);
}

void readLedger(SQLite::Database& database, PendingLedger& ledger) {
    if (loadLedger(database, ledger)) return;
    ledger = PendingLedger();
    replayLedger(database, ledger);
    replaceTried(database, ledger);
}

Result<Nothing> recover(SQLite::Database& database, const std::string& path, Recovery& recovery,
                        WriterState& state) {
    database.exec("BEGIN");
    readLedger(database, state.ledger);
    if (recovery.progress) recovery.progress(kLedgerRead);
    state.checkpoint = readMarks(database);
    state.positions = positionsOf(database);
    loadIndexTails(database, state.index);
    if (recovery.progress) recovery.progress(kIndexRead);

    recovery.lastSequence = Sequence(state.positions.sequence);
    recovery.lastOperation = OperationId(
        static_cast<std::uint64_t>(queryNumber(database, "SELECT MAX(id) FROM operations")));
    recovery.lastDestination = DestinationId(static_cast<std::uint32_t>(
        queryNumber(database, "SELECT value FROM marks WHERE name='destination'")));
    recovery.sources = readSources(database);
    recovery.lastSource = SourceId(static_cast<std::uint32_t>(
        queryNumber(database, "SELECT value FROM marks WHERE name='source'")));
    recovery.quarantined = static_cast<std::uint64_t>(
        queryNumber(database, "SELECT value FROM marks WHERE name='quarantined'"));
    recovery.operations = readOpenOperations(database);
    recovery.versions = readVersions(database);
    auto states = readStates(database);
    for (auto& config : readDestinations(database)) {
        RecoveredDestination destination;
        const auto* ledger = state.ledger.find(config.id);
        destination.state = states[config.id];
        destination.counters = ledger->counters();
        destination.holds = readHolds(database, config.id);
        destination.config = std::move(config);
        if (!destination.counters.balanced() ||
            !readDead(database, destination.config.id, *ledger, destination.dead)) {
            return damaged(path, "the counts of destination " + destination.config.name +
                                     " do not balance");
        }
        recovery.destinations.push_back(std::move(destination));
    }
    const auto told = tellPending(database, path, state.ledger, recovery);
    database.exec("COMMIT");
    return told;
}

}  // namespace lanes::store
