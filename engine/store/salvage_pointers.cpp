// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/salvage_books.h"

#include "engine/store/encoding.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <utility>

// Destinations and pointers that are missing are made again from what names them.
namespace lanes::store {

using Kind = SalvageFinding::Kind;

// --- Destinations

void SalvageBooks::settleDestinations() {
    execute("UPDATE marks SET value=? WHERE name='destination'",
            {m_evidence.lastDestination});
    if (m_evidence.whole("destinations") && m_evidence.whole("destination_state")) return;
    std::set<DestinationId> known;
    for (const auto& config : readDestinations(m_database)) {
        if (validate(config).empty()) known.insert(config.id);
    }
    std::set<DestinationId> withState;
    std::set<DestinationId> named = known;
    SQLite::Statement states(m_database, "SELECT id FROM destination_state");
    while (states.executeStep()) withState.insert(DestinationId(states.getColumn(0).getUInt()));
    named.insert(withState.begin(), withState.end());
    if (!m_evidence.whole("destinations")) {
        scanPointers(m_database, 0, [&](Sequence, UserId, const std::vector<Target>& targets) {
            for (const auto& target : targets) named.insert(target.destination);
        });
    }
    for (const auto id : named) {
        if (!known.contains(id)) addLostDestination(id);
        if (!known.contains(id) || (!m_evidence.whole("destination_state") &&
                                    !withState.contains(id)))
            pauseLostState(id, known.contains(id)
                                   ? "salvage: whether it was paused is unreadable"
                                   : "salvage: its settings are unreadable. Set its address with "
                                     "destinations set, then resume it");
    }
}

/// Its events must not be forgotten, so there is a destination; nothing must be sent before its
/// address is known, so it is paused.
void SalvageBooks::addLostDestination(DestinationId id) {
    const DestinationConfig usual;
    SQLite::Statement insert(m_database,
                             "INSERT OR REPLACE INTO destinations(id, name, url, window,"
                             " max_in_flight, after_dead_letter, statuses, secrets, headers,"
                             " event_types, connect_timeout, attempt_timeout, allow_link_local)"
                             " VALUES(?,?,?,?,?,?,x'',x'',x'',x'',?,?,0)");
    insert.bind(1, id.value);
    insert.bind(2, "lost-" + std::to_string(id.value));
    insert.bind(3, "http://lost.invalid/");  // a name that is reserved never to exist
    insert.bind(4, usual.policy.window);
    insert.bind(5, usual.policy.maxInFlight);
    insert.bind(6, static_cast<int>(usual.policy.afterDeadLetter));
    insert.bind(7, usual.connectTimeout);
    insert.bind(8, usual.attemptTimeout);
    insert.exec();
    note(Kind::destination, {id, {}},
         "the settings of destination " + std::to_string(id.value) +
             " are unreadable; it came back paused, as lost-" + std::to_string(id.value));
}

void SalvageBooks::pauseLostState(DestinationId id, const std::string& reason) {
    Micros clock = 0;
    scanPointers(m_database, 0, [&](Sequence, UserId, const std::vector<Target>& targets) {
        for (const auto& target : targets)
            if (target.destination == id) clock = std::max(clock, target.clock);
    });
    SQLite::Statement insert(m_database,
                             "INSERT INTO destination_state(id, clock, known_good, paused,"
                             " paused_by_system, paused_at, paused_by, pause_reason)"
                             " VALUES(?1,?2,?3,1,0,?4,'salvage',?5) ON CONFLICT(id) DO UPDATE SET"
                             " paused=1, paused_at=?4, paused_by='salvage', pause_reason=?5,"
                             " resume_at=0");
    insert.bind(1, id.value);
    insert.bind(2, clock);
    insert.bind(3, DestinationState().knownGood);
    insert.bind(4, m_now);
    insert.bind(5, reason);
    insert.exec();
    if (reason.find("settings") == std::string::npos)
        note(Kind::destination, {id, {}},
             "the state of destination " + std::to_string(id.value) +
                 " is unreadable; it came back paused");
}

// --- Pointers

/// Destinations that the journal, the dead letters or the checkpoint name for events without a
/// pointer.
std::map<std::uint64_t, SalvageBooks::Targets> SalvageBooks::targetsSeen() {
    std::map<std::uint64_t, Targets> seen;
    SQLite::Statement query(m_database,
                            "SELECT seq FROM events WHERE seq NOT IN (SELECT seq FROM pointers)");
    while (query.executeStep()) seen[asUnsigned(query.getColumn(0))];
    if (seen.empty()) return seen;
    const auto saw = [&seen](std::uint64_t sequence, std::uint32_t destination) {
        const auto found = seen.find(sequence);
        if (found != seen.end()) found->second.insert(destination);
    };
    scanJournal(m_database, 0, [&](const JournalFact& fact) {
        saw(fact.pointer.sequence.value, fact.pointer.destination.value);
    });
    SQLite::Statement letters(m_database, "SELECT seq, destination FROM dead_letters");
    while (letters.executeStep())
        saw(asUnsigned(letters.getColumn(0)), letters.getColumn(1).getUInt());
    for (const auto& [id, ledger] : m_evidence.checkpoint) {
        for (auto& [sequence, targets] : seen)
            if (ledger.isOpen(Sequence(sequence))) targets.insert(id.value);
    }
    return seen;
}

void SalvageBooks::rebuildPointers() {
    const auto seen = targetsSeen();
    SQLite::Statement event(m_database,
                            "SELECT seq, user_kind, user, id, type FROM events WHERE seq=?");
    for (const auto& [sequence, targets] : seen) {
        event.reset();
        event.bind(1, toColumn(sequence));
        if (event.executeStep()) rebuildPointer(event, seen);
    }
    SQLite::Statement query(m_database,
                            "SELECT seq FROM pointers WHERE seq NOT IN (SELECT seq FROM events)");
    while (query.executeStep()) m_withoutPayload.insert(asUnsigned(query.getColumn(0)));
}

void SalvageBooks::rebuildPointer(SQLite::Statement& event,
                                  const std::map<std::uint64_t, Targets>& seen) {
    const std::uint64_t sequence = asUnsigned(event.getColumn(0));
    const UserKey user{static_cast<UserKey::Kind>(event.getColumn(1).getInt()),
                       event.getColumn(2).getString()};
    const std::string id = event.getColumn(3).getString();
    const std::string type = event.getColumn(4).getString();
    Targets certain = seen.at(sequence);
    std::vector<Target> targets;
    for (const auto& config : readDestinations(m_database)) {
        const bool named = certain.contains(config.id.value);
        // What the checkpoint does not hold open is finished or never went there.
        const bool settled = m_evidence.checkpoint.contains(config.id) &&
                             sequence <= m_evidence.checkpointAt.sequence;
        const auto& types = config.eventTypes;
        const bool fits = types.empty() || std::find(types.begin(), types.end(), type) !=
                                               types.end();
        if (!named && (settled || !fits)) continue;
        SQLite::Statement clock(m_database, "SELECT clock FROM destination_state WHERE id=?");
        clock.bind(1, config.id.value);
        targets.push_back({config.id, clock.executeStep() ? clock.getColumn(0).getInt64() : 0});
        if (!named) m_guessed.insert({config.id, Sequence(sequence)});
    }
    const std::string bytes = encodeTargets(targets);
    SQLite::Statement insert(m_database, "INSERT INTO pointers(seq, user, targets) VALUES(?,?,?)");
    insert.bind(1, toColumn(sequence));
    insert.bind(2, toColumn(m_names(user, id).value));
    insert.bindNoCopy(3, bytes.data(), static_cast<int>(bytes.size()));
    insert.exec();
}

}  // namespace lanes::store
