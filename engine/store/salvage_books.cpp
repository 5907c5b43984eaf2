// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/salvage_books.h"

#include "engine/store/checkpoint.h"
#include "engine/store/encoding.h"
#include "engine/store/index_writer.h"
#include "engine/store/sender_records.h"
#include "engine/store/store_options.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace lanes::store {

namespace {

using Kind = SalvageFinding::Kind;

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kMayBeDelivered =
    "salvage: what became of it is unreadable, and a later event of this user was tried after it. "
    "It may have been delivered; rewind it only if the receiver lacks it";
constexpr const char* kMayBeRewound =
    "salvage: what became of it after its rewind is unreadable. It may have been delivered; rewind "
    "it only if the receiver lacks it";
constexpr const char* kWasDead = "salvage: it was a dead letter; the reason is unreadable";
constexpr const char* kTargetsLost =
    "salvage: where it was to go is unreadable. Rewind it only if it belongs here";

}  // namespace

SalvageBooks::SalvageBooks(SQLite::Database& database, const SalvageEvidence& evidence,
                           SalvageReport& report, const UserNames& names,
                           WallMicros now)
    : m_database(database),
      m_evidence(evidence),
      m_report(report),
      m_names(names),
      m_now(now),
      m_lastJournal(evidence.given.journal) {}

void SalvageBooks::execute(const char* sql, std::initializer_list<std::int64_t> values) {
    SQLite::Statement statement(m_database, sql);
    int index = 0;
    for (const auto value : values) statement.bind(++index, value);
    statement.exec();
}

void SalvageBooks::settle() {
    settleDestinations();
    settleSenderMarks(m_database);
    rebuildPointers();
    readPlaces();
    readJournal();
    readList();
    replayLedger(m_database, m_ledger);
    judgeLanes();
    writeVerdicts();
    dropFinished();
    m_ledger = PendingLedger();
    replayLedger(m_database, m_ledger);
    settleList();
    m_database.exec("UPDATE operations SET state=0, note='ended by a salvage; what it had moved"
                    " goes on' WHERE state<>0");
    writeCheckpoint(m_database, m_ledger, {m_evidence.given.sequence, m_lastJournal});
    buildIndexes(m_database);
    count();
}

// --- What the rows say

void SalvageBooks::readPlaces() {
    scanPointers(m_database, 0,
                 [this](Sequence sequence, UserId user, const std::vector<Target>& targets) {
                     const auto first = m_places.size();
                     for (const auto& target : targets) {
                         Place place;
                         place.sequence = sequence.value;
                         place.destination = target.destination.value;
                         place.user = user;
                         m_places.push_back(place);
                     }
                     std::sort(m_places.begin() + static_cast<std::ptrdiff_t>(first),
                               m_places.end(), [](const Place& a, const Place& b) {
                                   return a.destination < b.destination;
                               });
                 });
}

SalvageBooks::Place* SalvageBooks::find(Pointer pointer) {
    const auto key = std::pair(pointer.sequence.value, pointer.destination.value);
    const auto found = std::lower_bound(
        m_places.begin(), m_places.end(), key, [](const Place& place, const auto& wanted) {
            return std::pair(place.sequence, place.destination) < wanted;
        });
    if (found == m_places.end() || std::pair(found->sequence, found->destination) != key)
        return nullptr;
    return &*found;
}

void SalvageBooks::readJournal() {
    std::vector<std::uint64_t> strays;
    std::uint64_t before = 0;
    scanJournal(m_database, 0, [&](const JournalFact& fact) {
        Place* place = find(fact.pointer);
        if (place == nullptr) {
            strays.push_back(fact.row);
            return;
        }
        if (fact.row > before + 1) m_holes[fact.row - 1] = before + 1;
        before = fact.row;
        const bool begins = fact.kind == JournalKind::attempt ||
                            fact.kind == JournalKind::deadLettered;
        if (begins && fact.life == 1 && place->begun == 0) place->begun = fact.row;
        if (fact.kind == JournalKind::deadLettered) place->died = fact.row;
        if (fact.kind == JournalKind::rewound) place->rewound = true;
        const bool ends = fact.kind == JournalKind::attempt
                              ? fact.outcome == Outcome::delivered
                              : fact.kind != JournalKind::rewound;
        if (ends && place->ended == 0) place->ended = fact.row;
        place->lastRow = fact.row;
    });
    if (m_lastJournal > before) m_holes[m_lastJournal] = before + 1;
    for (const auto row : strays)
        execute("DELETE FROM journal WHERE id=?", {toColumn(row)});
}

void SalvageBooks::readList() {
    std::vector<std::int64_t> strays;
    SQLite::Statement query(m_database,
                            "SELECT row, destination, seq, rewound_by FROM dead_letters");
    while (query.executeStep()) {
        Place* place = find({DestinationId(query.getColumn(1).getUInt()),
                             Sequence(asUnsigned(query.getColumn(2)))});
        if (place == nullptr)
            strays.push_back(query.getColumn(0).getInt64());
        else
            place->listed = query.getColumn(3).getInt64() == 0 ? Listed::dead : Listed::hidden;
    }
    for (const auto row : strays)
        execute("DELETE FROM dead_letters WHERE row=?", {row});
}

// --- Judgement

void SalvageBooks::judgeLanes() {
    std::vector<Place*> lanes;
    lanes.reserve(m_places.size());
    for (auto& place : m_places) lanes.push_back(&place);
    std::sort(lanes.begin(), lanes.end(), [](const Place* a, const Place* b) {
        return std::tuple(a->destination, a->user, a->sequence) <
               std::tuple(b->destination, b->user, b->sequence);
    });
    const Place* behind = nullptr;
    bool finishedLater = false;
    std::uint64_t deadline = kNone;
    for (auto at = lanes.rbegin(); at != lanes.rend(); ++at) {
        Place& place = **at;
        if (behind == nullptr || behind->destination != place.destination ||
            behind->user != place.user) {
            finishedLater = false;
            deadline = kNone;
        }
        judge(place, finishedLater, deadline);
        if (place.begun != 0) deadline = std::min(deadline, place.begun);
        finishedLater = finishedLater || place.begun != 0 || place.listed != Listed::no;
        behind = &place;
    }
}

/// By the checkpoint.
bool SalvageBooks::isOver(const Place& place) const {
    const auto saved = m_evidence.checkpoint.find(DestinationId(place.destination));
    return saved != m_evidence.checkpoint.end() &&
           place.sequence <= m_evidence.checkpointAt.sequence &&
           !saved->second.isOpen(Sequence(place.sequence));
}

/// Where the first end of an event is lost and a later row tells of it, that end gets its place
/// before what followed in the lane.
void SalvageBooks::judgeEnd(Place& place, bool finished, std::uint64_t deadline) {
    if (deadline == kNone || (place.ended != 0 && place.ended < deadline)) return;
    if (finished && !place.rewound) {
        m_dropped[{DestinationId(place.destination), Sequence(place.sequence)}] =
            Dropped::delivered;
    } else {
        m_verdicts.push_back(
            {&place, deadline, false, "salvage: how it first left its lane is unreadable"});
    }
}

void SalvageBooks::judge(Place& place, bool finishedLater, std::uint64_t deadline) {
    const auto* ledger = m_ledger.find(DestinationId(place.destination));
    if (ledger == nullptr) return;  // a destination that was removed
    const Sequence sequence(place.sequence);
    const bool waits = ledger->pending().contains(place.sequence);
    const bool dead = ledger->isDead(sequence);
    if (m_withoutPayload.contains(place.sequence)) return giveUpPayload(place, waits || dead);
    if (waits) return judgeWaiting(place, finishedLater, deadline);
    judgeEnd(place, !dead, deadline);
    if (dead) {
        // Rewound since, and delivered or waiting again; or the row of the list is lost.
        const bool gone = place.listed == Listed::no && m_evidence.whole("dead_letters");
        if (gone && isOver(place)) {
            m_dropped[{DestinationId(place.destination), sequence}] = Dropped::delivered;
        } else if (place.listed == Listed::hidden || gone) {
            m_reasons[{DestinationId(place.destination), sequence}] = kMayBeRewound;
            note(Kind::doubtful, {DestinationId(place.destination), sequence}, kMayBeRewound);
        }
        return;
    }
    if (place.listed == Listed::dead) {
        m_verdicts.push_back({&place, kNone, true, {}});
    } else if (place.listed == Listed::hidden) {
        doubt(place, kNone, true, kMayBeRewound);
    }
}

void SalvageBooks::judgeWaiting(Place& place, bool finishedLater, std::uint64_t deadline) {
    const DestinationId id(place.destination);
    const Sequence sequence(place.sequence);
    const auto* tried = m_ledger.tried({id, sequence});
    if (tried != nullptr && tried->life > 1) return judgeEnd(place, false, deadline);
    if (m_guessed.contains({id, sequence})) {
        m_reasons[{id, sequence}] = kTargetsLost;
        m_verdicts.push_back({&place, deadline, false, kTargetsLost});
        return;
    }
    if (place.listed == Listed::dead) {
        m_verdicts.push_back({&place, deadline, false, {}});
        return;
    }
    if (place.listed == Listed::hidden) {
        if (finishedLater) doubt(place, deadline, false, kMayBeRewound);
        return;
    }
    const auto saved = m_evidence.checkpoint.find(id);
    const bool known = saved != m_evidence.checkpoint.end() &&
                       place.sequence <= m_evidence.checkpointAt.sequence;
    if (isOver(place)) {
        m_dropped[{id, sequence}] = Dropped::delivered;
    } else if (known && saved->second.isDead(sequence)) {
        doubt(place, deadline, false, kWasDead);
    } else if (finishedLater) {
        doubt(place, deadline, false, kMayBeDelivered);
    }
}

void SalvageBooks::giveUpPayload(const Place& place, bool open) {
    const Pointer pointer{DestinationId(place.destination), Sequence(place.sequence)};
    const bool finished = isOver(place);
    m_dropped[pointer] = open && !finished ? Dropped::discarded : Dropped::delivered;
    if (!open || finished) return;
    std::string eventId;
    SQLite::Statement letter(m_database,
                             "SELECT event_id FROM dead_letters WHERE destination=? AND seq=?");
    letter.bind(1, place.destination);
    letter.bind(2, toColumn(place.sequence));
    if (letter.executeStep()) eventId = letter.getColumn(0).getString();
    note(Kind::lostPayload, pointer,
         "the payload is unreadable and was not delivered, as far as can be read; its sender has "
         "to send it again",
         eventId);
}

void SalvageBooks::doubt(Place& place, std::uint64_t deadline, bool wasDelivered,
                         std::string reason) {
    const Pointer pointer{DestinationId(place.destination), Sequence(place.sequence)};
    note(Kind::doubtful, pointer, reason);
    m_reasons[pointer] = reason;
    m_verdicts.push_back({&place, deadline, wasDelivered, std::move(reason)});
}

// --- Writing

/// A number in a hole that is after one row and before another; 0 if there is none. The smallest,
/// so that those with the nearest deadlines, which come first, leave room for the others.
std::uint64_t SalvageBooks::takeHole(std::uint64_t after, std::uint64_t before) {
    const auto hole = m_holes.upper_bound(after);
    if (hole == m_holes.end()) return 0;
    const auto [last, first] = *hole;
    const std::uint64_t number = std::max(first, after + 1);
    if (number >= before) return 0;
    m_holes.erase(hole);
    if (number > first) m_holes[number - 1] = first;
    if (number < last) m_holes[last] = number + 1;
    return number;
}

/// The row stands where the lost one stood, before what followed it in its lane, so that the order
/// ledger finds the lane in order.
void SalvageBooks::writeVerdicts() {
    std::stable_sort(m_verdicts.begin(), m_verdicts.end(), [](const auto& a, const auto& b) {
        return a.deadline < b.deadline;
    });
    for (const auto& verdict : m_verdicts) {
        Place& place = *verdict.place;
        std::uint64_t id = 0;
        if (verdict.deadline != kNone) id = takeHole(place.lastRow, verdict.deadline);
        if (verdict.deadline != kNone && id == 0) id = takeHole(0, verdict.deadline);
        const Pointer pointer{DestinationId(place.destination), Sequence(place.sequence)};
        if (m_guessed.contains(pointer)) {
            // Its lane went on without a row of its own that could be lost: it never was there.
            if (verdict.deadline != kNone && id == 0) {
                m_dropped[pointer] = Dropped::never;
                continue;
            }
            note(Kind::lostTargets, pointer,
                 "where it was to go is unreadable; it is a dead letter where it may belong");
        }
        std::uint32_t life = 1;
        if (verdict.wasDelivered)
            writeRow(++m_lastJournal, JournalKind::rewound, place, ++life, {});
        if (id == 0) id = ++m_lastJournal;
        writeRow(id, JournalKind::deadLettered, place, life, verdict.reason);
        place.died = std::max(place.died, id);
    }
}

void SalvageBooks::writeRow(std::uint64_t id, JournalKind kind, const Place& place,
                            std::uint32_t life, const std::string& reason) {
    const auto* tried = m_ledger.tried({DestinationId(place.destination),
                                        Sequence(place.sequence)});
    const bool rewound = kind == JournalKind::rewound;
    SQLite::Statement insert(m_database,
                             "INSERT INTO journal VALUES(?,?,?,?,?,?,?,0,?,0,0,0,0,'',?,x'')");
    insert.bind(1, toColumn(id));
    insert.bind(2, static_cast<int>(kind));
    insert.bind(3, place.destination);
    insert.bind(4, toColumn(place.sequence));
    insert.bind(5, life);
    insert.bind(6, tried == nullptr || rewound ? 0 : tried->attempts);
    insert.bind(7, m_now);
    insert.bind(8, static_cast<int>(rewound ? Outcome::delivered : Outcome::unknown));
    insert.bind(9, reason);
    insert.exec();
}

/// What is finished although its rows are lost counts as what retention removed: the books hold
/// its number, the log has nothing of it.
void SalvageBooks::dropFinished() {
    SQLite::Statement read(m_database, "SELECT targets FROM pointers WHERE seq=?");
    SQLite::Statement write(m_database, "UPDATE pointers SET targets=? WHERE seq=?");
    SQLite::Statement trimmed(m_database,
                              "INSERT INTO trimmed VALUES(?1,1,?2,?3) ON CONFLICT(destination) DO"
                              " UPDATE SET accepted=accepted+1, delivered=delivered+?2,"
                              " discarded=discarded+?3");
    for (const auto& [pointer, how] : m_dropped) {
        const auto sequence = toColumn(pointer.sequence.value);
        std::vector<Target> targets;
        read.reset();
        read.bind(1, sequence);
        if (!read.executeStep() || !decodeTargets(asView(read.getColumn(0)), targets)) continue;
        std::erase_if(targets, [&](const Target& target) {
            return target.destination == pointer.destination;
        });
        const std::string bytes = encodeTargets(targets);
        read.reset();
        write.reset();
        write.bindNoCopy(1, bytes.data(), static_cast<int>(bytes.size()));
        write.bind(2, sequence);
        write.exec();
        if (how == Dropped::never) continue;
        trimmed.reset();
        trimmed.bind(1, pointer.destination.value);
        trimmed.bind(2, how == Dropped::delivered ? 1 : 0);
        trimmed.bind(3, how == Dropped::discarded ? 1 : 0);
        trimmed.exec();
    }
    std::vector<std::uint64_t> rows;
    scanJournal(m_database, 0, [&](const JournalFact& fact) {
        if (m_dropped.contains(fact.pointer)) rows.push_back(fact.row);
    });
    for (const auto row : rows)
        execute("DELETE FROM journal WHERE id=?", {toColumn(row)});
    for (const auto sequence : m_withoutPayload)
        execute("DELETE FROM pointers WHERE seq=?", {toColumn(sequence)});
}

/// The list of dead letters as the journal has it now.
void SalvageBooks::settleList() {
    for (const auto& place : m_places) {
        const Pointer pointer{DestinationId(place.destination), Sequence(place.sequence)};
        const auto* ledger = m_ledger.find(pointer.destination);
        const bool dead = ledger != nullptr && ledger->isDead(pointer.sequence);
        const auto* tried = m_ledger.tried(pointer);
        const bool rewound = tried != nullptr && tried->life > 1;
        const auto reason = m_reasons.find(pointer);
        const bool right = dead ? place.listed == Listed::dead && reason == m_reasons.end()
                                : place.listed == Listed::no ||
                                      (place.listed == Listed::hidden && rewound);
        if (right) continue;
        execute("DELETE FROM dead_letters WHERE destination=? AND seq=?",
                {place.destination, toColumn(place.sequence)});
        if (dead) list(place, reason == m_reasons.end() ? std::string() : reason->second);
    }
}

void SalvageBooks::list(const Place& place, const std::string& reason) {
    SQLite::Statement insert(
        m_database,
        "INSERT INTO dead_letters(destination, seq, user_id, user_kind, user, event_id, type,"
        " accepted_at, died_at, first_tried_at, attempts, life, last_outcome, last_status,"
        " last_error, reason, bytes)"
        " SELECT ?1, e.seq, ?2, e.user_kind, e.user, e.id, e.type, e.accepted_at, j.at, 0,"
        " j.attempt, j.life, j.outcome, j.status, j.error,"
        " CASE ?3 WHEN '' THEN j.reason ELSE ?3 END, length(e.payload)"
        " FROM events e, journal j WHERE e.seq=?4 AND j.id=?5");
    insert.bind(1, place.destination);
    insert.bind(2, toColumn(place.user.value));
    insert.bind(3, reason);
    insert.bind(4, toColumn(place.sequence));
    insert.bind(5, toColumn(place.died));
    insert.exec();
}

void SalvageBooks::count() {
    const auto number = [this](const char* sql) {
        return static_cast<std::uint64_t>(queryNumber(m_database, sql));
    };
    m_report.events = number("SELECT COUNT(*) FROM events");
    m_report.journalRows = number("SELECT COUNT(*) FROM journal");
    m_report.destinations = number("SELECT COUNT(*) FROM destinations");
    for (const auto& [id, ledger] : m_ledger.destinations()) {
        m_report.waiting += ledger.counters().waiting;
        m_report.deadLetters += ledger.counters().dead;
    }
}

void SalvageBooks::note(SalvageFinding::Kind kind, Pointer pointer, std::string text,
                        std::string eventId) {
    if (kind == Kind::lostPayload) ++m_report.lost;
    if (kind == Kind::doubtful || kind == Kind::lostTargets) ++m_report.doubtful;
    if (eventId.empty() && pointer.sequence) {
        SQLite::Statement event(m_database, "SELECT id FROM events WHERE seq=?");
        event.bind(1, toColumn(pointer.sequence.value));
        if (event.executeStep()) eventId = event.getColumn(0).getString();
    }
    m_report.findings.push_back({kind, pointer.sequence, pointer.sequence, pointer.destination,
                                 std::move(eventId), std::move(text)});
}

}  // namespace lanes::store
